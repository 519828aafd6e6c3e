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

mod unit;

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

/// Least time between two publications while loading goes on.
const PUBLISH_EVERY: Duration = Duration::from_millis(100);

/// A file that changed within this time may well change again soon.
const LATELY: Duration = Duration::from_secs(600);
/// Most files that are looked at for having changed lately.
const MAX_LATELY: usize = 500;

/// How to load.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether restarts supersede earlier points.
    pub purge_orphaned_data: bool,
    /// Threads that read; 0 for one per core.
    pub threads: usize,
    /// A file that did not change for so long has no writer that is in the middle of a record:
    /// an unfinished one at its end is then searched for others. Zero where nobody looks again.
    pub settled_after: Duration,
    /// Files above twice this size are cut, and the parts read side by side.
    pub unit_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            purge_orphaned_data: true,
            threads: 0,
            settled_after: Duration::from_secs(10),
            unit_bytes: 32 << 20,
        }
    }
}

/// Loads a logdir into a store, as often as asked.
pub struct Loader {
    logdir: Logdir,
    storage: Arc<dyn Storage>,
    store: Arc<Store>,
    options: Options,
    pool: Arc<rayon::ThreadPool>,
    runs: BTreeMap<RunName, RunStage>,
    next_file: u32,
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
    /// When last looked at.
    stat: Stat,
    /// When it was last seen to have changed.
    changed: Option<Instant>,
    /// When last read to its end.
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
        };
        Ok((loader, store))
    }

    /// The directories that are looked into.
    pub fn logdir(&self) -> &Logdir {
        &self.logdir
    }

    /// Walks the logdir and reads everything new.
    pub fn load(&mut self) {
        let walk = self.walk();
        self.take_in(walk());
    }

    /// A walk over the logdir, for any thread. [`Loader::take_in`] wants what it finds.
    pub fn walk(&self) -> impl FnOnce() -> Discovery + Send + 'static {
        let (logdir, storage) = (self.logdir.clone(), self.storage.clone());
        move || logdir.discover(&*storage)
    }

    /// Takes in what a walk found, and reads everything new.
    pub fn take_in(&mut self, found: Discovery) {
        let places = found.unreachable.iter();
        let places = places.map(|(path, error)| (path.clone(), error.to_string())).collect();
        self.store.set_unreachable(places);
        self.forget_missing(&found);
        for (run, files) in found.runs {
            for file in files {
                if let Some(stat) = self.current_stat(&run, &file) {
                    self.note_file(&run, file.path, stat);
                }
            }
        }
        let loads = self.plan();
        self.count_known(loads.len() as u64);
        self.read_new(loads);
    }

    /// The state of a file that was found. While the walk went on it may have been read further
    /// than it was long by then, and must not be taken for another file.
    fn current_stat(&self, run: &RunName, found: &FoundFile) -> Option<Stat> {
        let known = self.runs.get(run).and_then(|stage| stage.files.get(&found.path));
        match known {
            Some(file) if file.was_replaced(&found.stat) => self.storage.stat(&found.path).ok(),
            _ => Some(found.stat),
        }
    }

    /// Reads what is new in files that are known; false when one of them is not, or is gone, so
    /// that only a walk can tell what happened. No other file is looked at: one that grows among
    /// ten thousand must not cost more than one alone.
    pub fn load_files(&mut self, paths: &BTreeSet<PathBuf>) -> bool {
        let mut all_known = true;
        let mut loads = Vec::new();
        for path in paths {
            let run = path.parent().and_then(|dir| self.logdir.run_of(dir));
            let known = run.and_then(|run| {
                let len = self.file(&run, path)?.stat.len;
                Some((run, len))
            });
            let (Some((run, len)), Ok(stat)) = (known, self.storage.stat(path)) else {
                all_known = false;
                continue;
            };
            self.note_file(&run, path.clone(), stat);
            let known = &self.store.progress.bytes_known;
            known.fetch_add(stat.len, Ordering::Relaxed);
            known.fetch_sub(len, Ordering::Relaxed);
            loads.extend(self.load_of(&run, path));
        }
        self.store.progress.files_done.fetch_sub(loads.len() as u64, Ordering::Relaxed);
        self.read_new(loads);
        all_known
    }

    fn file(&self, run: &RunName, path: &Path) -> Option<&FileStage> {
        self.runs.get(run)?.files.get(path)
    }

    /// Reads what is new in files that changed lately, as [`Loader::load_files`] does.
    pub fn load_lately_changed(&mut self) -> bool {
        let files = self.runs.values().flat_map(|stage| &stage.files);
        let changed = files.filter_map(|(path, file)| Some((file.changed?.elapsed(), path)));
        let mut lately: Vec<_> = changed.filter(|(age, _)| *age < LATELY).collect();
        lately.sort_unstable();
        let paths: BTreeSet<PathBuf> =
            lately.into_iter().take(MAX_LATELY).map(|(_, path)| path.clone()).collect();
        for path in &paths {
            // Shares answer from memory for seconds, until a file is opened. An error is met
            // again when the file is asked about.
            let _ = self.storage.open(path);
        }
        self.load_files(&paths)
    }

    /// Drops files that are gone, and runs that have none left. What could not be looked at is
    /// not gone.
    fn forget_missing(&mut self, found: &Discovery) {
        let out_of_sight = |path: &Path| {
            found.unreachable.iter().any(|(place, error)| {
                path.starts_with(place) && error.kind() != io::ErrorKind::NotFound
            })
        };
        // Listings of network file systems lag; only the file itself is believed.
        let is_gone = |path: &Path| {
            !out_of_sight(path)
                && self.storage.stat(path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
        };
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
            let missing = missing.filter(|path| is_elsewhere(path) || is_gone(path));
            gone.extend(missing.map(|path| (name.clone(), path.clone())));
        }
        for (name, path) in gone {
            let Some(stage) = self.runs.get_mut(&name) else {
                continue;
            };
            if let Some(file) = stage.files.remove(&path) {
                stage.drop_file(file, &self.store);
            }
            if stage.files.is_empty() {
                self.runs.remove(&name);
                self.store.remove(&name);
            }
        }
    }

    /// Notes that a file was seen in this state; one that took another's name starts anew.
    fn note_file(&mut self, run: &RunName, path: PathBuf, stat: Stat) {
        let stage = self.runs.entry(run.clone()).or_default();
        match stage.files.get_mut(&path) {
            Some(file) if !file.was_replaced(&stat) => {
                if file.stat != stat {
                    file.changed = Some(Instant::now());
                }
                file.stat = stat;
            }
            _ => {
                self.next_file += 1;
                let fresh = FileStage::new(FileNumber(self.next_file), stat);
                if let Some(old) = stage.files.insert(path, fresh) {
                    stage.drop_file(old, &self.store);
                }
            }
        }
    }

    /// Reads these files, and publishes.
    fn read_new(&mut self, mut loads: Vec<Load>) {
        if !loads.is_empty() {
            self.store.progress.loading.store(true, Ordering::Relaxed);
            self.read_all(&mut loads);
        }
        self.publish_dirty();
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
                    // file is lost and the loader does not wait for its piece for ever.
                    let piece = catch_unwind(AssertUnwindSafe(read))
                        .unwrap_or_else(|_| Err(io::Error::other("reading it failed badly")));
                    // The loader waits for every piece, so somebody listens.
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
                    publish_dirty(&mut self.runs, &self.store, &self.options);
                    published = Instant::now();
                    // Publishing may never take more than a small part of the time.
                    pause = PUBLISH_EVERY.max(began.elapsed() * 10);
                }
            }
        });
    }

    fn publish_dirty(&mut self) {
        publish_dirty(&mut self.runs, &self.store, &self.options);
    }

    /// Counts what is known, all but `unread` files of it as done.
    fn count_known(&self, unread: u64) {
        let (mut files, mut known, mut done) = (0, 0, 0);
        for file in self.runs.values().flat_map(|stage| stage.files.values()) {
            files += 1;
            known += file.stat.len;
            done += file.reader.position();
        }
        let progress = &self.store.progress;
        progress.files_known.store(files, Ordering::Relaxed);
        progress.files_done.store(files.saturating_sub(unread), Ordering::Relaxed);
        progress.bytes_known.store(known, Ordering::Relaxed);
        progress.bytes_done.store(done, Ordering::Relaxed);
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
                stage.drop_file(old, store);
                load.next = load.units.len();
                stage.files.get(&*load.path).map(|file| 0..file.stat.len)
            }
            Err(error) => {
                log::debug!("cannot read on, {error}: {}", load.path.display());
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

fn publish_dirty(runs: &mut BTreeMap<RunName, RunStage>, store: &Store, options: &Options) {
    for (name, stage) in runs {
        if std::mem::take(&mut stage.dirty) {
            stage.publish(name, store, options.purge_orphaned_data);
        }
    }
}

impl RunStage {
    /// The series of a file that went must be composed from what is left.
    fn drop_file(&mut self, file: FileStage, store: &Store) {
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
            changed: age.is_some_and(|age| age < LATELY).then(Instant::now),
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

    /// Whether the last record stays unfinished and nobody has looked inside it yet.
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
