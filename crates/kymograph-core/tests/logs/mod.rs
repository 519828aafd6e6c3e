//! Event files for the tests: events written by hand, a file system in memory, what a store shows.
#![allow(dead_code)] // each test file uses a part of it

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use kymograph_core::dashboards::Dashboard;
use kymograph_core::load::{Loader, Options};
use kymograph_core::logdir::{Logdir, Root};
use kymograph_core::record;
use kymograph_core::run::SeriesData;
use kymograph_core::storage::{Entry, Source, Stat, Storage};
use kymograph_core::store::{Run, Store};

/// Randomness that is the same in every run: Knuth's linear congruential generator.
pub struct Dice(pub u64);

impl Dice {
    /// A number in `0..below`.
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

pub fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

/// A length-delimited field.
pub fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
    let mut out = varint(number << 3 | 2);
    out.extend(varint(bytes.len() as u64));
    out.extend(bytes);
    out
}

pub fn number_field(number: u64, value: u64) -> Vec<u8> {
    let mut out = varint(number << 3);
    out.extend(varint(value));
    out
}

pub fn double_field(number: u64, value: f64) -> Vec<u8> {
    let mut out = varint(number << 3 | 1);
    out.extend(value.to_le_bytes());
    out
}

/// One record: an event with these further fields.
pub fn event(step: i64, wall_time: f64, what: &[u8]) -> Vec<u8> {
    let mut payload = double_field(1, wall_time);
    payload.extend(number_field(2, step as u64));
    payload.extend(what);
    framed(&payload)
}

pub fn framed(payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    record::frame(payload, &mut out);
    out
}

pub fn file_version(wall_time: f64) -> Vec<u8> {
    framed(&[double_field(1, wall_time), field(3, b"brain.Event:2")].concat())
}

/// A SessionLog with status START.
pub fn start(step: i64, wall_time: f64) -> Vec<u8> {
    event(step, wall_time, &field(7, &number_field(1, 1)))
}

pub fn graph(step: i64, wall_time: f64, len: usize) -> Vec<u8> {
    event(step, wall_time, &field(4, &noise(len, step)))
}

/// An event with one value per entry: a tag, and the fields that make it.
pub fn values(step: i64, wall_time: f64, values: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let summary: Vec<u8> = values
        .iter()
        .flat_map(|(tag, body)| field(1, &[field(1, tag.as_bytes()), body.clone()].concat()))
        .collect();
    event(step, wall_time, &field(5, &summary))
}

pub fn scalar(step: i64, wall_time: f64, tag: &str, value: f32) -> Vec<u8> {
    values(step, wall_time, &[(tag, simple(value))])
}

pub fn simple(value: f32) -> Vec<u8> {
    [&[0x15][..], &value.to_le_bytes()].concat()
}

pub fn metadata(plugin: &str) -> Vec<u8> {
    field(9, &field(1, &field(1, plugin.as_bytes())))
}

/// A scalar as TensorFlow 2 writes it, without its metadata.
pub fn float_tensor(value: f32) -> Vec<u8> {
    let content = field(4, &value.to_le_bytes());
    field(8, &[number_field(1, 1), field(2, b""), content].concat())
}

pub fn text_tensor(text: &str) -> Vec<u8> {
    field(8, &[number_field(1, 7), field(8, text.as_bytes())].concat())
}

/// A float tensor of rank 1.
pub fn long_tensor(len: usize, seed: i64) -> Vec<u8> {
    let shape = field(2, &field(2, &number_field(1, len as u64)));
    let content = field(4, &noise(len * 4, seed));
    field(8, &[number_field(1, 1), shape, content].concat())
}

pub fn histogram(max: f64) -> Vec<u8> {
    let doubles = |values: [f64; 3]| values.map(f64::to_le_bytes).concat();
    let parts = [
        double_field(1, 0.0),
        double_field(2, max),
        field(6, &doubles([0.0, max, f64::MAX])),
        field(7, &doubles([0.0, 3.0, 0.0])),
    ];
    field(5, &parts.concat())
}

pub fn image(len: usize, seed: i64) -> Vec<u8> {
    let size = [number_field(1, 4), number_field(2, 4)].concat();
    field(4, &[size, field(4, &noise(len, seed))].concat())
}

/// Bytes without a pattern.
pub fn noise(len: usize, seed: i64) -> Vec<u8> {
    let mut dice = Dice(seed as u64 ^ 0x5eed);
    (0..len).map(|_| dice.roll(256) as u8).collect()
}

/// A file system in memory, whose files change and fail on request of a test.
#[derive(Default)]
pub struct Memory {
    state: Mutex<State>,
    lists_held: AtomicBool,
    lists_waiting: AtomicUsize,
    lists: AtomicUsize,
    stats: AtomicUsize,
}

#[derive(Default)]
struct State {
    files: BTreeMap<PathBuf, File>,
    failing: BTreeMap<PathBuf, io::ErrorKind>,
    created: u64,
    panics: bool,
    /// Each change happens a second after the one before, long ago.
    clock: u64,
}

#[derive(Clone)]
struct File {
    bytes: Arc<Vec<u8>>,
    identity: u64,
    modified: SystemTime,
}

impl Memory {
    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap())
    }

    /// The next changes happen now.
    pub fn set_clock(&self, now: SystemTime) {
        let since_epoch = now.duration_since(SystemTime::UNIX_EPOCH).unwrap();
        self.with(|state| state.clock = since_epoch.as_secs());
    }

    fn change(&self, path: &str, is_new: bool, change: impl FnOnce(&mut Vec<u8>)) {
        self.with(|state| {
            state.clock += 1;
            let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(state.clock);
            state.created += 1;
            let identity = state.created;
            let file = state.files.entry(path.into()).or_insert_with(|| File {
                bytes: Arc::default(),
                identity,
                modified,
            });
            if is_new {
                file.identity = identity;
            }
            file.modified = modified;
            change(Arc::make_mut(&mut file.bytes));
        });
    }

    pub fn append(&self, path: &str, bytes: &[u8]) {
        self.change(path, false, |file| file.extend(bytes));
    }

    /// Another file takes the name.
    pub fn replace(&self, path: &str, bytes: &[u8]) {
        self.change(path, true, |file| *file = bytes.to_vec());
    }

    /// The same file is overwritten.
    pub fn rewrite(&self, path: &str, bytes: &[u8]) {
        self.change(path, false, |file| *file = bytes.to_vec());
    }

    pub fn remove(&self, path: &str) {
        self.with(|state| state.files.remove(Path::new(path)));
    }

    /// Whatever is at or below `path` fails like this, or no longer.
    pub fn fail(&self, path: &str, how: Option<io::ErrorKind>) {
        self.with(|state| match how {
            Some(kind) => state.failing.insert(path.into(), kind),
            None => state.failing.remove(Path::new(path)),
        });
    }

    /// Reading panics from now on.
    pub fn panic_on_read(&self, panics: bool) {
        self.with(|state| state.panics = panics);
    }

    /// Listings of directories hang from now on, or no longer.
    pub fn hold_lists(&self, hold: bool) {
        self.lists_held.store(hold, Ordering::Relaxed);
    }

    /// How many listings hang.
    pub fn lists_waiting(&self) -> usize {
        self.lists_waiting.load(Ordering::Relaxed)
    }

    /// How many directories were listed and files asked about, since this was last called.
    pub fn take_counts(&self) -> (usize, usize) {
        (self.lists.swap(0, Ordering::Relaxed), self.stats.swap(0, Ordering::Relaxed))
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        self.with(|state| {
            let failing = state.failing.iter().find(|(at, _)| path.starts_with(at));
            failing.map_or(Ok(()), |(_, kind)| Err((*kind).into()))
        })
    }

    fn file(&self, path: &Path) -> io::Result<File> {
        self.check(path)?;
        self.with(|state| state.files.get(path).cloned()).ok_or(io::ErrorKind::NotFound.into())
    }
}

impl Storage for Memory {
    fn list(&self, dir: &Path) -> io::Result<Vec<Entry>> {
        self.lists.fetch_add(1, Ordering::Relaxed);
        self.lists_waiting.fetch_add(1, Ordering::Relaxed);
        while self.lists_held.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.lists_waiting.fetch_sub(1, Ordering::Relaxed);
        self.check(dir)?;
        let mut entries = BTreeMap::new();
        self.with(|state| {
            let from = state.files.range(dir.to_path_buf()..);
            for (path, _) in from {
                let Ok(rest) = path.strip_prefix(dir) else {
                    break;
                };
                if let Some(name) = rest.iter().next() {
                    entries.insert(dir.join(name), rest.iter().nth(1).is_some());
                }
            }
        });
        if entries.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let entry = |(path, is_dir)| Entry { path, is_dir, is_link: false };
        Ok(entries.into_iter().map(entry).collect())
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.stats.fetch_add(1, Ordering::Relaxed);
        let file = self.file(path)?;
        Ok(Stat {
            len: file.bytes.len() as u64,
            modified: Some(file.modified),
            identity: Some((0, file.identity)),
        })
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        let panics = self.with(|state| state.panics);
        assert!(!panics, "the test asked for it");
        Ok(Box::new(Shared(self.file(path)?.bytes)))
    }

    fn canonical(&self, dir: &Path) -> io::Result<PathBuf> {
        Ok(dir.into())
    }
}

/// The bytes of a file, as they were when it was opened.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A loader over `/logs`.
pub fn loader(storage: Arc<dyn Storage>, options: Options) -> (Loader, Arc<Store>) {
    loader_of(Path::new("/logs"), storage, options)
}

pub fn loader_of(path: &Path, storage: Arc<dyn Storage>, options: Options) -> (Loader, Arc<Store>) {
    let root = Root { name: None, path: path.into() };
    let options = Options { threads: 2, ..options };
    Loader::new(Logdir::new(vec![root]), storage, options).unwrap()
}

/// A store over these files, loaded once.
pub fn loaded(files: &[(&str, Vec<u8>)], options: Options) -> Arc<Store> {
    let memory = Arc::new(Memory::default());
    for (path, bytes) in files {
        memory.append(path, bytes);
    }
    let (mut loader, store) = loader(memory, options);
    loader.load();
    store
}

/// What one run shows: step, wall time and value of each point; media have the value 0.
pub type Shown = BTreeMap<(Dashboard, String), Vec<(i64, f64, f64)>>;

pub fn shown(run: &Run) -> Shown {
    let series = run.all_series(None);
    let points = |data: &SeriesData| match data {
        SeriesData::Scalars(points) => {
            let steps = points.steps(0).into_iter();
            let rows = steps.zip(points.walls(0)).zip(points.values(0));
            rows.map(|((step, wall), value)| (step, wall, value)).collect()
        }
        SeriesData::Blobs(blobs) => {
            blobs.iter().map(|blob| (blob.step, blob.wall_time, 0.0)).collect()
        }
    };
    series
        .iter()
        .map(|series| {
            let key = (series.dashboard, series.tag.to_string());
            (key, points(&series.data))
        })
        .collect()
}

/// The steps and values of one scalar.
pub fn points(store: &Store, run: &str, tag: &str) -> Vec<(i64, f64)> {
    let Some(run) = store.run(run) else {
        return Vec::new();
    };
    let key = (Dashboard::Scalars, tag.to_string());
    let points = shown(&run).remove(&key).unwrap_or_default();
    points.into_iter().map(|(step, _, value)| (step, value)).collect()
}

/// The steps of one scalar.
pub fn steps(store: &Store, run: &str, tag: &str) -> Vec<i64> {
    let points = points(store, run, tag).into_iter();
    points.map(|(step, _)| step).collect()
}
