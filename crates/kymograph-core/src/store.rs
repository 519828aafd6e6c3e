//! All runs as readers see them, while loading goes on: snapshots, change numbers, progress.
//!
//! One loader publishes, any number of readers look. Locks are held for look-ups and inserts
//! only, never during I/O or packing, and are taken in this order: `runs`, a run's `state`,
//! `files`, `clock`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::blob::{self, Address, BlobError, FileNumber};
use crate::dashboards::Dashboard;
use crate::record::Damage;
use crate::run::Series;
use crate::storage::Storage;
use crate::types::{RunName, Tag, WallTime};

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
    /// Where the bytes stand; written by loading threads as they go.
    pub progress: ProgressCounters,
}

#[derive(Default)]
struct Clock {
    change: u64,
    /// Runs that went, and when they did last; some may be back.
    removed: BTreeMap<RunName, u64>,
    loaded: bool,
    closed: bool,
}

/// A run. Its series come and grow; it is found anew in the store when its files were replaced.
pub struct Run {
    /// Its name.
    pub name: RunName,
    state: RwLock<RunState>,
}

/// The published state of a run.
#[derive(Default, Clone)]
pub struct RunState {
    /// All series by dashboard and tag.
    pub series: BTreeMap<(Dashboard, Tag), Arc<Series>>,
    /// Series that went, and when.
    pub removed: BTreeMap<(Dashboard, Tag), u64>,
    /// Least and greatest wall time of its events.
    pub walls: Option<(WallTime, WallTime)>,
    /// The change number of the last change to any series.
    pub change: u64,
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
    /// What tells it from another file of the same name.
    pub identity: Option<(u64, u64)>,
    /// Its length when last looked at.
    pub bytes: u64,
    /// How far it is read.
    pub bytes_read: u64,
    /// Records read and lost.
    pub damage: Damage,
    /// Points whose time was not a number.
    pub bad_wall_times: u64,
    /// Whether the bytes at its end are no beginning of a record.
    pub broken_tail: bool,
    /// Why it cannot be read, if it cannot.
    pub error: Option<String>,
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

    /// The run of this name.
    pub fn run(&self, name: &str) -> Option<Arc<Run>> {
        unpoisoned(self.runs.read()).get(name).cloned()
    }

    /// What is known of each file, in the order in which they were found.
    pub fn files(&self) -> Vec<FileReport> {
        unpoisoned(self.files.read()).values().cloned().collect()
    }

    /// Places that could not be looked into at the last walk, and why. Runs below them may be
    /// missing.
    pub fn unreachable(&self) -> Vec<(PathBuf, String)> {
        unpoisoned(self.unreachable.read()).clone()
    }

    /// Reads a blob and checks it. Fails rather than to read from a file that took the place of
    /// the one it was found in.
    pub fn read_blob(&self, address: &Address) -> Result<Vec<u8>, BlobError> {
        let file = unpoisoned(self.files.read())
            .get(&address.file)
            .map(|file| (file.path.clone(), file.identity));
        let (path, identity) = file.ok_or(BlobError::Gone)?;
        let source = self.storage.open(&path)?;
        if identity.zip(source.identity()?).is_some_and(|(then, now)| then != now) {
            return Err(BlobError::Gone);
        }
        blob::read(&*source, address)
    }

    /// Where loading stands.
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
    /// once, with its last change.
    pub fn changes(&self, since: u64) -> Vec<Change> {
        let mut changes = Vec::new();
        for run in self.runs() {
            let state = unpoisoned(run.state.read());
            if state.change <= since {
                continue;
            }
            let named = |key: &(Dashboard, Tag), number, removed| Change {
                number,
                run: run.name.clone(),
                series: Some(key.clone()),
                removed,
            };
            let changed = state.series.iter().filter(|(_, series)| series.change > since);
            changes.extend(changed.map(|(key, series)| named(key, series.change, false)));
            let removed = state.removed.iter().filter(|(_, number)| **number > since);
            changes.extend(removed.map(|(key, number)| named(key, *number, true)));
        }
        let clock = self.clock();
        let removed = clock.removed.iter().filter(|(_, number)| **number > since);
        changes.extend(removed.map(|(run, &number)| Change {
            number,
            run: run.clone(),
            series: None,
            removed: true,
        }));
        drop(clock);
        changes.sort_by_key(|change| change.number);
        changes
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

    /// Asks whoever loads to stop at the next opportunity.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked to stop.
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
        walls: Option<(WallTime, WallTime)>,
        changed: Vec<Series>,
        removed: Vec<(Dashboard, Tag)>,
    ) {
        let run = unpoisoned(self.runs.write())
            .entry(name.clone())
            .or_insert_with(|| Arc::new(Run::new(name.clone())))
            .clone();
        // Only the loader counts up, so the number cannot be taken by another.
        let number = self.clock().change + 1;
        let mut state = unpoisoned(run.state.write());
        state.walls = walls;
        state.change = number;
        let mut replaced = Vec::new();
        for mut series in changed {
            series.change = number;
            let key = (series.dashboard, series.tag.clone());
            state.removed.remove(&key);
            replaced.extend(state.series.insert(key, Arc::new(series)));
        }
        for key in removed {
            if let Some(series) = state.series.remove(&key) {
                replaced.push(series);
                state.removed.insert(key, number);
            }
        }
        // Giving back many points takes time that no reader should wait for.
        drop(state);
        drop(replaced);
        self.tick(|_| {});
    }

    /// Takes a run away.
    pub(crate) fn remove(&self, name: &RunName) {
        if unpoisoned(self.runs.write()).remove(name).is_some() {
            self.tick(|clock| {
                let number = clock.change + 1;
                clock.removed.insert(name.clone(), number);
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

impl Run {
    fn new(name: RunName) -> Self {
        Self { name, state: RwLock::default() }
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

    /// Least and greatest wall time of its events.
    pub fn walls(&self) -> Option<(WallTime, WallTime)> {
        unpoisoned(self.state.read()).walls
    }

    /// The change number of its last change.
    pub fn change(&self) -> u64 {
        unpoisoned(self.state.read()).change
    }
}
