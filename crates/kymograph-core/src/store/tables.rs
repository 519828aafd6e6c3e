//! All runs, all tags, all changed runs at a glance: whole columns, whatever the number of series.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashMap;

use super::{Run, Store, unpoisoned};
use crate::dashboards::Dashboard;
use crate::event::Metadata;
use crate::types::{RunName, Tag, WallTime};

/// A row for each run, by name.
#[derive(Debug, Default)]
pub struct RunTable {
    /// Everything up to this change number is in it.
    pub change: u64,
    /// Their names.
    pub names: Vec<RunName>,
    /// Times of the first points, as [`super::Times::walls`]; NaN where there are none.
    pub starts: Vec<WallTime>,
    /// Times of the last points; NaN where there are none.
    pub ends: Vec<WallTime>,
    /// Numbers of their last changes.
    pub changes: Vec<i64>,
    /// Numbers of the last changes to their sets of series or what their writers declare about these.
    pub tags_changes: Vec<i64>,
    /// The dashboards that have data: bit i for that of [`Dashboard::ALL`] at i.
    pub dashboards: Vec<i64>,
    /// Numbers of series.
    pub series: Vec<i64>,
    /// Numbers of points in all series.
    pub points: Vec<i64>,
    /// Numbers of points superseded by restarts.
    pub hidden: Vec<i64>,
    /// How often they were started again.
    pub restarts: Vec<i64>,
}

/// A row for each tag of some runs on one dashboard, by tag.
#[derive(Debug, Default)]
pub struct TagTable {
    /// Everything up to this change number is in it.
    pub change: u64,
    /// The tags.
    pub tags: Vec<Tag>,
    /// How many of the runs have them.
    pub run_counts: Vec<i64>,
    /// The names to show, as given by the first run that has one; empty where none does.
    pub display_names: Vec<String>,
    /// What they are, as given by the first run that states it; empty where none does.
    pub descriptions: Vec<String>,
    /// The plugins they were logged for; where no run states it, that of the dashboard.
    pub plugins: Vec<String>,
}

/// What changed, run by run.
#[derive(Debug, Default)]
pub struct ChangedRuns {
    /// Everything up to this change number is in it.
    pub change: u64,
    /// Runs that are there and changed, the one that changed last at the end.
    pub changed: Vec<ChangedRun>,
    /// Runs that went and are not back, by name.
    pub removed: Vec<RunName>,
}

/// A run that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedRun {
    /// Its name.
    pub name: RunName,
    /// Whether series came or went, or got other metadata.
    pub tags_changed: bool,
}

/// The tags of one run on one dashboard, sorted, with what its writer declares about them. Most runs of
/// a logdir have the same, and then share it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TagList {
    hash: u64,
    tags: Vec<(Tag, Option<Arc<Metadata>>)>,
}

/// A run's tag lists that were requested, each with the `tags_change` it is of.
pub(super) type TagLists = HashMap<Dashboard, (u64, Arc<TagList>)>;

#[derive(Default)]
struct TagRow<'a> {
    run_count: i64,
    display_name: &'a str,
    description: &'a str,
    plugin: &'a str,
}

impl Store {
    /// All runs by now.
    pub fn run_table(&self) -> RunTable {
        let mut table = RunTable { change: self.change(), ..RunTable::default() };
        for run in self.runs() {
            let state = unpoisoned(run.state.read());
            let walls = state.times.walls.unwrap_or((f64::NAN, f64::NAN));
            let bits = state.counts.iter().enumerate().filter(|(_, count)| **count > 0);
            table.starts.push(walls.0);
            table.ends.push(walls.1);
            table.changes.push(state.change as i64);
            table.tags_changes.push(state.tags_change as i64);
            table.dashboards.push(bits.map(|(bit, _)| 1 << bit).sum());
            table.series.push(state.series.len() as i64);
            table.points.push(state.points as i64);
            table.hidden.push(state.hidden as i64);
            table.restarts.push(run.restart_count(&state) as i64);
            drop(state);
            table.names.push(run.name.clone());
        }
        table
    }

    /// The tags of all runs, or of those of these names, on one dashboard. Names of runs that are
    /// not there count for nothing.
    pub fn tag_table(&self, dashboard: Dashboard, runs: Option<&[String]>) -> TagTable {
        let change = self.change();
        let runs = match runs {
            None => self.runs(),
            Some(names) => {
                let names: BTreeSet<&String> = names.iter().collect();
                names.into_iter().filter_map(|name| self.run(name)).collect()
            }
        };
        let lists = shared_lists(&runs, dashboard);
        let mut rows: HashMap<&Tag, TagRow<'_>> = HashMap::new();
        for (list, run_count) in &lists {
            for (tag, metadata) in &list.tags {
                rows.entry(tag).or_default().add(*run_count, metadata.as_deref());
            }
        }
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_unstable_by_key(|(tag, _)| *tag);
        let mut table = TagTable { change, ..TagTable::default() };
        for (tag, row) in rows {
            let plugin = if row.plugin.is_empty() { dashboard.name() } else { row.plugin };
            table.tags.push(tag.clone());
            table.run_counts.push(row.run_count);
            table.display_names.push(row.display_name.into());
            table.descriptions.push(row.description.into());
            table.plugins.push(plugin.into());
        }
        table
    }

    /// The runs that changed after change number `since`.
    pub fn changed_runs(&self, since: u64) -> ChangedRuns {
        let (change, runs, removed) = self.changed_since(since);
        let changed = runs.iter().map(|run| ChangedRun {
            name: run.name.clone(),
            tags_changed: unpoisoned(run.state.read()).tags_change > since,
        });
        let changed = changed.collect();
        let there = unpoisoned(self.runs.read());
        let names = removed.into_iter().map(|(name, _)| name);
        let removed = names.filter(|name| !there.contains_key(name)).collect();
        ChangedRuns { change, changed, removed }
    }
}

/// The different tag lists of `runs` in the order of the first run that has each, with the
/// numbers of runs that have it. Runs with equal lists share one from then on.
fn shared_lists(runs: &[Arc<Run>], dashboard: Dashboard) -> Vec<(Arc<TagList>, i64)> {
    let mut lists: Vec<(Arc<TagList>, i64)> = Vec::new();
    let mut places: HashMap<Arc<TagList>, usize> = HashMap::new();
    for run in runs {
        let list = run.tag_list(dashboard);
        match places.get(&list).and_then(|&place| lists.get_mut(place)) {
            Some((shared, run_count)) => {
                *run_count += 1;
                run.share_tag_list(dashboard, &list, shared);
            }
            None => {
                places.insert(list.clone(), lists.len());
                lists.push((list, 1));
            }
        }
    }
    lists
}

impl<'a> TagRow<'a> {
    fn add(&mut self, run_count: i64, metadata: Option<&'a Metadata>) {
        self.run_count += run_count;
        let Some(metadata) = metadata else {
            return;
        };
        let fields = [
            (&mut self.display_name, &metadata.display_name),
            (&mut self.description, &metadata.description),
            (&mut self.plugin, &metadata.plugin_name),
        ];
        for (own, theirs) in fields {
            if own.is_empty() {
                *own = theirs;
            }
        }
    }
}

impl TagList {
    fn new(tags: Vec<(Tag, Option<Arc<Metadata>>)>) -> Self {
        let mut hasher = DefaultHasher::new();
        for (tag, _) in &tags {
            tag.hash(&mut hasher);
        }
        Self { hash: hasher.finish(), tags }
    }
}

/// Lists are compared often and long.
impl Hash for TagList {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Run {
    /// The tags on a dashboard, listed again only when they changed.
    fn tag_list(&self, dashboard: Dashboard) -> Arc<TagList> {
        let state = unpoisoned(self.state.read());
        let mut lists = unpoisoned(self.tag_lists.lock());
        if let Some((_, list)) = lists.get(&dashboard).filter(|(of, _)| *of == state.tags_change) {
            return list.clone();
        }
        let from = state.series.range((dashboard, Tag::from(""))..);
        let own = from.take_while(|((kind, _), _)| *kind == dashboard);
        let tags = own.map(|((_, tag), series)| (tag.clone(), series.metadata.clone()));
        let list = Arc::new(TagList::new(tags.collect()));
        lists.insert(dashboard, (state.tags_change, list.clone()));
        list
    }

    /// Puts an equal list of another run in the place of its own, if it still has that.
    fn share_tag_list(&self, dashboard: Dashboard, own: &Arc<TagList>, shared: &Arc<TagList>) {
        if Arc::ptr_eq(own, shared) {
            return;
        }
        let mut lists = unpoisoned(self.tag_lists.lock());
        let entry = lists.get_mut(&dashboard).filter(|(_, list)| Arc::ptr_eq(list, own));
        if let Some((_, list)) = entry {
            *list = shared.clone();
        }
    }
}
