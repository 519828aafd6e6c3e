"""The rank of real torch processes that have nothing but their process group."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch.distributed", reason="needs torch")
pytestmark = pytest.mark.frameworks

PROGRAM = """
import sys
import torch.distributed as distributed
from kymograph.writer.rank import find_rank

before = find_rank()
distributed.init_process_group(
    "gloo", init_method="file://" + sys.argv[1], rank=int(sys.argv[2]), world_size=2
)
print(before.source, find_rank())
distributed.barrier()
distributed.destroy_process_group()
print(find_rank().source)
"""


def test_rank_is_that_of_the_process_group_while_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("RANK", "WORLD_SIZE", "SLURM_PROCID"):
        monkeypatch.delenv(name, raising=False)
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(tmp_path / "rendezvous")]
    processes = [
        subprocess.Popen([*command, str(rank)], stdout=subprocess.PIPE, text=True)
        for rank in range(2)
    ]
    for rank, process in enumerate(processes):
        output, _ = process.communicate(timeout=120)
        assert output.splitlines() == [
            f"none Rank(rank={rank}, world=2, source='torch.distributed')",
            "none",
        ]
