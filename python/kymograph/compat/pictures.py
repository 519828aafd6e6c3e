"""Images and videos as one: TensorBoard has both under its images."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kymograph.errors import UnknownTagError
from kymograph.lazy import numpy as np
from kymograph.store import BlobSeries, Metadata, Run
from kymograph.store.blobs import Decoded

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["IMAGES", "find", "joined"]

IMAGES, _VIDEO = "images", "video"


def joined(run: Run, dashboard: str | None = None) -> list[BlobSeries]:
    """All blobs of a run, or those of one dashboard; images and videos of a tag are one series."""
    found = run.all_blobs(dashboard)
    if dashboard == IMAGES:
        found += run.all_blobs(_VIDEO)
    images = {one.tag: one for one in found if one.dashboard == IMAGES}
    videos = {one.tag: one for one in found if one.dashboard == _VIDEO}
    both = {tag: _Both(images[tag], videos[tag]) for tag in images.keys() & videos.keys()}
    if not both and dashboard != IMAGES:
        return found
    kept = [both.get(one.tag, one) if one.dashboard == IMAGES else one for one in found]
    kept = [one for one in kept if one.dashboard != _VIDEO or one.tag not in both]
    return sorted(kept, key=lambda one: one.tag) if dashboard == IMAGES else kept


def find(run: Run, tag: str) -> BlobSeries:
    """The images and videos of a tag. Raises UnknownTagError when there are none."""
    found = {one.tag: one for one in joined(run, IMAGES)}.get(tag)
    if found is None:
        raise UnknownTagError(f"run `{run.name}` has no images with the tag: {tag!r}")
    return found


class _Both(BlobSeries):
    """Images and videos of one tag, in the order of their times."""

    def __init__(self, images: BlobSeries, videos: BlobSeries) -> None:
        super().__init__(images.run, images._core)  # noqa: SLF001
        self._parts = (images, videos)

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    @property
    def metadata(self) -> Metadata:
        """That of the part that has some."""
        images, videos = self._parts
        return images.metadata if images.metadata != Metadata() else videos.metadata

    @cached_property
    def _order(self) -> list[tuple[int, int]]:
        """Which part, and which of its blobs."""
        places = [(part, at) for part, one in enumerate(self._parts) for at in range(len(one))]
        return sorted(places, key=lambda place: self._parts[place[0]].wall_times[place[1]])

    @cached_property
    def steps(self) -> npt.NDArray[np.int64]:
        """The steps."""
        return np.array([self._parts[part].steps[at] for part, at in self._order], np.int64)

    @cached_property
    def wall_times(self) -> npt.NDArray[np.float64]:
        """When each was logged."""
        return np.array([self._parts[part].wall_times[at] for part, at in self._order])

    @property
    def generation(self) -> int:
        """Another one when that of either is another one."""
        images, videos = self._parts
        return images.generation << 32 | videos.generation

    def read(self, index: int) -> bytes:
        """The bytes of one blob."""
        part, at = self._order[self._position(index)]
        return self._parts[part].read(at)

    def decode(self, index: int) -> Decoded:
        """One blob, decoded."""
        part, at = self._order[self._position(index)]
        return self._parts[part].decode(at)

    def decode_all(self, start: int = 0, stop: int | None = None) -> list[Decoded | None]:
        """Some blobs, decoded."""
        places = self._order[start:stop]
        return [self._parts[part].decode_all(at, at + 1)[0] for part, at in places]

    def addresses(self, start: int = 0, stop: int | None = None) -> list[str]:
        """By which the store finds them."""
        places = self._order[start:stop]
        return [self._parts[part].addresses(at, at + 1)[0] for part, at in places]
