//! Terminal distance and remoteness, round by round.
//!
//! In round r those of value r tell all from where moves lead to them. A node is decided by the first option with an even remoteness, or
//! by the last of its options, and its value is one more. So values come in order, and round r + 1 begins
//! with those that were decided in round r. Gray nodes count as white ones.

use nimoon::remoteness::Play;

use crate::ClusterError;
use crate::build::Share;
use crate::checkpoint::{Kind, records};
use crate::course::Course;
use crate::exchange::Exchange;
use crate::plan::Doing;

/// Stands for ∞.
pub(crate) const ENDLESS: u32 = u32::MAX;

/// What is asked for, one after the other.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Distance,
    Remoteness(Play),
}

/// The remoteness and the terminal distance of the nodes of a worker.
pub(crate) struct Remotenesses {
    pub(crate) remoteness: Vec<u32>,
    pub(crate) distance: Vec<u32>,
}

/// Where the rounds are.
#[derive(Clone, Debug, Default)]
struct Rounds {
    /// Values below this are all found, and those of this one have not told it yet.
    round: u32,
    values: Vec<u32>,
    undecided: Vec<u32>,
}

impl Rounds {
    /// Before the first round.
    fn new(share: &Share, asked: Asked) -> Self {
        let round = u32::from(asked == Asked::Remoteness(Play::Misere));
        let undecided = share.here.options.clone();
        let value = |&count: &u32| if count == 0 { round } else { ENDLESS };
        Self { round, values: undecided.iter().map(value).collect(), undecided }
    }
}

/// Finds both.
pub(crate) fn solve(
    exchange: &mut Exchange<'_>,
    share: &Share,
    play: Play,
    course: &mut Course<'_>,
) -> Result<Remotenesses, ClusterError> {
    let asked = Asked::Remoteness(play);
    let mut kept = None;
    if let Some(set) = course.last(exchange, Kind::Rounds)? {
        let lists = set.read(exchange, &share.ranges)?;
        let taken = taken_up(&lists, &set.head.notes, share).ok_or_else(|| set.is_damaged());
        kept = Some(exchange.agree(taken)?);
    }
    let kept = kept.unwrap_or_else(|| (Rounds::new(share, Asked::Distance), None));
    let (begun, distance) = match kept {
        (begun, Some(distance)) => (begun, distance),
        (begun, None) => {
            let distance = rounds(exchange, share, Asked::Distance, begun, &[], course)?;
            (Rounds::new(share, asked), distance)
        }
    };
    let remoteness = rounds(exchange, share, asked, begun, &distance, course)?;
    Ok(Remotenesses { remoteness, distance })
}

/// What was kept: where the rounds are, and the distances if they are known; none if it is damaged.
fn taken_up(
    lists: &[Vec<u32>],
    notes: &[u64],
    share: &Share,
) -> Option<(Rounds, Option<Vec<u32>>)> {
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
    asked: Asked,
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
        let decides = asked != Asked::Distance && round.is_multiple_of(2);
        let mut next = Vec::new();
        let mut hear = |node: u32, next: &mut Vec<u32>| {
            let node = node as usize;
            if values[node] != ENDLESS {
                return;
            }
            undecided[node] -= 1;
            if decides || undecided[node] == 0 {
                values[node] = round + 1;
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
        course.tell(exchange, Doing::Labelling { level: round, labelled, nodes });
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
            let notes = vec![u64::from(round), u64::from(asked != Asked::Distance)];
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
