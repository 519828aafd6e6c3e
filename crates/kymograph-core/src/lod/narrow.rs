//! Columns of numbers, as narrow as is lossless.

/// A column of numbers of one type.
#[derive(Debug, Clone, PartialEq)]
pub enum Narrow {
    /// Flags.
    U8(Vec<u8>),
    /// Counts, and x beyond what the next one holds.
    U32(Vec<u32>),
    /// x that are whole numbers.
    I32(Vec<i32>),
    /// Numbers that lose nothing in single precision.
    F32(Vec<f32>),
    /// All others.
    F64(Vec<f64>),
}

impl Narrow {
    /// Number of entries.
    pub fn len(&self) -> usize {
        match self {
            Narrow::U8(column) => column.len(),
            Narrow::U32(column) => column.len(),
            Narrow::I32(column) => column.len(),
            Narrow::F32(column) => column.len(),
            Narrow::F64(column) => column.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whole numbers, in four bytes each if all of them fit.
    pub(crate) fn whole(numbers: Vec<f64>) -> Narrow {
        if numbers.iter().all(|&x| f64::from(x as i32) == x) {
            return Narrow::I32(numbers.into_iter().map(|x| x as i32).collect());
        }
        if numbers.iter().all(|&x| f64::from(x as u32) == x) {
            return Narrow::U32(numbers.into_iter().map(|x| x as u32).collect());
        }
        Narrow::F64(numbers)
    }

    /// Appends values to a column of single precision, unless it is double already or must be.
    pub(super) fn extend_values(&mut self, values: &[f64]) {
        let fit = values.iter().fold(true, |fit, &value| fit & fits_single(value));
        match self {
            Narrow::F32(column) if fit => column.extend(values.iter().map(|&value| value as f32)),
            _ => self.extend_as_double(values),
        }
    }

    /// Appends x, which are finite, to a column of whole numbers, likewise.
    pub(super) fn extend_x(&mut self, x: &[f64]) {
        let whole = |x: f64| f64::from(x as i32) == x;
        let fit = x.iter().fold(true, |fit, &x| fit & whole(x));
        match self {
            Narrow::I32(column) if fit => column.extend(x.iter().map(|&x| x as i32)),
            _ => self.extend_as_double(x),
        }
    }

    /// Appends numbers, after turning the column into one of doubles unless it is one.
    fn extend_as_double(&mut self, numbers: &[f64]) {
        if let Narrow::F64(column) = self {
            return column.extend_from_slice(numbers);
        }
        let mut double = Vec::with_capacity(self.len() + numbers.len());
        self.append_to(&mut double);
        double.extend_from_slice(numbers);
        *self = Narrow::F64(double);
    }

    fn append_to(&self, double: &mut Vec<f64>) {
        match self {
            Narrow::U8(column) => double.extend(column.iter().map(|&x| f64::from(x))),
            Narrow::U32(column) => double.extend(column.iter().map(|&x| f64::from(x))),
            Narrow::I32(column) => double.extend(column.iter().map(|&x| f64::from(x))),
            Narrow::F32(column) => double.extend(column.iter().map(|&x| f64::from(x))),
            Narrow::F64(column) => double.extend_from_slice(column),
        }
    }

    /// The columns one after another: of their type if they have one, else double.
    pub(super) fn join(parts: &[&Narrow]) -> Narrow {
        macro_rules! same {
            ($kind:path) => {{
                let columns = parts.iter().map_while(|part| match part {
                    $kind(column) => Some(column.as_slice()),
                    _ => None,
                });
                let columns: Vec<_> = columns.collect();
                (columns.len() == parts.len()).then(|| $kind(columns.concat()))
            }};
        }
        let double = || {
            let mut all = Vec::with_capacity(parts.iter().map(|part| part.len()).sum());
            parts.iter().for_each(|part| part.append_to(&mut all));
            Narrow::F64(all)
        };
        match parts.first() {
            Some(Narrow::U8(_)) => same!(Narrow::U8),
            Some(Narrow::U32(_)) => same!(Narrow::U32),
            Some(Narrow::I32(_)) => same!(Narrow::I32),
            Some(Narrow::F32(_)) => same!(Narrow::F32),
            _ => None,
        }
        .unwrap_or_else(double)
    }

    /// What is double only because it began as whole numbers of four bytes, made narrow again.
    pub(super) fn narrowed(self) -> Narrow {
        match self {
            Narrow::F64(column) if column.iter().all(|&x| f64::from(x as u32) == x) => {
                Narrow::U32(column.into_iter().map(|x| x as u32).collect())
            }
            Narrow::F64(column) if column.iter().all(|&x| fits_single(x)) => {
                Narrow::F32(column.into_iter().map(|x| x as f32).collect())
            }
            other => other,
        }
    }
}

/// NaN is one value, whatever its bits.
fn fits_single(value: f64) -> bool {
    (f64::from(value as f32) == value) | value.is_nan()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(parts: &[&[f64]], empty: &Narrow, extend: fn(&mut Narrow, &[f64])) -> Narrow {
        let part = |numbers: &&[f64]| {
            let mut part = empty.clone();
            numbers.chunks(2).for_each(|two| extend(&mut part, two));
            part
        };
        let parts: Vec<Narrow> = parts.iter().map(part).collect();
        Narrow::join(&parts.iter().collect::<Vec<_>>())
    }

    #[test]
    fn values_are_single_unless_one_would_lose_something() {
        let values =
            |parts: &[&[f64]]| join(parts, &Narrow::F32(Vec::new()), Narrow::extend_values);
        let (inf, least) = (f64::INFINITY, f64::from(f32::from_bits(1)));
        assert_eq!(
            values(&[&[0.5, -0.0, inf], &[], &[-inf, least]]),
            Narrow::F32(vec![0.5, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(1)])
        );
        let Narrow::F32(nan) = values(&[&[f64::NAN, 1.0]]) else { unreachable!() };
        assert!(nan[0].is_nan());
        for odd in [0.1, 1e300, 16_777_217.0, f64::MAX, least / 2.0] {
            let wide = [0.5, 0.25, 1.5, odd, 2.5];
            let expected = Narrow::F64([&[0.5][..], &wide].concat());
            assert_eq!(values(&[&[0.5], &wide]), expected);
        }
    }

    #[test]
    fn whole_numbers_take_four_bytes_where_they_fit() {
        let high = f64::from(u32::MAX);
        assert_eq!(Narrow::whole(vec![]), Narrow::I32(vec![]));
        assert_eq!(Narrow::whole(vec![-1.0, 2.0]), Narrow::I32(vec![-1, 2]));
        assert_eq!(Narrow::whole(vec![0.0, high]), Narrow::U32(vec![0, u32::MAX]));
        assert_eq!(Narrow::whole(vec![-1.0, high]), Narrow::F64(vec![-1.0, high]));
    }

    #[test]
    fn x_are_whole_numbers_where_they_can_be() {
        let x =
            |parts: &[&[f64]]| join(parts, &Narrow::I32(Vec::new()), Narrow::extend_x).narrowed();
        let (least, most) = (f64::from(i32::MIN), f64::from(i32::MAX));
        assert_eq!(x(&[&[0.0, least], &[most]]), Narrow::I32(vec![0, i32::MIN, i32::MAX]));
        let high = most + 1.0;
        assert_eq!(x(&[&[0.0], &[1.0, 2.0, high]]), Narrow::U32(vec![0, 1, 2, 1 << 31]));
        assert_eq!(x(&[&[0.5, -1.0], &[3.0]]), Narrow::F32(vec![0.5, -1.0, 3.0]));
        assert_eq!(x(&[&[-1.0], &[high]]), Narrow::F32(vec![-1.0, 2_147_483_648.0]));
        assert_eq!(x(&[&[-1.0], &[high + 1.0]]), Narrow::F64(vec![-1.0, high + 1.0]));
        assert_eq!(x(&[&[1.7e9 + 0.1]]), Narrow::F64(vec![1.7e9 + 0.1]));
    }
}
