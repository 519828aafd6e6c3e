//! Which runs there are and which files each has.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::storage::{Stat, Storage};
use crate::types::RunName;

/// Links are followed through this many others: directories that link to each other would otherwise
/// be found again in every order.
const MAX_JUMPS: usize = 3;

/// Where to look for runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logdir {
    roots: Vec<Root>,
}

/// One directory, or one event file, with the name its runs are shown under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Put before the names of its runs.
    pub name: Option<String>,
    /// The directory or event file.
    pub path: PathBuf,
}

/// What a walk over a logdir found.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Event files of each run, in the order of their names.
    pub runs: BTreeMap<RunName, Vec<FoundFile>>,
    /// Directories looked into.
    pub directories: usize,
    /// Files that are not event files.
    pub other_files: usize,
    /// What could not be listed or asked about; data below such a path is not gone, only out
    /// of sight.
    pub unreachable: Vec<(PathBuf, io::Error)>,
}

/// An event file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Its full path.
    pub path: PathBuf,
    /// Its state when it was found.
    pub stat: Stat,
}

/// Whether a file of this name holds events: TensorBoard's rule, and the only one.
pub fn is_event_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains("tfevents"))
}

impl Logdir {
    /// A logdir of several roots.
    pub fn new(roots: Vec<Root>) -> Self {
        Self { roots }
    }

    /// Reads TensorBoard's `--logdir_spec`: elements `path` or `name:path`, set apart by commas.
    /// A colon belongs to the path when the element is a URI, an absolute path or starts with a
    /// drive letter.
    pub fn from_spec(spec: &str) -> Self {
        let elements = spec.split(',').map(str::trim).filter(|element| !element.is_empty());
        Self { roots: elements.map(root_from_spec).collect() }
    }

    /// The directories, in the order given.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Walks all roots. Never fails; what could not be seen is listed.
    pub fn discover(&self, storage: &dyn Storage) -> Discovery {
        let mut found = Discovery::default();
        for root in &self.roots {
            let mut walk = Walk { storage, root, found: &mut found };
            let canonical = storage.canonical(&root.path).unwrap_or_else(|_| root.path.clone());
            if !walk.single_file() {
                walk.directory(&root.path, &canonical, &mut Vec::new());
            }
        }
        found.sort_files();
        found
    }

    /// Walks only what is at or below `place`, an event file or a directory, by the rules of a
    /// whole walk. A place that does not exist, or is another kind of file, has no runs. Names
    /// are those of a logdir without any other runs.
    pub fn discover_below(&self, storage: &dyn Storage, place: &Path) -> Discovery {
        let mut found = Discovery::default();
        for root in self.roots.iter().filter(|root| place.starts_with(&root.path)) {
            let mut walk = Walk { storage, root, found: &mut found };
            if !walk.file_below(place) {
                walk.directory_below(place);
            }
        }
        found.sort_files();
        found
    }

    /// The names that the run of the files in `directory` may have: one for each root above it,
    /// then the one it has if another run took that name first.
    pub fn names_of(&self, directory: &Path) -> Vec<RunName> {
        let names = self.roots.iter().filter_map(|root| root.run_of(directory));
        names.chain([own_name(directory)]).collect()
    }
}

impl Discovery {
    fn sort_files(&mut self) {
        for files in self.runs.values_mut() {
            files.sort_by(|a, b| a.path.file_name().cmp(&b.path.file_name()));
        }
    }
}

/// The name of a run that has to show its whole path.
fn own_name(directory: &Path) -> RunName {
    RunName::from_bytes(directory.as_os_str().as_encoded_bytes())
}

impl Root {
    fn run_of(&self, directory: &Path) -> Option<RunName> {
        let relative = directory.strip_prefix(&self.path).ok()?.to_string_lossy();
        let relative = if relative.is_empty() { ".".into() } else { relative };
        Some(match &self.name {
            Some(name) => RunName::from(format!("{name}/{relative}")),
            None => RunName::from(&*relative),
        })
    }
}

fn root_from_spec(element: &str) -> Root {
    let mut name_and_path = element.splitn(2, ':');
    let head = name_and_path.next().unwrap_or_default();
    let named = !element.starts_with('/') && !is_uri(element) && !is_drive(head);
    match (named, name_and_path.next()) {
        (true, Some(path)) => Root { name: Some(head.into()), path: path.into() },
        _ => Root { name: None, path: element.into() },
    }
}

fn is_uri(element: &str) -> bool {
    element.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
    })
}

fn is_drive(head: &str) -> bool {
    cfg!(windows) && head.len() == 1 && head.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether a link to `target` leads back to a directory from which links led here, or above one.
fn closes_circle(jumps: &[PathBuf], target: &Path) -> bool {
    jumps.iter().any(|jump| jump.starts_with(target))
}

struct Walk<'a> {
    storage: &'a dyn Storage,
    root: &'a Root,
    found: &'a mut Discovery,
}

impl Walk<'_> {
    /// Takes a root that is itself an event file; returns whether it is one.
    fn single_file(&mut self) -> bool {
        let path = &self.root.path;
        let (true, Ok(stat)) = (is_event_file(path), self.storage.stat(path)) else {
            return false;
        };
        let dir = path.parent().unwrap_or(path);
        if let Some(run) = self.root.run_of(path) {
            let run = self.free_name(run, dir);
            let path = path.clone();
            let files = self.found.runs.entry(run).or_default();
            files.push(FoundFile { path, stat });
        }
        true
    }

    /// Takes an event file below the root; returns whether it is one.
    fn file_below(&mut self, path: &Path) -> bool {
        let (true, Some(dir)) = (is_event_file(path), path.parent()) else {
            return false;
        };
        let Ok(stat) = self.storage.stat(path) else {
            return false;
        };
        if let (Some(_), Some(run)) = (self.way_to(dir), self.root.run_of(dir)) {
            let file = FoundFile { path: path.into(), stat };
            self.found.runs.entry(self.free_name(run, dir)).or_default().push(file);
        }
        true
    }

    fn directory_below(&mut self, dir: &Path) {
        let Some((canonical, mut jumps)) = self.way_to(dir) else {
            return;
        };
        self.directory(dir, &canonical, &mut jumps);
        // A notice may be about anything, and late.
        self.found.unreachable.retain(|(place, error)| {
            let kind = error.kind();
            place != dir || !matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        });
    }

    /// The canonical path of a directory below the root, and of those from which links led there;
    /// nothing if a whole walk does not reach it.
    fn way_to(&self, dir: &Path) -> Option<(PathBuf, Vec<PathBuf>)> {
        let below = dir.strip_prefix(&self.root.path).ok()?;
        let root = self.storage.canonical(&self.root.path).ok()?;
        let (target, mut canonical) = (self.storage.canonical(dir).ok()?, root);
        let mut jumps = Vec::new();
        if target == canonical.join(below) {
            return Some((target, jumps));
        }
        let mut at = self.root.path.clone();
        for name in below {
            at.push(name);
            let target = self.storage.canonical(&at).ok()?;
            if target != canonical.join(name) {
                jumps.push(canonical);
                if jumps.len() > MAX_JUMPS || closes_circle(&jumps, &target) {
                    return None;
                }
            }
            canonical = target;
        }
        Some((canonical, jumps))
    }

    /// `canonical` is the one true path of `dir`, `jumps` those of the directories from which
    /// links led here.
    fn directory(&mut self, dir: &Path, canonical: &Path, jumps: &mut Vec<PathBuf>) {
        let entries = match self.storage.list(dir) {
            Ok(entries) => entries,
            Err(error) => return self.found.unreachable.push((dir.to_path_buf(), error)),
        };
        self.found.directories += 1;
        let mut files = Vec::new();
        for entry in entries {
            if entry.is_dir {
                self.subdirectory(&entry.path, entry.is_link, canonical, jumps);
            } else if is_event_file(&entry.path) {
                match self.storage.stat(&entry.path) {
                    Ok(stat) => files.push(FoundFile { path: entry.path, stat }),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => self.found.unreachable.push((entry.path, error)),
                }
            } else {
                self.found.other_files += 1;
            }
        }
        if let (false, Some(run)) = (files.is_empty(), self.root.run_of(dir)) {
            self.found.runs.entry(self.free_name(run, dir)).or_default().append(&mut files);
        }
    }

    fn subdirectory(&mut self, dir: &Path, is_link: bool, parent: &Path, jumps: &mut Vec<PathBuf>) {
        if !is_link {
            let canonical = parent.join(dir.file_name().unwrap_or_default());
            return self.directory(dir, &canonical, jumps);
        }
        let Ok(target) = self.storage.canonical(dir) else {
            return;
        };
        jumps.push(parent.to_path_buf());
        if jumps.len() > MAX_JUMPS {
            let error = io::Error::other("too many levels of links");
            self.found.unreachable.push((dir.to_path_buf(), error));
        } else if closes_circle(jumps, &target) {
            log::warn!(
                "a link points to a directory above it and is not followed: {}",
                dir.display()
            );
        } else {
            self.directory(dir, &target, jumps);
        }
        jumps.pop();
    }

    /// Two roots without names may hold runs of the same name; the later one then shows its
    /// directory, so that neither hides the other.
    fn free_name(&self, run: RunName, dir: &Path) -> RunName {
        match self.found.runs.get(&run) {
            Some(files) if files.iter().any(|file| file.path.parent() != Some(dir)) => {
                own_name(dir)
            }
            _ => run,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Local;
    use std::fs;

    fn logdir(path: &Path) -> Logdir {
        Logdir::new(vec![Root { name: None, path: path.into() }])
    }

    fn names(discovery: &Discovery) -> Vec<&str> {
        discovery.runs.keys().map(RunName::as_str).collect()
    }

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"").unwrap();
    }

    #[test]
    fn directories_with_event_files_are_runs() {
        let dir = tempfile::tempdir().unwrap();
        for file in [
            "events.out.tfevents.1",
            "train/tfevents.2",
            "train/eval/x.tfevents.3.v2",
            "train/eval/a.tfevents.bak",
            "train/plugins/notes.txt",
        ] {
            touch(&dir.path().join(file));
        }
        let found = logdir(dir.path()).discover(&Local);
        assert_eq!(names(&found), [".", "train", "train/eval"]);
        let eval: Vec<_> =
            found.runs["train/eval"].iter().map(|f| f.path.file_name().unwrap()).collect();
        assert_eq!(eval, ["a.tfevents.bak", "x.tfevents.3.v2"]);
        assert_eq!((found.directories, found.other_files), (4, 1));
    }

    #[test]
    fn an_event_file_is_a_run_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        for file in ["a/tfevents.1", "a/tfevents.2", "b/tfevents.1", "notes"] {
            touch(&dir.path().join(file));
        }
        let roots = ["a/tfevents.1", "b/tfevents.1", "notes"]
            .map(|file| Root { name: None, path: dir.path().join(file) });
        let found = Logdir::new(roots.to_vec()).discover(&Local);
        let paths: Vec<_> = found.runs.values().flatten().map(|f| &f.path).collect();
        assert_eq!(paths, [&roots[0].path, &roots[1].path]);
        let other = dir.path().join("b");
        assert_eq!(names(&found), [".", other.to_str().unwrap()]);
        assert_eq!(found.unreachable.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_but_not_in_circles() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        touch(&dir.path().join("a/run/tfevents.1"));
        touch(&dir.path().join("b/tfevents.1"));
        symlink("..", dir.path().join("a/run/up")).unwrap();
        symlink("../b", dir.path().join("a/other")).unwrap();
        symlink("../a", dir.path().join("b/back")).unwrap();
        symlink("nowhere", dir.path().join("broken")).unwrap();
        symlink("run/tfevents.1", dir.path().join("a/tfevents.link")).unwrap();
        let found = logdir(dir.path()).discover(&Local);
        assert_eq!(names(&found), ["a", "a/other", "a/run", "b", "b/back", "b/back/run"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_place_is_walked_by_the_rules_of_a_whole_walk() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        touch(&at("a/run/tfevents.1"));
        touch(&at("a/run/tfevents.0"));
        touch(&at("b/tfevents.1"));
        touch(&at("b/notes.txt"));
        symlink("..", at("a/run/up")).unwrap();
        symlink("../b", at("a/other")).unwrap();
        symlink("../a", at("b/back")).unwrap();
        let logdir = logdir(dir.path());
        let below = |place: &str| logdir.discover_below(&Local, &at(place));
        let whole = logdir.discover(&Local);
        for (place, expected) in [
            ("a", &["a/other", "a/run"][..]),
            ("a/run", &["a/run"]),
            ("a/run/tfevents.1", &["a/run"]),
            ("a/run/up", &[]),
            ("a/run/up/run/tfevents.1", &[]),
            ("a/other", &["a/other"]),
            ("b/back", &["b/back/run"]),
            ("b/back/other", &[]),
            ("b/notes.txt", &[]),
            ("nowhere/run", &[]),
            ("../elsewhere", &[]),
        ] {
            let found = below(place);
            assert_eq!(names(&found), expected, "{place}");
            assert!(found.unreachable.is_empty(), "{place}");
            for (run, files) in &found.runs {
                let is_part = files.iter().all(|file| whole.runs[run].contains(file));
                assert!(is_part, "{place}");
            }
        }
        assert_eq!(below("a/run").runs["a/run"], whole.runs["a/run"]);
        assert_eq!(below("a/run/tfevents.0").runs["a/run"].len(), 1);
    }

    #[test]
    fn specs_are_split_as_tensorboard_does() {
        let spec = Logdir::from_spec("a:/x/y, /plain:path,rel,s3://bucket/p,b:c:d");
        let roots: Vec<_> =
            spec.roots().iter().map(|r| (r.name.as_deref(), r.path.to_str().unwrap())).collect();
        assert_eq!(
            roots,
            [
                (Some("a"), "/x/y"),
                (None, "/plain:path"),
                (None, "rel"),
                (None, "s3://bucket/p"),
                (Some("b"), "c:d"),
            ]
        );
    }

    #[test]
    fn roots_that_share_a_run_name_hide_nothing() {
        let dir = tempfile::tempdir().unwrap();
        touch(&dir.path().join("a/run/tfevents.1"));
        touch(&dir.path().join("b/run/tfevents.1"));
        let roots = |named: bool| {
            Logdir::new(
                ["a", "b"]
                    .map(|name| Root {
                        name: named.then(|| name.into()),
                        path: dir.path().join(name),
                    })
                    .into(),
            )
        };
        assert_eq!(names(&roots(true).discover(&Local)), ["a/run", "b/run"]);
        let plain = roots(false).discover(&Local);
        assert_eq!(plain.runs.len(), 2);
        assert!(plain.runs.contains_key("run"));
    }

    #[test]
    fn a_logdir_that_is_not_there_is_unreachable() {
        let found = logdir(Path::new("/no/such/logdir")).discover(&Local);
        assert_eq!(found.unreachable[0].1.kind(), io::ErrorKind::NotFound);
    }
}
