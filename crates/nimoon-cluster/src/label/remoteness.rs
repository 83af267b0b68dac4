//! Terminal distance and remoteness, round by round.
//!
//! In round r those of value r tell all from where moves lead to them. A node is decided by the first option with an even remoteness, or
//! by the last of its options, and its value is one more. So values come in order, and round r + 1 begins
//! with those that were decided in round r. Gray nodes count as white ones.

use nimoon::remoteness::Play;

use crate::build::Share;
use crate::exchange::Exchange;

/// Stands for ∞.
pub(crate) const ENDLESS: u32 = u32::MAX;

/// What is asked for.
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

/// Finds both.
pub(crate) fn solve(
    exchange: &mut Exchange<'_>,
    share: &Share,
    play: Play,
    watch: &mut dyn FnMut(&Exchange<'_>, u32, u64),
) -> Remotenesses {
    let distance = rounds(exchange, share, Asked::Distance, watch);
    let remoteness = rounds(exchange, share, Asked::Remoteness(play), watch);
    Remotenesses { remoteness, distance }
}

fn rounds(
    exchange: &mut Exchange<'_>,
    share: &Share,
    asked: Asked,
    watch: &mut dyn FnMut(&Exchange<'_>, u32, u64),
) -> Vec<u32> {
    let own = exchange.index();
    let mut values = vec![ENDLESS; share.len()];
    let mut undecided = share.here.options.clone();
    let terminal = u32::from(asked == Asked::Remoteness(Play::Misere));
    let mut now: Vec<u32> = Vec::new();
    for (node, (value, count)) in (0..).zip(values.iter_mut().zip(&undecided)) {
        if *count == 0 {
            *value = terminal;
            now.push(node);
        }
    }
    let mut round = terminal;
    let mut decided = now.len() as u64;
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
        let mut tally = [now.len() as u64, decided];
        let inbox = exchange.step(&mut outbox, &mut tally);
        watch(exchange, round, tally[1]);
        if tally[0] == 0 {
            return values;
        }
        for number in inbox.iter().flat_map(|parcel| &parcel.words) {
            hear(number - share.first, &mut next);
        }
        decided += next.len() as u64;
        now = next;
        round += 1;
    }
}
