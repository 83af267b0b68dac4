//! The general theory: outcomes beside one nim-heap after the other.
//!
//! The rules for a node are those of [`nimoon::impartial::theory::general`]. Each heap begins where
//! the last one ended.

use nimoon::Outcome;
use nimoon::impartial::theory::general::{self, node_label};
use rustc_hash::FxHashMap;

use crate::ClusterError;
use crate::build::Share;
use crate::checkpoint::{Complete, Kind, records};
use crate::course::Course;
use crate::exchange::Exchange;
use crate::label::Labels;
use crate::plan::Activity;

/// The player to move wins the option, so moving there loses.
const IS_WON: u32 = 0;
/// The player to move loses the option.
const IS_LOST: u32 = 1;

/// Labels any digraph; `kept` are the heaps of an interrupted run.
pub(crate) fn label(
    exchange: &mut Exchange<'_>,
    share: &Share,
    kept: Option<Complete>,
    budget: u64,
    course: &mut Course<'_>,
) -> Result<Labels, ClusterError> {
    let mut heaps: Vec<Vec<Outcome>> = Vec::new();
    let mut in_heap = vec![Outcome::P; share.len()];
    if let Some(set) = kept {
        let lists = set.read(exchange, &share.ranges)?;
        let count = set.head.notes.first().copied().unwrap_or(0);
        let taken = resumed(&lists, count, share.len()).ok_or_else(|| set.is_damaged());
        heaps = exchange.agree(taken)?;
        for outcomes in &heaps {
            improve(share, outcomes, &mut in_heap);
        }
    }
    loop {
        let found = share.totals.nodes.saturating_mul(heaps.len() as u64 + 1);
        // The first heap is always solved: the outcomes of single nodes are the least that a user
        // needs.
        if found > budget && !heaps.is_empty() {
            keep(exchange, share, &heaps, course)?;
            return Err(ClusterError::OverBudget { budget, found });
        }
        let heap = heaps.len() as u32;
        let Some(outcomes) = beside_heap(exchange, share, &in_heap, heap, course) else {
            keep(exchange, share, &heaps, course)?;
            continue;
        };
        let improved = improve(share, &outcomes, &mut in_heap);
        heaps.push(outcomes);
        let mut tally = [u64::from(improved), course.is_due()];
        exchange.add_up(&mut tally);
        let [improved, due] = tally;
        if improved == 0 {
            break;
        }
        if due > 0 {
            keep(exchange, share, &heaps, course)?;
        }
    }
    let mut labels = Labels::new(share.len());
    let mut known: FxHashMap<(bool, Vec<Outcome>), u32> = FxHashMap::default();
    for node in 0..share.len() {
        let outcomes: Vec<Outcome> = heaps.iter().map(|heap| heap[node]).collect();
        let key = (share.here.gray[node], outcomes);
        labels.codes[node] = *known
            .entry(key)
            .or_insert_with_key(|(gray, outcomes)| labels.code(node_label(*gray, outcomes, true)));
    }
    Ok(labels)
}

fn code(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::N => 0,
        Outcome::P => 1,
        Outcome::D => 2,
    }
}

/// The heaps of a checkpoint; none if it is damaged.
fn resumed(lists: &[Vec<u32>], count: u64, len: usize) -> Option<Vec<Vec<Outcome>>> {
    let all = || lists.iter().flat_map(|words| records(words));
    let fits = |record: Option<&[u32]>| {
        record.is_some_and(|outcomes| {
            outcomes.len() as u64 == count && outcomes.iter().all(|&code| code < 3)
        })
    };
    if !all().all(fits) || all().count() != len {
        return None;
    }
    let outcome = |code: u32| [Outcome::N, Outcome::P, Outcome::D][code as usize];
    let heap = |heap| all().flatten().map(|outcomes| outcome(outcomes[heap])).collect();
    // A worker without nodes has no records of heaps, but all workers must continue with the same
    // heap.
    Some((0..count as usize).map(heap).collect())
}

/// Records the best result of moves in larger heaps; returns whether it changed.
fn improve(share: &Share, outcomes: &[Outcome], in_heap: &mut [Outcome]) -> bool {
    let mut improved = false;
    for (node, best) in in_heap.iter_mut().enumerate().filter(|(node, _)| !share.here.gray[*node]) {
        improved |= general::improve(best, outcomes[node]);
    }
    improved
}

/// Writes a checkpoint of the outcomes beside some heaps, if any, and ends the run if a process has
/// hit a limit.
fn keep(
    exchange: &mut Exchange<'_>,
    share: &Share,
    heaps: &[Vec<Outcome>],
    course: &mut Course<'_>,
) -> Result<(), ClusterError> {
    if heaps.is_empty() {
        return course.go_on(exchange);
    }
    let notes = vec![heaps.len() as u64];
    course.keep_nodes(exchange, share, Kind::Heaps, notes, |sink| {
        for node in 0..share.len() {
            let record: Vec<u32> = heaps.iter().map(|heap| code(heap[node])).collect();
            sink.record(&record);
        }
    })
}

/// The outcomes beside a heap in which a move gives `in_heap` to the mover; none if a limit is hit.
fn beside_heap(
    exchange: &mut Exchange<'_>,
    share: &Share,
    in_heap: &[Outcome],
    heap: u32,
    course: &mut Course<'_>,
) -> Option<Vec<Outcome>> {
    let own = exchange.index();
    let nodes = share.totals.nodes;
    let mut not_lost = share.here.options.clone();
    let begin = |(&options, &in_heap)| general::begin(options, in_heap);
    let mut outcomes: Vec<Outcome> = not_lost.iter().zip(in_heap).map(begin).collect();
    let is_decided = |&node: &u32| outcomes[node as usize] != Outcome::D;
    let mut decided: Vec<u32> = (0..share.len() as u32).filter(is_decided).collect();
    let mut count = 0;
    let mut hear = |node: u32, news: u32, outcomes: &mut [Outcome], decided: &mut Vec<u32>| {
        let place = node as usize;
        let option = if news == IS_WON { Outcome::N } else { Outcome::P };
        if general::hear(&mut outcomes[place], option, &mut not_lost[place], in_heap[place]) {
            decided.push(node);
        }
    };
    let mut outbox = exchange.outbox(2);
    loop {
        while let Some(node) = decided.pop() {
            count += 1;
            let won = outcomes[node as usize] == Outcome::N;
            let news = if won { IS_WON } else { IS_LOST };
            let rows = [&share.here.from_white, &share.here.from_gray];
            for &from in rows.iter().flat_map(|rows| rows.row(node as usize)) {
                let owner = share.ranges.owner(from);
                if owner == own {
                    hear(from - share.first, news, &mut outcomes, &mut decided);
                } else {
                    outbox.list(news, owner).push(from);
                }
            }
        }
        let mut tally = [outbox.len() as u64, count, course.is_over()];
        let inbox = exchange.step(&mut outbox, &mut tally);
        let [sent, labelled, over] = tally;
        course.report(exchange, Activity::Labelling { level: heap, labelled, nodes });
        if over > 0 {
            return None;
        }
        if sent == 0 {
            return Some(outcomes);
        }
        for parcel in inbox {
            for number in parcel.words {
                hear(number - share.first, parcel.topic, &mut outcomes, &mut decided);
            }
        }
    }
}
