//! Growing files, new files, vanished files: a thread that keeps a store up to date.
//!
//! The file system's notices tell where to look. They are never relied on: a walk at regular
//! times finds what they missed. Where there are none (network shares) walks find everything, and
//! files that changed lately are looked at more often: a walk over many directories is slow there,
//! and goes on in a thread of its own.

use std::collections::BTreeSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::load::Loader;
use crate::logdir::{Discovery, is_event_file};
use crate::store::Store;

/// Writers flush often; what comes within this time is read together.
const GATHER: Duration = Duration::from_millis(20);
/// Between walks, while notices arrive.
const WALK_WITH_NOTICES: Duration = Duration::from_secs(5);
/// Between walks, where there are no notices.
const WALK_WITHOUT_NOTICES: Duration = Duration::from_millis(500);
/// Walks take at most this part of the time.
const WALK_SHARE: u32 = 10;
/// Between looks at files that changed lately, where there are no notices.
const POLL: Duration = Duration::from_millis(250);
/// Such looks take at most this part of the time.
const POLL_SHARE: u32 = 4;

/// Keeps a store up to date until it is dropped.
pub struct Follower {
    stop: Arc<AtomicBool>,
    wake: Sender<Notice>,
    thread: Option<JoinHandle<()>>,
    store: Arc<Store>,
    /// The process that the thread is in.
    process: u32,
}

enum Notice {
    /// An event file changed.
    File(PathBuf),
    /// Something came, went or moved.
    Tree,
    /// This went or moved, and with it any watch on it.
    Gone(PathBuf),
    /// A walk is over: the number of the walk, and what it found.
    Walked(u64, Discovery),
    /// Someone wants everything looked at now, and to be told when it is done.
    Refresh(Sender<()>),
    /// Look whether to stop.
    Stop,
}

impl Follower {
    /// Starts to load, and goes on as files grow if `follow` is set; otherwise only when asked
    /// to by [`Follower::refresh`]. The store says when the first load is done.
    pub fn start(loader: Loader, store: Arc<Store>, follow: bool) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (wake, notices) = channel();
        let (to_thread, stopped) = (wake.clone(), stop.clone());
        let stopped_store = store.clone();
        let thread = Builder::new().name("kymograph-follow".into()).spawn(move || {
            let mut loader = loader;
            let _closes = Closes(store.clone());
            let mut watch = follow.then(|| Watch::new(to_thread.clone()));
            // Notices are asked for before the first look, so that nothing falls between.
            if let Some(watch) = &mut watch {
                watch.add_roots(&loader);
            }
            loader.load();
            // A load that was stopped is not one that is done.
            if !store.is_stopping() {
                store.set_loaded();
            }
            keep_up(&mut loader, watch, &to_thread, &notices, &stopped);
        })?;
        let process = std::process::id();
        Ok(Self { stop, wake, thread: Some(thread), store: stopped_store, process })
    }

    /// Looks at everything now and returns when what is new has been published.
    /// In a forked child, where there is no thread to do it, nothing happens.
    pub fn refresh(&self) {
        let (done, waiting) = channel();
        if self.is_own() && self.wake.send(Notice::Refresh(done)).is_ok() {
            // An error means that the thread was stopped in between.
            let _ = waiting.recv();
        }
    }
}

impl Follower {
    /// Whether the thread runs in this process, and not in the one it was forked from.
    fn is_own(&self) -> bool {
        self.process == std::process::id()
    }
}

/// Says that nothing will change any more, however the thread ends.
struct Closes(Arc<Store>);

impl Drop for Closes {
    fn drop(&mut self) {
        self.0.set_closed();
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        if !self.is_own() {
            std::mem::forget(self.thread.take());
            return;
        }
        self.store.stop();
        self.stop.store(true, Ordering::Relaxed);
        // An error means that the thread has ended by itself.
        let _ = self.wake.send(Notice::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn keep_up(
    loader: &mut Loader,
    mut watch: Option<Watch>,
    wake: &Sender<Notice>,
    notices: &Receiver<Notice>,
    stop: &AtomicBool,
) {
    let mut walks = Walks::new();
    let (mut polled, mut poll_pause) = (Instant::now(), POLL);
    while !stop.load(Ordering::Relaxed) {
        let (regular, is_told) = match &watch {
            Some(watch) if watch.works() => (WALK_WITH_NOTICES, true),
            Some(_) => (WALK_WITHOUT_NOTICES, false),
            None => (Duration::MAX, true),
        };
        let until_poll =
            if is_told { Duration::MAX } else { poll_pause.saturating_sub(polled.elapsed()) };
        let gathered = gather(notices, walks.left(regular).min(until_poll));
        if !gathered.files.is_empty() {
            walks.wanted |= !loader.load_files(&gathered.files);
        }
        if !is_told && polled.elapsed() >= poll_pause {
            let began = Instant::now();
            walks.wanted |= !loader.load_lately_changed();
            polled = Instant::now();
            poll_pause = POLL.max(began.elapsed() * POLL_SHARE);
        }
        walks.wanted |= gathered.tree;
        if let Some(watch) = &mut watch {
            watch.forget(&gathered.gone);
        }
        if let Some((number, found)) = gathered.walked {
            walks.end(number, || loader.take_in(found));
        }
        let is_asked = !gathered.refreshes.is_empty();
        if is_asked || walks.left(regular).is_zero() {
            if let Some(watch) = &mut watch {
                watch.add_roots(loader);
            }
            walks.begin();
            if is_asked || !walk_elsewhere(loader, walks.number, wake.clone()) {
                walks.end(walks.number, || loader.load());
            }
            for done in gathered.refreshes {
                // An error means that who asked did not wait.
                let _ = done.send(());
            }
        }
    }
}

/// Starts a walk in a thread of its own; returns whether it could. Nobody waits for its end: a
/// share may hang, and must not hold up whoever closes the store.
fn walk_elsewhere(loader: &Loader, number: u64, wake: Sender<Notice>) -> bool {
    let walk = loader.walk();
    let walked = move || {
        // A walk that fails badly is one that saw nothing; what it did not see is not gone.
        let found = catch_unwind(AssertUnwindSafe(walk)).unwrap_or_default();
        // An error means that nobody follows any more.
        let _ = wake.send(Notice::Walked(number, found));
    };
    Builder::new().name("kymograph-walk".into()).spawn(walked).is_ok()
}

/// When to walk. What one walk finds is taken in before the next begins, unless someone wants to
/// know it now; what an overtaken walk finds is old.
struct Walks {
    /// The number of the last walk that began.
    number: u64,
    began: Instant,
    /// When the last one was over; nothing while one is under way.
    ended: Option<Instant>,
    /// Least time until the next.
    pause: Duration,
    /// Whether there is a reason for one, besides that it is time.
    wanted: bool,
}

impl Walks {
    /// One has just ended.
    fn new() -> Self {
        let now = Instant::now();
        Self { number: 0, began: now, ended: Some(now), pause: Duration::ZERO, wanted: false }
    }

    /// How long until the next begins.
    fn left(&self, regular: Duration) -> Duration {
        let due = if self.wanted { self.pause } else { regular.max(self.pause) };
        self.ended.map_or(Duration::MAX, |ended| due.saturating_sub(ended.elapsed()))
    }

    fn begin(&mut self) {
        self.number += 1;
        self.began = Instant::now();
        self.ended = None;
        // What happens from here on may happen where this walk has been.
        self.wanted = false;
    }

    fn end(&mut self, number: u64, take_in: impl FnOnce()) {
        if number == self.number {
            take_in();
            self.ended = Some(Instant::now());
            self.pause = self.began.elapsed() * WALK_SHARE;
        }
    }
}

#[derive(Default)]
struct Gathered {
    files: BTreeSet<PathBuf>,
    gone: BTreeSet<PathBuf>,
    tree: bool,
    walked: Option<(u64, Discovery)>,
    refreshes: Vec<Sender<()>>,
}

/// What arrives within `wait`, and shortly after the first of it.
fn gather(notices: &Receiver<Notice>, wait: Duration) -> Gathered {
    let mut gathered = Gathered::default();
    let mut deadline = Instant::now().checked_add(wait);
    let mut first = true;
    loop {
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let notice = match left {
            Some(left) => notices.recv_timeout(left),
            None => notices.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match notice {
            Ok(Notice::File(path)) => {
                gathered.files.insert(path);
            }
            Ok(Notice::Tree) => gathered.tree = true,
            Ok(Notice::Gone(path)) => {
                gathered.gone.insert(path);
            }
            Ok(Notice::Walked(number, found)) => {
                gathered.walked = Some((number, found));
                return gathered;
            }
            Ok(Notice::Refresh(done)) => {
                gathered.refreshes.push(done);
                return gathered;
            }
            Ok(Notice::Stop) | Err(_) => return gathered,
        }
        if std::mem::take(&mut first) {
            let soon = Instant::now() + GATHER;
            deadline = Some(deadline.map_or(soon, |at| at.min(soon)));
        }
    }
}

/// The notices of the file system, as far as it gives any.
struct Watch {
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
    failed: bool,
}

impl Watch {
    fn new(wake: Sender<Notice>) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            for notice in notices_of(event) {
                // An error means that nobody follows any more.
                let _ = wake.send(notice);
            }
        });
        let failed = watcher.is_err();
        Self { watcher: watcher.ok(), watched: BTreeSet::new(), failed }
    }

    /// Whether every root gives notices.
    fn works(&self) -> bool {
        !self.failed && self.watcher.is_some()
    }

    /// Drops the watches on roots that went; another directory may have taken the name by now.
    fn forget(&mut self, gone: &BTreeSet<PathBuf>) {
        for root in gone {
            if self.watched.remove(root)
                && let Some(watcher) = &mut self.watcher
            {
                // An error means that the watch went with the root.
                let _ = watcher.unwatch(root);
            }
        }
    }

    /// Watches the roots that can be watched by now.
    fn add_roots(&mut self, loader: &Loader) {
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        self.failed = false;
        for root in loader.logdir().roots() {
            // A root that went takes its watch with it.
            if !root.path.is_dir() {
                if self.watched.remove(&root.path) {
                    let _ = watcher.unwatch(&root.path);
                }
                self.failed = true;
            } else if gives_no_notices(&root.path) {
                self.failed = true;
            } else if !self.watched.contains(&root.path) {
                match watcher.watch(&root.path, RecursiveMode::Recursive) {
                    Ok(()) => {
                        self.watched.insert(root.path.clone());
                    }
                    Err(error) => {
                        log::debug!("no notices, looking now and then instead: {error}");
                        self.failed = true;
                    }
                }
            }
        }
    }
}

fn notices_of(event: notify::Result<notify::Event>) -> Vec<Notice> {
    let Ok(event) = event else {
        return vec![Notice::Tree];
    };
    match event.kind {
        EventKind::Access(_) => Vec::new(),
        EventKind::Modify(notify::event::ModifyKind::Data(_)) => {
            let files = event.paths.into_iter().filter(|path| is_event_file(path));
            files.map(Notice::File).collect()
        }
        EventKind::Remove(_) | EventKind::Modify(notify::event::ModifyKind::Name(_)) => {
            let gone = event.paths.into_iter().map(Notice::Gone);
            gone.chain([Notice::Tree]).collect()
        }
        _ => vec![Notice::Tree],
    }
}

/// Shares that other machines write to are not announced; `/proc/self/mountinfo` tells which
/// kind of file system a directory is on.
fn gives_no_notices(path: &std::path::Path) -> bool {
    const SHARED: [&str; 12] = [
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "lustre",
        "beegfs",
        "gpfs",
        "ceph",
        "afs",
        "glusterfs",
    ];
    let (Ok(path), Ok(mounts)) =
        (path.canonicalize(), std::fs::read_to_string("/proc/self/mountinfo"))
    else {
        return false;
    };
    let kinds = mounts.lines().filter_map(|line| {
        let (mount, source) = line.split_once(" - ")?;
        let point = mount.split(' ').nth(4)?;
        let kind = source.split(' ').next()?;
        path.starts_with(point).then_some((point.len(), kind))
    });
    kinds
        .max_by_key(|(len, _)| *len)
        .is_some_and(|(_, kind)| SHARED.contains(&kind) || kind.starts_with("fuse"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::Event;
    use notify::event::{
        AccessKind, CreateKind, DataChange, MetadataKind, ModifyKind, RemoveKind, RenameMode,
    };

    /// What a notice about the event file and a note beside it leads to.
    fn told(kind: EventKind) -> String {
        let event =
            Event::new(kind).add_path("/logs/tfevents.1".into()).add_path("/logs/notes.txt".into());
        let notices = notices_of(Ok(event)).into_iter().map(|notice| match notice {
            Notice::File(path) => format!("read {}", path.display()),
            Notice::Gone(path) => format!("gone {}", path.display()),
            Notice::Tree => "walk".into(),
            Notice::Walked(..) | Notice::Refresh(_) | Notice::Stop => "never".into(),
        });
        notices.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn notices_lead_to_the_least_work_that_is_sure_to_do() {
        let gone = "gone /logs/tfevents.1, gone /logs/notes.txt, walk";
        let cases = [
            (EventKind::Access(AccessKind::Any), ""),
            (EventKind::Modify(ModifyKind::Data(DataChange::Any)), "read /logs/tfevents.1"),
            (EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any)), "walk"),
            (EventKind::Modify(ModifyKind::Name(RenameMode::From)), gone),
            (EventKind::Create(CreateKind::Folder), "walk"),
            (EventKind::Remove(RemoveKind::Folder), gone),
            (EventKind::Other, "walk"),
        ];
        for (kind, expected) in cases {
            assert_eq!(told(kind), expected, "{kind:?}");
        }
    }

    #[test]
    fn a_failing_watch_leads_to_a_walk() {
        let notices = notices_of(Err(notify::Error::generic("too many")));
        assert!(matches!(notices[..], [Notice::Tree]));
    }

    #[test]
    fn notices_that_come_together_are_gathered() {
        let (sender, notices) = channel();
        for step in 0..3 {
            let path = PathBuf::from(format!("/logs/tfevents.{}", step % 2));
            sender.send(Notice::File(path)).unwrap();
        }
        sender.send(Notice::Gone("/logs".into())).unwrap();
        let gathered = gather(&notices, Duration::from_secs(60));
        assert_eq!(gathered.files.len(), 2);
        assert_eq!(gathered.gone.len(), 1);
        assert!(!gathered.tree);
    }

    #[test]
    fn who_asks_for_a_refresh_does_not_wait_for_more_notices() {
        let (sender, notices) = channel();
        let (done, _waiting) = channel();
        sender.send(Notice::Refresh(done)).unwrap();
        sender.send(Notice::Tree).unwrap();
        let gathered = gather(&notices, Duration::MAX);
        assert_eq!(gathered.refreshes.len(), 1);
        assert!(!gathered.tree, "left for the next time");
    }
}
