//! What changed at or below certain paths, without a walk over everything else: a new run among
//! ten thousand must not cost more than one alone.

use std::collections::BTreeSet;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use crate::logdir::Discovery;
use crate::types::RunName;

use super::{Load, Loader};

impl Loader {
    /// Reads what is new at or below these paths, and drops what is gone there. Returns false if
    /// only a whole walk can show what happened.
    pub fn load_places(&mut self, places: &BTreeSet<PathBuf>) -> bool {
        let (mut is_settled, mut loads) = (true, Vec::new());
        let mut walked: Option<&Path> = None;
        for place in places {
            // Paths are in order, so what is below a directory comes after it.
            if walked.is_some_and(|dir| place.starts_with(dir)) {
                continue;
            }
            if let Some(is_read) = self.note_known_file(place, &mut loads) {
                is_settled &= is_read;
            } else if self.is_root(place) || !self.is_below_root(place) {
                // Some systems report paths in another form than that of the root.
                is_settled = false;
            } else {
                let found = self.logdir.discover_below(&*self.storage, place);
                if found.directories > 0 {
                    walked = Some(place);
                }
                is_settled &= self.merge_below(place, found, &mut loads);
            }
        }
        self.read_new(loads);
        is_settled
    }

    /// Looks again at a file that is known; returns whether its state is clear now, or nothing
    /// if it is not known.
    fn note_known_file(&mut self, path: &Path, loads: &mut Vec<Load>) -> Option<bool> {
        let runs = self.runs_with(path);
        if runs.is_empty() {
            return None;
        }
        let stat = self.storage.stat(path);
        for run in runs {
            match &stat {
                Ok(stat) => {
                    self.note_file(&run, path.to_path_buf(), *stat);
                    loads.extend(self.load_of(&run, path));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.drop_file(&run, path);
                }
                Err(_) => return Some(false),
            }
        }
        Some(stat.is_ok() || !self.has_several_roots())
    }

    /// Merges what was found at or below `place`; returns whether that is all there is to know.
    pub(super) fn merge_below(
        &mut self,
        place: &Path,
        found: Discovery,
        loads: &mut Vec<Load>,
    ) -> bool {
        self.merge_unreachable(place, &found);
        let listed: BTreeSet<&Path> =
            found.runs.values().flatten().map(|file| file.path.as_path()).collect();
        let mut gone = self.files_below(place);
        gone.retain(|(_, path)| !listed.contains(path.as_path()) && self.is_gone(path, &found));
        // Another root may hold a run that can have the name now.
        let mut is_settled = gone.is_empty() || !self.has_several_roots();
        for (run, path) in gone {
            self.drop_file(&run, &path);
        }
        for (run, files) in found.runs {
            let dir = files.first().and_then(|file| file.path.parent());
            let is_taken = self
                .runs
                .get(&run)
                .is_some_and(|stage| stage.files.keys().any(|path| path.parent() != dir));
            if is_taken {
                is_settled = false;
                continue;
            }
            for file in files {
                self.note_file(&run, file.path.clone(), file.stat);
                loads.extend(self.load_of(&run, &file.path));
            }
        }
        is_settled
    }

    fn merge_unreachable(&self, place: &Path, found: &Discovery) {
        let mut places = self.store.unreachable();
        let before = places.len();
        places.retain(|(path, _)| !path.starts_with(place));
        if places.len() < before || !found.unreachable.is_empty() {
            let more = found.unreachable.iter();
            places.extend(more.map(|(path, error)| (path.clone(), error.to_string())));
            self.store.set_unreachable(places);
        }
    }

    /// The topmost directories without any known file that hold something a walk found: the file
    /// system did not report them, and may not report what happens in them.
    pub fn unknown_directories(&self, found: &Discovery) -> BTreeSet<PathBuf> {
        let mut unknown = BTreeSet::new();
        for (run, files) in &found.runs {
            if self.runs.contains_key(run) {
                continue;
            }
            let parents = files.iter().filter_map(|file| file.path.parent());
            let topmost = parents.filter_map(|parent| {
                let above = parent.ancestors().take_while(|dir| !self.is_root(dir));
                above.take_while(|dir| self.files_below(dir).is_empty()).last()
            });
            unknown.extend(topmost.map(Path::to_path_buf));
        }
        unknown
    }

    /// Known files at or below a directory, found by the names that runs there have.
    fn files_below(&self, dir: &Path) -> Vec<(RunName, PathBuf)> {
        let mut files = Vec::new();
        for name in self.logdir.names_of(dir) {
            let below = format!("{name}/");
            let from = (Bound::Included(below.as_str()), Bound::Unbounded);
            let nested = self.runs.range::<str, _>(from);
            let nested = nested.take_while(|(run, _)| run.as_str().starts_with(&below));
            for (run, stage) in self.runs.get_key_value(&name).into_iter().chain(nested) {
                let paths = stage.files.keys().filter(|path| path.starts_with(dir));
                files.extend(paths.map(|path| (run.clone(), path.clone())));
            }
        }
        files
    }

    /// The runs that a file is known in: several where roots overlap.
    fn runs_with(&self, path: &Path) -> BTreeSet<RunName> {
        // A root may itself be an event file.
        let dirs = path.parent().into_iter().chain(self.is_root(path).then_some(path));
        let names = dirs.flat_map(|dir| self.logdir.names_of(dir));
        names.filter(|name| self.file(name, path).is_some()).collect()
    }

    /// Whether a path is a root or above one.
    fn is_root(&self, path: &Path) -> bool {
        self.logdir.roots().iter().any(|root| root.path.starts_with(path))
    }

    fn is_below_root(&self, path: &Path) -> bool {
        self.logdir.roots().iter().any(|root| path.starts_with(&root.path))
    }

    fn has_several_roots(&self) -> bool {
        self.logdir.roots().len() > 1
    }
}
