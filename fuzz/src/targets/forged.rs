//! Forged certificates: the input makes up all related parts at once, many times on one digraph, so
//! that many of them fit. Every accepted certificate must be true by brute force.

use nimoon::{Theory, Work, label};
use nimoon_check::check;
use serde_json::{Value as Json, json};

use super::certificates::{base, truth};
use crate::bytes::Bytes;
use crate::digraph::Plain;
use crate::limits::ENOUGH;

/// The most nodes of a digraph.
const MOST_NODES: usize = 4;

/// A digraph, and then as many forged certificates of sums, labels or ranks on it as the input has
/// bytes for.
pub(super) fn forged(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let plain = Plain::read(bytes, MOST_NODES);
    let what = bytes.below(3);
    let theory = (what == 2).then_some(Theory::General);
    let Ok(labelling) = label(&plain.digraph(), theory, &Work::new(ENOUGH)) else { return };
    let certificate = base(&plain.digraph(), &labelling);
    while !bytes.is_empty() {
        let mut forged = certificate.clone();
        match what {
            0 => sum(&plain, &mut forged, bytes),
            1 => labels(&plain, &mut forged, bytes),
            _ => ranks(&plain, &mut forged, bytes),
        }
        if check(forged.to_string().as_bytes()).is_ok() {
            let wrong = truth::wrong_label(&forged).or_else(|| truth::wrong_sum(&forged));
            assert_eq!(wrong, None, "accepted: {forged}");
        }
    }
}

/// An option of a node, if it has any.
fn option(plain: &Plain, node: usize, number: usize) -> Option<usize> {
    let options = &plain.options[node];
    options.get(number % options.len().max(1)).copied()
}

/// Forges any outcome with one piece, with a strategy of legal moves, and a turn of such moves.
fn sum(plain: &Plain, certificate: &mut Json, bytes: &mut Bytes<'_>) {
    let head = usize::from(bytes.byte());
    let piece = head % plain.len();
    let outcome = ["N", "P", "D"][head / 16 % 3];
    let mut strategy = Vec::new();
    for node in 0..plain.len() {
        let what = usize::from(bytes.byte());
        // Six bits: a rank, or whether the position holds; whether there is a move, and which; and
        // whether the position is in the list.
        let play = if what & 4 == 4 { option(plain, node, what >> 3 & 3) } else { None };
        let play = play.map(|to| json!([0, to]));
        let rank = if outcome == "D" { Json::Null } else { json!(what & 3) };
        let holds = outcome == "D" && what & 1 == 1;
        if what & 0xE0 != 0xE0 {
            strategy.push(json!({"at": [node], "rank": rank, "play": play, "holds": holds}));
        }
    }
    let value = certificate["values"][piece].clone();
    let is_value = value.is_number() || value.get("kind").is_some();
    let total = if is_value { value } else { Json::Null };
    let mut turn = Json::Null;
    if head & 8 == 8 {
        let kind = match outcome {
            "N" => "winning",
            "D" => "drawing",
            _ => ["losing", "none"][bytes.below(2)],
        };
        let mut plies = Vec::new();
        let mut at = piece;
        let count = usize::from(kind != "none") * (1 + bytes.below(3));
        for _ in 0..count {
            let to = option(plain, at, bytes.below(8)).unwrap_or(at);
            plies.push(json!([0, to]));
            at = to;
        }
        turn = json!({"kind": kind, "plies": plies, "endless": bytes.below(2) == 1});
    }
    certificate["certificate"] = json!("sum");
    certificate["sum"] = json!({"pieces": [piece], "total": total, "outcome": outcome, "turn": turn,
        "strategy": strategy});
}

/// Gives every node any label, and those with nimbers any order.
fn labels(plain: &Plain, certificate: &mut Json, bytes: &mut Bytes<'_>) {
    let mut values = Vec::new();
    let mut order: Vec<(u8, usize)> = Vec::new();
    for node in 0..plain.len() {
        let what = bytes.byte();
        let number = what / 16 % 4;
        values.push(if plain.gray[node] {
            match what % 5 {
                0 => Json::Null,
                1 => json!("new-moon"),
                2 => json!("full-moon"),
                3 => json!({"only": [number]}),
                _ => json!({"all_except": [number]}),
            }
        } else {
            match what % 8 {
                0..=3 => {
                    order.push((what, node));
                    json!(number)
                }
                4 => json!({"kind": "full-moon"}),
                5 => json!({"kind": "moon", "forced": [number]}),
                6 => json!({"kind": "ninny", "forced": number}),
                _ if number == 3 => json!({"kind": "cyclic", "exits": []}),
                _ => json!({"kind": "cyclic", "exits": [number]}),
            }
        });
    }
    order.sort_unstable();
    certificate["theory"] = json!("carry-on");
    certificate["values"] = json!(values);
    certificate["order"] = order.into_iter().map(|(_, node)| json!(node)).collect();
    if let Some(fields) = certificate.as_object_mut() {
        fields.remove("ranks");
    }
}

/// Gives every node any rank beside some heaps, and the outcome sets that follow from these.
fn ranks(plain: &Plain, certificate: &mut Json, bytes: &mut Bytes<'_>) {
    let mut rows: Vec<Vec<Option<u64>>> = Vec::new();
    for _ in 0..2 + bytes.below(3) {
        let rank = |what: u8| (what % 8 < 6).then_some(u64::from(what % 8));
        rows.push((0..plain.len()).map(|_| rank(bytes.byte())).collect());
    }
    let sets = |node: usize| {
        let set = |wanted: Option<u64>| {
            let has = |row: &Vec<Option<u64>>| row[node].map(|rank| rank % 2) == wanted;
            let heaps = |held: bool| -> Vec<usize> {
                (0..rows.len()).filter(|&k| has(&rows[k]) == held).collect()
            };
            if rows.last().is_some_and(has) {
                json!({"all_except": heaps(false)})
            } else {
                json!({"only": heaps(true)})
            }
        };
        json!({"win": set(Some(1)), "loss": set(Some(0)), "draw": set(None)})
    };
    certificate["values"] = (0..plain.len()).map(sets).collect();
    certificate["ranks"] = json!(rows);
}
