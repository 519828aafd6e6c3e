//! Growing files, new files, vanished files: a thread that keeps a store up to date.
//!
//! The file system's notices show which paths to check. They are never relied
//! on: a walk at regular intervals finds what they missed. Where there are none (network shares)
//! such walks find everything; since one over many directories is slow there, it has a thread of
//! its own, and recently changed files and their directories are looked at more often.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use notify::event::ModifyKind;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::load::{Glance, Loader};
use crate::logdir::{Discovery, is_event_file};
use crate::store::Store;

/// Writers flush often; what arrives within this time is read together.
const GATHER: Duration = Duration::from_millis(20);
/// Between walks, where there are no notices.
const WALK_WITHOUT_NOTICES: Duration = Duration::from_millis(500);
/// Regular walks take at most this part of the time.
const WALK_SHARE: u32 = 10;
/// Walks that were requested, because only they can show what happened, take at most this part.
const REQUESTED_SHARE: u32 = 2;
/// Between looks at what changed recently, where there are no notices.
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
    /// Something at this path appeared, changed or vanished.
    Changed(PathBuf),
    /// This vanished or moved, and with it any watch on it.
    Gone(PathBuf),
    /// Notices were lost: anything may have happened.
    Lost,
    /// A walk is over: its number, what it found, and how long it took.
    Walked(u64, Discovery, Duration),
    /// A look at the directories with recent changes is over; nothing if it failed.
    Glanced(Option<Glance>),
    /// A caller requests a check of everything now, and waits until it is done.
    Refresh(Sender<()>),
    /// Check whether to stop.
    Stop,
}

impl Follower {
    /// Starts to load, and continues as files grow if `follow` is set; otherwise only on
    /// [`Follower::refresh`]. The store reports when the first load is done.
    pub fn start(loader: Loader, store: Arc<Store>, follow: bool) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (wake, notices) = channel();
        let (to_thread, stopped) = (wake.clone(), stop.clone());
        let stopped_store = store.clone();
        let thread = Builder::new().name("kymograph-follow".into()).spawn(move || {
            let mut loader = loader;
            let _closes = Closes(store.clone());
            let mut watch = follow.then(|| Watch::new(to_thread.clone()));
            // Notices are requested before the first look, so that nothing falls between.
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

/// Reports that nothing will change any more, however the thread ends.
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
    let mut polls = Polls::new();
    while !stop.load(Ordering::Relaxed) {
        let (regular, has_notices) = match &watch {
            Some(watch) if watch.works() => (loader.options().walk_every, true),
            Some(_) => (WALK_WITHOUT_NOTICES, false),
            None => (Duration::MAX, true),
        };
        let until_poll = if has_notices { Duration::MAX } else { polls.left() };
        let gathered = gather(notices, walks.left(regular).min(until_poll));
        let mut changed = gathered.changed;
        if let Some(watch) = &mut watch {
            changed = changed.into_iter().map(|path| watch.as_given(path)).collect();
            let gone = gathered.gone.into_iter().map(|path| watch.as_given(path)).collect();
            watch.forget(gone);
            watch.add_new(&changed);
        }
        if !changed.is_empty() {
            walks.requested |= !loader.load_places(&changed);
        }
        walks.requested |= gathered.lost;
        if !has_notices && polls.left().is_zero() {
            walks.requested |= polls.poll(loader, wake);
        }
        if let Some(glance) = gathered.glanced {
            polls.is_glancing = false;
            walks.requested |= glance.is_some_and(|glance| !loader.merge_glance(glance));
        }
        if let Some((number, found, took)) = gathered.walked
            && walks.end(number, took)
        {
            if let Some(watch) = &mut watch {
                watch.add_unreported(&loader.unknown_directories(&found));
            }
            loader.merge_discovery(found);
        }
        let is_refresh = !gathered.refreshes.is_empty();
        if is_refresh || walks.left(regular).is_zero() {
            if let Some(watch) = &mut watch {
                watch.add_roots(loader);
            }
            walks.begin();
            if is_refresh || !walk_elsewhere(loader, walks.number, wake.clone()) {
                let began = Instant::now();
                let found = loader.walk()();
                walks.end(walks.number, began.elapsed());
                loader.merge_discovery(found);
            }
            for done in gathered.refreshes {
                // An error means that the caller did not wait.
                let _ = done.send(());
            }
        }
    }
}

/// Starts a walk in a thread of its own; returns whether it could. Nothing waits for its end: a
/// share may hang, and must not hold up the closing of the store.
fn walk_elsewhere(loader: &mut Loader, number: u64, wake: Sender<Notice>) -> bool {
    let walk = loader.walk();
    let walked = move || {
        let began = Instant::now();
        // A walk that panics is one that saw nothing; what it did not see is not gone.
        let found = catch_unwind(AssertUnwindSafe(walk)).unwrap_or_default();
        // An error means that the follower has ended.
        let _ = wake.send(Notice::Walked(number, found, began.elapsed()));
    };
    Builder::new().name("kymograph-walk".into()).spawn(walked).is_ok()
}

/// When to walk. What one walk finds is merged before the next begins, unless a caller waits for
/// a refresh; what an overtaken walk finds is outdated.
struct Walks {
    /// The number of the last walk that began.
    number: u64,
    /// When the last one was over; nothing while one is under way.
    ended: Option<Instant>,
    /// How long the last one took. Reading what it found does not count: a walk right after a
    /// large load is as cheap as any.
    took: Duration,
    /// Whether there is a reason for one, besides that it is time.
    requested: bool,
}

impl Walks {
    /// One has just ended.
    fn new() -> Self {
        let ended = Some(Instant::now());
        Self { number: 0, ended, took: Duration::ZERO, requested: false }
    }

    /// How long until the next begins.
    fn left(&self, regular: Duration) -> Duration {
        let pause = self.pause(regular);
        self.ended.map_or(Duration::MAX, |ended| pause.saturating_sub(ended.elapsed()))
    }

    /// The time from the end of one to the beginning of the next.
    fn pause(&self, regular: Duration) -> Duration {
        if self.requested {
            self.took * REQUESTED_SHARE
        } else {
            regular.max(self.took * WALK_SHARE)
        }
    }

    fn begin(&mut self) {
        self.number += 1;
        self.ended = None;
        // What happens from here on may happen where this walk has been.
        self.requested = false;
    }

    /// Notes the end of a walk; returns whether what it found is the latest.
    fn end(&mut self, number: u64, took: Duration) -> bool {
        let is_latest = number == self.number;
        if is_latest {
            self.ended = Some(Instant::now());
            self.took = took;
        }
        is_latest
    }
}

/// When to look at what changed recently, where there are no notices.
struct Polls {
    ended: Instant,
    pause: Duration,
    /// Whether directories are being listed, in a thread of its own: a share may hang.
    is_glancing: bool,
}

impl Polls {
    fn new() -> Self {
        Self { ended: Instant::now(), pause: POLL, is_glancing: false }
    }

    fn left(&self) -> Duration {
        self.pause.saturating_sub(self.ended.elapsed())
    }

    /// Reads what is new in recently changed files, and has their directories listed; returns
    /// whether a walk is needed.
    fn poll(&mut self, loader: &mut Loader, wake: &Sender<Notice>) -> bool {
        let began = Instant::now();
        let is_settled = loader.load_recent_files();
        if !self.is_glancing {
            let (glance, wake) = (loader.glance(), wake.clone());
            let glanced = move || {
                let glance = catch_unwind(AssertUnwindSafe(glance)).ok();
                // An error means that the follower has ended.
                let _ = wake.send(Notice::Glanced(glance));
            };
            self.is_glancing =
                Builder::new().name("kymograph-glance".into()).spawn(glanced).is_ok();
        }
        self.ended = Instant::now();
        self.pause = POLL.max(began.elapsed() * POLL_SHARE);
        !is_settled
    }
}

#[derive(Default)]
struct Gathered {
    changed: BTreeSet<PathBuf>,
    gone: BTreeSet<PathBuf>,
    lost: bool,
    walked: Option<(u64, Discovery, Duration)>,
    glanced: Option<Option<Glance>>,
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
            Ok(Notice::Changed(path)) => {
                gathered.changed.insert(path);
            }
            Ok(Notice::Gone(path)) => {
                gathered.gone.insert(path);
            }
            Ok(Notice::Lost) => gathered.lost = true,
            Ok(Notice::Walked(number, found, took)) => {
                gathered.walked = Some((number, found, took));
                return gathered;
            }
            Ok(Notice::Glanced(glance)) => {
                gathered.glanced = Some(glance);
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
    /// The roots that are watched, and the path under which each is reported.
    watched: BTreeMap<PathBuf, PathBuf>,
    failed: bool,
}

impl Watch {
    fn new(wake: Sender<Notice>) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            for notice in notices_of(event) {
                // An error means that the follower has ended.
                let _ = wake.send(notice);
            }
        });
        let failed = watcher.is_err();
        Self { watcher: watcher.ok(), watched: BTreeMap::new(), failed }
    }

    /// A path that was reported, below the root as it was given: it may be relative, and paths are
    /// reported as absolute ones.
    fn as_given(&self, path: PathBuf) -> PathBuf {
        let below = self.watched.iter().find_map(|(given, reported)| {
            let below = path.strip_prefix(reported).ok().filter(|_| given.is_relative())?;
            Some(given.join(below))
        });
        below.unwrap_or(path)
    }

    /// Whether every root gives notices.
    fn works(&self) -> bool {
        !self.failed && self.watcher.is_some()
    }

    /// Waits until the directories that were reported so far are watched themselves, so that
    /// nothing falls between a look into one and the first notice from it.
    fn add_new(&mut self, changed: &BTreeSet<PathBuf>) {
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        for path in changed.iter().filter(|path| !is_event_file(path)) {
            // A link to a directory is reported like a file, and not watched.
            if path.is_symlink() && path.is_dir() {
                add_below_root(watcher, path);
            }
        }
        if cfg!(target_os = "linux") && changed.iter().any(|path| !is_event_file(path)) {
            // The watcher adds watches on new directories after it has reported them, and answers
            // any request after that, also this one, which it has to refuse.
            let _ = watcher.unwatch(Path::new("/dev/null/nowhere"));
        }
    }

    /// Watches directories that a walk found although they were not reported.
    fn add_unreported(&mut self, dirs: &BTreeSet<PathBuf>) {
        if let Some(watcher) = &mut self.watcher
            && cfg!(target_os = "linux")
        {
            for dir in dirs.iter().filter(|dir| !gives_no_notices(dir)) {
                add_below_root(watcher, dir);
            }
        }
    }

    /// Drops the watches on roots that are gone; another directory may have taken the name by now.
    fn forget(&mut self, gone: BTreeSet<PathBuf>) {
        for root in gone {
            if self.watched.remove(&root).is_some()
                && let Some(watcher) = &mut self.watcher
            {
                // An error means that the watch went with the root.
                let _ = watcher.unwatch(&root);
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
            // A root that is gone takes its watch with it.
            if !root.path.is_dir() {
                if self.watched.remove(&root.path).is_some() {
                    let _ = watcher.unwatch(&root.path);
                }
                self.failed = true;
            } else if gives_no_notices(&root.path) {
                self.failed = true;
            } else if !self.watched.contains_key(&root.path) {
                match watcher.watch(&root.path, RecursiveMode::Recursive) {
                    Ok(()) => {
                        let reported = std::env::current_dir().unwrap_or_default();
                        self.watched.insert(root.path.clone(), reported.join(&root.path));
                    }
                    Err(error) => {
                        log::debug!("no file notifications, polling instead: {error}");
                        self.failed = true;
                    }
                }
            }
        }
    }
}

/// Watches a directory below a root. Where that fails, walks find what happens in it.
fn add_below_root(watcher: &mut RecommendedWatcher, dir: &Path) {
    if let Err(error) = watcher.watch(dir, RecursiveMode::Recursive) {
        log::debug!("no file notifications for this directory, {error}: {}", dir.display());
    }
}

fn notices_of(event: notify::Result<notify::Event>) -> Vec<Notice> {
    let Ok(event) = event else {
        return vec![Notice::Lost];
    };
    let is_gone =
        matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
    match event.kind {
        EventKind::Access(_) => Vec::new(),
        _ if event.need_rescan() || event.paths.is_empty() => vec![Notice::Lost],
        EventKind::Modify(ModifyKind::Data(_)) => {
            let files = event.paths.into_iter().filter(|path| is_event_file(path));
            files.map(Notice::Changed).collect()
        }
        _ => {
            let gone = event.paths.iter().filter(|_| is_gone).cloned().map(Notice::Gone);
            gone.chain(event.paths.iter().cloned().map(Notice::Changed)).collect()
        }
    }
}

/// Whether changes are not reported, as on shares that other machines write to;
/// `/proc/self/mountinfo` has the kind of file system that a directory is on.
fn gives_no_notices(path: &Path) -> bool {
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
        AccessKind, CreateKind, DataChange, Flag, MetadataKind, RemoveKind, RenameMode,
    };

    fn described(event: Event) -> String {
        let notices = notices_of(Ok(event)).into_iter().map(|notice| match notice {
            Notice::Changed(path) => format!("look at {}", path.display()),
            Notice::Gone(path) => format!("gone {}", path.display()),
            Notice::Lost => "walk".into(),
            Notice::Walked(..) | Notice::Glanced(_) | Notice::Refresh(_) | Notice::Stop => {
                "never".into()
            }
        });
        notices.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_notice_leads_to_a_look_at_what_it_is_about_and_nothing_else() {
        let look = "look at /logs/tfevents.1, look at /logs/notes.txt";
        let gone = &format!("gone /logs/tfevents.1, gone /logs/notes.txt, {look}");
        let cases = [
            (EventKind::Access(AccessKind::Any), ""),
            (EventKind::Modify(ModifyKind::Data(DataChange::Any)), "look at /logs/tfevents.1"),
            (EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any)), look),
            (EventKind::Modify(ModifyKind::Name(RenameMode::From)), gone),
            (EventKind::Create(CreateKind::Folder), look),
            (EventKind::Remove(RemoveKind::Folder), gone),
            (EventKind::Any, look),
        ];
        for (kind, expected) in cases {
            let event = Event::new(kind)
                .add_path("/logs/tfevents.1".into())
                .add_path("/logs/notes.txt".into());
            assert_eq!(described(event), expected, "{kind:?}");
        }
    }

    #[test]
    fn lost_notices_lead_to_a_walk() {
        assert_eq!(described(Event::new(EventKind::Other).set_flag(Flag::Rescan)), "walk");
        let notices = notices_of(Err(notify::Error::generic("too many")));
        assert!(matches!(notices[..], [Notice::Lost]));
    }

    #[test]
    fn reported_paths_are_those_of_the_roots_as_given() {
        let watched = [("runs", "/home/me/runs"), (".", "/home/me/."), ("/data", "/data")];
        let watched = watched.map(|(given, reported)| (given.into(), reported.into()));
        let watch = Watch { watcher: None, watched: watched.into(), failed: true };
        for (reported, expected) in [
            ("/home/me/runs/a/tfevents.1", "./runs/a/tfevents.1"),
            ("/home/me", "."),
            ("/data/x", "/data/x"),
            ("/elsewhere", "/elsewhere"),
        ] {
            assert_eq!(watch.as_given(reported.into()), Path::new(expected));
        }
        let watched = [("runs".into(), "/home/me/runs".into())].into();
        let watch = Watch { watcher: None, watched, failed: true };
        assert_eq!(watch.as_given("/home/me/runs/a".into()), Path::new("runs/a"));
    }

    #[test]
    fn notices_that_arrive_together_are_gathered() {
        let (sender, notices) = channel();
        for step in 0..3 {
            let path = PathBuf::from(format!("/logs/tfevents.{}", step % 2));
            sender.send(Notice::Changed(path)).unwrap();
        }
        sender.send(Notice::Gone("/logs".into())).unwrap();
        let gathered = gather(&notices, Duration::from_secs(60));
        assert_eq!(gathered.changed.len(), 2);
        assert_eq!(gathered.gone.len(), 1);
        assert!(!gathered.lost);
    }

    #[test]
    fn a_refresh_does_not_wait_for_more_notices() {
        let (sender, notices) = channel();
        let (done, _waiting) = channel();
        sender.send(Notice::Refresh(done)).unwrap();
        sender.send(Notice::Lost).unwrap();
        let gathered = gather(&notices, Duration::MAX);
        assert_eq!(gathered.refreshes.len(), 1);
        assert!(!gathered.lost, "left for the next time");
    }

    #[test]
    fn the_pause_after_a_walk_depends_on_the_walk_alone() {
        let regular = Duration::from_secs(5);
        let mut walks = Walks::new();
        walks.begin();
        assert_eq!(walks.left(regular), Duration::MAX, "one is under way");
        assert!(walks.end(1, Duration::from_millis(200)));
        assert_eq!(walks.pause(regular), regular);
        walks.requested = true;
        assert_eq!(walks.pause(regular), Duration::from_millis(400));
        walks.begin();
        walks.begin();
        assert!(!walks.end(2, Duration::from_secs(9)), "overtaken by a refresh");
        assert!(walks.end(3, Duration::from_secs(2)));
        assert_eq!(walks.pause(regular), Duration::from_secs(20));
    }
}
