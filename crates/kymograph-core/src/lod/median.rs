//! Medians of a moving window, in a time that does not grow with its width.
//!
//! The values are sorted once. The window is then a set of ranks, kept as bits, that one rank
//! enters and one leaves with every point, and the median is never far from the one before.

use std::ops::Range;

/// For every point of `wanted` the median of the finite values from `left` points before it to
/// `right` after it; the value itself where that is not finite.
pub(super) fn medians(values: &[f64], wanted: Range<usize>, left: usize, right: usize) -> Vec<f64> {
    let (sorted, ranks) = rank(values);
    let mut window = Window::new(sorted.len());
    let mut inside = wanted.start.saturating_sub(left)..wanted.start.saturating_sub(left);
    wanted
        .map(|index| {
            while inside.end < (index + right + 1).min(values.len()) {
                window.insert(ranks[inside.end]);
                inside.end += 1;
            }
            while inside.start < index.saturating_sub(left) {
                window.remove(ranks[inside.start]);
                inside.start += 1;
            }
            let value = values[index];
            if value.is_finite() { window.median(&sorted) } else { value }
        })
        .collect()
}

/// The rank of a value that is not finite.
const NONE: usize = usize::MAX;

/// The finite values in order, and the place of every value among them.
fn rank(values: &[f64]) -> (Vec<f64>, Vec<usize>) {
    let finite = values.iter().enumerate().filter(|(_, value)| value.is_finite());
    let mut order: Vec<(i64, usize)> =
        finite.map(|(index, value)| (in_order(value.to_bits() as i64), index)).collect();
    order.sort_unstable();
    let mut ranks = vec![NONE; values.len()];
    for (rank, &(_, index)) in order.iter().enumerate() {
        ranks[index] = rank;
    }
    (order.into_iter().map(|(_, index)| values[index]).collect(), ranks)
}

/// The bits of a float turned so that they are in order as whole numbers, as `total_cmp` does it.
fn in_order(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// A set of ranks and the lower median of it.
struct Window {
    ranks: Ranks,
    len: usize,
    /// The lower median, unless something was changed since.
    middle: usize,
    /// How many ranks are less than `middle`.
    below: usize,
}

impl Window {
    fn new(end: usize) -> Window {
        Window { ranks: Ranks::new(end), len: 0, middle: 0, below: 0 }
    }

    fn insert(&mut self, rank: usize) {
        if rank != NONE {
            self.ranks.insert(rank);
            self.len += 1;
            self.below += usize::from(rank < self.middle);
        }
    }

    fn remove(&mut self, rank: usize) {
        if rank != NONE {
            self.ranks.remove(rank);
            self.len -= 1;
            self.below -= usize::from(rank < self.middle);
        }
    }

    /// There must be at least one rank.
    fn median(&mut self, sorted: &[f64]) -> f64 {
        let wanted = (self.len - 1) / 2;
        while self.below > wanted {
            self.middle = self.ranks.before(self.middle);
            self.below -= 1;
        }
        while self.below < wanted || !self.ranks.holds(self.middle) {
            self.below += usize::from(self.ranks.holds(self.middle));
            self.middle = self.ranks.after(self.middle);
        }
        let lower = sorted[self.middle];
        if self.len % 2 == 1 {
            return lower;
        }
        lower * 0.5 + sorted[self.ranks.after(self.middle)] * 0.5
    }
}

/// A set of numbers as bits. A bit of a level shows whether a word of the level below has any.
struct Ranks {
    levels: Vec<Vec<u64>>,
}

impl Ranks {
    fn new(end: usize) -> Ranks {
        let mut levels = vec![vec![0; end / 64 + 1]];
        while let Some(words) = levels.last().map(Vec::len).filter(|&words| words > 1) {
            levels.push(vec![0; words.div_ceil(64)]);
        }
        Ranks { levels }
    }

    fn holds(&self, number: usize) -> bool {
        self.levels[0][number / 64] >> (number % 64) & 1 == 1
    }

    fn insert(&mut self, mut number: usize) {
        for level in &mut self.levels {
            let word = &mut level[number / 64];
            let had_any = *word != 0;
            *word |= 1 << (number % 64);
            if had_any {
                return;
            }
            number /= 64;
        }
    }

    fn remove(&mut self, mut number: usize) {
        for level in &mut self.levels {
            let word = &mut level[number / 64];
            *word &= !(1 << (number % 64));
            if *word != 0 {
                return;
            }
            number /= 64;
        }
    }

    /// The smallest number of the set above `number`; there must be one.
    fn after(&self, number: usize) -> usize {
        let mut at = number;
        for (height, level) in self.levels.iter().enumerate() {
            // Two shifts, because one by 64 is none.
            let later = level[at / 64] & (!0 << (at % 64) << 1);
            at /= 64;
            if later != 0 {
                let found = at * 64 + later.trailing_zeros() as usize;
                let down = self.levels[..height].iter().rev();
                return down
                    .fold(found, |word, level| word * 64 + level[word].trailing_zeros() as usize);
            }
        }
        number
    }

    /// The largest number of the set below `number`; there must be one.
    fn before(&self, number: usize) -> usize {
        let mut at = number;
        for (height, level) in self.levels.iter().enumerate() {
            let earlier = level[at / 64] & !(!0 << (at % 64));
            at /= 64;
            if earlier != 0 {
                let found = at * 64 + last(earlier);
                let down = self.levels[..height].iter().rev();
                return down.fold(found, |word, level| word * 64 + last(level[word]));
            }
        }
        number
    }
}

/// Number of the highest bit that is set.
fn last(word: u64) -> usize {
    63 - word.leading_zeros() as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::samples::Random;
    use super::*;

    #[test]
    fn a_set_of_ranks_knows_its_neighbours() {
        let mut random = Random::new(31);
        for end in [1, 64, 65, 5000, 300_000] {
            let (mut ranks, mut twin) = (Ranks::new(end), BTreeSet::new());
            for _ in 0..2000 {
                let number = random.below(end);
                if random.below(3) == 0 {
                    ranks.remove(number);
                    twin.remove(&number);
                } else {
                    ranks.insert(number);
                    twin.insert(number);
                }
                let from = random.below(end);
                assert_eq!(ranks.holds(from), twin.contains(&from));
                if let Some(&after) = twin.range(from + 1..).next() {
                    assert_eq!(ranks.after(from), after);
                }
                if let Some(&before) = twin.range(..from).next_back() {
                    assert_eq!(ranks.before(from), before);
                }
            }
        }
    }

    #[test]
    fn bits_are_put_in_the_order_of_their_floats() {
        let sorted = [f64::MIN, -1.5, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, f64::MAX];
        let bits = sorted.map(|value| in_order(value.to_bits() as i64));
        assert!(bits.is_sorted());
    }
}
