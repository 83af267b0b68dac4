//! Terminal distance and remoteness, round by round.
//!
//! In round r the nodes of value r send messages to the sources of the arcs to them. [`Measure`]
//! decides when a node gets its value, which is one more than that of the option. So values come in
//! order, and round r + 1 begins with the nodes that were decided in round r. Gray nodes count as
//! white ones.

use nimoon::smith::remoteness::{ENDLESS, Measure, Play};

use crate::ClusterError;
use crate::build::Share;
use crate::checkpoint::{Kind, records};
use crate::course::Course;
use crate::exchange::Exchange;
use crate::plan::Activity;

/// The remoteness and the terminal distance of the nodes of a worker.
pub(crate) struct Remotenesses {
    pub(crate) remoteness: Vec<u32>,
    pub(crate) distance: Vec<u32>,
}

/// The state of the rounds.
#[derive(Clone, Debug, Default)]
struct Rounds {
    /// All values below this are known; nodes of this value have not sent it yet.
    round: u32,
    values: Vec<u32>,
    undecided: Vec<u32>,
}

impl Rounds {
    /// The state before the first round, in which nodes without options have this value.
    fn new(share: &Share, round: u32) -> Self {
        let undecided = share.here.options.clone();
        let value = |&count: &u32| if count == 0 { round } else { ENDLESS };
        Self { round, values: undecided.iter().map(value).collect(), undecided }
    }
}

/// Computes both.
pub(crate) fn solve(
    exchange: &mut Exchange<'_>,
    share: &Share,
    play: Play,
    course: &mut Course<'_>,
) -> Result<Remotenesses, ClusterError> {
    let mut kept = None;
    if let Some(set) = course.last(exchange, Kind::Rounds)? {
        let lists = set.read(exchange, &share.ranges)?;
        let taken = resumed(&lists, &set.head.notes, share).ok_or_else(|| set.is_damaged());
        kept = Some(exchange.agree(taken)?);
    }
    let kept = kept.unwrap_or_else(|| (Rounds::new(share, 0), None));
    let (begun, distance) = match kept {
        (begun, Some(distance)) => (begun, distance),
        (begun, None) => {
            let distance = rounds(exchange, share, Measure::Distance, begun, &[], course)?;
            (Rounds::new(share, u32::from(play == Play::Misere)), distance)
        }
    };
    let remoteness = rounds(exchange, share, Measure::Remoteness, begun, &distance, course)?;
    Ok(Remotenesses { remoteness, distance })
}

/// The contents of a checkpoint: the state of the rounds, and the distances if known; none if it is
/// damaged.
fn resumed(lists: &[Vec<u32>], notes: &[u64], share: &Share) -> Option<(Rounds, Option<Vec<u32>>)> {
    let &[round, know_distance] = notes else { return None };
    let mut rounds = Rounds { round: round as u32, ..Rounds::default() };
    let mut distance = Vec::new();
    for record in lists.iter().flat_map(|words| records(words)) {
        let (&[value, undecided], rest) = record?.split_first_chunk()?;
        rounds.values.push(value);
        rounds.undecided.push(undecided);
        distance.extend(rest);
    }
    let expected = if know_distance == 1 { share.len() } else { 0 };
    let whole = rounds.values.len() == share.len() && distance.len() == expected;
    whole.then_some((rounds, (know_distance == 1).then_some(distance)))
}

fn rounds(
    exchange: &mut Exchange<'_>,
    share: &Share,
    measure: Measure,
    begun: Rounds,
    distance: &[u32],
    course: &mut Course<'_>,
) -> Result<Vec<u32>, ClusterError> {
    let own = exchange.index();
    let nodes = share.totals.nodes;
    let Rounds { mut round, mut values, mut undecided } = begun;
    let of_round = |&(_, value): &(u32, &u32)| *value == round;
    let mut now: Vec<u32> = (0..).zip(&values).filter(of_round).map(|(node, _)| node).collect();
    let mut decided = values.iter().filter(|&&value| value != ENDLESS).count() as u64;
    let mut outbox = exchange.outbox(1);
    loop {
        let mut next = Vec::new();
        let mut hear = |node: u32, next: &mut Vec<u32>| {
            let node = node as usize;
            if values[node] != ENDLESS {
                return;
            }
            if let Some(value) = measure.hear(round, &mut undecided[node]) {
                values[node] = value;
                next.push(node as u32);
            }
        };
        for &node in &now {
            let rows = [&share.here.from_white, &share.here.from_gray];
            for &from in rows.iter().flat_map(|rows| rows.row(node as usize)) {
                let owner = share.ranges.owner(from);
                if owner == own {
                    hear(from - share.first, &mut next);
                } else {
                    outbox.list(0, owner).push(from);
                }
            }
        }
        let mut tally = [now.len() as u64, decided, course.is_due()];
        let inbox = exchange.step(&mut outbox, &mut tally);
        let [telling, labelled, due] = tally;
        course.report(exchange, Activity::Labelling { level: round, labelled, nodes });
        if telling == 0 {
            return Ok(values);
        }
        for number in inbox.iter().flat_map(|parcel| &parcel.words) {
            hear(number - share.first, &mut next);
        }
        decided += next.len() as u64;
        now = next;
        round += 1;
        if due > 0 {
            let notes = vec![u64::from(round), u64::from(measure == Measure::Remoteness)];
            course.keep_nodes(exchange, share, Kind::Rounds, notes, |sink| {
                for node in 0..share.len() {
                    let mut record = vec![values[node], undecided[node]];
                    record.extend(distance.get(node));
                    sink.record(&record);
                }
            })?;
        }
    }
}
