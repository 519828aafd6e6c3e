//! Logs that grow, are replaced, shrink, vanish and come back: nothing is seen twice, nothing is
//! lost, and readers are notified of what changed.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod logs;

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kymograph_core::blob::BlobError;
use kymograph_core::dashboards::Dashboard;
use kymograph_core::follow::Follower;
use kymograph_core::load::{Loader, Options};
use kymograph_core::logdir::{Logdir, Root};
use kymograph_core::run::SeriesData;
use kymograph_core::storage::Local;
use kymograph_core::store::Store;

use logs::{Dice, Memory};

const FILE: &str = "/logs/run/events.out.tfevents.5";

fn scalars(steps: std::ops::Range<i64>, value: f32) -> Vec<u8> {
    steps.flat_map(|step| logs::scalar(step, 100.0 + step as f64, "loss", value)).collect()
}

fn watched() -> (Arc<Memory>, Loader, Arc<Store>) {
    let memory = Arc::new(Memory::default());
    let (loader, store) = logs::loader(memory.clone(), Options::default());
    (memory, loader, store)
}

#[test]
fn roots_that_come_to_share_a_run_name_never_mix() {
    let memory = Arc::new(Memory::default());
    memory.append("/b/x/tfevents.1", &scalars(0..5, 1.0));
    let roots = ["/a", "/b"].map(|path| Root { name: None, path: path.into() });
    let (mut loader, store) =
        Loader::new(Logdir::new(roots.into()), memory.clone(), Options::default()).unwrap();
    loader.load();
    assert_eq!(logs::points(&store, "x", "loss").len(), 5);
    memory.append("/a/x/tfevents.1", &logs::scalar(0, 500.0, "loss", 2.0));
    loader.load();
    assert_eq!(logs::points(&store, "x", "loss"), [(0, 2.0)]);
    assert_eq!(logs::points(&store, "/b/x", "loss").len(), 5);
    memory.remove("/a/x/tfevents.1");
    loader.load();
    assert_eq!(store.runs().len(), 1);
    assert_eq!(logs::points(&store, "x", "loss").len(), 5);
}

#[test]
fn nothing_ticks_when_nothing_changed() {
    let (memory, mut loader, store) = watched();
    memory.append(FILE, &scalars(0..3, 1.0));
    loader.load();
    let before = store.change();
    memory.append(FILE, b"\x05");
    loader.load();
    loader.load();
    assert_eq!(store.change(), before);
}

#[test]
fn what_cannot_be_looked_into_is_told() {
    let (memory, mut loader, store) = watched();
    memory.append(FILE, &scalars(0..3, 1.0));
    memory.fail("/logs/run", Some(io::ErrorKind::PermissionDenied));
    loader.load();
    let places: Vec<_> = store.unreachable().into_iter().map(|(path, _)| path).collect();
    assert_eq!(places, [Path::new("/logs/run")]);
    memory.fail("/logs/run", None);
    loader.load();
    assert!(store.unreachable().is_empty());
}

fn generation(store: &Store, run: &str, tag: &str) -> u64 {
    let run = store.run(run).unwrap();
    run.series(Dashboard::Scalars, tag).unwrap().generation
}

/// What changed, as `run tag`, with a minus before what went.
fn changes(store: &Store, since: u64) -> Vec<String> {
    let changes = store.changes(since).into_iter();
    let mut named: Vec<String> = changes
        .map(|change| {
            let sign = if change.removed { "-" } else { "" };
            let tag = change.series.map_or("*".into(), |(_, tag)| tag.to_string());
            format!("{sign}{} {tag}", change.run)
        })
        .collect();
    named.sort();
    named
}

#[test]
fn a_file_that_grows_in_pieces_of_any_size_is_seen_once_and_whole() {
    let (memory, mut loader, store) = watched();
    let mut dice = Dice(7);
    let paths = ["/logs/a/tfevents.1", "/logs/b/tfevents.1", "/logs/b/c/tfevents.9"];
    // Where each record ends, and the bytes.
    let files = paths.map(|path| {
        let (mut bytes, mut ends) = (logs::file_version(1.0), Vec::new());
        for step in 0..150 {
            let wall = 10.0 + step as f64;
            bytes.extend(match step % 10 {
                3 => logs::values(step, wall, &[("photo", logs::image(9_000, step))]),
                7 => logs::values(step, wall, &[("photo", logs::image(200, step))]),
                _ => logs::scalar(step, wall, "loss", step as f32),
            });
            ends.push(bytes.len());
        }
        (path, bytes, ends)
    });
    let mut written = [0; 3];
    let mut generations = BTreeSet::new();
    while (0..3).any(|file| written[file] < files[file].1.len()) {
        let file = dice.roll(3);
        let (path, bytes, ends) = &files[file];
        let reach = [1, 12, 100, 4_000, 20_000][dice.roll(5)];
        let end = (written[file] + 1 + dice.roll(reach)).min(bytes.len());
        memory.append(path, &bytes[written[file]..end]);
        written[file] = end;
        let since = store.change();
        let notified = dice.roll(2) == 0 && loader.load_places(&BTreeSet::from([path.into()]));
        if !notified {
            loader.load();
        }
        let whole = ends.iter().filter(|&&at| at <= end).count() as i64;
        let run = store.run(["a", "b", "b/c"][file]).unwrap();
        let shown = logs::shown(&run);
        let count: usize = shown.values().map(Vec::len).sum();
        assert_eq!(count as i64, whole);
        for ((dashboard, tag), points) in &shown {
            let is_photo = |step: &i64| matches!(step % 10, 3 | 7);
            let photos = *dashboard == Dashboard::Images;
            let expected = (0..whole).filter(|step| is_photo(step) == photos);
            assert!(expected.eq(points.iter().map(|point| point.0)), "{tag}");
        }
        generations.extend(run.all_series(None).iter().map(|series| series.generation));
        let others = store.changes(since).into_iter();
        assert_eq!(others.filter(|change| change.run != run.name).count(), 0);
    }
    assert!(generations.len() <= 6, "one for each series: {generations:?}");
    assert!(store.files().iter().all(|file| !file.damage.any()));
}

#[test]
fn only_what_changed_is_named() {
    let (memory, mut loader, store) = watched();
    memory.append("/logs/a/tfevents.1", &scalars(0..5, 1.0));
    memory.append("/logs/b/tfevents.1", &scalars(0..5, 1.0));
    memory.append("/logs/a/tfevents.1", &logs::scalar(0, 1.0, "accuracy", 0.5));
    loader.load();
    assert_eq!(changes(&store, 0), ["a accuracy", "a loss", "b loss"]);
    let (seen, before) = (store.change(), generation(&store, "a", "loss"));
    loader.load();
    assert_eq!(store.change(), seen, "nothing happened");
    memory.append("/logs/a/tfevents.1", &scalars(5..6, 1.0));
    loader.load();
    assert_eq!(changes(&store, seen), ["a loss"]);
    assert_eq!(generation(&store, "a", "loss"), before);
    let seen = store.change();
    memory.remove("/logs/b/tfevents.1");
    memory.append("/logs/new/run/tfevents.1", &scalars(0..1, 1.0));
    loader.load();
    assert_eq!(changes(&store, seen), ["-b *", "new/run loss"]);
    assert_eq!(changes(&store, store.change()), [""; 0]);
}

#[test]
fn a_second_file_changes_only_the_series_it_holds_or_hides() {
    let (memory, mut loader, store) = watched();
    memory.append("/logs/tfevents.1", &scalars(0..5, 1.0));
    memory.append("/logs/tfevents.1", &logs::scalar(0, 105.0, "accuracy", 0.5));
    loader.load();
    let seen = store.change();
    memory.append("/logs/tfevents.2", &logs::scalar(3, 200.0, "loss", 2.0));
    loader.load();
    assert_eq!(logs::steps(&store, ".", "loss"), [0, 1, 2, 3]);
    assert_eq!(changes(&store, seen), [". loss"]);
}

/// What may happen to a file between two looks, and the steps and values that are there then.
type Rewrite = (&'static str, fn(&Memory), Vec<(i64, f64)>);

fn rewrites() -> Vec<Rewrite> {
    let shown = |steps: std::ops::Range<i64>, value: f64| -> Vec<(i64, f64)> {
        steps.map(|step| (step, value)).collect()
    };
    vec![
        ("replaced by a longer one", |m| m.replace(FILE, &scalars(0..30, 2.0)), shown(0..30, 2.0)),
        ("replaced by a shorter one", |m| m.replace(FILE, &scalars(0..3, 2.0)), shown(0..3, 2.0)),
        ("replaced by its twin", |m| m.replace(FILE, &scalars(0..10, 1.0)), shown(0..10, 1.0)),
        ("cut off", |m| m.rewrite(FILE, &scalars(0..3, 1.0)), shown(0..3, 1.0)),
        ("emptied", |m| m.rewrite(FILE, b""), vec![]),
        ("rewritten, longer", |m| m.rewrite(FILE, &scalars(0..30, 2.0)), shown(0..30, 2.0)),
        ("rewritten, as long", |m| m.rewrite(FILE, &scalars(0..10, 2.0)), shown(0..10, 2.0)),
        ("rewritten from step 5", |m| m.rewrite(FILE, &scalars(5..40, 1.0)), shown(5..40, 1.0)),
    ]
}

#[test]
fn a_file_that_was_rewritten_is_read_anew() {
    for (what, rewrite, expected) in rewrites() {
        let (memory, mut loader, store) = watched();
        memory.append(FILE, &scalars(0..10, 1.0));
        loader.load();
        let (seen, before) = (store.change(), generation(&store, "run", "loss"));
        rewrite(&memory);
        loader.load();
        assert_eq!(logs::points(&store, "run", "loss"), expected, "{what}");
        let minus = if expected.is_empty() { "-" } else { "" };
        assert_eq!(changes(&store, seen), [format!("{minus}run loss")], "{what}");
        memory.append(FILE, &scalars(50..52, 3.0));
        loader.load();
        let all = [expected, vec![(50, 3.0), (51, 3.0)]].concat();
        assert_eq!(logs::points(&store, "run", "loss"), all, "{what}, then grown");
        assert!(generation(&store, "run", "loss") > before, "{what}");
        assert_eq!(store.files().len(), 1, "{what}");
        assert!(!store.files()[0].damage.any(), "{what}");
    }
}

#[test]
fn a_run_that_went_and_came_back_is_not_taken_for_one_that_grew() {
    let (memory, mut loader, store) = watched();
    memory.append(FILE, &scalars(0..3, 1.0));
    loader.load();
    let (seen, before) = (store.change(), generation(&store, "run", "loss"));
    memory.remove(FILE);
    loader.load();
    assert!(store.run("run").is_none());
    assert!(store.files().is_empty());
    memory.append(FILE, &scalars(0..5, 2.0));
    loader.load();
    assert_eq!(logs::points(&store, "run", "loss").len(), 5);
    assert_eq!(changes(&store, seen), ["-run *", "run loss"]);
    assert!(generation(&store, "run", "loss") > before);
}

#[test]
fn one_of_two_files_can_go_and_come_back() {
    let (memory, mut loader, store) = watched();
    memory.append("/logs/run/tfevents.1", &scalars(0..5, 1.0));
    memory.append("/logs/run/tfevents.2", &logs::scalar(3, 200.0, "loss", 2.0));
    memory.append("/logs/run/tfevents.2", &logs::scalar(3, 201.0, "late", 2.0));
    loader.load();
    let hidden = [(0, 1.0), (1, 1.0), (2, 1.0), (3, 2.0)];
    assert_eq!(logs::points(&store, "run", "loss"), hidden);
    let seen = store.change();
    memory.remove("/logs/run/tfevents.2");
    loader.load();
    assert_eq!(logs::steps(&store, "run", "loss"), [0, 1, 2, 3, 4]);
    assert_eq!(changes(&store, seen), ["-run late", "run loss"]);
    let before = generation(&store, "run", "loss");
    memory.append("/logs/run/tfevents.2", &logs::scalar(3, 200.0, "loss", 2.0));
    loader.load();
    assert_eq!(logs::points(&store, "run", "loss"), hidden);
    assert!(generation(&store, "run", "loss") > before);
}

#[test]
fn older_and_earlier_named_files_are_read_whenever_they_come() {
    let (memory, mut loader, store) = watched();
    memory.append("/logs/tfevents.5", &scalars(0..3, 1.0));
    memory.append("/logs/tfevents.6", &logs::scalar(0, 103.0, "other", 1.0));
    loader.load();
    memory.append("/logs/tfevents.5", &scalars(3..5, 1.0));
    loader.load();
    assert_eq!(logs::steps(&store, ".", "loss"), [0, 1, 2, 3, 4]);
    // Written before the others, but seen only now.
    memory.append("/logs/tfevents.1", &logs::scalar(-7, 1.0, "loss", 1.0));
    loader.load();
    assert_eq!(logs::steps(&store, ".", "loss"), [-7, 0, 1, 2, 3, 4]);
}

#[test]
fn what_cannot_be_looked_at_for_a_moment_is_not_gone() {
    let places = ["/logs", "/logs/run", FILE];
    let kinds = [
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::TimedOut,
        io::ErrorKind::StaleNetworkFileHandle,
        io::ErrorKind::Other,
    ];
    for place in places {
        for kind in kinds {
            let (memory, mut loader, store) = watched();
            memory.append(FILE, &scalars(0..3, 1.0));
            memory.append("/logs/other/tfevents.1", &scalars(0..3, 1.0));
            loader.load();
            let (seen, before) = (store.change(), generation(&store, "run", "loss"));
            memory.fail(place, Some(kind));
            memory.append(FILE, &scalars(3..4, 1.0));
            loader.load();
            loader.load_places(&BTreeSet::from([FILE.into()]));
            assert_eq!(logs::steps(&store, "run", "loss"), [0, 1, 2], "{place} {kind}");
            assert_eq!(changes(&store, seen), [""; 0], "{place} {kind}");
            memory.fail(place, None);
            loader.load();
            assert_eq!(logs::steps(&store, "run", "loss"), [0, 1, 2, 3], "{place} {kind}");
            assert_eq!(generation(&store, "run", "loss"), before, "{place} {kind}");
        }
    }
}

#[test]
fn blobs_of_a_replaced_file_cannot_be_read_from_its_successor() {
    let (memory, mut loader, store) = watched();
    let photo = |seed| logs::values(1, 1.0, &[("photo", logs::image(9_000, seed))]);
    let first = |store: &Store| {
        let run = store.run("run").unwrap();
        let series = run.series(Dashboard::Images, "photo").unwrap();
        match &series.data {
            SeriesData::Blobs(blobs) => blobs.get(0).unwrap().address,
            SeriesData::Scalars(_) => unreachable!(),
        }
    };
    memory.append(FILE, &photo(1));
    loader.load();
    let old = first(&store);
    assert!(store.read_blob(&old).is_ok());
    memory.rewrite(FILE, &photo(2));
    assert!(store.read_blob(&old).is_ok(), "there was no scan since");
    loader.load();
    assert!(matches!(store.read_blob(&old), Err(BlobError::Gone)));
    assert!(store.read_blob(&first(&store)).is_ok());
    memory.append(FILE, b"");
    let mut spoilt = photo(2);
    spoilt[5_000] ^= 1;
    memory.rewrite(FILE, &spoilt);
    let address = first(&store);
    assert!(matches!(store.read_blob(&address), Err(BlobError::Damaged(0))));
}

#[test]
fn a_torn_image_is_taken_back_when_the_file_goes_on_differently() {
    let (memory, mut loader, store) = watched();
    let photo = |step| logs::values(step, 1.0, &[("photo", logs::image(9_000, step))]);
    memory.append(FILE, &photo(1));
    // A writer died, another continued in the same file and by now has filled what was missing.
    memory.append(FILE, &photo(2)[..4_000]);
    let missing = photo(2).len() - 4_000;
    memory.append(FILE, &photo(3)[..missing]);
    loader.load();
    let images = |store: &Store| -> Vec<i64> {
        let run = store.run("run").unwrap();
        let series = run.series(Dashboard::Images, "photo").unwrap();
        match &series.data {
            SeriesData::Blobs(blobs) => blobs.iter().map(|blob| blob.step).collect(),
            SeriesData::Scalars(_) => unreachable!(),
        }
    };
    assert_eq!(images(&store), [1, 2]);
    let before = store.run("run").unwrap().all_series(None)[0].generation;
    memory.append(FILE, &photo(3)[missing..]);
    memory.append(FILE, &scalars(4..5, 1.0));
    loader.load();
    assert_eq!(images(&store), [1, 3]);
    assert_eq!(logs::steps(&store, "run", "loss"), [4]);
    let after = store.run("run").unwrap().series(Dashboard::Images, "photo");
    assert!(after.unwrap().generation > before);
    assert_eq!(store.files()[0].damage.bad_records, 1);
}

/// A second is promised; a busy machine may take longer.
const SOON: Duration = Duration::from_secs(120);

/// Waits until it is so, and prints how long that took.
fn until(store: &Store, what: &str, is_so: impl Fn(&Store) -> bool) {
    let began = Instant::now();
    while !is_so(store) {
        assert!(began.elapsed() < SOON, "not seen: {what}");
        store.wait_for_change(store.change(), Duration::from_millis(5));
    }
    println!("{what}: seen after {:?}", began.elapsed());
}

/// Follows a directory by the notices of the file system alone: no regular walk finds what they
/// miss.
fn follow(dir: &Path) -> (Follower, Arc<Store>) {
    let options = Options { walk_every: SOON * 10, ..Options::default() };
    let (loader, store) = logs::loader_of(dir, Arc::new(Local), options);
    let follower = Follower::start(loader, store.clone(), true).unwrap();
    assert!(store.wait_loaded(Duration::from_secs(30)));
    (follower, store)
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn a_real_directory_is_followed_through_everything() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("logs");
    let (_follower, store) = follow(&root);
    let run = root.join("run");
    let file = run.join("events.out.tfevents.5");
    let shows = |count: usize, value: f64| {
        move |store: &Store| {
            let points = logs::points(store, "run", "loss");
            points.len() == count && points.iter().all(|point| point.1 == value)
        }
    };
    fs::create_dir_all(&run).unwrap();
    append(&file, &scalars(0..3, 1.0));
    until(&store, "logdir created", shows(3, 1.0));
    append(&file, &scalars(3..5, 1.0));
    until(&store, "appended", shows(5, 1.0));
    fs::write(run.join("new"), scalars(0..4, 2.0)).unwrap();
    fs::rename(run.join("new"), &file).unwrap();
    until(&store, "replaced by rename", shows(4, 2.0));
    fs::write(&file, scalars(0..9, 3.0)).unwrap();
    until(&store, "rewritten in place, longer", shows(9, 3.0));
    fs::write(&file, scalars(0..2, 4.0)).unwrap();
    until(&store, "rewritten in place, shorter", shows(2, 4.0));
    fs::remove_file(&file).unwrap();
    until(&store, "deleted", |store| store.runs().is_empty());
    append(&file, &scalars(0..3, 5.0));
    until(&store, "recreated", shows(3, 5.0));
    let deep = root.join("x/y/z");
    fs::create_dir_all(&deep).unwrap();
    append(&deep.join("tfevents.1"), &scalars(0..1, 1.0));
    until(&store, "new nested run", |store| logs::steps(store, "x/y/z", "loss") == [0]);
    append(&deep.join("tfevents.1"), &scalars(1..2, 1.0));
    until(&store, "new nested run grown", |store| logs::steps(store, "x/y/z", "loss") == [0, 1]);
    append(&run.join("events.out.tfevents.1"), &scalars(-5..-3, 5.0));
    until(&store, "earlier file", |store| logs::steps(store, "run", "loss") == [-5, -4, 0, 1, 2]);
    append(&run.join("events.out.tfevents.1"), &logs::scalar(-3, 99.0, "loss", 5.0));
    until(&store, "appended to the older file", |store| {
        logs::steps(store, "run", "loss") == [-5, -4, -3, 0, 1, 2]
    });
    fs::rename(root.join("x"), root.join("moved")).unwrap();
    until(&store, "directory renamed", |store| {
        logs::steps(store, "moved/y/z", "loss") == [0, 1] && store.run("x/y/z").is_none()
    });
    append(&root.join("moved/y/z/tfevents.1"), &scalars(2..3, 1.0));
    until(&store, "appended in the renamed directory", |store| {
        logs::steps(store, "moved/y/z", "loss") == [0, 1, 2]
    });
    fs::remove_dir_all(&root).unwrap();
    fs::create_dir_all(&run).unwrap();
    append(&file, &scalars(0..1, 6.0));
    until(&store, "logdir deleted and recreated", |store| {
        store.runs().len() == 1 && shows(1, 6.0)(store)
    });
    append(&file, &scalars(1..2, 6.0));
    until(&store, "appended after that", shows(2, 6.0));
}

#[test]
fn a_relative_logdir_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let up =
        std::env::current_dir().unwrap().components().skip(1).map(|_| "..").collect::<PathBuf>();
    let root = up.join(dir.path().strip_prefix("/").unwrap());
    let (_follower, store) = follow(&root);
    let file = dir.path().join("run/tfevents.1");
    fs::create_dir(dir.path().join("run")).unwrap();
    append(&file, &scalars(0..2, 1.0));
    until(&store, "new run", |store| logs::steps(store, "run", "loss") == [0, 1]);
    append(&file, &scalars(2..3, 1.0));
    until(&store, "growth", |store| logs::steps(store, "run", "loss") == [0, 1, 2]);
    fs::remove_dir_all(dir.path().join("run")).unwrap();
    until(&store, "deleted", |store| store.runs().is_empty());
}

#[test]
fn a_real_writer_that_appends_in_random_pieces_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let (_follower, store) = follow(dir.path());
    let run = dir.path().join("run");
    fs::create_dir(&run).unwrap();
    let path = run.join("events.out.tfevents.1");
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    for step in 0..2_000 {
        bytes.extend(logs::scalar(step, step as f64, "loss", step as f32));
        if step % 50 == 0 {
            bytes.extend(logs::values(step, step as f64, &[("photo", logs::image(9_000, step))]));
        }
        ends.push(bytes.len());
    }
    let expected: Vec<i64> = (0..2_000).collect();
    let mut dice = Dice(3);
    let mut written = 0;
    let mut slowest = Duration::ZERO;
    while written < bytes.len() {
        let end = (written + 1 + dice.roll(20_000)).min(bytes.len());
        append(&path, &bytes[written..end]);
        written = end;
        if dice.roll(4) == 0 {
            let whole = ends.iter().filter(|&&at| at <= end).count();
            let began = Instant::now();
            loop {
                let steps = logs::steps(&store, "run", "loss");
                assert_eq!(steps, &expected[..steps.len()]);
                // The scalar before a photo may be whole although the photo is not.
                if steps.len() >= whole {
                    break;
                }
                assert!(began.elapsed() < SOON, "{whole} points");
                store.wait_for_change(store.change(), Duration::from_millis(5));
            }
            slowest = slowest.max(began.elapsed());
        }
    }
    until(&store, "the end", |store| {
        let run = store.run("run").unwrap();
        logs::steps(store, "run", "loss") == expected && run.all_series(None).len() == 2
    });
    println!("slowest: {slowest:?}");
    assert!(!store.files()[0].damage.any());
}

#[test]
fn without_following_it_looks_only_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tfevents.1");
    append(&path, &scalars(0..2, 1.0));
    let (loader, store) = logs::loader_of(dir.path(), Arc::new(Local), Options::default());
    let follower = Follower::start(loader, store.clone(), false).unwrap();
    assert!(store.wait_loaded(Duration::from_secs(30)));
    append(&path, &scalars(2..3, 1.0));
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(logs::steps(&store, ".", "loss"), [0, 1]);
    follower.refresh();
    assert_eq!(logs::steps(&store, ".", "loss"), [0, 1, 2]);
    drop(follower);
    assert_eq!(store.wait_for_change(store.change(), Duration::from_secs(30)), store.change());
}

fn loss(store: &Store) -> Arc<kymograph_core::run::Series> {
    store.run("run").unwrap().series(Dashboard::Scalars, "loss").unwrap()
}

#[test]
fn writers_at_once_are_merged_as_they_grow_as_if_they_were_read_at_once() {
    for seed in 0..6 {
        let (memory, mut loader, store) = watched();
        let mut dice = Dice(seed);
        let paths = [1, 2, 3].map(|number| format!("/logs/run/tfevents.{number}"));
        let mut files = [(); 3].map(|()| logs::file_version(100.0));
        let mut steps = [0, 5, 700];
        let mut wall = 100.0;
        let mut before: Option<(u64, Vec<(i64, f64)>)> = None;
        for _ in 0..150 {
            let file = dice.roll(3);
            let mut bytes = Vec::new();
            for _ in 0..dice.roll(60) {
                wall += 0.25;
                steps[file] += 1 + dice.roll(2) as i64;
                let step = steps[file];
                bytes.extend(match dice.roll(400) {
                    0 => logs::start(step, wall),
                    1..40 => logs::values(step, wall, &[("photo", logs::image(40, step))]),
                    _ => logs::scalar(step, wall, "loss", wall as f32),
                });
            }
            files[file].extend(&bytes);
            memory.rewrite(&paths[file], &files[file]);
            loader.load();
            let whole: Vec<_> =
                paths.iter().map(String::as_str).zip(files.iter().cloned()).collect();
            let reloaded = logs::loaded(&whole, Options::default());
            let (run, run_reloaded) = (store.run("run").unwrap(), reloaded.run("run").unwrap());
            assert_eq!(logs::shown(&run), logs::shown(&run_reloaded), "seed {seed}");
            assert_eq!(store.run_table().hidden, reloaded.run_table().hidden, "seed {seed}");
            let points = logs::points(&store, "run", "loss");
            let now = (generation(&store, "run", "loss"), points);
            if let Some((generation, points)) = before
                && generation == now.0
            {
                assert!(now.1.starts_with(&points), "seed {seed}");
            }
            before = Some(now);
        }
    }
}

#[test]
fn nothing_of_writers_at_once_moves_while_one_of_them_is_ahead() {
    let (memory, mut loader, store) = watched();
    let (first, second) = ("/logs/run/tfevents.1", "/logs/run/tfevents.2");
    memory.append(first, &scalars(0..2000, 1.0));
    let behind = (0..1000).flat_map(|step| logs::scalar(step, 100.5 + step as f64, "loss", 2.0));
    memory.append(second, &behind.collect::<Vec<_>>());
    loader.load();
    let before = loss(&store);
    assert_eq!(before.data.len(), 3000);
    memory.append(first, &scalars(2000..2100, 1.0));
    loader.load();
    let after = loss(&store);
    assert_eq!((after.data.len(), after.generation), (3100, before.generation));
    assert!(after.change > before.change);
    // A third writer changes how the sessions relate, and nothing of this tag.
    memory.append("/logs/run/tfevents.3", &logs::scalar(0, 150.0, "other", 1.0));
    loader.load();
    assert_eq!(loss(&store).change, after.change);
    memory.append(second, &logs::scalar(1000, 1100.5, "loss", 2.0));
    loader.load();
    assert_eq!(loss(&store).data.len(), 3101);
    assert!(loss(&store).generation > after.generation, "points moved");
}

#[test]
fn files_that_grow_are_read_while_a_walk_hangs() {
    // A root that the system knows nothing of gives no notices.
    let (memory, loader, store) = watched();
    memory.append(FILE, &scalars(0..3, 1.0));
    let follower = Follower::start(loader, store.clone(), true).unwrap();
    assert!(store.wait_loaded(Duration::from_secs(30)));
    let has = |points| move |store: &Store| logs::points(store, "run", "loss").len() == points;
    memory.append(FILE, &scalars(3..5, 1.0));
    until(&store, "growth", has(5));
    let before = generation(&store, "run", "loss");
    memory.hold_lists(true);
    until(&store, "a walk that hangs", |_| memory.lists_waiting() > 0);
    memory.append("/logs/new/tfevents.1", &scalars(0..1, 1.0));
    for end in 6..9 {
        memory.append(FILE, &scalars(end - 1..end, 1.0));
        until(&store, "growth while a walk hangs", has(end as usize));
    }
    assert!(store.run("new").is_none());
    memory.hold_lists(false);
    until(&store, "a new run", |store| store.run("new").is_some());
    memory.append(FILE, &scalars(8..9, 1.0));
    until(&store, "growth after the walk", has(9));
    // The walk saw the file when it was shorter than what was read by then.
    assert_eq!(generation(&store, "run", "loss"), before);
    drop(follower);
}

/// Where a walk found a file shorter than it is by now, or another one of its name.
#[test]
fn what_an_old_walk_found_is_not_believed() {
    let (memory, mut loader, store) = watched();
    memory.append(FILE, &scalars(0..3, 1.0));
    loader.load();
    let (before, walk) = (generation(&store, "run", "loss"), loader.walk()());
    memory.append(FILE, &scalars(3..6, 1.0));
    assert!(loader.load_recent_files());
    assert!(loader.load_places(&BTreeSet::from([FILE.into()])));
    loader.merge_discovery(walk);
    assert_eq!(logs::points(&store, "run", "loss").len(), 6);
    assert_eq!(generation(&store, "run", "loss"), before);
    let walk = loader.walk()();
    memory.replace(FILE, &scalars(0..2, 2.0));
    loader.load();
    loader.merge_discovery(walk);
    assert_eq!(logs::points(&store, "run", "loss"), [(0, 2.0), (1, 2.0)]);
}

fn many_runs(memory: &Memory) {
    for run in 0..300 {
        memory.append(&format!("/logs/sweep/run_{run}/tfevents.1"), &scalars(0..1, 1.0));
    }
}

fn places<const N: usize>(paths: [&str; N]) -> BTreeSet<PathBuf> {
    paths.iter().map(PathBuf::from).collect()
}

#[test]
fn what_a_notice_costs_does_not_depend_on_how_many_runs_there_are() {
    let (memory, mut loader, store) = watched();
    many_runs(&memory);
    loader.load();
    assert_eq!(memory.take_counts().0, 302, "a walk looks at everything");
    memory.append("/logs/sweep/run_1/deep/tfevents.1", &scalars(0..2, 1.0));
    memory.append("/logs/new/tfevents.1", &scalars(0..3, 1.0));
    memory.append("/logs/new/tfevents.2", &scalars(3..4, 1.0));
    assert!(loader.load_places(&places([
        "/logs/new",
        "/logs/new/tfevents.1",
        "/logs/sweep/run_1/deep",
        "/logs/sweep/notes.txt",
    ])));
    assert_eq!(logs::steps(&store, "new", "loss"), [0, 1, 2, 3]);
    assert_eq!(logs::steps(&store, "sweep/run_1/deep", "loss"), [0, 1]);
    // Two directories and a file that cannot be listed; three event files.
    assert_eq!(memory.take_counts(), (3, 3));
    memory.append("/logs/sweep/run_2/tfevents.2", &scalars(1..2, 1.0));
    assert!(loader.load_places(&places(["/logs/sweep/run_2/tfevents.2"])));
    assert_eq!(logs::steps(&store, "sweep/run_2", "loss"), [0, 1]);
    assert_eq!(memory.take_counts().0, 0);
    for file in ["/logs/new/tfevents.1", "/logs/new/tfevents.2", "/logs/sweep/run_3/tfevents.1"] {
        memory.remove(file);
    }
    assert!(loader.load_places(&places(["/logs/new", "/logs/sweep/run_3/tfevents.1"])));
    assert!(store.run("new").is_none() && store.run("sweep/run_3").is_none());
    assert_eq!(store.run_count(), 300);
    let (lists, stats) = memory.take_counts();
    assert!(lists <= 1 && stats <= 4, "{lists} {stats}");
    let progress = store.progress();
    assert_eq!((progress.files_done, progress.files_known), (301, 301));
    memory.append("/logs/new/tfevents.1", &scalars(0..3, 1.0));
    assert!(loader.load_places(&places(["/logs/new"])));
    assert_eq!(logs::steps(&store, "new", "loss"), [0, 1, 2]);
}

#[test]
fn a_moved_directory_costs_what_is_in_it() {
    let (memory, mut loader, store) = watched();
    many_runs(&memory);
    for run in ["a", "a/b", "ab"] {
        memory.append(&format!("/logs/{run}/tfevents.1"), &scalars(0..1, 1.0));
    }
    loader.load();
    memory.take_counts();
    for (from, to) in [("a", "z"), ("a/b", "z/b")] {
        memory.remove(&format!("/logs/{from}/tfevents.1"));
        memory.append(&format!("/logs/{to}/tfevents.1"), &scalars(0..1, 1.0));
    }
    assert!(loader.load_places(&places(["/logs/a", "/logs/z"])));
    let shown: Vec<_> = store.runs().iter().map(|run| run.name.to_string()).collect();
    assert_eq!(shown.len(), 303);
    for (run, is_there) in [("a", false), ("a/b", false), ("ab", true), ("z", true), ("z/b", true)]
    {
        assert_eq!(store.run(run).is_some(), is_there, "{run}");
    }
    let (lists, stats) = memory.take_counts();
    assert!(lists <= 4 && stats <= 4, "{lists} {stats}");
}

#[test]
fn what_a_place_cannot_show_is_left_to_a_walk() {
    let memory = Arc::new(Memory::default());
    memory.append("/b/x/tfevents.1", &scalars(0..5, 1.0));
    let roots = ["/a", "/b"].map(|path| Root { name: None, path: path.into() });
    let (mut loader, store) =
        Loader::new(Logdir::new(roots.into()), memory.clone(), Options::default()).unwrap();
    loader.load();
    memory.append("/a/x/tfevents.1", &scalars(0..1, 2.0));
    assert!(!loader.load_places(&places(["/a/x"])), "the name is taken");
    assert_eq!(logs::points(&store, "x", "loss").len(), 5);
    loader.load();
    assert_eq!(logs::points(&store, "x", "loss"), [(0, 2.0)]);
    memory.append("/b/x/tfevents.1", &scalars(5..6, 1.0));
    assert!(loader.load_places(&places(["/b/x/tfevents.1"])), "growth needs none");
    assert_eq!(logs::points(&store, "/b/x", "loss").len(), 6);
    memory.remove("/a/x/tfevents.1");
    assert!(!loader.load_places(&places(["/a/x"])), "the name is free");
    assert!(!loader.load_places(&places(["/b"])), "a root");
}

#[test]
fn what_cannot_be_looked_into_at_a_place_is_reported_and_not_gone() {
    let (memory, mut loader, store) = watched();
    memory.append(FILE, &scalars(0..3, 1.0));
    loader.load();
    memory.fail("/logs/run", Some(io::ErrorKind::PermissionDenied));
    loader.load_places(&places(["/logs/run"]));
    assert_eq!(store.unreachable().len(), 1);
    assert_eq!(logs::steps(&store, "run", "loss"), [0, 1, 2]);
    memory.fail("/logs/run", None);
    loader.load_places(&places(["/logs/run"]));
    assert!(store.unreachable().is_empty());
}

#[test]
fn a_walk_does_not_bring_back_what_was_dropped_while_it_went_on() {
    let (memory, mut loader, store) = watched();
    memory.append(FILE, &scalars(0..3, 1.0));
    memory.append("/logs/other/tfevents.1", &scalars(0..3, 1.0));
    loader.load();
    let walk = loader.walk()();
    memory.remove(FILE);
    assert!(loader.load_places(&places([FILE])));
    loader.merge_discovery(walk);
    assert!(store.run("run").is_none());
    assert_eq!(store.files().len(), 1);
}

#[test]
fn directories_with_recent_changes_are_listed_and_no_others() {
    let (memory, mut loader, store) = watched();
    many_runs(&memory);
    memory.set_clock(std::time::SystemTime::now() - Duration::from_secs(60));
    memory.append("/logs/live/now/tfevents.1", &scalars(0..1, 1.0));
    loader.load();
    memory.take_counts();
    let glance = |loader: &mut Loader| {
        let glance = loader.glance();
        assert!(loader.merge_glance(glance()));
        memory.take_counts().0
    };
    // The root, and the two directories above the file that changed.
    assert_eq!(glance(&mut loader), 3);
    memory.append("/logs/live/next/tfevents.1", &scalars(0..2, 1.0));
    memory.append("/logs/live/now/tfevents.2", &scalars(1..2, 1.0));
    memory.append("/logs/other/run/tfevents.1", &scalars(0..1, 1.0));
    glance(&mut loader);
    assert_eq!(logs::steps(&store, "live/next", "loss"), [0, 1]);
    assert_eq!(logs::steps(&store, "live/now", "loss"), [0, 1]);
    assert_eq!(logs::steps(&store, "other/run", "loss"), [0]);
    memory.remove("/logs/live/next/tfevents.1");
    glance(&mut loader);
    assert!(store.run("live/next").is_none());
    let lists = glance(&mut loader);
    assert!(lists <= 6, "{lists}");
    assert_eq!(store.run_count(), 302);
}

#[test]
fn directories_that_only_a_walk_found_are_named() {
    let (memory, mut loader, _store) = watched();
    memory.append(FILE, &scalars(0..1, 1.0));
    loader.load();
    for file in ["/logs/a/b/tfevents.1", "/logs/a/c/tfevents.1", "/logs/run/sub/tfevents.1"] {
        memory.append(file, &scalars(0..1, 1.0));
    }
    let found = loader.walk()();
    assert_eq!(loader.unknown_directories(&found), places(["/logs/a", "/logs/run/sub"]));
    loader.merge_discovery(found);
    let found = loader.walk()();
    assert!(loader.unknown_directories(&found).is_empty());
}

#[test]
fn progress_counts_what_grew_and_what_went() {
    let (memory, mut loader, store) = watched();
    let other = "/logs/other/tfevents.1";
    memory.append(FILE, &scalars(0..3, 1.0));
    memory.append(other, &scalars(0..9, 1.0));
    loader.load();
    let check = |files: u64| {
        let (progress, reports) = (store.progress(), store.files());
        assert_eq!((progress.files_done, progress.files_known), (files, files));
        let bytes: u64 = reports.iter().map(|file| file.bytes).sum();
        assert_eq!((progress.bytes_done, progress.bytes_known), (bytes, bytes));
        assert!(!progress.loading);
    };
    check(2);
    // A whole record, and the beginning of another.
    memory.append(FILE, &scalars(3..5, 1.0)[..80]);
    assert!(loader.load_places(&BTreeSet::from([FILE.into(), other.into()])));
    check(2);
    memory.replace(FILE, &scalars(0..1, 1.0));
    assert!(loader.load_places(&BTreeSet::from([FILE.into()])));
    check(2);
    memory.remove(other);
    loader.load();
    check(1);
}
