"""In the place of `torch.utils.tensorboard._pytorch_graph`, which tensorboardX calls."""

from typing import Any

from kymograph.writer.summaries import graphs

__all__ = ["graph"]


class _Message(bytes):
    def SerializeToString(self) -> bytes:  # noqa: N802  (protobuf's name)
        return bytes(self)


def graph(
    model: Any, args: Any, verbose: bool = False, use_strict_trace: bool = True
) -> tuple[_Message, _Message]:
    """The model's graph and run metadata, serialised."""
    graph_def, run_metadata = graphs.graph(model, args, verbose, use_strict_trace)
    return _Message(graph_def), _Message(run_metadata)
