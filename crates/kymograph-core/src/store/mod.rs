//! All runs as readers see them, while loading continues: snapshots, change numbers, progress.
//!
//! One loader publishes, any number of readers look. Locks are held for look-ups and inserts
//! only, never during I/O or packing, and are taken in this order: `runs`, a run's `state`, its
//! `tag_lists` or `restarts`, `files`, `clock`. `looks` is held alone.
//!
//! A change counts when the number ticks, which is after it can be seen. Who reads the number
//! first and the data then has everything up to that number, and maybe some of what comes next.

mod fetch;
mod pictures;
mod search;
mod tables;

pub use fetch::{FetchError, LoggedTensor};
pub use pictures::{Look, Thumbnail};
pub use search::{FoundText, SeriesHits, Stopped, TextHits, TextSearch};
pub use tables::{ChangedRun, ChangedRuns, RunTable, TagTable};

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::blob::{self, Address, BlobError, FileNumber};
use crate::dashboards::Dashboard;
use crate::file::Gap;
use crate::record::Damage;
use crate::run::{self, Restart, Series};
use crate::storage::{Source, Storage};
use crate::types::{RunName, Tag, WallTime};

use tables::TagLists;

/// What readers see.
pub struct Store {
    storage: Arc<dyn Storage>,
    runs: RwLock<BTreeMap<RunName, Arc<Run>>>,
    files: RwLock<BTreeMap<FileNumber, FileReport>>,
    /// Places that could not be looked into at the last walk, and why.
    unreachable: RwLock<Vec<(PathBuf, String)>>,
    clock: Mutex<Clock>,
    ticked: Condvar,
    stopping: AtomicBool,
    /// Pictures that were looked at lately.
    looks: Mutex<pictures::Looks>,
    /// How many bytes are read; written by loading threads as they go.
    pub progress: ProgressCounters,
}

#[derive(Default)]
struct Clock {
    change: u64,
    /// All runs, each under the number of its last change.
    changed: BTreeMap<u64, Arc<Run>>,
    /// Runs that went, and when they did last; some may be back.
    removed: BTreeMap<RunName, u64>,
    loaded: bool,
    closed: bool,
}

/// A run. Its series come and grow; it is looked up again in the store when its files were replaced.
pub struct Run {
    /// Its name.
    pub name: RunName,
    state: RwLock<RunState>,
    tag_lists: Mutex<TagLists>,
    /// How often it was started again, by the change number it is of.
    restarts: Mutex<(u64, usize)>,
}

/// The published state of a run.
#[derive(Default, Clone)]
pub struct RunState {
    /// All series by dashboard and tag.
    pub series: BTreeMap<(Dashboard, Tag), Arc<Series>>,
    /// Series that went, and when.
    pub removed: BTreeMap<(Dashboard, Tag), u64>,
    /// When its events happened.
    pub times: Times,
    /// The change number of the last change to any series.
    pub change: u64,
    /// The change number at which series last came or went, or got other metadata.
    pub tags_change: u64,
    /// How many series each dashboard shows, in the order of [`Dashboard::ALL`].
    pub counts: [u32; Dashboard::ALL.len()],
    /// Points of all series.
    pub points: u64,
    /// Points superseded by restarts.
    pub hidden: u64,
    /// Series that may show restarts.
    pub pieced: u32,
}

/// When the events of a run happened; nothing while there are none.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Times {
    /// Earliest wall time of all its events.
    pub first_event: Option<WallTime>,
    /// Min and max wall time of what was logged; while that is nothing, of all events.
    pub walls: Option<(WallTime, WallTime)>,
}

/// Counters of a load under way.
#[derive(Default)]
pub struct ProgressCounters {
    /// Bytes read or skipped.
    pub bytes_done: AtomicU64,
    /// Bytes found.
    pub bytes_known: AtomicU64,
    /// Files read to their end.
    pub files_done: AtomicU64,
    /// Files found.
    pub files_known: AtomicU64,
    /// Whether a load is under way.
    pub loading: AtomicBool,
}

/// A reading of the counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read or skipped.
    pub bytes_done: u64,
    /// Bytes found.
    pub bytes_known: u64,
    /// Files read to their end.
    pub files_done: u64,
    /// Files found.
    pub files_known: u64,
    /// Whether a load is under way.
    pub loading: bool,
}

/// What is known of an event file.
#[derive(Debug, Clone)]
pub struct FileReport {
    /// The run it belongs to.
    pub run: RunName,
    /// Where it is.
    pub path: PathBuf,
    /// What distinguishes it from another file of the same name.
    pub identity: Option<(u64, u64)>,
    /// Its length when last looked at.
    pub bytes: u64,
    /// How far it is read.
    pub bytes_read: u64,
    /// Records read and lost.
    pub damage: Damage,
    /// Where bytes were skipped; the first of many places.
    pub gaps: Vec<Gap>,
    /// Points whose time was not a number.
    pub bad_wall_times: u64,
    /// Whether the bytes at its end cannot be the beginning of a record.
    pub broken_tail: bool,
    /// Why it cannot be read, if it cannot.
    pub error: Option<String>,
}

impl FileReport {
    /// Whether anything in it was lost or replaced, or it cannot be read.
    fn is_damaged(&self) -> bool {
        let Damage { records: _, bad_records, bad_headers, skipped_bytes } = self.damage;
        [bad_records, bad_headers, skipped_bytes, self.bad_wall_times] != [0; 4]
            || self.broken_tail
            || self.error.is_some()
    }
}

/// Something that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// When, in change numbers.
    pub number: u64,
    /// Where.
    pub run: RunName,
    /// Which series; nothing when the whole run went.
    pub series: Option<(Dashboard, Tag)>,
    /// Whether it is gone.
    pub removed: bool,
}

/// Nothing here panics while holding a lock; should it happen all the same, the data is intact.
fn unpoisoned<T>(result: Result<T, PoisonError<T>>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// An empty store over `storage`.
    pub fn new(storage: Arc<dyn Storage>) -> Self {
        Self {
            storage,
            runs: RwLock::default(),
            files: RwLock::default(),
            unreachable: RwLock::default(),
            clock: Mutex::default(),
            ticked: Condvar::new(),
            stopping: AtomicBool::new(false),
            looks: Mutex::default(),
            progress: ProgressCounters {
                loading: AtomicBool::new(true),
                ..ProgressCounters::default()
            },
        }
    }

    /// All runs, by name.
    pub fn runs(&self) -> Vec<Arc<Run>> {
        unpoisoned(self.runs.read()).values().cloned().collect()
    }

    /// How many runs there are.
    pub fn run_count(&self) -> usize {
        unpoisoned(self.runs.read()).len()
    }

    /// The run of this name.
    pub fn run(&self, name: &str) -> Option<Arc<Run>> {
        unpoisoned(self.runs.read()).get(name).cloned()
    }

    /// What is known of each file, in the order in which they were found.
    pub fn files(&self) -> Vec<FileReport> {
        unpoisoned(self.files.read()).values().cloned().collect()
    }

    /// Those of the files in which something was lost or replaced, or that cannot be read.
    pub fn damaged_files(&self) -> Vec<FileReport> {
        let files = unpoisoned(self.files.read());
        files.values().filter(|file| file.is_damaged()).cloned().collect()
    }

    /// Places that could not be looked into at the last walk, and why. Runs below them may be
    /// missing.
    pub fn unreachable(&self) -> Vec<(PathBuf, String)> {
        unpoisoned(self.unreachable.read()).clone()
    }

    /// Reads a blob and checks it. Fails rather than reading from a file that replaced the one it
    /// was found in.
    pub fn read_blob(&self, address: &Address) -> Result<Vec<u8>, BlobError> {
        let (source, bytes) = self.open_file(address.file)?;
        if address.record_end().is_none_or(|end| end > bytes) {
            return Err(BlobError::Damaged(address.record_offset));
        }
        blob::read(&*source, address)
    }

    /// Opens a file that blobs are in, and says how long it was when it was last looked at.
    fn open_file(&self, file: FileNumber) -> Result<(Box<dyn Source>, u64), BlobError> {
        let file = unpoisoned(self.files.read())
            .get(&file)
            .map(|file| (file.path.clone(), file.identity, file.bytes));
        let (path, identity, bytes) = file.ok_or(BlobError::Gone)?;
        let source = self.storage.open(&path)?;
        if identity.zip(source.identity()?).is_some_and(|(then, now)| then != now) {
            return Err(BlobError::Gone);
        }
        Ok((source, bytes))
    }

    /// Progress of loading.
    pub fn progress(&self) -> Progress {
        let counters = &self.progress;
        let known = counters.bytes_known.load(Ordering::Relaxed);
        Progress {
            bytes_done: counters.bytes_done.load(Ordering::Relaxed).min(known),
            bytes_known: known,
            files_done: counters.files_done.load(Ordering::Relaxed),
            files_known: counters.files_known.load(Ordering::Relaxed),
            loading: counters.loading.load(Ordering::Relaxed),
        }
    }

    /// The change number of the last change.
    pub fn change(&self) -> u64 {
        self.clock().change
    }

    /// What changed after change number `since`, oldest first. Each series and run is named
    /// once, with its last change. Nothing is left out up to the last number named, so that one
    /// is where the next request continues.
    pub fn changes(&self, since: u64) -> Vec<Change> {
        let (now, runs, removed) = self.changed_since(since);
        let whole_run = |(run, number)| Change { number, run, series: None, removed: true };
        let mut changes: Vec<Change> = removed.into_iter().map(whole_run).collect();
        for run in runs {
            let state = unpoisoned(run.state.read());
            // What ticks after `now` is left for the next time: other runs may have changed
            // between, and were looked at before.
            let is_new = |number: u64| since < number && number <= now;
            let named = |key: &(Dashboard, Tag), number, removed| Change {
                number,
                run: run.name.clone(),
                series: Some(key.clone()),
                removed,
            };
            let changed = state.series.iter().filter(|(_, series)| is_new(series.change));
            changes.extend(changed.map(|(key, series)| named(key, series.change, false)));
            let removed = state.removed.iter().filter(|(_, number)| is_new(**number));
            changes.extend(removed.map(|(key, number)| named(key, *number, true)));
        }
        changes.sort_by_key(|change| change.number);
        changes
    }

    /// The change number by now, the runs that changed after `since` and are there, and those
    /// that went after `since`, some of which may be back.
    fn changed_since(&self, since: u64) -> (u64, Vec<Arc<Run>>, Vec<(RunName, u64)>) {
        let clock = self.clock();
        if clock.change <= since {
            return (clock.change, Vec::new(), Vec::new());
        }
        let changed = clock.changed.range((Bound::Excluded(since), Bound::Unbounded));
        let removed = clock.removed.iter().filter(|(_, number)| **number > since);
        (
            clock.change,
            changed.map(|(_, run)| run.clone()).collect(),
            removed.map(|(run, number)| (run.clone(), *number)).collect(),
        )
    }

    /// Waits until something changes after `since`, the store is closed, or time is up; returns
    /// the change number by then.
    pub fn wait_for_change(&self, since: u64, timeout: Duration) -> u64 {
        self.wait(timeout, |clock| clock.change > since || clock.closed).change
    }

    /// Waits until everything found at the start is loaded, the store is closed, or time is up;
    /// returns whether it is loaded.
    pub fn wait_loaded(&self, timeout: Duration) -> bool {
        self.wait(timeout, |clock| clock.loaded || clock.closed).loaded
    }

    fn wait(&self, timeout: Duration, done: impl Fn(&Clock) -> bool) -> MutexGuard<'_, Clock> {
        let deadline = Instant::now().checked_add(timeout);
        let mut clock = self.clock();
        while !done(&clock) {
            let left = deadline.map_or(Duration::from_secs(3600), |at| {
                at.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                break;
            }
            clock = unpoisoned(self.ticked.wait_timeout(clock, left)).0;
        }
        clock
    }

    fn clock(&self) -> MutexGuard<'_, Clock> {
        unpoisoned(self.clock.lock())
    }

    /// Whether nothing will change any more.
    pub fn is_closed(&self) -> bool {
        self.clock().closed
    }

    /// Asks the loader to stop at the next opportunity.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Says what could not be looked into.
    pub(crate) fn set_unreachable(&self, places: Vec<(PathBuf, String)>) {
        *unpoisoned(self.unreachable.write()) = places;
    }

    /// Says that everything found at the start is loaded.
    pub(crate) fn set_loaded(&self) {
        self.progress.loading.store(false, Ordering::Relaxed);
        self.clock().loaded = true;
        self.ticked.notify_all();
    }

    /// Says that nothing will change any more; wakes all who wait.
    pub(crate) fn set_closed(&self) {
        self.clock().closed = true;
        self.ticked.notify_all();
    }

    /// Publishes changes to a run: series to show, and keys of those that went.
    pub(crate) fn publish(
        &self,
        name: &RunName,
        times: Times,
        changed: Vec<Series>,
        removed: Vec<(Dashboard, Tag)>,
    ) {
        let known = self.run(name.as_str());
        let is_new = known.is_none();
        let run = known.unwrap_or_else(|| Arc::new(Run::new(name.clone())));
        // Only the loader counts up, so the number cannot be taken by another.
        let number = self.clock().change + 1;
        let mut state = unpoisoned(run.state.write());
        let before = std::mem::replace(&mut state.change, number);
        state.times = times;
        if is_new {
            state.tags_change = number;
        }
        let mut replaced = Vec::new();
        for mut series in changed {
            series.change = number;
            replaced.extend(state.insert(series));
        }
        for key in removed {
            replaced.extend(state.remove(key));
        }
        // Giving back many points takes time that no reader should wait for.
        drop(state);
        drop(replaced);
        if is_new {
            unpoisoned(self.runs.write()).insert(name.clone(), run.clone());
        }
        self.tick(|clock| {
            clock.changed.remove(&before);
            clock.changed.insert(number, run);
        });
    }

    /// Takes a run away.
    pub(crate) fn remove(&self, name: &RunName) {
        let gone = unpoisoned(self.runs.write()).remove(name);
        if let Some(run) = gone {
            let before = run.change();
            self.tick(|clock| {
                clock.changed.remove(&before);
                clock.removed.insert(name.clone(), clock.change + 1);
            });
        }
    }

    fn tick(&self, change: impl FnOnce(&mut Clock)) {
        let mut clock = self.clock();
        change(&mut clock);
        clock.change += 1;
        drop(clock);
        self.ticked.notify_all();
    }

    /// Publishes what is known of a file.
    pub(crate) fn set_file(&self, number: FileNumber, report: FileReport) {
        unpoisoned(self.files.write()).insert(number, report);
    }

    /// Forgets a file; its blobs cannot be read any more.
    pub(crate) fn remove_file(&self, number: FileNumber) {
        unpoisoned(self.files.write()).remove(&number);
    }
}

impl RunState {
    /// Takes in a series with this state's change number; returns the one it replaces.
    fn insert(&mut self, series: Series) -> Option<Arc<Series>> {
        let key = (series.dashboard, series.tag.clone());
        self.removed.remove(&key);
        let series = Arc::new(series);
        self.count(&series, 1);
        let before = self.series.insert(key, series.clone());
        if let Some(before) = &before {
            self.count(before, -1);
        }
        if before.as_ref().is_none_or(|before| before.metadata != series.metadata) {
            self.tags_change = self.change;
        }
        before
    }

    fn remove(&mut self, key: (Dashboard, Tag)) -> Option<Arc<Series>> {
        let series = self.series.remove(&key)?;
        self.count(&series, -1);
        self.tags_change = self.change;
        self.removed.insert(key, self.change);
        Some(series)
    }

    fn count(&mut self, series: &Series, sign: i32) {
        let count = &mut self.counts[series.dashboard as usize];
        *count = count.saturating_add_signed(sign);
        if series.is_pieced() {
            self.pieced = self.pieced.saturating_add_signed(sign);
        }
        let sign = i64::from(sign);
        self.points = self.points.saturating_add_signed(sign * series.data.len() as i64);
        self.hidden = self.hidden.saturating_add_signed(sign * series.hidden as i64);
    }
}

impl Run {
    fn new(name: RunName) -> Self {
        Self {
            name,
            state: RwLock::default(),
            tag_lists: Mutex::default(),
            restarts: Mutex::default(),
        }
    }

    /// The series of this tag on this dashboard.
    pub fn series(&self, dashboard: Dashboard, tag: &str) -> Option<Arc<Series>> {
        let key = (dashboard, Tag::from(tag));
        unpoisoned(self.state.read()).series.get(&key).cloned()
    }

    /// All series, or those of one dashboard, by tag.
    pub fn all_series(&self, dashboard: Option<Dashboard>) -> Vec<Arc<Series>> {
        let state = unpoisoned(self.state.read());
        let wanted = |key: &(Dashboard, Tag)| dashboard.is_none_or(|dashboard| key.0 == dashboard);
        state.series.iter().filter(|(key, _)| wanted(key)).map(|(_, s)| s.clone()).collect()
    }

    /// Where it was started again, as shown by all its series or those of one tag.
    pub fn restarts(&self, tag: Option<&str>) -> Vec<Restart> {
        let state = unpoisoned(self.state.read());
        if state.pieced == 0 {
            return Vec::new();
        }
        let wanted = |series: &&Arc<Series>| tag.is_none_or(|tag| series.tag.as_str() == tag);
        let series: Vec<_> = state.series.values().filter(wanted).cloned().collect();
        drop(state);
        run::restarts(&series)
    }

    /// How often it was started again; counted again only when it changed.
    fn restart_count(&self, state: &RunState) -> usize {
        if state.pieced == 0 {
            return 0;
        }
        let mut known = unpoisoned(self.restarts.lock());
        if known.0 != state.change {
            let series: Vec<_> = state.series.values().cloned().collect();
            *known = (state.change, run::restarts(&series).len());
        }
        known.1
    }

    /// When its events happened.
    pub fn times(&self) -> Times {
        unpoisoned(self.state.read()).times
    }

    /// The change number of its last change.
    pub fn change(&self) -> u64 {
        unpoisoned(self.state.read()).change
    }
}
