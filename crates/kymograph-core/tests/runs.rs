//! Runs of several files and sessions: what a restart supersedes, what two writers share, and
//! files that are read in parts side by side.
#![allow(clippy::unwrap_used)]

mod logs;

use std::sync::Arc;

use kymograph_core::dashboards::Dashboard;
use kymograph_core::load::Options;
use kymograph_core::store::Store;

use logs::Dice;

/// Points of one tag, as (step, wall time, value).
type Row = (i64, f64, f32);

fn scalars(tag: &str, rows: &[Row]) -> Vec<u8> {
    rows.iter().flat_map(|&(step, wall, value)| logs::scalar(step, wall, tag, value)).collect()
}

/// Points at steps `steps`, one per second from `wall` on, all with this value.
fn row(steps: std::ops::Range<i64>, wall: f64, value: f32) -> Vec<Row> {
    let first = steps.start;
    steps.map(|step| (step, wall + (step - first) as f64, value)).collect()
}

fn loaded(files: &[Vec<u8>], purge: bool) -> Arc<Store> {
    let names: Vec<String> =
        (0..files.len()).map(|index| format!("/logs/tfevents.{index}")).collect();
    let files: Vec<_> =
        names.iter().zip(files).map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    let options = Options { purge_orphaned_data: purge, ..Options::default() };
    logs::loaded(&files, options)
}

fn hidden(store: &Store, tag: &str) -> u64 {
    let run = store.run(".").unwrap();
    run.series(Dashboard::Scalars, tag).unwrap().hidden
}

fn points(store: &Store) -> Vec<(i64, f64)> {
    logs::points(store, ".", "loss")
}

fn expected(parts: &[&[Row]]) -> Vec<(i64, f64)> {
    let rows = parts.concat().into_iter();
    rows.map(|(step, _, value)| (step, f64::from(value))).collect()
}

/// One row per rule: files in the order of their names, what is shown, how many points are hidden.
#[test]
fn restarts_supersede_and_writers_share() {
    type Case<'a> = (&'a str, Vec<Vec<u8>>, Vec<(i64, f64)>, u64);
    let first = row(0..10, 0.0, 1.0);
    let loss = |rows: &[Row]| scalars("loss", rows);
    let cases: Vec<Case<'_>> = vec![
        ("one file", vec![loss(&first)], expected(&[&first]), 0),
        (
            "a restart supersedes from its first step",
            vec![loss(&first), loss(&row(6..9, 100.0, 2.0))],
            expected(&[&first[..6], &row(6..9, 100.0, 2.0)]),
            4,
        ),
        (
            "a restart that continues hides nothing",
            vec![loss(&first), loss(&row(10..12, 100.0, 2.0))],
            expected(&[&first, &row(10..12, 100.0, 2.0)]),
            0,
        ),
        (
            "names do not matter, times do",
            vec![loss(&row(6..9, 100.0, 2.0)), loss(&first)],
            expected(&[&first[..6], &row(6..9, 100.0, 2.0)]),
            4,
        ),
        (
            "three restarts, each further back",
            vec![
                loss(&first),
                loss(&row(8..12, 100.0, 2.0)),
                loss(&row(5..7, 200.0, 3.0)),
                loss(&row(6..8, 300.0, 4.0)),
            ],
            expected(&[&first[..5], &row(5..6, 200.0, 3.0), &row(6..8, 300.0, 4.0)]),
            5 + 4 + 1,
        ),
        (
            "two writers at once are merged",
            vec![
                loss(&[(0, 0.0, 1.0), (2, 2.0, 1.0), (4, 4.0, 1.0)]),
                loss(&[(0, 0.5, 2.0), (1, 1.0, 2.0), (3, 3.0, 2.0)]),
            ],
            vec![(0, 1.0), (0, 2.0), (1, 2.0), (2, 1.0), (3, 2.0), (4, 1.0)],
            0,
        ),
        (
            "two writers with the same times are merged",
            vec![loss(&first), loss(&row(0..10, 0.0, 2.0))],
            (0..10).flat_map(|s| [(s, 1.0), (s, 2.0)]).collect(),
            0,
        ),
        (
            "two files of one event at one time are merged",
            vec![loss(&[(5, 7.0, 1.0)]), loss(&[(3, 7.0, 2.0)])],
            vec![(3, 2.0), (5, 1.0)],
            0,
        ),
        (
            "one writer all along, and a restart of the other",
            vec![
                loss(&[(0, 0.0, 9.0), (100, 500.0, 9.0)]),
                loss(&row(1..5, 10.0, 1.0)),
                loss(&row(3..6, 100.0, 2.0)),
            ],
            vec![(0, 9.0), (1, 1.0), (2, 1.0), (3, 2.0), (4, 2.0), (5, 2.0), (100, 9.0)],
            2,
        ),
        (
            "the same step twice in one file stays twice",
            vec![loss(&[(1, 0.0, 1.0), (1, 1.0, 2.0), (0, 2.0, 3.0), (1, 3.0, 4.0)])],
            vec![(1, 1.0), (1, 2.0), (0, 3.0), (1, 4.0)],
            0,
        ),
        (
            "the first START means nothing",
            vec![[logs::start(5, 0.0), loss(&first)].concat()],
            expected(&[&first]),
            0,
        ),
        (
            "a later START hides what was logged from its step on",
            vec![
                [
                    logs::start(0, 0.0),
                    loss(&first),
                    logs::start(4, 20.0),
                    loss(&row(4..5, 21.0, 2.0)),
                ]
                .concat(),
            ],
            expected(&[&first[..4], &row(4..5, 21.0, 2.0)]),
            6,
        ),
        (
            "a START alone hides, before anything is logged again",
            vec![loss(&first), logs::start(7, 50.0)],
            expected(&[&first[..7]]),
            3,
        ),
        (
            "the first START counts when an earlier file holds points",
            vec![loss(&first), [logs::start(3, 50.0), loss(&row(8..9, 51.0, 2.0))].concat()],
            expected(&[&first[..3], &row(8..9, 51.0, 2.0)]),
            7,
        ),
        (
            "a START does not hide what was logged after it",
            vec![logs::start(3, 0.5), loss(&first)],
            expected(&[&first]),
            0,
        ),
        (
            "a session within a file restarts without a step",
            vec![[loss(&first), logs::start(100, 20.0), loss(&row(2..4, 21.0, 2.0))].concat()],
            expected(&[&first[..2], &row(2..4, 21.0, 2.0)]),
            8,
        ),
        (
            "sessions of one moment stay in the order of the file",
            vec![
                [
                    loss(&[(0, 5.0, 1.0)]),
                    logs::start(2, 5.0),
                    loss(&[(2, 5.0, 2.0)]),
                    logs::start(1, 5.0),
                    loss(&[(4, 5.0, 3.0), (1, 5.0, 3.0)]),
                ]
                .concat(),
            ],
            vec![(0, 1.0), (4, 3.0), (1, 3.0)],
            1,
        ),
        (
            "times that are not numbers keep their points",
            vec![loss(&[(0, f64::NAN, 1.0), (1, f64::NAN, 1.0)]), loss(&[(2, 10.0, 2.0)])],
            vec![(0, 1.0), (1, 1.0), (2, 2.0)],
            0,
        ),
        (
            "steps at the ends of the range",
            vec![
                loss(&[(i64::MIN, 0.0, 1.0), (-1, 1.0, 1.0), (1 << 60, 2.0, 1.0)]),
                loss(&[(-1, 10.0, 2.0), (i64::MAX, 11.0, 2.0)]),
            ],
            vec![(i64::MIN, 1.0), (-1, 2.0), (i64::MAX, 2.0)],
            2,
        ),
    ];
    for (name, files, expected, hides) in cases {
        let store = loaded(&files, true);
        assert_eq!(points(&store), expected, "{name}");
        assert_eq!(hidden(&store, "loss"), hides, "{name}");
        let all = loaded(&files, false);
        assert_eq!(points(&all).len() as u64, expected.len() as u64 + hides, "{name}, all");
        assert_eq!(hidden(&all, "loss"), 0, "{name}, all");
    }
}

#[test]
fn a_restart_touches_only_the_tags_it_logs_again() {
    let first =
        [scalars("loss", &row(0..10, 0.0, 1.0)), scalars("rate", &row(0..10, 0.0, 1.0))].concat();
    let second = scalars("loss", &row(3..5, 100.0, 2.0));
    let store = loaded(&[first, second], true);
    assert_eq!(logs::steps(&store, ".", "loss"), [0, 1, 2, 3, 4]);
    assert_eq!(logs::steps(&store, ".", "rate").len(), 10);
}

/// Step, time and number of hidden points of each restart.
fn restarts(store: &Store, tag: Option<&str>) -> Vec<(i64, f64, u64)> {
    let found = store.run(".").unwrap().restarts(tag);
    let count = store.run_table().restarts[0];
    assert!(tag.is_some() || count == found.len() as i64);
    found.iter().map(|one| (one.step, one.wall_time, one.hidden)).collect()
}

#[test]
fn restarts_are_told() {
    let one = |rows: &[Row]| scalars("loss", rows);
    let first = row(0..10, 100.0, 1.0);
    let second = row(6..12, 200.0, 2.0);
    let third = row(12..14, 300.0, 3.0);
    assert_eq!(restarts(&loaded(&[one(&first)], true), None), []);
    let files = [one(&first), one(&second), one(&third)];
    assert_eq!(restarts(&loaded(&files, true), None), [(6, 200.0, 4), (12, 300.0, 0)]);
    // Nothing is hidden, and yet it was started again.
    assert_eq!(restarts(&loaded(&files, false), None), [(6, 200.0, 0), (12, 300.0, 0)]);
    // Two writers at once are not a restart, and neither is what begins other tags.
    let beside = row(0..10, 100.5, 5.0);
    assert_eq!(restarts(&loaded(&[one(&first), one(&beside)], true), None), []);
    let other = scalars("acc", &row(0..5, 400.0, 1.0));
    assert_eq!(restarts(&loaded(&[one(&first), other], true), None), []);
}

#[test]
fn ranks_are_started_again_together() {
    let rank = |tag: &str, wall: f64, steps| scalars(tag, &row(steps, wall, 1.0));
    let store = loaded(
        &[
            rank("loss", 100.0, 0..10),
            rank("acc", 100.0, 0..10),
            rank("loss", 200.0, 8..20),
            rank("acc", 200.5, 5..20),
        ],
        true,
    );
    assert_eq!(restarts(&store, None), [(5, 200.0, 7)]);
    assert_eq!(restarts(&store, Some("loss")), [(8, 200.0, 2)]);
    assert_eq!(restarts(&store, Some("acc")), [(5, 200.5, 5)]);
    assert_eq!(restarts(&store, Some("none")), []);
}

#[test]
fn a_start_is_a_restart_also_for_tags_that_do_not_go_on() {
    let mut file = scalars("loss", &row(0..10, 100.0, 1.0));
    file.extend(scalars("stale", &row(0..10, 100.0, 1.0)));
    file.extend(logs::start(4, 200.0));
    file.extend(logs::scalar(4, 201.0, "loss", 2.0));
    let store = loaded(&[file], true);
    assert_eq!(restarts(&store, Some("loss")), [(4, 201.0, 6)]);
    assert_eq!(restarts(&store, Some("stale")), [(4, 200.0, 6)]);
    assert_eq!(restarts(&store, None), [(4, 200.0, 12)]);
}

#[test]
fn media_are_superseded_like_numbers() {
    let photos = |steps: std::ops::Range<i64>, wall: f64| -> Vec<u8> {
        let photo =
            |step| logs::values(step, wall + step as f64, &[("p", logs::image(9_000, step))]);
        steps.flat_map(photo).collect()
    };
    let store = loaded(&[photos(0..5, 0.0), photos(2..4, 100.0)], true);
    let run = store.run(".").unwrap();
    let series = run.series(Dashboard::Images, "p").unwrap();
    let shown = logs::shown(&run);
    let rows = &shown[&(Dashboard::Images, "p".into())];
    let times: Vec<f64> = rows.iter().map(|row| row.1).collect();
    assert_eq!(times, [0.0, 1.0, 102.0, 103.0]);
    assert_eq!(series.hidden, 3);
}

/// The rules point by point, written down without any of the shortcuts.
fn slow_twin(files: &[Vec<Row>]) -> Vec<(i64, f64)> {
    let walls = |rows: &[Row]| {
        let times = rows.iter().map(|row| row.1);
        let least = times.clone().fold(f64::INFINITY, f64::min);
        (least, times.fold(f64::NEG_INFINITY, f64::max))
    };
    let after = |y: &[Row], x: &[Row]| walls(y).0 >= walls(x).1 && walls(y) != walls(x);
    let mut kept: Vec<Row> = Vec::new();
    for x in files {
        let limit = files.iter().filter(|y| after(y, x)).map(|y| y[0].0).min();
        let stays = |row: &&Row| limit.is_none_or(|limit| row.0 < limit);
        kept.extend(x.iter().filter(stays));
    }
    kept.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2)));
    kept.into_iter().map(|(step, _, value)| (step, f64::from(value))).collect()
}

#[test]
fn any_set_of_files_follows_the_rules() {
    let mut dice = Dice(11);
    for round in 0..300 {
        let files: Vec<Vec<Row>> = (0..1 + dice.roll(6))
            .map(|file| {
                let (step, wall) = (dice.roll(20) as i64, dice.roll(60) as f64);
                let rows = 0..1 + dice.roll(12) as i64;
                rows.map(|i| (step + i, wall + i as f64, file as f32)).collect()
            })
            .collect();
        let bytes: Vec<Vec<u8>> = files.iter().map(|rows| scalars("loss", rows)).collect();
        let store = loaded(&bytes, true);
        let mut shown = points(&store);
        let mut expected = slow_twin(&files);
        // Equal steps and times may be in any order.
        let order = |a: &(i64, f64), b: &(i64, f64)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
        shown.sort_by(order);
        expected.sort_by(order);
        assert_eq!(shown, expected, "round {round}: {files:?}");
        let all: usize = files.iter().map(Vec::len).sum();
        assert_eq!(hidden(&store, "loss") as usize, all - expected.len(), "round {round}");
    }
}

#[test]
fn the_first_metadata_counts() {
    let described = |text: &str| {
        let metadata = logs::field(1, &logs::field(1, b"scalars"));
        logs::field(9, &[metadata, logs::field(2, text.as_bytes())].concat())
    };
    let value = |step, wall, text: &str| {
        logs::values(step, wall, &[("loss", [logs::float_tensor(1.0), described(text)].concat())])
    };
    let early = [value(0, 1.0, "early"), value(1, 2.0, "later in the file")].concat();
    let late = value(2, 100.0, "late");
    for files in [[early.clone(), late.clone()], [late, early]] {
        let store = loaded(&files, true);
        let series = store.run(".").unwrap().series(Dashboard::Scalars, "loss").unwrap();
        assert_eq!(series.metadata.as_ref().unwrap().display_name, "early");
        assert_eq!(series.data.len(), 3);
    }
}

#[test]
fn tensors_without_metadata_become_what_their_metadata_says() {
    let tensor = |step: i64, body: Vec<u8>| logs::values(step, step as f64, &[("t", body)]);
    let with = |plugin, body: Vec<u8>| [body, logs::metadata(plugin)].concat();
    let number = || logs::float_tensor(1.0);
    let cases = [
        ("first", vec![tensor(0, with("text", number())), tensor(1, number())], Dashboard::Text),
        ("last", vec![tensor(0, number()), tensor(1, with("text", number()))], Dashboard::Text),
        ("numbers", vec![tensor(0, number()), tensor(1, number())], Dashboard::Scalars),
        (
            "not all numbers",
            vec![tensor(0, number()), tensor(1, logs::long_tensor(3, 1))],
            Dashboard::Tensors,
        ),
        (
            "an unknown plugin",
            vec![tensor(0, with("new", number())), tensor(1, number())],
            Dashboard::Tensors,
        ),
    ];
    for (name, records, dashboard) in cases {
        let store = loaded(&[records.concat()], true);
        let shown = logs::shown(&store.run(".").unwrap());
        assert_eq!(shown.len(), 1, "{name}");
        assert_eq!(shown[&(dashboard, "t".into())].len(), 2, "{name}");
    }
}

#[test]
fn late_metadata_moves_what_was_published() {
    let memory = Arc::new(logs::Memory::default());
    let (mut loader, store) = logs::loader(memory.clone(), Options::default());
    let value = |step: i64, body: Vec<u8>| logs::values(step, step as f64, &[("t", body)]);
    memory.append("/logs/tfevents.1", &value(0, logs::text_tensor("a")));
    loader.load();
    let run = store.run(".").unwrap();
    assert!(run.series(Dashboard::Tensors, "t").is_some());
    let body = [logs::text_tensor("b"), logs::metadata("text")].concat();
    memory.append("/logs/tfevents.1", &value(1, body));
    let seen = store.change();
    loader.load();
    let shown = logs::shown(&run);
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[&(Dashboard::Text, "t".into())].len(), 2);
    let changes: Vec<_> = store
        .changes(seen)
        .into_iter()
        .map(|change| (change.series.unwrap().0, change.removed))
        .collect();
    assert_eq!(changes, [(Dashboard::Text, false), (Dashboard::Tensors, true)]);
}

#[test]
fn one_tag_with_values_of_several_kinds_is_shown_on_each_dashboard() {
    let bodies = [
        logs::simple(1.0),
        logs::histogram(1.0),
        logs::image(100, 1),
        [logs::text_tensor("x"), logs::metadata("text")].concat(),
        logs::simple(2.0),
    ];
    let bytes: Vec<u8> = (0..)
        .zip(bodies)
        .flat_map(|(step, body)| logs::values(step, step as f64, &[("t", body)]))
        .collect();
    let store = loaded(&[bytes], true);
    let shown = logs::shown(&store.run(".").unwrap());
    let counts: usize = shown.values().map(Vec::len).sum();
    assert_eq!(counts, 5, "{shown:?}");
    assert_eq!(logs::points(&store, ".", "t"), [(0, 1.0), (4, 2.0)]);
}

/// A long file with everything in it that a cut could fall into.
fn long_file() -> Vec<u8> {
    let mut dice = Dice(5);
    let mut bytes = logs::file_version(0.5);
    for step in 0..3_000i64 {
        let wall = 1.0 + step as f64;
        bytes.extend(match step % 20 {
            3 => {
                logs::values(step, wall, &[("photo", logs::image(2_000 + dice.roll(15_000), step))])
            }
            5 => logs::scalar(step, f64::NAN, "loss", step as f32),
            // Whole records inside a payload, small and large.
            7 => {
                let planted: Vec<u8> =
                    (0..40).flat_map(|i| logs::scalar(-step - i, wall, "planted", 1.0)).collect();
                logs::values(step, wall, &[("note", logs::text_tensor(&hex(&planted)))])
            }
            9 | 11 => {
                let planted: Vec<u8> = (0..if step % 20 == 9 { 5 } else { 400 })
                    .flat_map(|i| logs::scalar(-step - i, wall, "planted", 1.0))
                    .collect();
                logs::event(step, wall, &logs::field(4, &planted))
            }
            13 if step % 500 == 13 => logs::start(step, wall),
            15 => logs::values(step, wall, &[("untold", logs::float_tensor(step as f32))]),
            17 if step == 17 => {
                let body = [logs::float_tensor(0.0), logs::metadata("scalars")].concat();
                logs::values(step, wall, &[("untold", body)])
            }
            _ => logs::scalar(step, wall, "loss", step as f32),
        });
    }
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn in_units(bytes: &[u8], unit_bytes: u64) -> Arc<Store> {
    let options = Options { unit_bytes, ..Options::default() };
    logs::loaded(&[("/logs/tfevents.1", bytes.to_vec())], options)
}

fn assert_same(one: &Store, other: &Store, what: &str) {
    let shown = |store: &Store| {
        let shown = logs::shown(&store.run(".").unwrap());
        format!("{shown:?}")
    };
    assert_eq!(shown(one), shown(other), "{what}");
    let (one, other) = (&one.files()[0], &other.files()[0]);
    assert_eq!(one.damage, other.damage, "{what}");
    assert_eq!(one.gaps, other.gaps, "{what}");
    let bytes: u64 = one.gaps.iter().map(|gap| gap.bytes).sum();
    assert_eq!(bytes, one.damage.skipped_bytes, "{what}");
    assert_eq!(one.bad_wall_times, other.bad_wall_times, "{what}");
    assert_eq!(one.bytes_read, other.bytes_read, "{what}");
    assert_eq!(one.broken_tail, other.broken_tail, "{what}");
}

#[test]
fn a_file_read_in_parts_side_by_side_is_the_file_read_at_once() {
    let bytes = long_file();
    let whole = in_units(&bytes, u64::MAX);
    assert!(!whole.files()[0].damage.any());
    assert_eq!(logs::steps(&whole, ".", "planted"), [0; 0]);
    assert!(logs::steps(&whole, ".", "loss").len() > 2_000);
    for unit_bytes in [100, 1_000, 10_007, 65_536, 300_000] {
        assert_same(&whole, &in_units(&bytes, unit_bytes), &format!("{unit_bytes}"));
    }
}

#[test]
fn damage_is_the_same_in_parts_and_at_once() {
    let bytes = long_file();
    let mut dice = Dice(99);
    for round in 0..40 {
        let mut bytes = bytes.clone();
        for _ in 0..1 + dice.roll(20) {
            let at = dice.roll(bytes.len());
            let end = (at + 1 + dice.roll(3_000)).min(bytes.len());
            match dice.roll(3) {
                0 => bytes[at] ^= 1 << dice.roll(8),
                1 => drop(bytes.drain(at..end)),
                _ => bytes[at..end].fill(0),
            }
        }
        let whole = in_units(&bytes, u64::MAX);
        for unit_bytes in [1_000, 65_536] {
            let what = format!("round {round}, units of {unit_bytes}");
            assert_same(&whole, &in_units(&bytes, unit_bytes), &what);
        }
    }
}
