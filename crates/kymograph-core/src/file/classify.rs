//! Which series a value belongs to: by its metadata, by its encoding, or undecided until metadata
//! arrives.

use std::sync::Arc;

use super::{FileData, FilePoints, Place};
use crate::compat;
use crate::dashboards::{Dashboard, scalars, video};
use crate::event::{Body, Metadata, Value};
use crate::series::Point;

impl FileData {
    pub(super) fn graph(&mut self, tag: &str, place: Place) {
        self.plugin_blob(tag.as_bytes(), "graphs", place);
    }

    pub(super) fn plugin_blob(&mut self, tag: &[u8], plugin_name: &str, place: Place) {
        let index = self.find(tag).unwrap_or_else(|| {
            let metadata = Metadata { plugin_name: plugin_name.into(), ..Metadata::default() };
            self.add(tag, Some(Dashboard::Graphs), Some(Arc::new(metadata)))
        });
        let index = self.of_kind(index, Dashboard::Graphs);
        self.push_blob(index, place);
    }

    /// Adds a value. Returns, if it is a tensor of one float, its series and the float.
    #[inline]
    pub(super) fn value<'a>(
        &mut self,
        value: &Value<'a>,
        place: Place,
    ) -> Option<(u32, &'a [u8; 4])> {
        let index = match self.find(value.tag) {
            Some(index) => {
                if let Some(metadata) = value.metadata
                    && self.series.get(index as usize).is_some_and(|own| own.metadata.is_none())
                {
                    self.learn_metadata(index, metadata);
                }
                index
            }
            None => self.add_series(value),
        };
        let own = self.dashboard_at(index);
        match value.body {
            Body::Simple(number) => {
                let index = self.of_kind(index, Dashboard::Scalars);
                self.push_scalar(index, place.point(f64::from(number)));
            }
            Body::Tensor(tensor) => match own {
                Some(Dashboard::Scalars) => match scalars::number_and_bytes(tensor) {
                    (Some(number), bytes) => {
                        self.push_scalar(index, place.point(number));
                        return bytes.map(|bytes| (index, bytes));
                    }
                    (None, _) => {
                        let index = self.of_kind(index, Dashboard::Tensors);
                        self.push_blob(index, place);
                    }
                },
                // One tag may have pictures and films: each is where its kind is shown.
                Some(own @ (Dashboard::Images | Dashboard::Video)) => {
                    let kind = video::dashboard_of(&value.body).unwrap_or(own);
                    let index = self.of_kind(index, kind);
                    self.push_blob(index, place);
                }
                Some(_) => self.push_blob(index, place),
                None => self.push_unknown(index, place, scalars::number(tensor)),
            },
            Body::Empty => {
                // Metadata alone is a value where the plugin keeps everything in it.
                if !matches!(own, None | Some(Dashboard::Scalars)) {
                    self.push_blob(index, place);
                }
            }
            Body::Image(_) => {
                let kind = video::dashboard_of(&value.body).unwrap_or(Dashboard::Images);
                self.push_legacy_blob(index, kind, place);
            }
            Body::Histogram(_) => self.push_legacy_blob(index, Dashboard::Histograms, place),
            Body::Audio(_) => self.push_legacy_blob(index, Dashboard::Audio, place),
        }
        None
    }

    fn push_legacy_blob(&mut self, index: u32, dashboard: Dashboard, place: Place) {
        let index = self.of_kind(index, dashboard);
        self.push_blob(index, place);
    }

    /// Adds the series of a tag whose first value this is.
    #[cold]
    fn add_series(&mut self, value: &Value<'_>) -> u32 {
        let metadata = value.metadata.and_then(|bytes| Metadata::parse(bytes).ok());
        let dashboard = compat::plugin_of(&value.body)
            .and_then(Dashboard::from_name)
            .or_else(|| metadata.as_ref().and_then(Dashboard::of_metadata))
            .map(|dashboard| match dashboard {
                Dashboard::Images => video::dashboard_of(&value.body).unwrap_or(dashboard),
                other => other,
            });
        self.add(value.tag, dashboard, metadata.map(Arc::new))
    }

    /// Applies the first metadata of a tag that had values before.
    #[cold]
    fn learn_metadata(&mut self, index: u32, metadata: &[u8]) {
        let Ok(metadata) = Metadata::parse(metadata) else {
            return;
        };
        let dashboard = Dashboard::of_metadata(&metadata);
        let Some(series) = self.series.get_mut(index as usize) else {
            return;
        };
        series.metadata = Some(Arc::new(metadata));
        series.dirty = true;
        if let (None, Some(dashboard)) = (series.dashboard, dashboard) {
            self.settle(index, dashboard, false);
        }
    }

    #[inline]
    fn dashboard_at(&self, index: u32) -> Option<Dashboard> {
        self.series.get(index as usize)?.dashboard
    }

    /// The series of `index`'s tag that takes values of this kind.
    #[inline]
    pub(super) fn of_kind(&mut self, index: u32, dashboard: Dashboard) -> u32 {
        match self.dashboard_at(index) {
            Some(own) if own == dashboard => index,
            None => {
                self.settle(index, dashboard, false);
                index
            }
            Some(_) => self.other_kind(index, dashboard),
        }
    }

    #[cold]
    fn other_kind(&mut self, index: u32, dashboard: Dashboard) -> u32 {
        if let Some(&other) = self.others.get(&(index, dashboard)) {
            return other;
        }
        let Some(series) = self.series.get(index as usize) else {
            return index;
        };
        // Pictures and films of one tag are described together.
        const PICTURES: [Option<Dashboard>; 2] = [Some(Dashboard::Images), Some(Dashboard::Video)];
        let are_pictures =
            [series.dashboard, Some(dashboard)].iter().all(|one| PICTURES.contains(one));
        let metadata = series.metadata.clone().filter(|_| are_pictures);
        let other = self.push_series(series.tag.clone(), Some(dashboard), metadata);
        self.others.insert((index, dashboard), other);
        other
    }

    /// Decides what the unknown tensors of a series are.
    pub(super) fn settle(&mut self, index: u32, dashboard: Dashboard, defaulted: bool) {
        let Some(series) = self.series.get_mut(index as usize) else {
            return;
        };
        series.dashboard = Some(dashboard);
        series.defaulted = defaulted;
        let empty = FilePoints::empty(Some(dashboard));
        let FilePoints::Unknown(points) = std::mem::replace(&mut series.points, empty) else {
            return;
        };
        let sessions = std::mem::take(&mut series.sessions);
        let mut starts = sessions.iter().peekable();
        let mut session = 0;
        for (row, (blob, number)) in points.into_iter().enumerate() {
            while let Some(&(next, _)) = starts.next_if(|start| start.1 <= row) {
                session = next;
            }
            match (dashboard, number) {
                (Dashboard::Scalars, Some(value)) => self.push_in(index, session, |points| {
                    if let FilePoints::Scalars(column) = points {
                        column.push(Point { step: blob.step, wall_time: blob.wall_time, value });
                    }
                }),
                (Dashboard::Scalars, None) => {
                    let other = self.other_kind(index, Dashboard::Tensors);
                    self.push_in(other, session, |points| {
                        if let FilePoints::Blobs(blobs) = points {
                            blobs.push(blob);
                        }
                    });
                }
                _ => self.push_in(index, session, |points| {
                    if let FilePoints::Blobs(blobs) = points {
                        blobs.push(blob);
                    }
                }),
            }
        }
    }
}
