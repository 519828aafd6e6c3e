//! From a logdir to a published store: finds files, reads them in parallel, puts them in order.
//!
//! ```text
//!   discover ─► compare with what is known ─► units of work ─► threads read ─► pieces
//!                                                                                │ in order
//!   readers ◄─ publish, now and then ◄─ compose the changed series ◄─ append ◄───┘
//! ```
//!
//! The loader owns everything staged; threads only turn bytes into pieces. A piece that does not
//! end where the next one begins is believed, and the next one is thrown away.

mod places;
mod recent;
mod unit;

pub use recent::Glance;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use crate::blob::FileNumber;
use crate::dashboards::Dashboard;
use crate::file::{FileData, Session};
use crate::logdir::{Discovery, FoundFile, Logdir};
use crate::record::RecordReader;
use crate::run::{self, Relations};
use crate::storage::{Stat, Storage};
use crate::store::{FileReport, Store, Times};
use crate::types::{RunName, Tag, WallTime};

use unit::{Marks, Outcome, Piece, Unit};

/// Shortest time between two publications during a load.
const PUBLISH_EVERY: Duration = Duration::from_millis(100);

/// How to load.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether restarts supersede earlier points.
    pub purge_orphaned_data: bool,
    /// Threads that read; 0 for one per core.
    pub threads: usize,
    /// A file that did not change for this long has no writer inside a record:
    /// an unfinished one at its end is then searched for others. Zero for a single load.
    pub settled_after: Duration,
    /// Time between walks over the whole logdir where the file system reports changes: they find
    /// what it did not report.
    pub walk_every: Duration,
    /// Files above twice this size are cut, and the parts read side by side.
    pub unit_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            purge_orphaned_data: true,
            threads: 0,
            settled_after: Duration::from_secs(10),
            walk_every: Duration::from_secs(5),
            unit_bytes: 32 << 20,
        }
    }
}

/// Loads a logdir into a store, whenever it is called.
pub struct Loader {
    logdir: Logdir,
    storage: Arc<dyn Storage>,
    store: Arc<Store>,
    options: Options,
    pool: Arc<rayon::ThreadPool>,
    runs: BTreeMap<RunName, RunStage>,
    next_file: u32,
    /// Files that were dropped since the last walk began: it may still have seen them.
    dropped: BTreeSet<PathBuf>,
    /// What the directories with recent changes held when last listed.
    listed: recent::Listings,
}

#[derive(Default)]
struct RunStage {
    files: BTreeMap<PathBuf, FileStage>,
    relations: Relations,
    /// Series that lost a file and must be composed from what is left.
    orphans: BTreeSet<(Dashboard, Tag)>,
    dirty: bool,
}

struct FileStage {
    /// Its state when last looked at.
    stat: Stat,
    /// When it was last seen to have changed.
    changed: Option<Instant>,
    /// Its state when last read to its end.
    read_at: Option<Stat>,
    data: FileData,
    reader: RecordReader,
    marks: Marks,
    tail_searched: bool,
    error: Option<String>,
}

/// One file's part of a round of loading.
struct Load {
    run: RunName,
    path: Arc<Path>,
    units: Vec<Range<u64>>,
    /// Pieces that wait for earlier ones, by unit.
    pieces: BTreeMap<usize, io::Result<Outcome>>,
    /// The unit whose piece comes next.
    next: usize,
}

/// A unit of a load, by their numbers.
type UnitNumber = (usize, usize);

impl Loader {
    /// A loader that has not looked yet, and the store it publishes to.
    pub fn new(
        logdir: Logdir,
        storage: Arc<dyn Storage>,
        options: Options,
    ) -> Result<(Self, Arc<Store>), rayon::ThreadPoolBuildError> {
        let store = Arc::new(Store::new(storage.clone()));
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads)
            .thread_name(|index| format!("kymograph-load-{index}"))
            .build()?;
        let loader = Self {
            logdir,
            storage,
            store: store.clone(),
            options,
            pool: Arc::new(pool),
            runs: BTreeMap::new(),
            next_file: 0,
            dropped: BTreeSet::new(),
            listed: recent::Listings::new(),
        };
        Ok((loader, store))
    }

    /// The directories that are searched for runs.
    pub fn logdir(&self) -> &Logdir {
        &self.logdir
    }

    /// How to load.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Walks the logdir and reads everything new.
    pub fn load(&mut self) {
        let walk = self.walk();
        self.merge_discovery(walk());
    }

    /// A walk over the logdir, for any thread. Its result is for [`Loader::merge_discovery`].
    pub fn walk(&mut self) -> impl FnOnce() -> Discovery + Send + 'static {
        self.dropped.clear();
        let (logdir, storage) = (self.logdir.clone(), self.storage.clone());
        move || logdir.discover(&*storage)
    }

    /// Compares what a walk found with what is known, and reads everything new.
    pub fn merge_discovery(&mut self, found: Discovery) {
        let places = found.unreachable.iter();
        let places = places.map(|(path, error)| (path.clone(), error.to_string())).collect();
        self.store.set_unreachable(places);
        self.drop_missing(&found);
        for (run, files) in found.runs {
            for file in files {
                if let Some(stat) = self.current_stat(&run, &file) {
                    self.note_file(&run, file.path, stat);
                }
            }
        }
        let loads = self.plan();
        self.read_new(loads);
    }

    /// The state of a file that a walk found. Meanwhile it may have been read further than it was
    /// long by then, and must not be taken for another file; or it was seen to be gone.
    fn current_stat(&self, run: &RunName, found: &FoundFile) -> Option<Stat> {
        let is_outdated = match self.file(run, &found.path) {
            Some(file) => file.was_replaced(&found.stat),
            None => self.dropped.contains(&found.path),
        };
        if is_outdated { self.storage.stat(&found.path).ok() } else { Some(found.stat) }
    }

    fn file(&self, run: &RunName, path: &Path) -> Option<&FileStage> {
        self.runs.get(run)?.files.get(path)
    }

    /// Drops files that are gone, and runs that have none left. What could not be looked at is
    /// not gone.
    fn drop_missing(&mut self, found: &Discovery) {
        // Where two roots share a run name, one of them may have got another.
        let listed_somewhere: BTreeSet<&Path> =
            found.runs.values().flatten().map(|file| file.path.as_path()).collect();
        let is_elsewhere = |path: &Path| listed_somewhere.contains(path);
        let mut gone = Vec::new();
        for (name, stage) in &self.runs {
            let listed: BTreeSet<&Path> = found
                .runs
                .get(name)
                .map(|files| files.iter().map(|file| file.path.as_path()).collect())
                .unwrap_or_default();
            let missing = stage.files.keys().filter(|path| !listed.contains(path.as_path()));
            let missing = missing.filter(|path| is_elsewhere(path) || self.is_gone(path, found));
            gone.extend(missing.map(|path| (name.clone(), path.clone())));
        }
        for (name, path) in gone {
            self.drop_file(&name, &path);
        }
    }

    /// Whether a file that a walk did not list is gone. Listings of network file systems lag;
    /// only the file itself is believed, and only where the walk could look.
    fn is_gone(&self, path: &Path, found: &Discovery) -> bool {
        let is_out_of_sight = found.unreachable.iter().any(|(place, error)| {
            path.starts_with(place) && error.kind() != io::ErrorKind::NotFound
        });
        !is_out_of_sight
            && self.storage.stat(path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
    }

    /// Drops a file, and its run if that was the last.
    fn drop_file(&mut self, name: &RunName, path: &Path) {
        let Some(stage) = self.runs.get_mut(name) else {
            return;
        };
        if let Some(file) = stage.files.remove(path) {
            let progress = &self.store.progress;
            progress.files_known.fetch_sub(1, Ordering::Relaxed);
            progress.bytes_known.fetch_sub(file.stat.len, Ordering::Relaxed);
            stage.drop_series(file, &self.store);
            self.dropped.insert(path.to_path_buf());
        }
        if stage.files.is_empty() {
            self.runs.remove(name);
            self.store.remove(name);
        }
    }

    /// Notes that a file was seen in this state; one that took another's name is read from its
    /// beginning.
    fn note_file(&mut self, run: &RunName, path: PathBuf, stat: Stat) {
        let progress = &self.store.progress;
        progress.bytes_known.fetch_add(stat.len, Ordering::Relaxed);
        let stage = self.runs.entry(run.clone()).or_default();
        let len_before = match stage.files.get_mut(&path) {
            Some(file) if !file.was_replaced(&stat) => {
                if file.stat != stat {
                    file.changed = Some(Instant::now());
                }
                Some(std::mem::replace(&mut file.stat, stat).len)
            }
            _ => {
                self.next_file += 1;
                let fresh = FileStage::new(FileNumber(self.next_file), stat);
                let old = stage.files.insert(path, fresh);
                old.map(|old| {
                    let len = old.stat.len;
                    stage.drop_series(old, &self.store);
                    len
                })
            }
        };
        match len_before {
            Some(len) => progress.bytes_known.fetch_sub(len, Ordering::Relaxed),
            None => progress.files_known.fetch_add(1, Ordering::Relaxed),
        };
    }

    /// Reads these files, and publishes.
    fn read_new(&mut self, mut loads: Vec<Load>) {
        let progress = &self.store.progress;
        let known = progress.files_known.load(Ordering::Relaxed);
        progress.files_done.store(known.saturating_sub(loads.len() as u64), Ordering::Relaxed);
        if !loads.is_empty() {
            progress.loading.store(true, Ordering::Relaxed);
            self.read_all(&mut loads);
        }
        publish_changed(&mut self.runs, &self.store, &self.options);
        if !self.store.is_stopping() {
            self.count_done();
        }
    }

    /// Every file that has news.
    fn plan(&self) -> Vec<Load> {
        let files = self
            .runs
            .iter()
            .flat_map(|(run, stage)| stage.files.keys().map(move |path| (run, path)));
        files.filter_map(|(run, path)| self.load_of(run, path)).collect()
    }

    /// What is new in a file, if anything is.
    fn load_of(&self, run: &RunName, path: &Path) -> Option<Load> {
        let file = self.file(run, path)?;
        file.has_news(self.options.settled_after).then(|| {
            let unread = file.reader.position()..file.stat.len;
            Load {
                run: run.clone(),
                path: path.into(),
                units: unit::cut(&*self.storage, path, unread, self.options.unit_bytes),
                pieces: BTreeMap::new(),
                next: 0,
            }
        })
    }

    fn read_all(&mut self, loads: &mut [Load]) {
        let pool = self.pool.clone();
        let (sender, pieces) = mpsc::channel();
        pool.in_place_scope(|scope| {
            let mut under_way = 0;
            let start = |number: UnitNumber, path: Arc<Path>, unit: Unit| {
                let (sender, storage, store) =
                    (sender.clone(), self.storage.clone(), self.store.clone());
                scope.spawn(move |_| {
                    let read = || unit.read(&*storage, &path, &store);
                    // Nothing on disk makes reading panic; should it happen all the same, one
                    // file is lost and the loader does not wait for its piece forever.
                    let piece = catch_unwind(AssertUnwindSafe(read))
                        .unwrap_or_else(|_| Err(io::Error::other("internal error while reading")));
                    // The loader waits for every piece, so there is a receiver.
                    let _ = sender.send((number, piece));
                });
            };
            for (index, load) in loads.iter().enumerate() {
                for (number, range) in load.units.iter().enumerate() {
                    if let Some(unit) = unit_of(&self.runs, load, range, &self.options) {
                        start((index, number), load.path.clone(), unit);
                        under_way += 1;
                    }
                }
            }
            let (mut published, mut pause) = (Instant::now(), PUBLISH_EVERY);
            while under_way > 0 {
                let Ok(((index, number), piece)) = pieces.recv() else {
                    break;
                };
                under_way -= 1;
                let Some(load) = loads.get_mut(index) else {
                    continue;
                };
                load.pieces.insert(number, piece);
                if let Some(range) =
                    take_pieces(&mut self.runs, &self.store, &mut self.next_file, load)
                {
                    load.units.push(range.clone());
                    load.next = load.units.len() - 1;
                    if let Some(unit) = unit_of(&self.runs, load, &range, &self.options) {
                        start((index, load.next), load.path.clone(), unit);
                        under_way += 1;
                    }
                }
                if published.elapsed() >= pause {
                    let began = Instant::now();
                    publish_changed(&mut self.runs, &self.store, &self.options);
                    published = Instant::now();
                    // Publishing may never take more than a small part of the time.
                    pause = PUBLISH_EVERY.max(began.elapsed() * 10);
                }
            }
        });
    }

    /// Everything that can be read now was read, unfinished records at the end included.
    fn count_done(&self) {
        let progress = &self.store.progress;
        progress.files_done.store(progress.files_known.load(Ordering::Relaxed), Ordering::Relaxed);
        progress.bytes_done.store(progress.bytes_known.load(Ordering::Relaxed), Ordering::Relaxed);
        progress.loading.store(false, Ordering::Relaxed);
    }
}

fn unit_of(
    runs: &BTreeMap<RunName, RunStage>,
    load: &Load,
    range: &Range<u64>,
    options: &Options,
) -> Option<Unit> {
    let file = runs.get(&load.run)?.files.get(&*load.path)?;
    let goes_on = range.start == file.reader.position();
    let (data, reader) = if goes_on {
        (file.data.next_piece(), file.reader.clone())
    } else {
        let data = FileData::new(file.data.number);
        (data, RecordReader::at(range.start))
    };
    Some(Unit {
        data,
        reader,
        stop: range.end,
        limit: file.stat.len,
        marks: goes_on.then(|| file.marks.clone()),
        settled: file.is_settled(options.settled_after),
    })
}

/// Takes in the pieces of a load that are next in order; returns what must be read again.
fn take_pieces(
    runs: &mut BTreeMap<RunName, RunStage>,
    store: &Store,
    next_file: &mut u32,
    load: &mut Load,
) -> Option<Range<u64>> {
    let stage = runs.get_mut(&load.run)?;
    while let Some(piece) = load.pieces.remove(&load.next) {
        stage.dirty = true;
        let file = stage.files.get_mut(&*load.path)?;
        let again = match piece {
            Ok(Outcome::Read(piece)) => file.take(*piece, load),
            Ok(Outcome::Replaced) => {
                *next_file += 1;
                let fresh = FileStage::new(FileNumber(*next_file), file.stat);
                let old = std::mem::replace(file, fresh);
                stage.drop_series(old, store);
                load.next = load.units.len();
                stage.files.get(&*load.path).map(|file| 0..file.stat.len)
            }
            Err(error) => {
                log::debug!("cannot continue reading, {error}: {}", load.path.display());
                // Tried again at the next look, in case it was only for a moment.
                file.error = Some(error.to_string());
                load.next = load.units.len();
                None
            }
        };
        if let Some(file) = stage.files.get(&*load.path) {
            file.report(store, load);
        }
        if again.is_some() {
            return again;
        }
    }
    None
}

/// Publishes the runs that changed. A function of the parts it needs, because the rest of the
/// loader is borrowed while threads read.
fn publish_changed(runs: &mut BTreeMap<RunName, RunStage>, store: &Store, options: &Options) {
    for (name, stage) in runs {
        if std::mem::take(&mut stage.dirty) {
            stage.publish(name, store, options.purge_orphaned_data);
        }
    }
}

impl RunStage {
    /// The series of a file that is gone must be composed from what is left.
    fn drop_series(&mut self, file: FileStage, store: &Store) {
        store.remove_file(file.data.number);
        let series = file.data.series.into_iter();
        self.orphans.extend(series.filter_map(|series| Some((series.dashboard?, series.tag))));
        self.dirty = true;
    }

    fn publish(&mut self, name: &RunName, store: &Store, purge: bool) {
        let relations = Relations::of(self.files.values().map(|file| &file.data));
        let all = relations != self.relations;
        self.relations = relations;
        let mut keys = std::mem::take(&mut self.orphans);
        for file in self.files.values_mut() {
            keys.extend(std::mem::take(&mut file.data.moved));
            for series in &mut file.data.series {
                if std::mem::take(&mut series.dirty) || all {
                    keys.extend(series.dashboard.map(|kind| (kind, series.tag.clone())));
                }
            }
        }
        let run = store.run(name.as_str());
        let number = store.change() + 1;
        let mut files: Vec<&mut FileData> =
            self.files.values_mut().map(|file| &mut file.data).collect();
        let (mut changed, mut removed) = (Vec::new(), Vec::new());
        for (dashboard, tag) in keys {
            let before = run.as_ref().and_then(|run| run.series(dashboard, tag.as_str()));
            let before = before.as_deref();
            match run::compose(&mut files, dashboard, &tag, purge, number, before) {
                Some(series) if before.is_some_and(|before| series.repeats(before)) => {}
                Some(series) => changed.push(series),
                None => removed.push((dashboard, tag)),
            }
        }
        let sessions = || files.iter().flat_map(|file| &file.sessions);
        let widen = |a: (WallTime, WallTime), b: (WallTime, WallTime)| (a.0.min(b.0), a.1.max(b.1));
        let span = sessions().filter_map(Session::span).reduce(widen);
        let times = Times {
            first_event: span.map(|span| span.0),
            walls: sessions().filter_map(|session| session.walls).reduce(widen).or(span),
        };
        let same_times = run.is_some_and(|run| run.times() == times);
        if !(changed.is_empty() && removed.is_empty() && same_times) {
            store.publish(name, times, changed, removed);
        }
    }
}

impl FileStage {
    fn new(number: FileNumber, stat: Stat) -> Self {
        let age = stat.modified.and_then(|modified| modified.elapsed().ok());
        Self {
            stat,
            changed: age.is_some_and(|age| age < recent::SPAN).then(Instant::now),
            read_at: None,
            data: FileData::new(number),
            reader: RecordReader::default(),
            marks: Marks::default(),
            tail_searched: false,
            error: None,
        }
    }

    fn was_replaced(&self, now: &Stat) -> bool {
        now.identity != self.stat.identity || now.len < self.reader.position()
    }

    fn has_news(&self, settled_after: Duration) -> bool {
        self.read_at != Some(self.stat) || self.has_dead_tail(settled_after)
    }

    /// Whether the last record stays unfinished and has not been searched yet.
    fn has_dead_tail(&self, settled_after: Duration) -> bool {
        let unfinished = self.reader.position() < self.stat.len;
        unfinished && !self.tail_searched && self.is_settled(settled_after)
    }

    fn is_settled(&self, settled_after: Duration) -> bool {
        let age = self.stat.modified.and_then(|modified| modified.elapsed().ok());
        settled_after.is_zero() || age.is_some_and(|age| age >= settled_after)
    }

    /// Takes in a piece; returns what must be read again because no unit begins where it ends.
    fn take(&mut self, piece: Piece, load: &mut Load) -> Option<Range<u64>> {
        let end = piece.reader.position();
        self.data.append(piece.data);
        self.reader = piece.reader;
        self.marks = piece.marks;
        self.error = None;
        self.tail_searched = piece.tail_searched;
        load.next += 1;
        while load.units.get(load.next).is_some_and(|unit| unit.start != end) {
            load.pieces.remove(&load.next);
            load.next += 1;
        }
        let unread = load.next >= load.units.len() && !piece.at_end && end < self.stat.len;
        if load.next >= load.units.len() && !unread {
            self.read_at = Some(self.stat);
        }
        unread.then_some(end..self.stat.len)
    }

    fn report(&self, store: &Store, load: &Load) {
        if self.read_at == Some(self.stat) {
            store.progress.files_done.fetch_add(1, Ordering::Relaxed);
        }
        let report = FileReport {
            run: load.run.clone(),
            path: load.path.to_path_buf(),
            identity: self.stat.identity,
            bytes: self.stat.len,
            bytes_read: self.reader.position(),
            damage: self.data.damage,
            gaps: self.data.gaps.clone(),
            bad_wall_times: self.data.bad_wall_times,
            broken_tail: self.reader.is_lost(),
            error: self.error.clone(),
        };
        store.set_file(self.data.number, report);
    }
}
