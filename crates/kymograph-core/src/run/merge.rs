//! New points put in their places among those of other writers that write at the same time.
//!
//! Writers that write at once are rarely far apart, so new points belong near the end. All chunks
//! before them are shared with what was published before.

use std::cmp::Ordering;

use crate::blob::{BlobPoint, Blobs};
use crate::series::{Column, Point, Points};
use crate::types::{Step, WallTime};

/// The place of a point among those of other writers.
pub trait Placed {
    /// Its step, then its time.
    fn place(&self) -> (Step, WallTime);
}

impl Placed for Point {
    fn place(&self) -> (Step, WallTime) {
        (self.step, self.wall_time)
    }
}

impl Placed for BlobPoint {
    fn place(&self) -> (Step, WallTime) {
        (self.step, self.wall_time)
    }
}

fn order(a: (Step, WallTime), b: (Step, WallTime)) -> Ordering {
    a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
}

/// Sorts by place; what shares a place stays in order.
pub fn sort<P: Placed>(points: &mut [P]) {
    points.sort_by(|a, b| order(a.place(), b.place()));
}

/// `before`, which is sorted, with `fresh` points among them, behind those of the same place; and
/// whether any of those before moved.
pub fn scalars(before: &Points, mut fresh: Vec<Point>) -> (Points, bool) {
    sort(&mut fresh);
    let mut fresh = fresh.into_iter().peekable();
    let (mut column, mut moved) = (Column::default(), false);
    for chunk in before.chunks() {
        let last = (chunk.summary.step_ends.1, chunk.summary.wall_ends.1);
        if fresh.peek().is_none_or(|new| order(new.place(), last).is_ge()) {
            column.share(chunk.clone());
            continue;
        }
        moved = true;
        for old in chunk.points() {
            while let Some(new) = fresh.next_if(|new| order(new.place(), old.place()).is_lt()) {
                column.push(new);
            }
            column.push(old);
        }
    }
    fresh.for_each(|new| column.push(new));
    (Points::new(column.into_chunks()), moved)
}

/// The same for blobs.
pub fn blobs(before: &Blobs, mut fresh: Vec<BlobPoint>) -> (Blobs, bool) {
    sort(&mut fresh);
    let Some(first) = fresh.first().map(Placed::place) else {
        return (before.clone(), false);
    };
    let stay = before.partition_point(|old| order(old.place(), first).is_le());
    let mut merged = before.first(stay);
    let mut fresh = fresh.into_iter().peekable();
    for old in before.iter_from(stay) {
        while let Some(new) = fresh.next_if(|new| order(new.place(), old.place()).is_lt()) {
            merged.push(new);
        }
        merged.push(*old);
    }
    merged.extend(fresh);
    (merged, stay < before.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blob::{Address, FileNumber};

    fn point(step: Step, number: usize) -> Point {
        Point { step, wall_time: (step % 7) as f64, value: number as f64 }
    }

    fn blob(point: &Point) -> BlobPoint {
        let address = Address {
            file: FileNumber(1),
            record_offset: point.value as u64,
            payload_len: 0,
            value_offset: 0,
            value_len: 0,
        };
        BlobPoint { step: point.step, wall_time: point.wall_time, address }
    }

    /// Two writers some steps apart; the one behind catches up.
    fn rounds(apart: Step) -> Vec<Vec<Point>> {
        let mut number = 0;
        let mut next = |step| {
            number += 1;
            point(step, number)
        };
        (0..40)
            .map(|round| {
                let steps = round * 97..(round + 1) * 97;
                steps.flat_map(|step| [next(step + apart), next(step * 2)]).collect()
            })
            .collect()
    }

    #[test]
    fn merged_bit_by_bit_or_sorted_at_once_is_the_same() {
        for apart in [0, 1, 50, 3000] {
            let (mut all, mut points, mut some_blobs) =
                (Vec::new(), Points::default(), Blobs::default());
            for fresh in rounds(apart) {
                let last = all.iter().map(Point::place).max_by(|a, b| order(*a, *b));
                let behind = |new: &Point| last.is_none_or(|last| order(new.place(), last).is_ge());
                let expected = !fresh.iter().all(behind);
                all.extend(fresh.iter().copied());
                let moved;
                (some_blobs, moved) = blobs(&some_blobs, fresh.iter().map(blob).collect());
                assert_eq!(moved, expected);
                let moved;
                (points, moved) = scalars(&points, fresh);
                assert_eq!(moved, expected);
                sort(&mut all);
                assert_eq!(points.values(0), all.iter().map(|p| p.value).collect::<Vec<_>>());
                assert!(some_blobs.iter().eq(all.iter().map(blob).collect::<Vec<_>>().iter()));
                assert!(points.steps_sorted());
            }
            let most = 2 * all.len() / crate::series::CHUNK_POINTS + 2;
            assert!(points.chunks().len() <= most, "{apart} apart: {}", points.chunks().len());
        }
    }

    #[test]
    fn what_does_not_move_is_shared() {
        let before: Vec<Point> = (0..10_000).map(|step| point(step, 0)).collect();
        let (before, _) = scalars(&Points::default(), before);
        let (after, moved) = scalars(&before, vec![point(9_990, 1), point(20_000, 2)]);
        assert!(moved);
        let shared = before.chunks().iter().zip(after.chunks());
        let shared = shared.filter(|(a, b)| std::sync::Arc::ptr_eq(a, b)).count();
        assert_eq!(shared, before.chunks().len() - 1);
        let (same, moved) = scalars(&after, Vec::new());
        assert!(!moved);
        assert_eq!(same.len(), 10_002);
    }
}
