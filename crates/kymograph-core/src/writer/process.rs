//! The one thread of a process that writes its event files, and what holds for all of them.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, LazyLock, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;

use super::{Shared, lock};

/// How long a failing disk is left alone.
pub const RETRY: Duration = Duration::from_secs(1);
/// A file is not written more often than this, however much is logged.
const REST: Duration = Duration::from_millis(10);

/// Replaced as a whole after a fork: in the child, locks may be held by threads that are not
/// there any more.
static CURRENT: LazyLock<ArcSwap<Process>> = LazyLock::new(ArcSwap::default);

/// All writers of this process.
#[derive(Default)]
pub struct Process {
    writers: Mutex<Vec<Weak<Shared>>>,
    schedule: Mutex<Schedule>,
    wake: Condvar,
    exiting: AtomicBool,
    /// The process is about to be ended by a signal.
    ending: AtomicBool,
    /// Counts what was written.
    progress: AtomicU64,
}

#[derive(Default)]
struct Schedule {
    /// Strong: a writer that no caller holds any more is written to the end.
    due: Vec<(Instant, Arc<Shared>)>,
    has_thread: bool,
}

impl Process {
    /// That of the process we are in.
    pub fn current() -> Arc<Self> {
        CURRENT.load_full()
    }

    /// Makes a writer known, so that its records survive the end of the process.
    pub fn register(&self, writer: &Arc<Shared>) {
        let mut writers = lock(&self.writers);
        writers.retain(|writer| writer.strong_count() > 0);
        writers.push(Arc::downgrade(writer));
        drop(writers);
        #[cfg(unix)]
        super::signals::install();
    }

    /// Has a writer drained after `delay`.
    pub fn schedule(self: &Arc<Self>, writer: &Arc<Shared>, delay: Duration) {
        if self.exiting.load(Ordering::Relaxed) {
            self.round(writer);
            return;
        }
        let mut schedule = lock(&self.schedule);
        schedule.due.push((Instant::now() + delay, Arc::clone(writer)));
        if !schedule.has_thread {
            let process = Arc::clone(self);
            let thread = thread::Builder::new().name("kymograph-writer".to_owned());
            schedule.has_thread = thread.spawn(move || process.run()).is_ok();
        }
        if schedule.has_thread {
            self.wake.notify_one();
            return;
        }
        // Out of threads: slow, but nothing is lost.
        schedule.due.pop();
        drop(schedule);
        self.round(writer);
    }

    /// Has a scheduled writer drained as soon as it has rested.
    pub fn hurry(&self, writer: &Arc<Shared>) {
        let soon = Instant::now() + REST;
        for (at, other) in &mut lock(&self.schedule).due {
            if Arc::ptr_eq(other, writer) {
                *at = soon.min(*at);
            }
        }
        self.wake.notify_one();
    }

    /// Has everything drained now.
    pub fn hurry_all(&self) {
        let now = Instant::now();
        lock(&self.schedule).due.iter_mut().for_each(|(at, _)| *at = now);
        self.wake.notify_one();
    }

    fn run(self: &Arc<Self>) {
        let mut schedule = lock(&self.schedule);
        loop {
            let now = Instant::now();
            let (ready, later): (Vec<_>, Vec<_>) =
                mem::take(&mut schedule.due).into_iter().partition(|(at, _)| *at <= now);
            schedule.due = later;
            if !ready.is_empty() {
                drop(schedule);
                // By value: the last to hold a writer closes its file, and never under the lock that
                // all callers need.
                ready.into_iter().for_each(|(_, writer)| self.round(&writer));
                schedule = lock(&self.schedule);
                continue;
            }
            let next = schedule.due.iter().map(|(at, _)| *at).min();
            schedule = match next {
                Some(at) => {
                    let timed = self.wake.wait_timeout(schedule, at.saturating_duration_since(now));
                    timed.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.wake.wait(schedule).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// One turn of one writer.
    fn round(self: &Arc<Self>, writer: &Arc<Shared>) {
        writer.unschedule();
        if !writer.drain() && !self.exiting.load(Ordering::Relaxed) && !lock(&writer.state).closed {
            writer.schedule();
        }
    }

    /// Writes what waits in all writers: what is encoded already first, then pictures and videos.
    pub fn flush(&self) {
        for writer in self.writers() {
            writer.drain_encoded();
        }
        for writer in self.writers() {
            writer.drain();
        }
    }

    /// Flushes before a signal ends the process. Gives up when nothing was written for as long as
    /// `stall`, as on a disk that hangs, or after `limit`. True when everything is written.
    pub fn flush_before_end(self: &Arc<Self>, stall: Duration, limit: Duration) -> bool {
        self.ending.store(true, Ordering::Relaxed);
        let (done, wait) = mpsc::channel();
        let process = Arc::clone(self);
        let thread = thread::Builder::new().name("kymograph-last-flush".to_owned());
        let flushing = thread.spawn(move || {
            process.flush();
            let _ = done.send(());
        });
        if flushing.is_err() {
            return false;
        }
        let deadline = Instant::now() + limit;
        loop {
            let before = self.progress.load(Ordering::Relaxed);
            let left = deadline.saturating_duration_since(Instant::now());
            match wait.recv_timeout(stall.min(left)) {
                Ok(()) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => {
                    let progressed = self.progress.load(Ordering::Relaxed) != before;
                    if !progressed || Instant::now() >= deadline {
                        return false;
                    }
                }
            }
        }
    }

    /// Whether there may be no time left for slow work.
    pub fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// To be called when something was written.
    pub fn progressed(&self) {
        self.progress.fetch_add(1, Ordering::Relaxed);
    }

    /// Those that are being written come last: one of them may hang, and the process is to end.
    fn writers(&self) -> Vec<Arc<Shared>> {
        let mut writers: Vec<_> = lock(&self.writers).iter().filter_map(Weak::upgrade).collect();
        writers.sort_by_cached_key(|writer| writer.file.try_lock().is_err());
        writers
    }
}

/// Writes what waits in all writers. From now on every record is written by the caller that logs it: the
/// process may end at any time. Returns the notices not yet reported, and what is not written.
pub fn flush_at_exit() -> Vec<String> {
    let process = Process::current();
    process.exiting.store(true, Ordering::Relaxed);
    process.writers().iter().filter_map(|writer| writer.flush_at_exit()).collect()
}

/// To be called in the child of a fork, before anything else of this module. Writers made before
/// must not be touched again, not even dropped.
pub fn forked() {
    // The old one is leaked: its locks may be held forever.
    mem::forget(CURRENT.swap(Arc::default()));
    #[cfg(unix)]
    super::signals::forget();
}
