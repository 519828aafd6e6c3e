//! Runs, tags and changed runs at a glance agree with the runs one by one, whatever happened
//! to their files.
#![allow(clippy::unwrap_used, clippy::panic)]

mod logs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kymograph_core::blob::BlobError;
use kymograph_core::dashboards::Dashboard;
use kymograph_core::link::Link;
use kymograph_core::load::{Loader, Options};
use kymograph_core::store::Store;

use logs::{Dice, Memory};

fn watched() -> (Arc<Memory>, Loader, Arc<Store>) {
    let memory = Arc::new(Memory::default());
    let (loader, store) = logs::loader(memory.clone(), Options::default());
    (memory, loader, store)
}

fn described(display_name: &str, description: &str) -> Vec<u8> {
    let parts = [
        logs::field(1, &logs::field(1, b"scalars")),
        logs::field(2, display_name.as_bytes()),
        logs::field(3, description.as_bytes()),
    ];
    logs::field(9, &parts.concat())
}

/// Everything in both tables, as reported by the runs one by one.
fn check_tables(store: &Store) {
    let table = store.run_table();
    assert_eq!(table.change, store.change());
    let runs = store.runs();
    assert_eq!(table.names, runs.iter().map(|run| run.name.clone()).collect::<Vec<_>>());
    for (row, run) in runs.iter().enumerate() {
        let series = run.all_series(None);
        let bits = series.iter().fold(0, |bits, series| bits | 1 << series.dashboard as i64);
        let points: usize = series.iter().map(|series| series.data.len()).sum();
        let hidden: u64 = series.iter().map(|series| series.hidden).sum();
        assert_eq!(table.dashboards[row], bits);
        assert_eq!(table.series[row], series.len() as i64);
        assert_eq!(table.points[row], points as i64);
        assert_eq!(table.hidden[row], hidden as i64);
        assert_eq!(table.restarts[row], run.restarts(None).len() as i64);
        assert_eq!(table.changes[row], run.change() as i64);
        assert!(table.tags_changes[row] <= table.changes[row]);
        let walls = run.times().walls.unwrap_or((f64::NAN, f64::NAN));
        assert_eq!(table.starts[row].to_bits(), walls.0.to_bits());
        assert_eq!(table.ends[row].to_bits(), walls.1.to_bits());
    }
    for dashboard in Dashboard::ALL {
        let mut counts = BTreeMap::new();
        for series in runs.iter().flat_map(|run| run.all_series(Some(dashboard))) {
            *counts.entry(series.tag.clone()).or_insert(0) += 1;
        }
        let table = store.tag_table(dashboard, None);
        assert_eq!(table.change, store.change());
        let listed: BTreeMap<_, _> = table.tags.iter().cloned().zip(table.run_counts).collect();
        assert_eq!(listed, counts);
        assert!(table.tags.is_sorted());
    }
}

/// What was asked for and seen by a client that asks again and again.
#[derive(Default)]
struct Client {
    change: u64,
    /// Tags of each run.
    runs: BTreeMap<String, BTreeSet<(Dashboard, String)>>,
    /// Points of each run.
    points: BTreeMap<String, usize>,
}

impl Client {
    /// Asks only for what is reported as changed.
    fn catch_up(&mut self, store: &Store) {
        let news = store.changed_runs(self.change);
        for name in &news.removed {
            self.runs.remove(name.as_str());
            self.points.remove(name.as_str());
        }
        for run in &news.changed {
            let name = run.name.to_string();
            let Some(now) = store.run(&name) else {
                continue;
            };
            let all = now.all_series(None);
            self.points.insert(name.clone(), all.iter().map(|series| series.data.len()).sum());
            if run.tags_changed {
                let tags = all.iter().map(|series| (series.dashboard, series.tag.to_string()));
                self.runs.insert(name, tags.collect());
            }
        }
        self.change = news.change;
    }

    fn check(&self, store: &Store) {
        assert_eq!(self.change, store.change());
        let (mut runs, mut points) = (BTreeMap::new(), BTreeMap::new());
        for run in store.runs() {
            let all = run.all_series(None);
            let tags = all.iter().map(|series| (series.dashboard, series.tag.to_string()));
            runs.insert(run.name.to_string(), tags.collect::<BTreeSet<_>>());
            let len = all.iter().map(|series| series.data.len()).sum::<usize>();
            points.insert(run.name.to_string(), len);
        }
        assert_eq!(self.runs, runs);
        assert_eq!(self.points, points);
    }
}

/// Grows, replaces or removes one of twelve files.
fn happen(memory: &Memory, dice: &mut Dice, wall: f64) {
    let path = format!("/logs/{}/tfevents.{}", ["a", "b", "b/c", "d"][dice.roll(4)], dice.roll(3));
    let tag = ["loss", "accuracy", "lr", "it"][dice.roll(4)];
    let step = dice.roll(20) as i64;
    match dice.roll(10) {
        0 => memory.remove(&path),
        1 => memory.append(&path, &logs::start(step, wall)),
        2 => memory.append(&path, &logs::values(step, wall, &[(tag, logs::image(50, step))])),
        3 => {
            let tensor = [logs::text_tensor("hi"), logs::metadata("text")].concat();
            memory.append(&path, &logs::values(step, wall, &[(tag, tensor)]));
        }
        4 => memory.append(&path, &logs::values(step, wall, &[(tag, logs::text_tensor("hi"))])),
        _ => memory.append(&path, &logs::scalar(step, wall, tag, 1.0)),
    }
}

#[test]
fn tables_say_what_the_runs_say_whatever_happens_to_the_files() {
    let (memory, mut loader, store) = watched();
    let mut dice = Dice(5);
    let mut client = Client::default();
    for moment in 0..1500 {
        happen(&memory, &mut dice, 100.0 + f64::from(moment));
        loader.load();
        if dice.roll(3) == 0 {
            client.catch_up(&store);
            client.check(&store);
            check_tables(&store);
        }
    }
    assert!(client.runs.len() > 1);
}

#[test]
fn who_reads_while_others_write_misses_nothing() {
    let (memory, mut loader, store) = watched();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers = [0, 1].map(|_| {
            scope.spawn(|| {
                let (mut client, mut since, mut seen) = (Client::default(), 0, BTreeMap::new());
                loop {
                    let last = done.load(Ordering::Acquire);
                    client.catch_up(&store);
                    for change in store.changes(since) {
                        assert!(change.number > since);
                        let key = (change.run.to_string(), change.series);
                        // The same series comes with a later number, or not at all.
                        let before = seen.insert(key, change.number);
                        assert!(before.is_none_or(|before| before < change.number));
                    }
                    since = seen.values().copied().max().unwrap_or(0);
                    store.run_table();
                    store.tag_table(Dashboard::Scalars, None);
                    if last {
                        break;
                    }
                }
                client.check(&store);
                for run in store.runs() {
                    for series in run.all_series(None) {
                        let key = Some((series.dashboard, series.tag.clone()));
                        assert_eq!(seen.get(&(run.name.to_string(), key)), Some(&series.change));
                    }
                }
            })
        });
        let mut dice = Dice(9);
        for moment in 0..1500 {
            happen(&memory, &mut dice, 100.0 + f64::from(moment));
            loader.load();
        }
        done.store(true, Ordering::Release);
        for reader in readers {
            reader.join().unwrap();
        }
    });
    check_tables(&store);
}

#[test]
fn only_what_concerns_tags_is_a_change_of_tags() {
    let (memory, mut loader, store) = watched();
    let path = "/logs/run/tfevents.1";
    let mut after = |bytes: &[u8]| {
        let since = store.change();
        memory.append(path, bytes);
        loader.load();
        let news = store.changed_runs(since);
        assert_eq!(news.changed.len(), 1);
        news.changed[0].tags_changed
    };
    assert!(after(&logs::file_version(1.0)), "a run without series");
    assert!(after(&logs::scalar(0, 1.0, "loss", 1.0)), "a tag");
    assert!(!after(&logs::scalar(1, 2.0, "loss", 1.0)), "a point");
    assert!(after(&logs::scalar(1, 2.0, "accuracy", 1.0)), "another tag");
    assert!(after(&logs::values(2, 3.0, &[("loss", logs::image(9, 1))])), "another dashboard");
    let tensor = [logs::float_tensor(2.0), described("Loss", "")].concat();
    assert!(after(&logs::values(3, 4.0, &[("loss", tensor.clone())])), "metadata");
    assert!(!after(&logs::values(4, 5.0, &[("loss", tensor)])), "the same metadata");
    assert!(!after(&logs::start(2, 6.0)), "points that are hidden");
    assert_eq!(store.run_table().hidden, [3]);
}

#[test]
fn nothing_is_told_when_nothing_changed() {
    let (memory, mut loader, store) = watched();
    memory.append("/logs/a/tfevents.1", &logs::scalar(0, 1.0, "loss", 1.0));
    loader.load();
    for since in [store.change(), u64::MAX] {
        let news = store.changed_runs(since);
        assert_eq!((news.change, news.changed.len(), news.removed.len()), (store.change(), 0, 0));
        assert!(store.changes(since).is_empty());
    }
}

#[test]
fn a_run_that_went_and_came_back_is_not_gone() {
    let (memory, mut loader, store) = watched();
    let path = "/logs/a/tfevents.1";
    memory.append(path, &logs::scalar(0, 1.0, "loss", 1.0));
    loader.load();
    let since = store.change();
    memory.remove(path);
    loader.load();
    let removed = store.changed_runs(since).removed;
    assert_eq!(removed.iter().map(|name| name.as_str()).collect::<Vec<_>>(), ["a"]);
    memory.append(path, &logs::scalar(0, 1.0, "loss", 1.0));
    loader.load();
    let news = store.changed_runs(since);
    assert!(news.removed.is_empty());
    assert!(news.changed[0].tags_changed);
}

#[test]
fn what_writers_say_of_a_tag_is_what_the_first_of_them_says() {
    let (memory, mut loader, store) = watched();
    let said = [
        ("a", None),
        ("b", Some(("", "what it is"))),
        ("c", Some(("Loss", ""))),
        ("d", Some(("Other", "something else"))),
        ("e", None),
    ];
    for (run, words) in said {
        let metadata = words.map(|(name, text)| described(name, text)).unwrap_or_default();
        let value = [logs::float_tensor(1.0), metadata].concat();
        let path = format!("/logs/{run}/tfevents.1");
        memory.append(&path, &logs::values(0, 1.0, &[("loss", value)]));
        memory.append(&path, &logs::values(0, 1.0, &[("photo", logs::image(9, 1))]));
    }
    loader.load();
    // The second time from lists that the runs share by then.
    for _ in 0..2 {
        let table = store.tag_table(Dashboard::Scalars, None);
        assert_eq!(table.run_counts, [5]);
        assert_eq!((&*table.display_names[0], &*table.descriptions[0]), ("Loss", "what it is"));
        assert_eq!(table.plugins, ["scalars"]);
        let some = ["d", "e", "e", "gone"].map(String::from);
        let table = store.tag_table(Dashboard::Scalars, Some(&some));
        assert_eq!(table.run_counts, [2]);
        assert_eq!(table.display_names, ["Other"]);
        let table = store.tag_table(Dashboard::Images, Some(&some[..1]));
        assert_eq!((table.run_counts, table.plugins), (vec![1], vec!["images".to_owned()]));
        assert!(store.tag_table(Dashboard::Scalars, Some(&[])).tags.is_empty());
    }
}

#[test]
fn links_lead_to_their_blobs_and_forged_ones_nowhere() {
    let (memory, mut loader, store) = watched();
    let path = "/logs/run/tfevents.1";
    for step in 0..3 {
        memory.append(
            path,
            &logs::values(step, 1.0, &[("photo", logs::image(40_000 + step as usize, step))]),
        );
    }
    memory.append(path, &logs::graph(0, 1.0, 100));
    loader.load();
    let run = store.run("run").unwrap();
    let photos = run.series(Dashboard::Images, "photo").unwrap();
    for index in 0..3 {
        let link = photos.link(index).unwrap();
        assert!(!link.bare);
        let bytes = store.read_blob(&link.address).unwrap();
        assert!(bytes.ends_with(&logs::noise(40_000 + index, index as i64)));
    }
    assert!(photos.link(3).is_none());
    let graph = run.series(Dashboard::Graphs, "__run_graph__").unwrap().link(0).unwrap();
    assert!(graph.bare);
    assert_eq!(store.read_blob(&graph.address).unwrap(), logs::noise(100, 0));

    // Every field of a real link changed into every kind of number.
    let text = photos.link(1).unwrap().to_string();
    let fields: Vec<&str> = text.split('-').collect();
    for (at, field) in fields.iter().enumerate().skip(1) {
        let own = u64::from_str_radix(field, 16).unwrap();
        let numbers = [0, 1, own - 1, own + 1, own * 2, u32::MAX.into(), i64::MAX as u64, u64::MAX];
        for number in numbers.into_iter().filter(|number| *number != own) {
            let mut forged: Vec<String> = fields.iter().map(ToString::to_string).collect();
            forged[at] = format!("{number:x}");
            let Some(link) = Link::parse(&forged.join("-")) else {
                continue;
            };
            match store.read_blob(&link.address) {
                // A part of the very record is nothing that could not be had without.
                Ok(bytes) => assert!(at >= 4 && bytes.len() < 41_000, "{forged:?}"),
                Err(BlobError::Gone) => assert_eq!(at, 1, "{forged:?}"),
                Err(BlobError::Damaged(_)) => assert_ne!(at, 1, "{forged:?}"),
                Err(error) => panic!("{forged:?}: {error}"),
            }
        }
    }
}
