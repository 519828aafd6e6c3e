//! Events out to a file: encoded by the caller, written by a thread of its own.
//!
//! ```text
//!   add ──► Queue ──► drain ──► EventFile ──► disk
//!           short     by the process's one writing thread, or by a caller that flushes
//!           lock
//! ```
//!
//! A record leaves memory soon after it was logged: after `LINGER`, or `flush_secs` if that is
//! less, or at once when many wait. A disk that fails keeps no caller waiting: records are held up to a
//! bound, tried again, and counted when they are lost after all.

pub mod encode;
mod file;
mod late;
mod process;
mod queue;
#[cfg(unix)]
mod signals;

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use encode::{MAX_MESSAGE_BYTES, Moment, Style};
pub use file::{Place, now};
pub use late::LateSummary;
pub use process::{flush_at_exit, forked};

use crate::protobuf::WireError;
use file::EventFile;
use process::Process;
use queue::Queue;

/// How long a record may wait for others before it is written.
const LINGER: Duration = Duration::from_millis(200);
/// This many bytes are worth a separate write.
const BATCH_BYTES: usize = 256 << 10;
/// What a writer holds in memory while the disk does not take it.
const MAX_HELD_BYTES: usize = 64 << 20;
/// How long a full queue may keep its caller waiting while nothing is written, once, before records
/// are dropped.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// How a file is made and when it is written.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where it goes.
    pub place: Place,
    /// Waiting records are written at once when there are this many; 0 for no such bound.
    pub max_queue: u64,
    /// No record waits longer than this.
    pub flush_interval: Duration,
    /// Readers are instructed to drop earlier data from this step on.
    pub purge_step: Option<i64>,
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Added {
    /// It will be written.
    Yes,
    /// There is no room: wait for it, or call it dropped.
    Full,
    /// The writer is closed.
    Closed,
}

/// One event file being written. Clones write to the same file.
#[derive(Clone)]
pub struct EventWriter(Arc<Shared>);

/// Locks are taken in this order, each of them briefly but `file`, which is held during I/O:
/// `file`, `state`, `health`, and those of the process.
struct Shared {
    file: Mutex<EventFile>,
    state: Mutex<State>,
    /// Notified when records leave memory.
    room: Condvar,
    health: Mutex<Health>,
    /// Whether there is a notice to be fetched.
    attention: AtomicBool,
    process: Arc<Process>,
    max_queue: u64,
    linger: Duration,
}

#[derive(Default)]
struct State {
    queue: Queue,
    /// Bytes taken off the queue that are not on disk yet.
    in_flight_bytes: usize,
    /// The writing thread knows that something waits.
    scheduled: bool,
    /// The writing thread knows that it should not linger.
    hurried: bool,
    closed: bool,
}

impl State {
    fn is_full(&self) -> bool {
        self.queue.held_bytes() + self.in_flight_bytes > MAX_HELD_BYTES
    }
}

#[derive(Default)]
struct Health {
    path: PathBuf,
    notice: Option<String>,
    /// Why the disk does not take what it is given, while it does not.
    failure: Option<String>,
    lost_records: u64,
}

impl EventWriter {
    /// Creates a file. An invalid path is an error; a disk that fails is not: the file
    /// is made as soon as it can be, and there is a notice.
    pub fn create(options: Options) -> io::Result<Self> {
        Self::create_in(Process::current(), options)
    }

    fn create_in(process: Arc<Process>, options: Options) -> io::Result<Self> {
        let mut first = Vec::new();
        if let Some(step) = options.purge_step {
            encode::purge(&mut first, Moment { wall_time: now(), step });
        }
        let mut file = EventFile::new(options.place.clone());
        let begun = file.begin(&first, if first.is_empty() { 0 } else { 2 });
        file.rest();
        let failure = match begun {
            Ok(_) => None,
            Err(error) if is_wrong_path(&error) => return Err(error),
            Err(error) => Some(error),
        };
        let path = file.path().map_or(options.place.directory, ToOwned::to_owned);
        let shared = Arc::new(Shared {
            file: Mutex::new(file),
            state: Mutex::default(),
            room: Condvar::new(),
            health: Mutex::new(Health { path, ..Health::default() }),
            attention: AtomicBool::new(false),
            process,
            max_queue: options.max_queue,
            linger: LINGER.min(options.flush_interval),
        });
        shared.process.register(&shared);
        if let Some(error) = failure {
            shared.fails(&error);
            shared.schedule();
        }
        Ok(Self(shared))
    }

    /// The file, or where it will be made once the disk allows it.
    pub fn path(&self) -> PathBuf {
        lock(&self.0.health).path.clone()
    }

    /// Adds a scalar.
    #[inline]
    pub fn add_scalar(&self, tag: &str, value: f64, style: Style, at: Moment) -> Added {
        self.0.add(|queue| queue.add(|out| encode::scalar(out, tag, value, style, at)))
    }

    /// Adds a serialised summary.
    pub fn add_summary(&self, summary: &[u8], at: Moment) -> Added {
        self.0.add(|queue| queue.add(|out| encode::summary(out, summary, at)))
    }

    /// Adds a summary that the writing thread encodes.
    pub fn add_late(&self, summary: &LateSummary, at: Moment) -> Added {
        self.0.add(|queue| queue.add_late(summary.clone(), at))
    }

    /// Adds a serialised event, with another wall time and step where these are given.
    pub fn add_event(
        &self,
        event: &[u8],
        wall_time: Option<f64>,
        step: Option<i64>,
    ) -> Result<Added, WireError> {
        let mut record = Vec::new();
        encode::event(&mut record, event, wall_time, step)?;
        Ok(self.0.add(|queue| queue.add(|out| out.extend_from_slice(&record))))
    }

    /// Waits for room, but never long. Without room the record is counted as lost, and false.
    pub fn wait_for_room(&self) -> bool {
        self.0.wait_for_room()
    }

    /// Writes everything that was added so far. False when the disk does not take it.
    pub fn flush(&self) -> bool {
        self.0.flush()
    }

    /// Writes everything and closes the file. Returns how many records are lost for good.
    pub fn close(&self) -> u64 {
        self.0.close()
    }

    /// Whether there is a notice. Cheap: asked after every call.
    #[inline]
    pub fn needs_attention(&self) -> bool {
        self.0.attention.load(Ordering::Relaxed)
    }

    /// Notices for the user, each returned once.
    pub fn take_notice(&self) -> Option<String> {
        self.0.take_notice()
    }
}

impl Shared {
    #[inline]
    fn add(self: &Arc<Self>, put: impl FnOnce(&mut Queue)) -> Added {
        let mut state = lock(&self.state);
        if state.closed {
            return Added::Closed;
        }
        if state.is_full() {
            return Added::Full;
        }
        put(&mut state.queue);
        if !state.scheduled {
            state.scheduled = true;
            drop(state);
            self.process.schedule(self, self.linger);
        } else if !state.hurried && self.is_worth_a_write(&state) {
            state.hurried = true;
            drop(state);
            self.process.hurry(self);
        }
        Added::Yes
    }

    #[inline]
    fn is_worth_a_write(&self, state: &State) -> bool {
        (self.max_queue > 0 && state.queue.count() >= self.max_queue)
            || state.queue.held_bytes() >= BATCH_BYTES
    }

    fn schedule(self: &Arc<Self>) {
        if !std::mem::replace(&mut lock(&self.state).scheduled, true) {
            self.process.schedule(self, process::RETRY);
        }
    }

    /// The next record schedules this writer again.
    fn unschedule(&self) {
        let mut state = lock(&self.state);
        (state.scheduled, state.hurried) = (false, false);
    }

    fn wait_for_room(&self) -> bool {
        self.process.hurry_all();
        let mut deadline = Instant::now() + MAX_WAIT;
        let mut state = lock(&self.state);
        while state.is_full() {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut health = lock(&self.health);
            if left.is_zero() && health.failure.is_none() {
                self.fails_because(&mut health, "nothing is being written".to_owned());
            }
            if health.failure.is_some() {
                health.lost_records += 1;
                return false;
            }
            drop(health);
            let waited = self.room.wait_timeout(state, left);
            let timeout;
            (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if !timeout.timed_out() {
                // Something was written: slow, as encoding pictures is, but not stuck.
                deadline = Instant::now() + MAX_WAIT;
            }
        }
        true
    }

    fn flush(self: &Arc<Self>) -> bool {
        let done = self.drain();
        if !done {
            self.schedule();
        }
        done
    }

    /// `close` may never be called, so this reports what it would report.
    fn flush_at_exit(&self) -> Option<String> {
        // The thread that was to write may not live long enough.
        self.unschedule();
        if !self.drain() {
            let waiting = lock(&self.file).unwritten_count() + lock(&self.state).queue.count();
            self.notify_lost(&mut lock(&self.health), waiting);
        }
        self.take_notice()
    }

    fn close(self: &Arc<Self>) -> u64 {
        lock(&self.state).closed = true;
        self.drain();
        let mut file = lock(&self.file);
        let mut state = lock(&self.state);
        let mut health = lock(&self.health);
        let left = file.unwritten_count() + state.queue.count();
        file.close();
        state.queue = Queue::default();
        state.in_flight_bytes = 0;
        let lost = self.notify_lost(&mut health, left);
        health.lost_records = 0;
        lost
    }

    /// Reports how many records are lost, with those that are `left` in memory.
    fn notify_lost(&self, health: &mut Health, left: u64) -> u64 {
        let lost = health.lost_records + left;
        if lost > 0 {
            let reason = health.failure.as_deref().unwrap_or("see above");
            let notice = format!("{lost} records are lost: {reason}: {}", health.path.display());
            self.notify(health, notice);
        }
        lost
    }

    /// Writes what waits, oldest first. False when the disk does not take it.
    fn drain(&self) -> bool {
        self.drain_by(|queue| queue.take())
    }

    /// Writes what is encoded already, and leaves pictures and videos for later.
    fn drain_encoded(&self) -> bool {
        self.drain_by(Queue::take_encoded)
    }

    fn drain_by(&self, take: impl Fn(&mut Queue) -> Option<queue::Piece>) -> bool {
        let mut file = lock(&self.file);
        let done = self.drain_into(&mut file, take);
        file.rest();
        done
    }

    fn drain_into(
        &self,
        file: &mut EventFile,
        take: impl Fn(&mut Queue) -> Option<queue::Piece>,
    ) -> bool {
        if file.unwritten_bytes() > 0 {
            let result = file.write(&[]);
            if !self.wrote(file, result) {
                return false;
            }
        }
        // What is logged meanwhile is the next turn's: no flush waits for callers that never stop.
        let pieces = lock(&self.state).queue.seal();
        for piece in (0..pieces).map_while(|_| self.take(&take)) {
            let Some(records) = queue::records(piece) else {
                let mut health = lock(&self.health);
                health.lost_records += 1;
                self.notify(&mut health, "a picture or video could not be encoded".to_owned());
                continue;
            };
            let result = file.write(&records);
            if !self.wrote(file, result) {
                return false;
            }
            lock(&self.state).queue.reuse(records);
        }
        true
    }

    fn take(&self, take: impl Fn(&mut Queue) -> Option<queue::Piece>) -> Option<queue::Piece> {
        let mut state = lock(&self.state);
        let before = state.queue.held_bytes();
        // There may be no time for all pictures.
        let first = if self.process.is_ending() { state.queue.take_encoded() } else { None };
        let piece = first.or_else(|| take(&mut state.queue));
        state.in_flight_bytes = before - state.queue.held_bytes();
        piece
    }

    /// Notes how a write went, and notifies callers that wait for room.
    fn wrote(&self, file: &EventFile, result: io::Result<bool>) -> bool {
        lock(&self.state).in_flight_bytes = file.unwritten_bytes();
        self.room.notify_all();
        match result {
            Ok(replaced) => {
                self.process.progressed();
                self.works(file, replaced)
            }
            Err(error) => {
                self.fails(&error);
                false
            }
        }
    }

    fn works(&self, file: &EventFile, replaced: bool) -> bool {
        let mut health = lock(&self.health);
        let failed = health.failure.take().is_some();
        if !(failed || replaced) {
            return true;
        }
        health.path = file.path().map(ToOwned::to_owned).unwrap_or_default();
        let path = health.path.display().to_string();
        let notice = match replaced {
            true => {
                format!("the event file was deleted or truncated, continuing in a new one: {path}")
            }
            false => format!("the disk works again, nothing is missing: {path}"),
        };
        if replaced || health.lost_records == 0 {
            self.notify(&mut health, notice);
        } else {
            let lost = health.lost_records;
            let notice = format!("the disk works again, {lost} records are missing: {path}");
            self.notify(&mut health, notice);
        }
        true
    }

    fn fails(&self, error: &io::Error) {
        let mut health = lock(&self.health);
        if health.failure.is_none() {
            self.fails_because(&mut health, error.to_string());
        } else {
            health.failure = Some(error.to_string());
        }
    }

    fn fails_because(&self, health: &mut Health, reason: String) {
        let notice = format!(
            "cannot write events, keeping up to {} MB of them and trying again: {reason}: {}",
            MAX_HELD_BYTES >> 20,
            health.path.display()
        );
        health.failure = Some(reason);
        self.notify(health, notice);
    }

    fn take_notice(&self) -> Option<String> {
        let mut health = lock(&self.health);
        self.attention.store(false, Ordering::Relaxed);
        health.notice.take()
    }

    fn notify(&self, health: &mut Health, notice: String) {
        let notice = match health.notice.take() {
            Some(earlier) => format!("{earlier}; {notice}"),
            None => notice,
        };
        health.notice = Some(notice);
        self.attention.store(true, Ordering::Relaxed);
    }
}

/// Errors that only another path mends, and that are reported to the caller at once.
fn is_wrong_path(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::AlreadyExists
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
    )
}

/// Nothing is left half done when a thread panics, so a poisoned lock is as good as another.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::record::{Item, RecordReader, Window};

    const AT: Moment = Moment { wall_time: 1.0, step: 1 };

    fn options(directory: &Path) -> Options {
        let place = Place {
            directory: directory.to_owned(),
            host: "host".to_owned(),
            suffix: ".end".to_owned(),
        };
        let flush_interval = Duration::from_secs(120);
        Options { place, max_queue: 10, flush_interval, purge_step: None }
    }

    fn records(path: &Path) -> Vec<Vec<u8>> {
        let bytes = fs::read(path).unwrap();
        let mut window = Window::new(&bytes, bytes.len() as u64);
        let mut reader = RecordReader::default();
        let mut found = Vec::new();
        loop {
            match reader.next(&mut window).unwrap() {
                Item::Record { payload, .. } => found.push(payload.to_vec()),
                Item::End => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(!reader.damage().any());
        found
    }

    fn logged(path: &Path) -> usize {
        records(path).len() - 1
    }

    fn add(writer: &EventWriter, tag: &str) {
        assert_eq!(writer.add_scalar(tag, 1.0, Style::Simple, AT), Added::Yes);
    }

    #[test]
    fn file_is_there_at_once_and_named_like_pytorchs() {
        let folder = tempfile::tempdir().unwrap();
        let writer = EventWriter::create(options(&folder.path().join("a/b"))).unwrap();
        let path = writer.path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let parts: Vec<_> = name.split('.').collect();
        assert_eq!(parts[..3], ["events", "out", "tfevents"]);
        assert_eq!((parts[3].len(), parts[4], parts[7]), (10, "host", "end"));
        assert_eq!(parts[5], std::process::id().to_string());
        assert_eq!(records(&path).len(), 1);
    }

    #[test]
    fn records_reach_the_disk_without_a_flush() {
        let folder = tempfile::tempdir().unwrap();
        let writer = EventWriter::create(options(folder.path())).unwrap();
        add(&writer, "a");
        let deadline = Instant::now() + Duration::from_secs(20);
        while logged(&writer.path()) < 1 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn late_summaries_keep_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let writer = EventWriter::create(options(folder.path())).unwrap();
        let late = LateSummary::new(1, || {
            std::thread::sleep(Duration::from_millis(30));
            b"\x0a\x03\x0a\x01b".to_vec()
        });
        add(&writer, "a");
        assert_eq!(writer.add_late(&late, AT), Added::Yes);
        add(&writer, "c");
        assert!(writer.flush());
        let written = records(&writer.path());
        for (record, tag) in written[1..].iter().zip(*b"abc") {
            assert!(record.windows(3).any(|bytes| bytes == [0x0a, 1, tag]), "{record:?}");
        }
    }

    #[test]
    fn encoder_that_panics_loses_its_record_only() {
        let folder = tempfile::tempdir().unwrap();
        let writer = EventWriter::create(options(folder.path())).unwrap();
        assert_eq!(writer.add_late(&LateSummary::new(1, || panic!("planted")), AT), Added::Yes);
        add(&writer, "c");
        assert!(writer.flush());
        assert_eq!(logged(&writer.path()), 1);
        assert!(writer.needs_attention());
        assert_eq!(writer.close(), 1);
        assert!(writer.take_notice().unwrap().contains("1 records are lost"));
    }

    #[test]
    fn many_threads_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let writer = EventWriter::create(options(folder.path())).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..2000).for_each(|_| add(&writer, "tag")));
            }
        });
        assert_eq!(writer.close(), 0);
        assert_eq!(logged(&writer.path()), 16_000);
    }

    #[test]
    fn closed_writer_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let writer = EventWriter::create(options(folder.path())).unwrap();
        assert_eq!(writer.close(), 0);
        assert_eq!(writer.add_scalar("a", 1.0, Style::Simple, AT), Added::Closed);
        assert_eq!(writer.close(), 0);
    }

    #[test]
    fn deleted_file_is_gone_on_with_in_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("run");
        let writer = EventWriter::create(options(&directory)).unwrap();
        add(&writer, "a");
        assert!(writer.flush());
        fs::remove_dir_all(&directory).unwrap();
        add(&writer, "b");
        assert!(writer.flush());
        assert_eq!(logged(&writer.path()), 1);
        assert!(writer.take_notice().unwrap().contains("was deleted"));
        assert!(!writer.needs_attention());
    }

    #[test]
    fn file_that_is_cut_is_gone_on_with_in_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let writer = EventWriter::create(options(folder.path())).unwrap();
        add(&writer, "a");
        assert!(writer.flush());
        let first = writer.path();
        fs::File::create(&first).unwrap();
        add(&writer, "b");
        assert!(writer.flush());
        assert_ne!(writer.path(), first);
        assert_eq!(logged(&writer.path()), 1);
        assert_eq!(fs::metadata(&first).unwrap().len(), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn many_writers_share_few_descriptors_and_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let open_here = || {
            let descriptors = fs::read_dir("/proc/self/fd").unwrap();
            let targets = descriptors.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
            targets.filter(|target| target.starts_with(folder.path())).count()
        };
        let writers: Vec<_> = (0..200)
            .map(|i| EventWriter::create(options(&folder.path().join(i.to_string()))).unwrap())
            .collect();
        for _ in 0..3 {
            writers.iter().for_each(|writer| add(writer, "a"));
            assert!(writers.iter().all(EventWriter::flush));
        }
        assert!(open_here() <= 65);
        assert!(writers.iter().all(|writer| logged(&writer.path()) == 3));
        assert!(writers.iter().all(|writer| writer.close() == 0));
        assert_eq!(open_here(), 0);
    }

    #[test]
    fn path_that_cannot_be_meant_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(EventWriter::create(options(&file)).is_err());
        assert!(EventWriter::create(options(&file.join("below"))).is_err());
    }

    #[test]
    fn purge_step_is_told_after_the_version() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { purge_step: Some(5), ..options(folder.path()) };
        let writer = EventWriter::create(options).unwrap();
        assert_eq!(records(&writer.path()).len(), 3);
    }

    #[test]
    fn writer_that_is_let_go_of_is_written_to_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let writer = EventWriter::create(options(folder.path())).unwrap();
        let path = writer.path();
        add(&writer, "a");
        drop(writer);
        let deadline = Instant::now() + Duration::from_secs(20);
        while logged(&path) < 1 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn writer_that_hangs_keeps_no_other_from_its_last_flush() {
        let folder = tempfile::tempdir().unwrap();
        let hung = EventWriter::create(options(&folder.path().join("hung"))).unwrap();
        let other = EventWriter::create(options(&folder.path().join("other"))).unwrap();
        let disk = lock(&hung.0.file);
        add(&hung, "a");
        // Now the writing thread hangs, so that nothing else writes the record below.
        std::thread::sleep(3 * LINGER);
        add(&other, "a");
        let flushing = std::thread::spawn(|| Process::current().flush());
        let deadline = Instant::now() + Duration::from_secs(20);
        while logged(&other.path()) < 1 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(disk);
        flushing.join().unwrap();
        assert_eq!(logged(&hung.path()), 1);
    }

    /// A writer in a process of its own: other tests must not be hurried.
    fn alone(directory: &Path) -> (Arc<Process>, EventWriter) {
        let process = Arc::<Process>::default();
        let options = Options { max_queue: 0, ..options(directory) };
        let writer = EventWriter::create_in(Arc::clone(&process), options).unwrap();
        (process, writer)
    }

    #[test]
    fn last_flush_writes_small_records_before_pictures() {
        let folder = tempfile::tempdir().unwrap();
        let (process, writer) = alone(folder.path());
        let path = writer.path();
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Mutex::new(gate);
        let picture = LateSummary::new(8, move || {
            let _ = lock(&gate).recv();
            Vec::new()
        });
        // Held until the end has begun, so that the writing thread does not take the picture first.
        let disk = lock(&writer.0.file);
        assert_eq!(writer.add_late(&picture, AT), Added::Yes);
        add(&writer, "a");
        let ending = Arc::clone(&process);
        let long = Duration::from_secs(60);
        let flushing = std::thread::spawn(move || ending.flush_before_end(long, long));
        while !process.is_ending() {
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(disk);
        let deadline = Instant::now() + Duration::from_secs(20);
        while logged(&path) < 1 {
            assert!(Instant::now() < deadline, "the scalar waits for the picture");
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(open);
        assert!(flushing.join().unwrap());
        assert_eq!(logged(&path), 2);
    }

    #[test]
    fn last_flush_continues_while_pictures_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let (process, writer) = alone(folder.path());
        let picture = LateSummary::new(8, || {
            std::thread::sleep(Duration::from_millis(100));
            Vec::new()
        });
        for _ in 0..30 {
            assert_eq!(writer.add_late(&picture, AT), Added::Yes);
        }
        assert!(process.flush_before_end(Duration::from_secs(2), Duration::from_secs(60)));
        assert_eq!(logged(&writer.path()), 30);
    }

    #[test]
    fn last_flush_gives_up_on_a_disk_that_hangs() {
        let folder = tempfile::tempdir().unwrap();
        let (process, writer) = alone(folder.path());
        let disk = lock(&writer.0.file);
        add(&writer, "a");
        assert!(!process.flush_before_end(Duration::from_millis(50), Duration::from_secs(60)));
        drop(disk);
    }

    #[test]
    fn flushing_the_process_flushes_every_writer() {
        let folder = tempfile::tempdir().unwrap();
        let writer = EventWriter::create(options(folder.path())).unwrap();
        add(&writer, "a");
        Process::current().flush();
        assert_eq!(logged(&writer.path()), 1);
    }
}
