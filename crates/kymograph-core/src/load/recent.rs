//! Where something happened recently: files that are looked at, and directories that are listed,
//! far more often than a walk over everything could be made where the file system reports nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::logdir::{Discovery, is_event_file};
use crate::storage::Storage;

use super::Loader;

/// A file that changed within this time may well change again soon.
pub(super) const SPAN: Duration = Duration::from_secs(600);
/// Most files that are looked at because they changed recently.
const MAX_FILES: usize = 500;
/// Most directories that are listed because something below them changed recently.
const MAX_DIRECTORIES: usize = 64;

/// The names in each directory, when last listed.
pub(super) type Listings = BTreeMap<PathBuf, BTreeSet<OsString>>;

/// What a look at the directories with recent changes found.
pub struct Glance {
    listed: Listings,
    /// What is new or gone, and what was found there.
    places: Vec<(PathBuf, Discovery)>,
}

impl Loader {
    /// Reads what is new in files that changed recently, as [`Loader::load_places`] does.
    pub fn load_recent_files(&mut self) -> bool {
        let recent = self.recent_files();
        let paths: BTreeSet<PathBuf> =
            recent.into_iter().take(MAX_FILES).map(Path::to_path_buf).collect();
        for path in &paths {
            // Shares answer from memory for seconds, until a file is opened. An error shows
            // again when the file is asked about.
            let _ = self.storage.open(path);
        }
        self.load_places(&paths)
    }

    /// A look for new and vanished names in the roots and in the directories with recent changes,
    /// for any thread. Its result is for [`Loader::merge_glance`].
    pub fn glance(&mut self) -> impl FnOnce() -> Glance + Send + 'static {
        let dirs = self.recent_directories();
        let mut listed = std::mem::take(&mut self.listed);
        listed.retain(|dir, _| dirs.contains(dir));
        let unlisted = dirs.into_iter().filter(|dir| !listed.contains_key(dir));
        let mut known: Listings = unlisted.map(|dir| (dir, BTreeSet::new())).collect();
        self.add_known_names(&mut known);
        listed.append(&mut known);
        let (logdir, storage) = (self.logdir.clone(), self.storage.clone());
        move || {
            let mut places = Vec::new();
            for (dir, names) in &mut listed {
                places.extend(changed_places(&*storage, dir, names));
            }
            let found = |place: PathBuf| {
                let found = logdir.discover_below(&*storage, &place);
                (place, found)
            };
            Glance { listed, places: places.into_iter().map(found).collect() }
        }
    }

    /// Merges what a glance found, and reads everything new. Returns false if only a whole walk
    /// can show what happened.
    pub fn merge_glance(&mut self, glance: Glance) -> bool {
        self.listed = glance.listed;
        let (mut is_settled, mut loads) = (true, Vec::new());
        for (place, found) in glance.places {
            is_settled &= self.merge_below(&place, found, &mut loads);
        }
        self.read_new(loads);
        is_settled
    }

    /// Files that changed recently, the latest first.
    fn recent_files(&self) -> Vec<&Path> {
        let files = self.runs.values().flat_map(|stage| &stage.files);
        let changed = files.filter_map(|(path, file)| Some((file.changed?.elapsed(), path)));
        let mut recent: Vec<_> = changed.filter(|(age, _)| *age < SPAN).collect();
        recent.sort_unstable();
        recent.into_iter().map(|(_, path)| path.as_path()).collect()
    }

    /// The roots, and the directories at and above files that changed recently.
    fn recent_directories(&self) -> BTreeSet<PathBuf> {
        let roots = self.logdir.roots().iter().map(|root| &root.path);
        let mut dirs: BTreeSet<PathBuf> = roots.cloned().collect();
        for file in self.recent_files() {
            let above = file.ancestors().skip(1);
            let below_root = above.take_while(|dir| !dirs.contains(*dir)).collect::<Vec<_>>();
            let is_in_root = below_root.last().and_then(|dir| dir.parent()).is_some();
            // A root that is itself an event file has no directory to look into.
            if is_in_root {
                dirs.extend(below_root.into_iter().map(Path::to_path_buf));
            }
            if dirs.len() >= MAX_DIRECTORIES {
                break;
            }
        }
        dirs
    }

    /// Fills in which names in these directories lead to known files.
    fn add_known_names(&self, names: &mut Listings) {
        if names.is_empty() {
            return;
        }
        for path in self.runs.values().flat_map(|stage| stage.files.keys()) {
            let mut below = path.as_path();
            while let (Some(dir), Some(name)) = (below.parent(), below.file_name()) {
                if let Some(names) = names.get_mut(dir) {
                    names.insert(name.to_os_string());
                }
                below = dir;
            }
        }
    }
}

/// Lists a directory; returns what in it may hold events and is new, or is gone. A directory that
/// cannot be listed now is left to the next walk.
fn changed_places(
    storage: &dyn Storage,
    dir: &Path,
    names: &mut BTreeSet<OsString>,
) -> Vec<PathBuf> {
    let Ok(entries) = storage.list(dir) else {
        return Vec::new();
    };
    let entries = entries.iter().filter(|entry| entry.is_dir || is_event_file(&entry.path));
    let now: BTreeSet<OsString> =
        entries.filter_map(|entry| entry.path.file_name()).map(Into::into).collect();
    let changed = now.symmetric_difference(names).map(|name| dir.join(name)).collect();
    *names = now;
    changed
}
