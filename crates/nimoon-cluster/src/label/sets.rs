//! What carry-on moves reach, and the labels of the carry-on theory.
//!
//! When the levels are settled, every node knows the numbers that its own moves lead to, and those that its own carry-on moves make the
//! opponent move to. Carry-on moves between nodes without a nimber add what their ends have. Then white nodes have their labels, and gray
//! ones ask the ends of their chains.

use nimoon::{AnyValue, Cover, Label, Nimbers, Theory, Value};
use rustc_hash::FxHashMap;

use crate::build::Share;
use crate::exchange::{Exchange, Outbox, Parcel};
use crate::label::chains::{Chain, Moves};
use crate::label::levels::{Beyond, Levels, Rest, State};
use crate::label::{FIRST_OTHER, Labels, nimber};

/// A node and two words of 64 bits: five words.
const MASKS: u32 = 0;
/// A node, a number from 64 on, and whether it is forced: three words.
const NUMBER: u32 = 1;

/// The labels of white nodes; gray ones are still to come.
pub(crate) struct Sets<'a> {
    share: &'a Share,
    moves: Moves,
    states: Vec<State>,
    beyond: FxHashMap<u32, Beyond>,
    /// Nodes whose words have changed, and numbers that are new.
    changed: Vec<u32>,
    new: Vec<(u32, u32, u32)>,
}

impl<'a> Sets<'a> {
    pub(crate) fn new(share: &'a Share, levels: Levels<'_>) -> Self {
        let Levels { moves, states, beyond, .. } = levels;
        Self { share, moves, states, beyond, changed: Vec::new(), new: Vec::new() }
    }

    /// The labels of all nodes.
    pub(crate) fn label(mut self, exchange: &mut Exchange<'_>, theory: Theory) -> Labels {
        if self.share.totals.gray > 0 {
            self.spread(exchange);
        }
        let mut labels = Labels::new(self.share.len());
        // Nodes with the same sets share a label, which is looked up once.
        let mut last: Option<(Rest, u64, u64, u32)> = None;
        let mut known: FxHashMap<(bool, u64, u64), u32> = FxHashMap::default();
        for (node, state) in self.states.iter().enumerate() {
            if let Some(nimber) = state.nimber() {
                labels.codes[node] = nimber;
                continue;
            }
            let rest = state.rest();
            if rest == Rest::Gray {
                continue;
            }
            let State { exits, forced, .. } = *state;
            if let Some(beyond) = self.beyond.get(&(node as u32)) {
                let value = value(rest, exits, forced, Some(beyond));
                labels.codes[node] = labels.code(Label::White(AnyValue::CarryOn(value)));
                continue;
            }
            if let Some((of, e, f, code)) = last
                && (of, e, f) == (rest, exits, forced)
            {
                labels.codes[node] = code;
                continue;
            }
            let code = if rest == Rest::FullMoon {
                labels.code(Label::White(AnyValue::CarryOn(Value::FullMoon)))
            } else {
                *known.entry((rest == Rest::Moon, exits, forced)).or_insert_with(|| {
                    let value = value(rest, exits, forced, None);
                    labels.code(Label::White(AnyValue::CarryOn(value)))
                })
            };
            labels.codes[node] = code;
            last = Some((rest, exits, forced, code));
        }
        if self.share.totals.gray > 0 {
            self.label_gray(exchange, theory, &mut labels);
        }
        labels
    }

    /// Adds to the sets of each open node those of the nodes that its carry-on moves lead to.
    fn spread(&mut self, exchange: &mut Exchange<'_>) {
        let own = exchange.index();
        let mut outbox = exchange.outbox(2);
        for (node, state) in (0..).zip(&self.states) {
            if state.is_open() && (state.exits | state.forced) != 0 {
                self.changed.push(node);
            }
        }
        for (&node, Beyond { exits, forced }) in &self.beyond {
            if self.states[node as usize].is_open() {
                self.new.extend(exits.iter().map(|&n| (node, n, 0)));
                self.new.extend(forced.iter().map(|&n| (node, n, 1)));
            }
        }
        loop {
            while !(self.changed.is_empty() && self.new.is_empty()) {
                self.tell(own, &mut outbox);
            }
            let mut tally = [outbox.len() as u64];
            let inbox = exchange.step(&mut outbox, &mut tally);
            if tally[0] == 0 {
                return;
            }
            for Parcel { topic, words, .. } in inbox {
                let first = self.share.first;
                if topic == MASKS {
                    for words in words.chunks_exact(5) {
                        let both = |i: usize| u64::from(words[i]) | u64::from(words[i + 1]) << 32;
                        self.take_masks(words[0] - first, both(1), both(3));
                    }
                } else {
                    for words in words.chunks_exact(3) {
                        self.take_number(words[0] - first, words[1], words[2]);
                    }
                }
            }
        }
    }

    fn tell(&mut self, own: usize, outbox: &mut Outbox) {
        let share = self.share;
        let again = std::mem::take(&mut self.moves.again);
        for node in std::mem::take(&mut self.changed) {
            let State { exits, forced, .. } = self.states[node as usize];
            for &from in again.row(node as usize) {
                let owner = share.ranges.owner(from);
                if owner == own {
                    self.take_masks(from - share.first, exits, forced);
                } else {
                    let high = |word: u64| (word >> 32) as u32;
                    let words = [from, exits as u32, high(exits), forced as u32, high(forced)];
                    outbox.list(MASKS, owner).extend(words);
                }
            }
        }
        for (node, n, forced) in std::mem::take(&mut self.new) {
            for &from in again.row(node as usize) {
                let owner = share.ranges.owner(from);
                if owner == own {
                    self.take_number(from - share.first, n, forced);
                } else {
                    outbox.list(NUMBER, owner).extend([from, n, forced]);
                }
            }
        }
        self.moves.again = again;
    }

    fn take_masks(&mut self, node: u32, exits: u64, forced: u64) {
        let state = &mut self.states[node as usize];
        let new = (exits & !state.exits) | (forced & !state.forced);
        if new != 0 && state.is_open() {
            state.exits |= exits;
            state.forced |= forced;
            self.changed.push(node);
        }
    }

    fn take_number(&mut self, node: u32, n: u32, forced: u32) {
        if !self.states[node as usize].is_open() {
            return;
        }
        let beyond = self.beyond.entry(node).or_default();
        let list = if forced == 1 { &mut beyond.forced } else { &mut beyond.exits };
        if !list.contains(&n) {
            list.push(n);
            self.new.push((node, n, forced));
        }
    }

    /// Gray nodes ask the white ends of their chains, and say what they cover.
    fn label_gray(&self, exchange: &mut Exchange<'_>, theory: Theory, labels: &mut Labels) {
        let share = self.share;
        let others: Vec<String> = labels.others().iter().map(text).collect();
        let tables: Vec<Vec<Value>> = exchange
            .share_text(&others.join("\n"))
            .iter()
            .map(|text| text.lines().filter_map(|line| line.parse().ok()).collect())
            .collect();
        let mut outbox = exchange.outbox(1);
        let gray = || (0..share.len()).filter(|&node| share.here.gray[node]);
        for node in gray() {
            if let Chain::Again(end) | Chain::Ordinary(end) = self.moves.chain(node) {
                outbox.list(0, share.ranges.owner(end)).extend([end, node as u32]);
            }
        }
        let mut replies = exchange.outbox(1);
        for Parcel { from, words, .. } in exchange.step(&mut outbox, &mut []) {
            for pair in words.chunks_exact(2) {
                let code = labels.codes[(pair[0] - share.first) as usize];
                replies.list(0, from as usize).extend([pair[1], code]);
            }
        }
        let mut ends: FxHashMap<u32, Value> = FxHashMap::default();
        let mut known: FxHashMap<(Option<bool>, Value), u32> = FxHashMap::default();
        for Parcel { from, words, .. } in exchange.step(&mut replies, &mut []) {
            for pair in words.chunks_exact(2) {
                let value = match pair[1].checked_sub(FIRST_OTHER) {
                    Some(place) => tables[from as usize][place as usize].clone(),
                    None => Value::Nimber(u64::from(pair[1])),
                };
                ends.insert(pair[0], value);
            }
        }
        debug_assert!(matches!(nimber(0, theory), Label::White(AnyValue::CarryOn(_))));
        for node in gray() {
            let chain = self.moves.chain(node);
            let code = match (chain, ends.remove(&(node as u32))) {
                (Chain::Again(_), Some(value)) => *known
                    .entry((Some(true), value))
                    .or_insert_with_key(|(_, value)| labels.code(Label::Gray(cover(value)))),
                (Chain::Ordinary(_), Some(value)) => {
                    *known.entry((Some(false), value)).or_insert_with_key(|(_, value)| {
                        labels.code(Label::Gray(cover(value).map(Cover::complement)))
                    })
                }
                (Chain::Wins, _) => labels.code(Label::Gray(Some(Cover::NewMoon))),
                (Chain::Loses, _) => labels.code(Label::Gray(Some(Cover::FullMoon))),
                _ => labels.code(Label::Gray(None)),
            };
            labels.codes[node] = code;
        }
    }
}

/// The value of a white node without a nimber.
fn value(rest: Rest, exits: u64, forced: u64, beyond: Option<&Beyond>) -> Value {
    let numbers = |mask: u64, more: Option<&Vec<u32>>| -> Nimbers {
        let more = more.into_iter().flatten().map(|&n| u64::from(n));
        (0..64).filter(|n| mask >> n & 1 == 1).chain(more).collect()
    };
    let forced = numbers(forced, beyond.map(|beyond| &beyond.forced));
    match (rest, forced.as_slice()) {
        (Rest::FullMoon, _) => Value::FullMoon,
        (Rest::Moon, _) => Value::Moon(forced),
        (_, [f]) => Value::Ninny(*f),
        _ => Value::Cyclic(numbers(exits, beyond.map(|beyond| &beyond.exits))),
    }
}

/// What a gray node covers that leads to a white one.
fn cover(value: &Value) -> Option<Cover> {
    match value {
        Value::FullMoon => Some(Cover::NewMoon),
        Value::Nimber(_) | Value::Moon(_) => Some(Cover::Heaps(value.wins_beside())),
        Value::Ninny(_) | Value::Cyclic(_) => None,
    }
}

/// A value so that it is read back; for others, which nobody asks for, nothing.
fn text(label: &Label) -> String {
    label.value().map(|value| format!("{value:#}")).unwrap_or_default()
}
