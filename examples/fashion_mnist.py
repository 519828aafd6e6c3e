"""An image classifier, with most of what a writer can log about one.

    pip install kymograph torch
    python examples/fashion_mnist.py
    kymograph inspect runs/fashion_mnist

Pictures, the model's graph, losses, weights, a precision-recall curve for each class, and what
the network makes of each picture, for the projector. The data is drawn here: like Fashion-MNIST
it has ten kinds of clothing on 28 x 28 pixels. To train on the real one, let `clothes` return it.
"""

import argparse
from collections import OrderedDict
from typing import Any

import torch
from torch import nn

from kymograph import SummaryWriter

# Seven rows of seven for each class.
SHAPES = {
    "t-shirt": "##...## ####### #.###.# ..###.. ..###.. ..###.. ..###..",
    "trouser": ".#####. .#####. .##.##. .##.##. .##.##. .##.##. .##.##.",
    "pullover": "..###.. ####### ####### #.###.# #.###.# #.###.# #.###.#",
    "dress": "..#.#.. ..###.. ...#... ..###.. ..###.. .#####. #######",
    "coat": ".##.##. ###.### ###.### ###.### #.#.#.# #.#.#.# ..#.#..",
    "sandal": "....... ....... ......# #...### .##.#.# ..##..# #######",
    "shirt": "##.#.## ###.### #.###.# ..#.#.. ..###.. ..#.#.. ..###..",
    "sneaker": "....... ....... .....## ##..### ####### ####### #.#.#.#",
    "bag": "..###.. .#...#. .#...#. ####### ####### ####### #######",
    "ankle boot": "...#### ...#### ...#### ..##### ####### ####### ##...##",
}
CLASSES = list(SHAPES)


def clothes(count: int, seed: int) -> torch.utils.data.TensorDataset:
    """Pictures (N, 1, 28, 28) from 0 to 1 and their classes: moved, darkened, noisy."""
    generator = torch.Generator().manual_seed(seed)
    drawn = [[[c == "#" for c in row] for row in shape.split()] for shape in SHAPES.values()]
    shapes = torch.tensor(drawn).float().repeat_interleave(3, 1).repeat_interleave(3, 2)
    shapes = nn.functional.pad(shapes, (3, 4, 3, 4))
    labels = torch.randint(len(CLASSES), (count,), generator=generator)
    moves = torch.randint(-3, 4, (count, 2), generator=generator).tolist()
    moved = [shapes[label].roll(move, (0, 1)) for label, move in zip(labels, moves, strict=True)]
    brightness = 0.3 + 0.7 * torch.rand(count, 1, 1, generator=generator)
    noise = 0.15 * torch.randn(count, 28, 28, generator=generator)
    images = (torch.stack(moved) * brightness + noise).clamp(0, 1)
    return torch.utils.data.TensorDataset(images[:, None], labels)


def network() -> nn.Sequential:
    features = nn.Sequential(
        *(nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2), nn.ReLU()),
        *(nn.Flatten(), nn.Linear(16 * 6 * 6, 32), nn.ReLU()),
    )
    return nn.Sequential(OrderedDict(features=features, classifier=nn.Linear(32, len(CLASSES))))


def evaluate(model: nn.Sequential, test: Any, writer: SummaryWriter, step: int) -> float:
    """Logs how well the model does on the test data, and returns its accuracy."""
    images, labels = test.tensors
    with torch.no_grad():
        logits = model(images)
    probabilities = logits.softmax(1)
    accuracy = (logits.argmax(1) == labels).float().mean()
    writer.add_scalar("test/loss", nn.functional.cross_entropy(logits, labels), step)
    writer.add_scalar("test/accuracy", accuracy, step)
    for index, name in enumerate(CLASSES):
        writer.add_pr_curve(f"test/{name}", labels == index, probabilities[:, index], step)
    return float(accuracy)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logdir", default="runs/fashion_mnist")
    parser.add_argument("--epochs", type=int, default=3)
    arguments = parser.parse_args()

    torch.manual_seed(0)
    test = clothes(500, seed=1)
    batches = torch.utils.data.DataLoader(clothes(2000, seed=0), batch_size=50, shuffle=True)
    model = network()
    optimizer = torch.optim.Adam(model.parameters(), 2e-3)
    images, labels = test.tensors
    step = 0

    with SummaryWriter(arguments.logdir) as writer:
        writer.add_images("samples", images[:32])
        writer.add_graph(model, images[:1])
        for epoch in range(arguments.epochs):
            for batch, targets in batches:
                loss = nn.functional.cross_entropy(model(batch), targets)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                writer.add_scalar("train/loss", loss, step)
                step += 1
            accuracy = evaluate(model, test, writer, step)
            for name, weight in model.named_parameters():
                writer.add_histogram(f"weights/{name}", weight, step)
            print(f"epoch {epoch}: test accuracy {accuracy:.1%}")
        with torch.no_grad():
            features = model.features(images[:200])
        names = [CLASSES[label] for label in labels[:200]]
        writer.add_embedding(features, names, images[:200], step, tag="features")


if __name__ == "__main__":
    main()
