"""Slow work: in threads, bounded, and refused when too much waits."""

import asyncio
import threading

import pytest

from kymograph.asgi.work import Cost, Workers
from kymograph.errors import BusyError


def test_work_is_done_in_a_thread():
    workers = Workers()
    ran_in = asyncio.run(workers.run(threading.current_thread))
    workers.close()
    assert ran_in.name.startswith("kymograph-work")


def test_what_fails_there_fails_here():
    async def main() -> None:
        with pytest.raises(ZeroDivisionError):
            await workers.run(lambda: 1 // 0)
        assert await workers.run(max, 3, 5) == 5

    workers = Workers()
    asyncio.run(main())
    workers.close()


def test_too_much_at_once_is_refused_and_the_rest_is_done():
    gate = threading.Event()

    async def main() -> None:
        waiting = [asyncio.ensure_future(workers.run(gate.wait, 60)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match="try again"):
            await workers.run(max, 1, 2)
        gate.set()
        assert await asyncio.gather(*waiting) == [True, True, True]
        assert await workers.run(max, 1, 2) == 2

    workers = Workers(threads=1, most_waiting=3)
    asyncio.run(main())
    workers.close()


def test_what_is_abandoned_is_not_waited_for():
    over = threading.Event()

    async def main() -> None:
        waiting = [asyncio.ensure_future(workers.run(over.wait, 60)) for _ in range(3)]
        while not workers.is_busy:
            await asyncio.sleep(0)
        workers.abandon()
        for one in waiting:
            with pytest.raises(BusyError, match="shutting down"):
                await one
        assert workers.is_busy

    workers = Workers(threads=1)
    assert not workers.is_busy
    asyncio.run(main())
    over.set()
    workers.close()


def test_whoever_is_cancelled_hears_just_that():
    over = threading.Event()

    async def main() -> None:
        waiting = asyncio.ensure_future(workers.run(over.wait, 60))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    workers = Workers(threads=1)
    asyncio.run(main())
    over.set()
    workers.close()


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        (Cost.of_points(0), Cost.TINY),
        (Cost.of_points(10_001), Cost.QUICK),
        (Cost.of_points(200_001), Cost.SLOW),
        (Cost.of_pairs(0), Cost.QUICK),
        (Cost.of_pairs(50_001), Cost.SLOW),
    ],
)
def test_the_cost_of_work_depends_on_its_size(cost: Cost, expected: Cost):
    assert cost is expected
