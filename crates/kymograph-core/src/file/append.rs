//! Pieces of a file put together, in order: the only way in which a file's data grows.

use hashbrown::HashMap;

use super::{FileData, FilePoints, FileSeries, Gap, Session};
use crate::dashboards::Dashboard;

impl FileData {
    /// Adds what was read behind this, and decides what is still unknown.
    pub fn append(&mut self, mut later: FileData) {
        if self.series.is_empty() && self.sessions.len() == 1 {
            later.damage.add(&self.damage);
            let gaps = std::mem::replace(&mut later.gaps, std::mem::take(&mut self.gaps));
            gaps.into_iter().for_each(|gap| later.add_gap(gap));
            later.last_step = later.last_step.or(self.last_step);
            later.bad_wall_times += self.bad_wall_times;
            let sessions =
                std::mem::replace(&mut later.sessions, std::mem::take(&mut self.sessions));
            later.append_sessions(&sessions);
            *self = later;
            return self.settle_unknown();
        }
        for offset in std::mem::take(&mut later.torn) {
            self.forget(offset);
        }
        self.damage.add(&later.damage);
        for gap in std::mem::take(&mut later.gaps) {
            self.add_gap(Gap { step_before: gap.step_before.or(self.last_step), ..gap });
        }
        self.last_step = later.last_step.or(self.last_step);
        self.bad_wall_times += later.bad_wall_times;
        self.last_time = later.last_time;
        let first_session = self.session();
        self.append_sessions(&later.sessions);
        let mut targets = Vec::with_capacity(later.series.len());
        let owners: HashMap<u32, u32> =
            later.others.iter().map(|((owner, _), &other)| (other, *owner)).collect();
        let primary: HashMap<u32, &[u8]> =
            later.index.iter().map(|(tag, &index)| (index, &**tag)).collect();
        for (number, series) in (0u32..).zip(later.series) {
            let target = match primary.get(&number) {
                Some(tag) => self.append_series(tag, series, first_session),
                None => {
                    // A further series comes after the one whose tag it shares.
                    let owner = owners.get(&number).and_then(|owner| targets.get(*owner as usize));
                    let Some((&owner, kind)) = owner.zip(series.dashboard) else {
                        targets.push(u32::MAX);
                        continue;
                    };
                    let target = self.of_kind(owner, kind);
                    self.append_points(target, series, first_session);
                    target
                }
            };
            targets.push(target);
        }
        self.settle_unknown();
    }

    fn append_sessions(&mut self, later: &[Session]) {
        let mut later = later.iter();
        if let (Some(own), Some(next)) = (self.sessions.last_mut(), later.next()) {
            own.began = own.began.or(next.began);
            own.walls = match (own.walls, next.walls) {
                (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                (a, b) => a.or(b),
            };
        }
        self.sessions.extend(later);
    }

    fn append_series(&mut self, tag: &[u8], later: FileSeries, first_session: u32) -> u32 {
        let index = match self.find(tag) {
            Some(index) => index,
            None => self.add(tag, later.dashboard, None),
        };
        let Some(own) = self.series.get_mut(index as usize) else {
            return index;
        };
        if own.metadata.is_none() {
            own.metadata.clone_from(&later.metadata);
        }
        match (own.dashboard, later.dashboard) {
            (Some(own), None) => {
                let target = index;
                self.append_unknown(target, own, later, first_session);
            }
            (None, Some(kind)) => {
                self.settle(index, kind, false);
                self.append_points(index, later, first_session);
            }
            (Some(Dashboard::Tensors), Some(kind)) if self.may_move(index, kind) => {
                self.move_to(index, kind);
                self.append_points(index, later, first_session);
            }
            (Some(own), Some(kind)) if own != kind => {
                let target = self.of_kind(index, kind);
                self.append_points(target, later, first_session);
            }
            _ => self.append_points(index, later, first_session),
        }
        index
    }

    /// Whether tensors shown for lack of metadata turn out to be blobs of this kind. Numbers stay
    /// where they are: their addresses are gone.
    fn may_move(&self, index: u32, kind: Dashboard) -> bool {
        self.series.get(index as usize).is_some_and(|series| series.defaulted)
            && !matches!(kind, Dashboard::Scalars | Dashboard::Tensors)
            && !self.others.contains_key(&(index, kind))
    }

    fn move_to(&mut self, index: u32, kind: Dashboard) {
        let Some(series) = self.series.get_mut(index as usize) else {
            return;
        };
        series.defaulted = false;
        series.dirty = true;
        let from = series.dashboard.replace(kind);
        let tag = series.tag.clone();
        self.moved.extend(from.map(|from| (from, tag)));
    }

    /// Tensors whose meaning was not known in their piece, but is known here.
    fn append_unknown(&mut self, index: u32, dashboard: Dashboard, later: FileSeries, first: u32) {
        let mut piece = FileData::new(self.number);
        let number = piece.push_series(later.tag.clone(), None, None);
        if let Some(series) = piece.series.get_mut(number as usize) {
            series.points = later.points;
            series.sessions = later.sessions;
        }
        piece.settle(number, dashboard, false);
        for series in piece.series {
            let kind = series.dashboard.unwrap_or(dashboard);
            let target = self.of_kind(index, kind);
            self.append_points(target, series, first);
        }
    }

    fn append_points(&mut self, index: u32, later: FileSeries, first_session: u32) {
        let Some(own) = self.series.get_mut(index as usize) else {
            return;
        };
        let offset = own.points.len();
        for (session, row) in later.sessions {
            let session = session + first_session;
            if own.sessions.last().is_none_or(|&(last, _)| last != session) {
                own.sessions.push((session, row + offset));
            }
        }
        own.dirty |= later.dirty;
        own.taken_back += later.taken_back;
        match (&mut own.points, later.points) {
            (FilePoints::Scalars(own), FilePoints::Scalars(later)) => own.append(later),
            (FilePoints::Blobs(own), FilePoints::Blobs(later)) => own.extend(later.iter().copied()),
            (FilePoints::Unknown(own), FilePoints::Unknown(later)) => own.extend(later),
            _ => {}
        }
    }

    /// Tensors that never got metadata: single numbers are scalars, all else is a tensor.
    fn settle_unknown(&mut self) {
        let default_kind = |(index, series): (u32, &FileSeries)| {
            let FilePoints::Unknown(points) = &series.points else {
                return None;
            };
            let numbers = points.iter().all(|(_, number)| number.is_some());
            Some((index, if numbers { Dashboard::Scalars } else { Dashboard::Tensors }))
        };
        let unknown: Vec<_> = (0u32..).zip(&self.series).filter_map(default_kind).collect();
        for (index, kind) in unknown {
            self.settle(index, kind, true);
        }
    }
}
