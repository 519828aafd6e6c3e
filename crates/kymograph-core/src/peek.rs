//! What a large record holds, found without reading the large part of it.
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::cast_possible_truncation, clippy::unreachable)
)]

use std::io;
use std::ops::Range;

use crate::event::Body;
use crate::record::Window;

/// Tags and metadata up to this size are read; longer ones make a record worth reading whole.
const READ_BYTES: u64 = 64 << 10;
/// A tensor above this size is no single number.
const NUMBER_BYTES: u64 = 4 << 10;

/// An event whose large parts are known by their place in the payload.
#[derive(Debug, Clone, PartialEq)]
pub struct LargeEvent {
    /// As in the event.
    pub wall_time: f64,
    /// As in the event.
    pub step: i64,
    /// The one thing the event holds.
    pub what: LargeWhat,
}

/// What a large event holds.
#[derive(Debug, Clone, PartialEq)]
pub enum LargeWhat {
    /// A serialized GraphDef.
    Graph(Range<u64>),
    /// A serialized MetaGraphDef.
    MetaGraph(Range<u64>),
    /// Summary values.
    Values(Vec<LargeValue>),
}

/// A summary value.
#[derive(Debug, Clone, PartialEq)]
pub struct LargeValue {
    /// The tag, or the node name in its place.
    pub tag: Vec<u8>,
    /// A serialized SummaryMetadata, if there is one.
    pub metadata: Option<Vec<u8>>,
    /// Which kind of value; its bytes are left out.
    pub body: Body<'static>,
    /// Of an image, and of a tensor of strings that may be one: its message with the first bytes of
    /// the first image alone. Empty for all others.
    pub start: Vec<u8>,
    /// The whole value in the payload.
    pub range: Range<u64>,
}

/// Looks at the record whose payload of `len` bytes begins at `payload_offset`. `None` when it
/// holds anything that belongs into a column, or is not understood: then read it whole.
pub fn peek(
    window: &mut Window<'_>,
    payload_offset: u64,
    len: u64,
) -> io::Result<Option<LargeEvent>> {
    let mut fields = Cursor { window, base: payload_offset, at: 0, end: len };
    let (mut wall_time, mut step, mut what) = (0.0, 0, None);
    while let Some(field) = fields.next()? {
        match field {
            (1, Raw::Fixed64(bits)) => wall_time = f64::from_bits(bits),
            (2, Raw::Varint(value)) => step = value as i64,
            (4, Raw::Bytes(range)) => what = Some(LargeWhat::Graph(range)),
            (5, Raw::Bytes(range)) => {
                let Some(values) = values(&mut fields, range)? else {
                    return Ok(None);
                };
                what = Some(LargeWhat::Values(values));
            }
            (9, Raw::Bytes(range)) => what = Some(LargeWhat::MetaGraph(range)),
            (10, Raw::Bytes(_)) => {}
            _ => return Ok(None),
        }
    }
    let understood = fields.at == len;
    Ok(what.filter(|_| understood).map(|what| LargeEvent { wall_time, step, what }))
}

fn values(event: &mut Cursor<'_, '_>, summary: Range<u64>) -> io::Result<Option<Vec<LargeValue>>> {
    let mut values = Vec::new();
    let mut fields = event.within(&summary);
    while let Some(field) = fields.next()? {
        let (1, Raw::Bytes(range)) = field else {
            return Ok(None);
        };
        let Some(value) = value(&mut fields, range)? else {
            return Ok(None);
        };
        values.push(value);
    }
    Ok((fields.at == summary.end).then_some(values))
}

fn value(summary: &mut Cursor<'_, '_>, range: Range<u64>) -> io::Result<Option<LargeValue>> {
    let (mut tag, mut node_name, mut metadata) = (Vec::new(), Vec::new(), None);
    let (mut body, mut start) = (Body::Empty, Vec::new());
    let mut fields = summary.within(&range);
    while let Some((number, raw)) = fields.next()? {
        let Raw::Bytes(bytes) = raw else {
            return Ok(None);
        };
        let len = bytes.end - bytes.start;
        match number {
            1 | 7 | 9 if len > READ_BYTES => return Ok(None),
            1 => tag = fields.read(bytes)?,
            7 => node_name = fields.read(bytes)?,
            9 => metadata = Some(fields.read(bytes)?),
            4 => {
                body = Body::Image(&[]);
                start = image_start(&mut fields, &bytes)?;
            }
            5 => body = Body::Histogram(&[]),
            6 => body = Body::Audio(&[]),
            8 if len > NUMBER_BYTES => {
                body = Body::Tensor(&[]);
                start = tensor_start(&mut fields, &bytes)?;
            }
            _ => return Ok(None),
        }
    }
    if fields.at != range.end || body == Body::Empty {
        return Ok(None);
    }
    if tag.is_empty() {
        tag = node_name;
    }
    Ok(Some(LargeValue { tag, metadata, body, start, range }))
}

/// An Image message of its first encoded bytes alone.
fn image_start(value: &mut Cursor<'_, '_>, image: &Range<u64>) -> io::Result<Vec<u8>> {
    let mut fields = value.within(image);
    while let Some((number, raw)) = fields.next()? {
        if let (4, Raw::Bytes(range)) = (number, raw) {
            return Ok(short_field(4, &fields.read_first(&range)?));
        }
    }
    Ok(Vec::new())
}

/// A length-delimited field of a few bytes.
fn short_field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let len = u8::try_from(bytes.len()).unwrap_or_default();
    [&[number << 3 | 2, len], bytes].concat()
}

/// A TensorProto of its first three strings alone, as far as they can be an image: width and
/// height are short, and only the first bytes of what follows are read.
fn tensor_start(value: &mut Cursor<'_, '_>, tensor: &Range<u64>) -> io::Result<Vec<u8>> {
    const SIZE_BYTES: u64 = 20;
    let (mut fields, mut start, mut strings) = (value.within(tensor), Vec::new(), 0);
    while let Some((number, raw)) = fields.next()? {
        match (number, raw) {
            (1..=3, _) => {}
            (8, Raw::Bytes(range)) if strings == 2 => {
                start.extend(short_field(8, &fields.read_first(&range)?));
                return Ok(start);
            }
            (8, Raw::Bytes(range)) if range.end - range.start <= SIZE_BYTES => {
                start.extend(short_field(8, &fields.read_first(&range)?));
                strings += 1;
            }
            _ => break,
        }
    }
    Ok(Vec::new())
}

enum Raw {
    Varint(u64),
    Fixed64(u64),
    Bytes(Range<u64>),
}

/// Reads fields through a window; offsets count from the beginning of the payload.
struct Cursor<'w, 's> {
    window: &'w mut Window<'s>,
    base: u64,
    at: u64,
    end: u64,
}

impl<'s> Cursor<'_, 's> {
    fn within(&mut self, range: &Range<u64>) -> Cursor<'_, 's> {
        Cursor { window: self.window, base: self.base, at: range.start, end: range.end }
    }

    /// The next field; ends early at anything that is not understood.
    fn next(&mut self) -> io::Result<Option<(u64, Raw)>> {
        let start = self.at;
        let Some(key) = self.varint()? else {
            return Ok(None);
        };
        let raw = match key & 7 {
            0 => self.varint()?.map(Raw::Varint),
            1 if self.at + 8 <= self.end => {
                let bytes = self.window.fetch(self.base + self.at, 8)?;
                self.at += 8;
                bytes.first_chunk().map(|bytes| Raw::Fixed64(u64::from_le_bytes(*bytes)))
            }
            2 => match self.varint()? {
                Some(len) if len <= self.end - self.at => {
                    self.at += len;
                    Some(Raw::Bytes(self.at - len..self.at))
                }
                _ => None,
            },
            _ => None,
        };
        if raw.is_none() {
            self.at = start;
        }
        Ok(raw.map(|raw| (key >> 3, raw)))
    }

    fn varint(&mut self) -> io::Result<Option<u64>> {
        let left = (self.end - self.at).min(10);
        if left == 0 {
            return Ok(None);
        }
        let all = self.window.fetch_at_most(self.base + self.at, left)?;
        let mut rest = all;
        let value = crate::protobuf::varint(&mut rest).ok();
        self.at += (all.len() - rest.len()) as u64;
        Ok(value)
    }

    /// The first bytes of a range, enough to see what kind of file it is.
    fn read_first(&mut self, range: &Range<u64>) -> io::Result<Vec<u8>> {
        const FIRST_BYTES: u64 = 20;
        self.read(range.start..range.end.min(range.start + FIRST_BYTES))
    }

    fn read(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let len = range.end - range.start;
        Ok(self.window.fetch_at_most(self.base + range.start, len)?.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protobuf::field;

    fn event(what: &[u8]) -> Vec<u8> {
        let mut out = vec![9];
        out.extend(1.5f64.to_le_bytes());
        out.extend([0x10, 7]);
        out.extend(what);
        out
    }

    fn look(payload: &[u8]) -> Option<LargeEvent> {
        let source = payload.to_vec();
        let len = payload.len() as u64;
        peek(&mut Window::new(&source, len), 0, len).unwrap()
    }

    fn summary(values: &[Vec<u8>]) -> Vec<u8> {
        let values: Vec<u8> = values.iter().flat_map(|value| field(1, value)).collect();
        event(&field(5, &values))
    }

    #[test]
    fn media_are_known_by_their_place() {
        let metadata = field(1, b"plugin");
        let image = [field(1, b"photo"), field(4, &[0; 9_000]), field(9, &metadata)].concat();
        let tensor = [field(7, b"node"), field(8, &[0; 9_000])].concat();
        let payload = summary(&[image.clone(), tensor.clone()]);
        let seen = look(&payload).unwrap();
        assert_eq!((seen.wall_time, seen.step), (1.5, 7));
        let LargeWhat::Values(values) = seen.what else { panic!("{seen:?}") };
        let part = |range: &Range<u64>| &payload[range.start as usize..range.end as usize];
        assert_eq!(part(&values[0].range), image);
        assert_eq!(part(&values[1].range), tensor);
        assert_eq!((&*values[0].tag, values[0].body), (&b"photo"[..], Body::Image(&[])));
        assert_eq!((&*values[1].tag, values[1].body), (&b"node"[..], Body::Tensor(&[])));
        assert_eq!(values[0].metadata.as_deref(), Some(&*metadata));
        assert_eq!(values[1].metadata, None);
    }

    #[test]
    fn the_first_bytes_of_an_image_are_seen() {
        let film = [b"GIF89a".to_vec(), vec![7; 9_000]].concat();
        let head = &film[..20];
        let image = [field(1, b"film"), field(4, &[vec![8, 2], field(4, &film)].concat())].concat();
        let strings = [field(8, b"320"), field(8, b"240"), field(8, &film), field(8, b"more")];
        let tensor = [vec![8, 7], field(2, b""), strings.concat()].concat();
        let tensor = [field(1, b"film"), field(8, &tensor)].concat();
        let text = [field(1, b"text"), field(8, &[field(8, &film), field(8, &film)].concat())];
        let payload = summary(&[image, tensor, text.concat()]);
        let LargeWhat::Values(values) = look(&payload).unwrap().what else { panic!("no values") };
        let starts: Vec<_> = values.into_iter().map(|value| value.start).collect();
        assert_eq!(starts[0], field(4, head));
        assert_eq!(starts[1], [field(8, b"320"), field(8, b"240"), field(8, head)].concat());
        assert_eq!(starts[2], b"");
    }

    #[test]
    fn graphs_are_known_by_their_place() {
        let payload = event(&field(4, &[1; 9_000]));
        let len = payload.len() as u64;
        let seen = look(&payload).unwrap().what;
        assert_eq!(seen, LargeWhat::Graph(len - 9_000..len));
    }

    #[test]
    fn what_belongs_into_a_column_is_read_whole() {
        let photo = [field(1, b"photo"), field(4, &[0; 9_000])].concat();
        let number = [&field(1, b"loss")[..], &[0x15, 0, 0, 0, 0]].concat();
        let short_tensor = [field(1, b"loss"), field(8, &[0; 100])].concat();
        let hparams = [field(1, b"h"), field(9, &[0; 9_000])].concat();
        let long_tag = [field(1, &[b'x'; 70_000]), field(4, &[0; 9_000])].concat();
        for (name, value) in [
            ("a number", number),
            ("a short tensor", short_tensor),
            ("metadata alone", hparams),
            ("a tag too long", long_tag),
        ] {
            assert_eq!(look(&summary(&[photo.clone(), value])), None, "{name}");
        }
        assert!(look(&summary(&[photo])).is_some());
    }

    #[test]
    fn an_event_cut_anywhere_is_not_understood() {
        let payload = summary(&[[field(1, b"photo"), field(4, &[0; 300])].concat()]);
        for cut in 0..payload.len() {
            assert_eq!(look(&payload[..cut]), None, "cut at {cut}");
        }
    }
}
