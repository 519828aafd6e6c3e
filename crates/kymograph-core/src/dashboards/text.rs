//! Text: string tensors of any rank, and what is found in them.

use std::borrow::Cow;
use std::time::Instant;

use crate::event::{Body, Tensor, Value};
use crate::pattern::Pattern;
use crate::protobuf::WireError;

/// The strings logged under one tag at one step, in C order.
#[derive(Debug, Default, PartialEq)]
pub struct Text {
    /// Sizes of the dimensions; empty for a single string.
    pub shape: Vec<u64>,
    /// UTF-8 normally, Markdown often.
    pub strings: Vec<Vec<u8>>,
}

/// The strings in a value; none when it is of another kind.
pub fn decode(value: &Value<'_>) -> Result<Text, WireError> {
    let Body::Tensor(message) = value.body else {
        return Ok(Text::default());
    };
    let tensor = Tensor::parse(message)?;
    let strings = tensor.strings()?;
    let shape = match tensor.count() {
        Some(count) if count == strings.len() => tensor.shape,
        // A shape that does not fit the strings is ignored.
        _ => vec![strings.len() as u64],
    };
    let strings = strings.into_iter().map(<[u8]>::to_vec).collect();
    Ok(Text { shape, strings })
}

/// Matches of one text that are shown in their surroundings.
const MAX_SNIPPETS: usize = 3;
/// Characters of its line that are shown before and behind a match, and of the match itself.
const CHARS_BEFORE: usize = 40;
const CHARS_BEHIND: usize = 120;
const CHARS_OF_MATCH: usize = 200;

/// Matches between two looks at the clock.
const MATCHES_BETWEEN: u64 = 32;

/// What was found in one text.
#[derive(Debug, Default, PartialEq)]
pub struct Matches {
    /// How many matches there are.
    pub count: u64,
    /// The first of them.
    pub snippets: Vec<Snippet>,
    /// Whether time ran out before the end of the text.
    pub is_cut: bool,
}

/// A match in its surroundings.
#[derive(Debug, PartialEq)]
pub struct Snippet {
    /// The position of its string, in C order.
    pub element: usize,
    /// Its line in that string, from 1.
    pub line: usize,
    /// What is before it in its line.
    pub before: String,
    /// The match.
    pub matched: String,
    /// What is behind it in its line.
    pub behind: String,
}

/// Searches the strings of a value until `deadline`. What is not UTF-8 in them is searched as the
/// page shows it.
pub fn search(
    value: &Value<'_>,
    pattern: &Pattern,
    deadline: Instant,
) -> Result<Matches, WireError> {
    let mut matches = Matches::default();
    let Body::Tensor(message) = value.body else {
        return Ok(matches);
    };
    for (element, string) in Tensor::parse(message)?.strings()?.into_iter().enumerate() {
        if Instant::now() >= deadline {
            matches.is_cut = true;
            break;
        }
        matches.add(&String::from_utf8_lossy(string), element, pattern, deadline);
    }
    Ok(matches)
}

impl Matches {
    fn add(&mut self, text: &str, element: usize, pattern: &Pattern, deadline: Instant) {
        let (mut line, mut counted) = (1, 0);
        for found in pattern.find_in(text) {
            self.count += 1;
            if self.snippets.len() < MAX_SNIPPETS {
                let (before, rest) = text.split_at(found.start);
                let (matched, behind) = rest.split_at(found.len());
                let new_lines = before.bytes().skip(counted).filter(|byte| *byte == b'\n').count();
                (line, counted) = (line + new_lines, found.start);
                self.snippets.push(Snippet {
                    element,
                    line,
                    before: end_of_line(before),
                    matched: start_of(matched, CHARS_OF_MATCH).into_owned(),
                    behind: start_of(behind.lines().next().unwrap_or(""), CHARS_BEHIND)
                        .into_owned(),
                });
            }
            // A hostile pattern may need the whole text for each match.
            if self.count.is_multiple_of(MATCHES_BETWEEN) && Instant::now() >= deadline {
                self.is_cut = true;
                break;
            }
        }
    }
}

fn start_of(text: &str, chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(chars) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or(""))),
        None => Cow::Borrowed(text),
    }
}

/// The last characters of the last line.
fn end_of_line(text: &str) -> String {
    let start = text
        .char_indices()
        .rev()
        .take(CHARS_BEFORE + 1)
        .take_while(|(_, mark)| *mark != '\n')
        .map(|(at, _)| at)
        .collect::<Vec<_>>();
    match start.as_slice() {
        [.., first, _] if start.len() > CHARS_BEFORE => {
            format!("…{}", text.get(*first..).unwrap_or(""))
        }
        [.., first] => text.get(*first..).unwrap_or("").to_owned(),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn searched(strings: &[&[u8]], pattern: &Pattern, deadline: Instant) -> Matches {
        let mut message = b"\x08\x07".to_vec();
        for string in strings {
            message.push(0x42);
            let mut len = string.len();
            while len > 127 {
                message.push((len % 128) as u8 | 128);
                len /= 128;
            }
            message.push(len as u8);
            message.extend_from_slice(string);
        }
        let value = Value { tag: b"note", metadata: None, body: Body::Tensor(&message) };
        search(&value, pattern, deadline).unwrap()
    }

    fn later() -> Instant {
        Instant::now() + Duration::from_secs(3600)
    }

    #[test]
    fn matches_are_counted_and_shown_in_their_line() {
        let pattern = Pattern::literal("dog", true).unwrap();
        let strings: [&[u8]; 3] = [b"a cat\nA Dog, a dog\nthe end", b"\xff dog", b"no"];
        let found = searched(&strings, &pattern, later());
        assert_eq!((found.count, found.is_cut), (3, false));
        let parts: Vec<_> = found
            .snippets
            .iter()
            .map(|one| (one.element, one.line, &*one.before, &*one.matched, &*one.behind))
            .collect();
        let expected = [
            (0, 2, "A ", "Dog", ", a dog"),
            (0, 2, "A Dog, a ", "dog", ""),
            (1, 1, "\u{fffd} ", "dog", ""),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn long_lines_are_cut_around_a_match() {
        let pattern = Pattern::new("x+", false).unwrap();
        let text = format!("{}{}{}", "ä".repeat(500), "x".repeat(500), "ö".repeat(500));
        let found = searched(&[text.as_bytes()], &pattern, later());
        assert_eq!(found.count, 1);
        let lens = |text: &str| (text.chars().count(), text.chars().next().unwrap());
        let snippet = &found.snippets[0];
        assert_eq!(lens(&snippet.before), (CHARS_BEFORE + 1, '…'));
        assert_eq!(lens(&snippet.matched), (CHARS_OF_MATCH + 1, 'x'));
        assert_eq!(lens(&snippet.behind), (CHARS_BEHIND + 1, 'ö'));
        let many = searched(&[&b"x ".repeat(1000)], &pattern, later());
        assert_eq!((many.count, many.snippets.len()), (1000, MAX_SNIPPETS));
    }

    #[test]
    fn a_search_stops_when_its_time_is_up() {
        let pattern = Pattern::new("x", false).unwrap();
        let found = searched(&[&b"x ".repeat(1000)], &pattern, Instant::now());
        assert_eq!((found.count, found.is_cut), (0, true));
    }

    #[test]
    fn a_value_without_strings_has_no_matches() {
        let value = Value { tag: b"note", metadata: None, body: Body::Empty };
        let pattern = Pattern::new("x", false).unwrap();
        assert_eq!(search(&value, &pattern, later()), Ok(Matches::default()));
    }

    fn strings(message: &[u8]) -> (Vec<u64>, Vec<Vec<u8>>) {
        let value = Value { tag: b"note", metadata: None, body: Body::Tensor(message) };
        let text = decode(&value).unwrap();
        (text.shape, text.strings)
    }

    #[test]
    fn strings_keep_their_shape_if_it_fits() {
        let two = b"\x42\x01a\x42\x01b";
        let shaped = |shape: &[u8]| [&b"\x08\x07"[..], shape, two].concat();
        assert_eq!(strings(b"\x08\x07\x42\x02\xff\xfe"), (vec![], vec![b"\xff\xfe".to_vec()]));
        let column = shaped(b"\x12\x08\x12\x02\x08\x02\x12\x02\x08\x01");
        assert_eq!(strings(&column), (vec![2, 1], vec![b"a".to_vec(), b"b".to_vec()]));
        let wrong = shaped(b"\x12\x04\x12\x02\x08\x07");
        assert_eq!(strings(&wrong), (vec![2], vec![b"a".to_vec(), b"b".to_vec()]));
        assert_eq!(strings(&shaped(b"")), (vec![2], vec![b"a".to_vec(), b"b".to_vec()]));
    }
}
