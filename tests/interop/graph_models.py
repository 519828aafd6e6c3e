"""Small PyTorch modules, one for each thing that can be special about a graph."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch
from torch import nn


class Perceptron(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.5))
        self.fc = nn.Linear(8, 2)

    def forward(self, x: Any) -> Any:
        return self.fc(self.seq(x)) * 0.5


class Convolutions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(36, 2)

    def forward(self, x: Any) -> Any:
        x = self.pool(torch.relu(self.bn(self.conv(x))))
        return torch.log_softmax(self.fc(x.view(x.size(0), -1)), 1)


class Block(nn.Module):
    """With a skip connection, as residual networks have it."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(2, 2, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(2)

    def forward(self, x: Any) -> Any:
        return torch.relu(x + self.bn1(self.conv1(x)))


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer1 = nn.Sequential(Block(), Block())

    def forward(self, x: Any) -> Any:
        return self.layer1(x).mean((2, 3))


class Listed(nn.Module):
    """A `ModuleList` is in the scope of the parameters, not in that of the calls."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])

    def forward(self, x: Any) -> Any:
        for block in self.blocks:
            x = x + torch.relu(block(x))
        return x


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(4, 8, batch_first=True)

    def forward(self, x: Any) -> Any:
        y, (h, _) = self.lstm(x)
        return y[:, -1], h


class TupleIn(nn.Module):
    """No parameters either."""

    def forward(self, x: Any, pair: Any) -> Any:
        return x + pair[0] * pair[1]


class DictIn(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, batch: Any) -> Any:
        return self.fc(batch["x"]) + batch["y"]


class DictOut(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        return {"a": self.fc(x), "b": x + 1}


class Shared(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = self.first

    def forward(self, x: Any) -> Any:
        return self.second(torch.relu(self.first(x)))


class Parts(nn.Module):
    """Lists, several results, a tensor held by the code."""

    def forward(self, x: Any) -> Any:
        a, b = x.chunk(2, 1)
        _, index = a.max(1)
        return a + b + torch.tensor([1.0, 2.0]), index


class Same(nn.Module):
    """Its output is its input."""

    def forward(self, x: Any, unused: Any) -> Any:
        return x


class Masked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x: Any, mask: Any = None) -> Any:
        y = self.fc(x)
        return y if mask is None else y * mask


class NeedsMask(nn.Module):
    """As `Masked`, but `None` has to be given."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x: Any, mask: Any) -> Any:
        y = self.fc(x)
        return y if mask is None else y * mask


class NoneOut(nn.Module):
    def forward(self, x: Any) -> Any:
        return x + 1, None


class Named(nn.Module):
    """Its variables are called as PyTorch's writer calls the output's node."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        output = self.fc(x)
        output = torch.relu(output)
        return output * 2


class Branches(nn.Module):
    """For `torch.jit.script`."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if bool(x.sum() > 0):
            x = self.fc(x)
        for i in range(3):
            x = x + i
        return x


class Restless(nn.Module):
    """Changes all it can get hold of when it is called."""

    def __init__(self) -> None:
        super().__init__()
        self.frozen = nn.Sequential(nn.BatchNorm1d(4), nn.Dropout())
        self.frozen.eval()
        self.register_buffer("written", torch.zeros(3))
        self.register_buffer("replaced", torch.zeros(3))
        self.replaced: Any
        self.calls = 0
        self.built = False

    def forward(self, x: Any, mask: Any = None) -> Any:
        self.calls += 1
        self.last = self.frozen(x) * random.random() * np.random.rand()
        self.written += 1
        self.replaced = self.replaced + 1
        if not self.built:
            self.weight = nn.Parameter(torch.rand(4))
            self.built = True
        return torch.nn.functional.dropout(self.last * self.weight)


def inputs() -> dict[str, tuple[nn.Module, Any]]:
    """Modules that PyTorch's writer can draw, with an input each."""
    rows = torch.arange(12.0).reshape(3, 4)
    return {
        "perceptron": (Perceptron(), rows),
        "convolutions": (Convolutions(), torch.ones(2, 1, 8, 8)),
        "residual": (Residual(), [torch.ones(1, 2, 4, 4)]),
        "listed": (Listed(), (rows,)),
        "recurrent": (Recurrent(), torch.ones(2, 3, 4)),
        "tuple in": (TupleIn(), (rows, (rows, rows))),
        "dict in": (DictIn(), {"x": rows, "y": rows[:, :2]}),
        "shared": (Shared(), rows),
        "parts": (Parts(), rows),
        "same": (Same(), (rows, rows)),
        "attention": (nn.TransformerEncoderLayer(4, 2, 8), torch.ones(3, 2, 4)),
    }
