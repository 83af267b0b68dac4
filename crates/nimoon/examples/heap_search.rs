//! A search for new values: which small heap rules have positions whose value is of no older kind?
//! `cargo run --release -p nimoon --example heap_search`.
//!
//! A rule says for each of the numbers 1, 2 and 3 whether so many tokens may be taken, and whether so
//! many may be put on a heap that is not empty; each of these moves may be ordinary or entailing. Then
//! the opponent must answer in the same heap. Heaps have at most seven tokens. Change [`rules`] and
//! [`options`] to search among rules of your own.

#![allow(clippy::cast_sign_loss, reason = "heaps are not negative")]

use std::collections::BTreeMap;

use nimoon::impartial::control::{Control, Layers, values};
use nimoon::{Digraph, Kind, Node, Work};

/// The largest heap.
const ROOM: i64 = 7;

/// What may be done by so many tokens: fewer if negative.
type Rule = Vec<(i64, Kind)>;

/// All rules: each step is forbidden, ordinary or entailing.
fn rules() -> Vec<Rule> {
    let mut rules: Vec<Rule> = vec![Vec::new()];
    for step in [-1, -2, -3, 1, 2, 3] {
        let with = |kind: Kind| {
            let longer = |rule: &Rule| [rule.clone(), vec![(step, kind)]].concat();
            rules.iter().map(longer).collect::<Vec<_>>()
        };
        let more = [with(Kind::Ordinary), with(Kind::Entailing)].concat();
        rules.extend(more);
    }
    rules
}

/// The heaps that a rule leaves.
fn options(rule: &Rule, heap: i64) -> impl Iterator<Item = (i64, Kind)> + '_ {
    let reached = rule.iter().map(move |&(step, kind)| (heap + step, kind, step));
    let allowed =
        reached.filter(move |&(to, _, step)| (0..=ROOM).contains(&to) && (step < 0 || heap > 0));
    allowed.map(|(to, kind, _)| (to, kind))
}

/// The values of all heaps. A heap that must be answered is a gray node with the same options.
fn heaps(rule: &Rule, work: &mut Work) -> Vec<Control> {
    let len = ROOM + 1;
    let mut arcs = Vec::new();
    for heap in 0..len {
        for (to, kind) in options(rule, heap) {
            let to = if kind == Kind::Entailing { len + to } else { to };
            arcs.extend([heap, len + heap].map(|from| (from as Node, to as Node)));
        }
    }
    let gray = len as Node..2 * len as Node;
    let digraph = Digraph::new(2 * len as usize, gray, arcs).expect("all arcs lead to heaps");
    let layers = Layers::of(&digraph, work);
    let white: Vec<Node> = (0..len as Node).collect();
    values(&digraph, &layers, &white, work).expect("no limit is hit")
}

fn words(rule: &Rule) -> String {
    let word = |&(step, kind): &(i64, Kind)| {
        format!("{step:+}{}", if kind == Kind::Entailing { "!" } else { "" })
    };
    rule.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn main() {
    let mut work = Work::endless();
    let rules = rules();
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    let mut found = 0;
    for rule in &rules {
        let values = heaps(rule, &mut work);
        if values.iter().all(|value| value.value().is_some()) {
            continue;
        }
        found += 1;
        let texts: Vec<String> = values.iter().map(|value| format!("{value:#}")).collect();
        println!("{:24} {}", words(rule), texts.join(" | "));
        for (value, text) in values.iter().zip(texts) {
            if value.value().is_none() {
                first.entry(text).or_insert_with(|| words(rule));
            }
        }
    }
    println!("{found} of {} rules have a value of no older kind:", rules.len());
    for (value, rule) in first {
        println!("  {value:24} {rule}");
    }
}
