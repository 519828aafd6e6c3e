//! Texts are searched in parallel and in part, and found as if one by one.
#![allow(clippy::unwrap_used, clippy::panic)]

mod logs;

use std::sync::Arc;
use std::time::Duration;

use kymograph_core::dashboards::Dashboard;
use kymograph_core::load::Options;
use kymograph_core::pattern::Pattern;
use kymograph_core::run::Series;
use kymograph_core::store::{Stopped, Store, TextHits, TextSearch};

use logs::{Dice, Memory};

const WORDS: [&str; 6] = ["dog", "cat", "Dog", "a\nb", "größe", ""];

/// Runs with some hundred random texts each, and the texts.
fn written() -> (Arc<Memory>, Arc<Store>, Vec<Vec<String>>) {
    let memory = Arc::new(Memory::default());
    let mut dice = Dice(3);
    let mut all = Vec::new();
    for (run, count) in [("a", 300), ("b", 1), ("c", 700)] {
        let texts: Vec<String> = (0..count)
            .map(|_| {
                (0..dice.roll(5))
                    .map(|_| WORDS[dice.roll(WORDS.len())])
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        for (step, text) in texts.iter().enumerate() {
            let body = [logs::metadata("text"), logs::text_tensor(text)].concat();
            let event = logs::values(step as i64, step as f64, &[("log", body)]);
            memory.append(&format!("/logs/{run}/events.out.tfevents.1"), &event);
        }
        all.push(texts);
    }
    let (mut loader, store) = logs::loader(memory.clone(), Options::default());
    loader.load();
    (memory, store, all)
}

fn series(store: &Store) -> Vec<Arc<Series>> {
    let runs = store.runs();
    runs.iter().flat_map(|run| run.all_series(Some(Dashboard::Text))).collect()
}

fn search<'a>(pattern: &'a Pattern, series: &'a [Arc<Series>]) -> TextSearch<'a> {
    TextSearch {
        pattern,
        series,
        start: 0,
        max_series: 100,
        max_texts: 10_000,
        timeout: Duration::from_secs(3600),
        max_bytes: u64::MAX,
    }
}

/// Series and position of each text that was found, with its matches.
fn places(hits: &TextHits) -> Vec<(usize, usize, u64)> {
    let found = |one: &kymograph_core::store::SeriesHits| {
        let series = one.series;
        one.found.iter().map(move |text| (series, text.index, text.hits)).collect::<Vec<_>>()
    };
    hits.series.iter().flat_map(found).collect()
}

fn expected(texts: &[Vec<String>], word: &str) -> Vec<(usize, usize, u64)> {
    let mut found = Vec::new();
    for (run, texts) in texts.iter().enumerate() {
        for (index, text) in texts.iter().enumerate() {
            let hits = text.matches(word).count() as u64;
            if hits > 0 {
                found.push((run, index, hits));
            }
        }
    }
    found
}

#[test]
fn all_texts_are_searched_and_counted() {
    let (_memory, store, texts) = written();
    let series = series(&store);
    for word in ["dog", "größe", "nowhere"] {
        let pattern = Pattern::literal(word, false).unwrap();
        let hits = store.search_texts(&search(&pattern, &series));
        let expected = expected(&texts, word);
        assert_eq!(places(&hits), expected);
        assert_eq!(hits.searched, 1001);
        assert_eq!(hits.matching, expected.len() as u64);
        assert_eq!(hits.hits, expected.iter().map(|found| found.2).sum::<u64>());
        assert_eq!((hits.stopped, hits.next, hits.unsearched), (None, None, 0));
    }
}

#[test]
fn what_is_left_out_is_found_where_the_answer_says() {
    let (_memory, store, texts) = written();
    let series = series(&store);
    let pattern = Pattern::literal("dog", false).unwrap();
    for (max_series, max_bytes) in [(1, u64::MAX), (100, 1), (1, 1), (2, 20_000)] {
        let (mut found, mut from, mut stops) = (Vec::new(), (0, 0), 0);
        loop {
            let part = TextSearch {
                start: from.1,
                max_series,
                max_bytes,
                ..search(&pattern, &series[from.0..])
            };
            let hits = store.search_texts(&part);
            found.extend(
                places(&hits).into_iter().map(|(run, at, count)| (run + from.0, at, count)),
            );
            stops += usize::from(hits.stopped == Some(Stopped::Bytes));
            let Some(next) = hits.next else { break };
            assert!(hits.searched > 0);
            from = (from.0 + next.0, next.1);
        }
        assert_eq!(found, expected(&texts, "dog"), "{max_series} series, {max_bytes} bytes");
        assert_eq!(stops > 0, max_bytes < u64::MAX);
    }
}

#[test]
fn a_series_continues_with_the_text_that_the_answer_names() {
    let (_memory, store, texts) = written();
    let series = series(&store);
    let pattern = Pattern::literal("dog", false).unwrap();
    let mut found = Vec::new();
    let mut start = Some(0);
    while let Some(from) = start {
        let part = TextSearch { start: from, max_texts: 7, ..search(&pattern, &series[..1]) };
        let hits = store.search_texts(&part);
        found.extend(places(&hits));
        start = hits.series.first().and_then(|one| one.next);
    }
    assert_eq!(found, expected(&texts[..1], "dog"));
}

#[test]
fn without_time_each_search_takes_one_text() {
    let (_memory, store, _) = written();
    let series = series(&store);
    let pattern = Pattern::new("(d|x)og", false).unwrap();
    let part = TextSearch { start: 295, timeout: Duration::ZERO, ..search(&pattern, &series) };
    let hits = store.search_texts(&part);
    assert_eq!((hits.searched, hits.unsearched, hits.next), (1, 0, Some((0, 296))));
    assert_eq!(hits.stopped, Some(Stopped::Time));
}

#[test]
fn texts_that_are_gone_are_counted() {
    let (memory, store, texts) = written();
    let series = series(&store);
    memory.remove("/logs/a/events.out.tfevents.1");
    let pattern = Pattern::literal("dog", false).unwrap();
    let hits = store.search_texts(&search(&pattern, &series));
    assert_eq!((hits.searched, hits.unsearched), (1001, 300));
    let rest: Vec<_> = expected(&texts, "dog").into_iter().filter(|found| found.0 > 0).collect();
    assert_eq!(places(&hits), rest);
}
