//! Nodes as records of words, for checkpoints.

use rustc_hash::FxHashMap;

use crate::build::{Share, SortedNames, Topology};
use crate::checkpoint::{Sink, records};
use crate::exchange::{Parcel, push_bytes, take_bytes};
use crate::label::levels::{Beyond, Levels, State, TOPICS};
use crate::rows::Rows;

const GRAY: u32 = 1 << 31;

/// The nodes of a share.
pub(crate) fn of_share(share: &Share, sink: &mut Sink) {
    let Topology { names, gray, options, from_white, from_gray } = &share.here;
    let mut words = Vec::new();
    for node in 0..share.len() {
        words.clear();
        let name = names.name(node);
        words.push(name.len() as u32 | if gray[node] { GRAY } else { 0 });
        push_bytes(&mut words, name);
        let [white, gray] = [from_white, from_gray].map(|rows| rows.row(node));
        words.extend([options[node], white.len() as u32]);
        words.extend_from_slice(white);
        words.extend_from_slice(gray);
        sink.record(&words);
    }
}

/// Reads what [`of_share`] wrote, in a digraph of this many nodes; none if it is damaged.
pub(crate) fn to_topology(lists: &[Vec<u32>], nodes: usize) -> Option<Topology> {
    let mut names = SortedNames::default();
    let (mut is_gray, mut options) = (Vec::new(), Vec::new());
    let mut lengths = [Vec::new(), Vec::new()];
    let mut entries = [Vec::new(), Vec::new()];
    let mut name = Vec::new();
    for record in lists.iter().flat_map(|words| records(words)) {
        let (&head, mut rest) = record?.split_first()?;
        take_bytes(&mut rest, (head & !GRAY) as usize, &mut name);
        names.push(&name);
        is_gray.push(head & GRAY != 0);
        let (&[count, white], rest) = rest.split_first_chunk()?;
        options.push(count);
        let (white, gray) = rest.split_at_checked(white as usize)?;
        for (row, (lengths, entries)) in
            [white, gray].into_iter().zip(lengths.iter_mut().zip(&mut entries))
        {
            if row.iter().any(|&from| from as usize >= nodes) {
                return None;
            }
            lengths.push(row.len() as u32);
            entries.extend_from_slice(row);
        }
    }
    let [white, gray] = entries;
    let from_white = Rows::of_lengths(&lengths[0], white);
    let from_gray = Rows::of_lengths(&lengths[1], gray);
    Some(Topology { names, gray: is_gray, options, from_white, from_gray })
}

/// The nodes in the middle of the levels, with the messages that they are about to receive.
pub(crate) fn of_levels(levels: &Levels<'_>, first: u32, inbox: &[Parcel], sink: &mut Sink) {
    let mut heard: FxHashMap<u32, [u32; TOPICS]> = FxHashMap::default();
    for Parcel { topic, words, .. } in inbox {
        for number in words {
            heard.entry(number - first).or_default()[*topic as usize] += 1;
        }
    }
    let mut words = Vec::new();
    for (node, state) in (0..).zip(&levels.states) {
        words.clear();
        words.extend(state.words());
        let (beyond, heard) = (levels.beyond.get(&node), heard.get(&node));
        if beyond.is_some() || heard.is_some() {
            words.extend(heard.copied().unwrap_or_default());
        }
        if let Some(Beyond { exits, forced }) = beyond {
            words.push(exits.len() as u32);
            words.extend_from_slice(exits);
            words.extend_from_slice(forced);
        }
        sink.record(&words);
    }
}

/// The contents of [`of_levels`]: the states of the nodes, and the messages that they are about to
/// receive, by topic.
pub(crate) struct InLevels {
    pub(crate) states: Vec<State>,
    pub(crate) beyond: FxHashMap<u32, Beyond>,
    pub(crate) heard: [Vec<u32>; TOPICS],
}

/// Reads records of levels of nodes with these numbers of options; none if they are damaged.
pub(crate) fn to_levels(lists: &[Vec<u32>], options: &[u32]) -> Option<InLevels> {
    let mut found =
        InLevels { states: Vec::new(), beyond: FxHashMap::default(), heard: Default::default() };
    for (node, record) in (0..).zip(lists.iter().flat_map(|words| records(words))) {
        let (&state, rest) = record?.split_first_chunk()?;
        found.states.push(State::of_words(state));
        if rest.is_empty() {
            continue;
        }
        let (counts, rest) = rest.split_first_chunk::<TOPICS>()?;
        // An option sends at most one message of a kind.
        if counts.iter().max() > options.get(node as usize) {
            return None;
        }
        for (list, &count) in found.heard.iter_mut().zip(counts) {
            list.extend(std::iter::repeat_n(node, count as usize));
        }
        if let Some((&exits, rest)) = rest.split_first() {
            let (exits, forced) = rest.split_at_checked(exits as usize)?;
            found.beyond.insert(node, Beyond { exits: exits.to_vec(), forced: forced.to_vec() });
        }
    }
    (found.states.len() == options.len()).then_some(found)
}
