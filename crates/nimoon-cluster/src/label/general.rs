//! The general theory: outcomes beside one nim-heap after the other.
//!
//! Beside a heap, who wins is found backwards from the ends: a node is won when one option is lost for whoever is to move there, and lost when all are won and a move in the heap
//! is no better. What is neither is a draw. What a move in the heap is worth to a white node is the best of its outcomes beside smaller heaps, so each heap
//! begins where the last one ended, and when a heap improves it nowhere, all larger heaps have the same outcomes.

use nimoon::{AnyValue, Cover, HeapOutcomes, Label, NimberSet, Nimbers, Outcome};
use rustc_hash::FxHashMap;

use crate::ClusterError;
use crate::build::Share;
use crate::checkpoint::{Complete, Kind, records};
use crate::course::Course;
use crate::exchange::Exchange;
use crate::label::Labels;
use crate::plan::Doing;

/// The option is won by whoever is to move there, so moving there loses.
const IS_WON: u32 = 0;
/// The option is lost by whoever is to move there.
const IS_LOST: u32 = 1;

/// Labels any digraph; `kept` are the heaps of a run that broke off.
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
        let taken = taken_up(&lists, count, share.len()).ok_or_else(|| set.is_damaged());
        heaps = exchange.agree(taken)?;
        for outcomes in &heaps {
            improve(share, outcomes, &mut in_heap);
        }
    }
    loop {
        let met = share.totals.nodes.saturating_mul(heaps.len() as u64 + 1);
        // The first heap is always looked at: who wins alone is the least a user asks for.
        if met > budget && !heaps.is_empty() {
            keep(exchange, share, &heaps, course)?;
            return Err(ClusterError::OverBudget { budget, met });
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
    let mut known: FxHashMap<(bool, Vec<u32>), u32> = FxHashMap::default();
    for node in 0..share.len() {
        let gray = share.here.gray[node];
        let outcomes: Vec<u32> = heaps.iter().map(|heap| code(heap[node])).collect();
        labels.codes[node] = *known.entry((gray, outcomes)).or_insert_with_key(|(_, outcomes)| {
            let outcomes = sets(outcomes);
            labels.code(if !gray {
                Label::White(AnyValue::General(outcomes))
            } else if outcomes.draw.is_nothing() {
                Label::Gray(Some(Cover::Heaps(outcomes.loss)))
            } else {
                Label::Gray(Some(Cover::Mixed(outcomes)))
            })
        });
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

/// The heaps that were kept; none if it is not that.
fn taken_up(lists: &[Vec<u32>], count: u64, len: usize) -> Option<Vec<Vec<Outcome>>> {
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
    // A worker without nodes need not be told how many heaps there were, but all look at the same ones.
    Some((0..count as usize).map(heap).collect())
}

/// Takes note of what moves in larger heaps are worth; whether that is more than before.
fn improve(share: &Share, outcomes: &[Outcome], in_heap: &mut [Outcome]) -> bool {
    let mut improved = false;
    for (node, best) in in_heap.iter_mut().enumerate().filter(|(node, _)| !share.here.gray[*node]) {
        *best = match (outcomes[node], *best) {
            (Outcome::P, Outcome::P | Outcome::D) => Outcome::N,
            (Outcome::D, Outcome::P) => Outcome::D,
            _ => continue,
        };
        improved = true;
    }
    improved
}

/// Keeps the outcomes beside some heaps, if there are any, and ends where a process may not go on.
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

/// The outcomes beside a heap in which a move is worth `in_heap` to the mover; none if it is time to end.
fn beside_heap(
    exchange: &mut Exchange<'_>,
    share: &Share,
    in_heap: &[Outcome],
    heap: u32,
    course: &mut Course<'_>,
) -> Option<Vec<Outcome>> {
    let own = exchange.index();
    let nodes = share.totals.nodes;
    let mut outcomes = vec![Outcome::D; share.len()];
    let mut not_lost = share.here.options.clone();
    let mut decided: Vec<u32> = Vec::new();
    let mut count = 0;
    for (node, outcome) in (0..).zip(&mut outcomes) {
        match in_heap[node as usize] {
            Outcome::N => *outcome = Outcome::N,
            Outcome::P if not_lost[node as usize] == 0 => *outcome = Outcome::P,
            _ => continue,
        }
        decided.push(node);
    }
    let mut hear = |node: u32, news: u32, outcomes: &mut [Outcome], decided: &mut Vec<u32>| {
        let node_at = node as usize;
        if outcomes[node_at] != Outcome::D {
            return;
        }
        if news == IS_WON {
            not_lost[node_at] -= 1;
            if not_lost[node_at] > 0 || in_heap[node_at] != Outcome::P {
                return;
            }
            outcomes[node_at] = Outcome::P;
        } else {
            outcomes[node_at] = Outcome::N;
        }
        decided.push(node);
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
        course.tell(exchange, Doing::Labelling { level: heap, labelled, nodes });
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

/// The three sets of a node; the last heap stands for all larger ones.
fn sets(outcomes: &[u32]) -> HeapOutcomes {
    let set = |outcome| {
        let with = |has: bool| -> Nimbers {
            (0..)
                .zip(outcomes)
                .filter(|&(_, &o)| (o == code(outcome)) == has)
                .map(|(k, _)| k)
                .collect()
        };
        if outcomes.last() == Some(&code(outcome)) {
            NimberSet::AllExcept(with(false))
        } else {
            NimberSet::Only(with(true))
        }
    };
    HeapOutcomes { win: set(Outcome::N), loss: set(Outcome::P), draw: set(Outcome::D) }
}
