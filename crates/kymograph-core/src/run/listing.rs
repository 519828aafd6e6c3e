//! Blobs of many series as columns, one series after another.

use super::{Series, SeriesData};
use crate::blob::BlobPoint;
use crate::lod::Narrow;

/// Some blobs of a series.
#[derive(Debug, Clone, Copy)]
pub struct BlobRange<'a> {
    /// The series.
    pub series: &'a Series,
    /// The first of them.
    pub start: usize,
    /// How many.
    pub count: usize,
}

/// A column for the step, the time and each number of the address ([`crate::link::Link`]).
pub fn blob_columns(ranges: &[BlobRange<'_>]) -> Vec<(&'static str, Narrow)> {
    let blobs: Vec<(u8, &BlobPoint)> = ranges.iter().flat_map(BlobRange::blobs).collect();
    let small =
        |of: fn(&BlobPoint) -> u32| Narrow::U32(blobs.iter().map(|(_, blob)| of(blob)).collect());
    let whole =
        |of: fn(&BlobPoint) -> f64| Narrow::whole(blobs.iter().map(|(_, blob)| of(blob)).collect());
    vec![
        ("step", whole(|blob| blob.step as f64)),
        ("wall_time", Narrow::F64(blobs.iter().map(|(_, blob)| blob.wall_time).collect())),
        ("kind", Narrow::U8(blobs.iter().map(|(kind, _)| *kind).collect())),
        ("file", small(|blob| blob.address.file.0)),
        ("record_offset", whole(|blob| blob.address.record_offset as f64)),
        ("payload_length", small(|blob| blob.address.payload_len)),
        ("value_offset", small(|blob| blob.address.value_offset)),
        ("value_length", small(|blob| blob.address.value_len)),
    ]
}

impl<'a> BlobRange<'a> {
    /// The blobs that are there, each with the first number of its address.
    fn blobs(&self) -> impl Iterator<Item = (u8, &'a BlobPoint)> + use<'a> {
        let kind = self.series.link(self.start).map_or(0, |link| link.kind());
        let blobs = match &self.series.data {
            SeriesData::Blobs(blobs) => Some(blobs.iter_from(self.start).take(self.count)),
            SeriesData::Scalars(_) => None,
        };
        blobs.into_iter().flatten().map(move |blob| (kind, blob))
    }
}
