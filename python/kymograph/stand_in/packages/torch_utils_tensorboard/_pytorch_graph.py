"""In the place of `torch.utils.tensorboard._pytorch_graph`, which tensorboardX calls."""

from typing import Any

from kymograph.stand_in.messages import GraphDef, Message, RunMetadata
from kymograph.writer.summaries import graphs

__all__ = ["graph"]


def graph(
    model: Any, args: Any, verbose: bool = False, use_strict_trace: bool = True
) -> tuple[Message, Message]:
    """The model's graph and its run metadata."""
    graph_def, run_metadata = graphs.graph(model, args, verbose, use_strict_trace)
    return GraphDef(graph_def), RunMetadata(run_metadata)
