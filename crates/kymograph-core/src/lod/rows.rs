//! What is known of lines and bands, as the rows of JSON that the HTTP API has for them.

use std::fmt::{self, Write};

use super::{Neighbour, Placed, PlacedBands};

/// Which line of an answer a row is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineLabel<'a> {
    /// Number of the card.
    pub card: usize,
    /// Name of the run.
    pub run: &'a str,
    /// The tag, or the text of an expression.
    pub tag: &'a str,
    /// Change number of the series.
    pub change: u64,
    /// Its generation.
    pub generation: i64,
}

/// Which band of an answer a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BandLabel {
    /// Number of the card.
    pub card: usize,
    /// Number of the group in the card.
    pub group: usize,
    /// How many of its runs have the tag.
    pub runs: usize,
}

/// An array with a row for each line. Empty facts are left out.
pub fn line_rows<'a>(lines: impl Iterator<Item = (&'a Placed, LineLabel<'a>)>) -> String {
    array(lines, |row, (placed, label)| {
        let head = &placed.head;
        row.number("card", label.card)?;
        row.text("run", label.run)?;
        row.text("tag", label.tag)?;
        row.number("change", label.change)?;
        row.number("generation", label.generation)?;
        row.number("points", head.total_points)?;
        row.number("exact", head.exact)?;
        row.number("sorted", head.sorted)?;
        row.number("points_in_range", head.points_in_range)?;
        row.number("skipped", head.skipped)?;
        row.floats("bounds", &[Some(head.bounds.0), Some(head.bounds.1)])?;
        row.number("start", placed.start)?;
        row.number("length", placed.length)?;
        if head.exact && placed.x_start != placed.start {
            row.number("x_start", placed.x_start)?;
        }
        if let Some(start) = placed.smoothed_start {
            row.number("smoothed_start", start)?;
        }
        if placed.from_point != 0 {
            row.number("from_point", placed.from_point)?;
        }
        for (name, neighbour) in [("before", head.before), ("after", head.after)] {
            if let Some(Neighbour { x, value, smoothed }) = neighbour {
                row.floats(name, &[Some(x), Some(value), smoothed])?;
            }
        }
        Ok(())
    })
}

/// An array with a row for each band.
pub fn band_rows<'a>(bands: impl Iterator<Item = (&'a PlacedBands, BandLabel)>) -> String {
    array(bands, |row, (placed, label)| {
        row.number("card", label.card)?;
        row.number("group", label.group)?;
        row.number("runs", label.runs)?;
        row.number("exact", placed.exact)?;
        row.number("skipped", placed.skipped)?;
        row.number("start", placed.start)?;
        row.number("length", placed.length)?;
        if let Some(start) = placed.interval_start {
            row.number("boot_start", start)?;
        }
        Ok(())
    })
}

fn array<T>(
    items: impl Iterator<Item = T>,
    write: impl Fn(&mut Row<'_>, T) -> fmt::Result,
) -> String {
    let mut json = String::from("[");
    for item in items {
        json.push_str(if json.len() > 1 { ",{" } else { "{" });
        let mut row = Row { json: &mut json, is_first: true };
        // Writing to a string cannot fail.
        let _ = write(&mut row, item);
        json.push('}');
    }
    json.push(']');
    json
}

/// An object of JSON while it is written.
struct Row<'a> {
    json: &'a mut String,
    is_first: bool,
}

impl Row<'_> {
    fn name(&mut self, name: &str) -> fmt::Result {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        write!(self.json, "{comma}\"{name}\":")
    }

    fn number(&mut self, name: &str, number: impl fmt::Display) -> fmt::Result {
        self.name(name)?;
        write!(self.json, "{number}")
    }

    fn floats(&mut self, name: &str, numbers: &[Option<f64>]) -> fmt::Result {
        self.name(name)?;
        for (index, number) in numbers.iter().enumerate() {
            self.json.push(if index == 0 { '[' } else { ',' });
            match number {
                Some(number) => write_float(self.json, *number)?,
                None => self.json.push_str("null"),
            }
        }
        self.json.push(']');
        Ok(())
    }

    fn text(&mut self, name: &str, text: &str) -> fmt::Result {
        self.name(name)?;
        self.json.push('"');
        for char in text.chars() {
            match char {
                '"' => self.json.push_str("\\\""),
                '\\' => self.json.push_str("\\\\"),
                '\n' => self.json.push_str("\\n"),
                '\r' => self.json.push_str("\\r"),
                '\t' => self.json.push_str("\\t"),
                '\u{8}' => self.json.push_str("\\b"),
                '\u{c}' => self.json.push_str("\\f"),
                control if control < ' ' => write!(self.json, "\\u{:04x}", u32::from(control))?,
                other => self.json.push(other),
            }
        }
        self.json.push('"');
        Ok(())
    }
}

/// The fewest digits that give the number back. JSON has no NaN and no infinities: they are
/// strings.
fn write_float(json: &mut String, number: f64) -> fmt::Result {
    let size = number.abs();
    if number.is_nan() {
        json.push_str("\"NaN\"");
    } else if number.is_infinite() {
        json.push_str(if number > 0.0 { "\"Infinity\"" } else { "\"-Infinity\"" });
    } else if size != 0.0 && !(1e-5..1e16).contains(&size) {
        write!(json, "{number:e}")?;
    } else if number.fract() == 0.0 {
        write!(json, "{number}.0")?;
    } else {
        write!(json, "{number}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::samples::series;
    use super::super::{Axis, Group, Line, Query, Smoothing, bands_batch, batch};
    use super::*;

    fn float(number: f64) -> String {
        let mut json = String::new();
        write_float(&mut json, number).unwrap();
        json
    }

    #[test]
    fn numbers_are_short_and_give_themselves_back() {
        for (number, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1_700_000_000.5, "1700000000.5"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e16"),
            (-1.5e300, "-1.5e300"),
            (1e-5, "0.00001"),
            (9.9e-6, "9.9e-6"),
            (5e-324, "5e-324"),
            (f64::NAN, "\"NaN\""),
            (f64::INFINITY, "\"Infinity\""),
            (f64::NEG_INFINITY, "\"-Infinity\""),
        ] {
            assert_eq!(float(number), expected);
        }
        for bits in (0..10_000_u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)) {
            let number = f64::from_bits(bits);
            if number.is_finite() {
                assert_eq!(float(number).parse::<f64>().unwrap().to_bits(), bits);
            }
        }
    }

    #[test]
    fn a_row_of_a_line_has_what_there_is_to_say() {
        let points = series(&(0..5).collect::<Vec<_>>());
        let query = Query { range: Some((1.0, 3.0)), ..Query::default() };
        let line =
            Line { points: &points, query, x_from: None, from_point: 0, smooth_points: true };
        let mut heads = batch(&[line]).unwrap().heads;
        let label =
            LineLabel { card: 2, run: "a\"b\\\n\u{1}ü", tag: "loss", change: 7, generation: -3 };
        let rows = |heads: &[Placed]| line_rows(heads.iter().map(|head| (head, label)));
        let start = "[{\"card\":2,\"run\":\"a\\\"b\\\\\\n\\u0001ü\",\"tag\":\"loss\",\"change\":7,\"generation\":-3,\"points\":5,\"exact\":true,\"sorted\":true,\"points_in_range\":3,\"skipped\":0,\"bounds\":[1.0,3.0],\"start\":0,\"length\":3";
        let rest = rows(&heads);
        let rest = rest.strip_prefix(start).unwrap();
        assert!(
            rest.starts_with(",\"before\":[0.0,") && rest.contains("],\"after\":[4.0,"),
            "{rest}"
        );
        assert!(rest.ends_with(",null]}]"), "{rest}");
        heads[0].x_start = 9;
        heads[0].smoothed_start = Some(0);
        heads[0].from_point = 4;
        let said = ",\"x_start\":9,\"smoothed_start\":0,\"from_point\":4,\"before\"";
        assert!(rows(&heads).contains(said));
        assert_eq!(rows(&[heads[0], heads[0]]).matches("},{\"card\"").count(), 1);
        assert_eq!(rows(&[]), "[]");
    }

    #[test]
    fn a_row_of_a_band_says_where_it_is() {
        let points = series(&(0..5).collect::<Vec<_>>());
        let group = Group {
            members: vec![(&points, None)],
            axis: Axis::Step,
            range: None,
            columns: 10,
            smoothing: Smoothing::None,
            bootstrap: None,
        };
        let mut heads = bands_batch(&[group]).unwrap().heads;
        let label = BandLabel { card: 1, group: 2, runs: 3 };
        let rows = |heads: &[PlacedBands]| band_rows(heads.iter().map(|head| (head, label)));
        let row = "{\"card\":1,\"group\":2,\"runs\":3,\"exact\":true,\"skipped\":0,\"start\":0,\"length\":5";
        assert_eq!(rows(&heads), format!("[{row}}}]"));
        heads[0].interval_start = Some(6);
        assert_eq!(rows(&heads), format!("[{row},\"boot_start\":6}}]"));
    }
}
