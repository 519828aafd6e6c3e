"""The smallest language model that Transformers trains, with random weights and made-up text."""

from __future__ import annotations

from typing import Any

import torch
import transformers


def tiny_gpt() -> tuple[Any, list[dict[str, Any]]]:
    """The same model and the same four sequences each time."""
    transformers.set_seed(1)
    config = transformers.GPT2Config(
        vocab_size=11, n_positions=8, n_embd=4, n_layer=1, n_head=1, bos_token_id=0, eos_token_id=0
    )
    sequences = [torch.arange(start, start + 6) % 11 for start in range(4)]
    data = [{"input_ids": ids, "labels": ids.clone()} for ids in sequences]
    return transformers.GPT2LMHeadModel(config), data
