//! Where a run resumed after it had ended: derived from the stretches that its series are made of.

use std::sync::Arc;

use super::Series;
use crate::types::{Step, WallTime};

/// A moment from which on a run, started again, continued tags that it had logged before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restart {
    /// The min step at which any of these tags continued.
    pub step: Step,
    /// When the first of them did.
    pub wall_time: WallTime,
    /// Points that were superseded.
    pub hidden: u64,
}

/// A restart as one tag shows it, and when the session that continued it began and ended.
struct Seen {
    restart: Restart,
    span: (WallTime, WallTime),
}

/// The restarts that these series of one run show, in order of time. Writers that write at the
/// same time, as those of several ranks do, were started again together.
pub fn restarts(series: &[Arc<Series>]) -> Vec<Restart> {
    let mut seen: Vec<Seen> = series.iter().flat_map(|series| seen_in(series)).collect();
    seen.sort_by(|a, b| a.span.0.total_cmp(&b.span.0));
    let mut found: Vec<Seen> = Vec::new();
    for one in seen {
        let together = |last: &&mut Seen| one.span.0 == last.span.0 || one.span.0 < last.span.1;
        let Some(last) = found.last_mut().filter(together) else {
            found.push(one);
            continue;
        };
        last.span.1 = last.span.1.max(one.span.1);
        last.restart = Restart {
            step: last.restart.step.min(one.restart.step),
            wall_time: last.restart.wall_time.min(one.restart.wall_time),
            hidden: last.restart.hidden + one.restart.hidden,
        };
    }
    found.into_iter().map(|seen| seen.restart).collect()
}

fn seen_in(series: &Series) -> Vec<Seen> {
    let mut found = Vec::new();
    // Hidden points that no session is blamed for yet.
    let mut hidden = 0;
    // Of all stretches so far, the one that ended first.
    let mut ended: Option<(WallTime, WallTime)> = None;
    for stretch in &series.layout {
        let walls = stretch.walls;
        let went_on = ended.is_some_and(|first| first.1 <= walls.0 && first != walls);
        if went_on || (ended.is_some() && stretch.session > 0) {
            let (step, wall_time) = stretch.first;
            let restart = Restart { step, wall_time, hidden: std::mem::take(&mut hidden) };
            found.push(Seen { restart, span: (stretch.began, walls.1) });
        }
        hidden += (stretch.rows - stretch.len) as u64;
        ended = Some(ended.filter(|first| first.1 <= walls.1).unwrap_or(walls));
    }
    // A START hides what is never logged again, too.
    if hidden > 0
        && let Some((_, end)) = ended
    {
        let starts = &series.starts.0;
        let start = starts.iter().find(|start| start.0 >= end).or(starts.last());
        found.extend(start.map(|&(wall_time, step)| Seen {
            restart: Restart { step, wall_time, hidden },
            span: (wall_time, wall_time),
        }));
    }
    found
}
