//! Forged certificates. A single change to a true one is mostly rejected because it does not fit
//! the rest. So these tests make up whole strategies and whole turns, on all small digraphs, and
//! compare them with brute force.

use crate::common::truth::wrong_sum;
use crate::common::{accepts, parsed};
use nimoon::impartial::turn::solve;
use nimoon::{
    Digraph, Node, Sum, Work, label,
    partizan::{Graph, Stoppers},
};
use nimoon_audit::exhaustive::Exhaustive;
use nimoon_audit::random::SplitMix64;
use nimoon_formats::read::partizan::PartizanGame;
use nimoon_formats::write::lettered;
use nimoon_oracle::loopy::{Order, Partizan};
use nimoon_session::certificate::{ComparisonCertificate, LabelsCertificate, LoopyCertificate};
use serde_json::{Value as Json, json};

/// The certificate of a sum, where there is such a sum.
fn of_sum(digraph: &Digraph, pieces: &[Node]) -> Option<Json> {
    let labelling = label(digraph, None, &Work::default()).expect("some theory fits");
    let sum = Sum::new(digraph, &labelling, pieces.to_vec()).ok()?;
    let answer = solve(&sum, &Work::default()).expect("it is small");
    let certificate = LabelsCertificate::new(digraph, &labelling, &Work::default())
        .and_then(|labels| labels.with_sum(&sum, answer.outcome, answer.turn, &Work::default()));
    let mut bytes = Vec::new();
    let name = |node: Node| format!("v{node}").into();
    certificate.expect("a certificate").write(name, &mut bytes).expect("memory");
    nimoon_check::check(&bytes).expect("it is right");
    Some(parsed(&bytes))
}

/// How often forged certificates were accepted and rejected. An accepted one must be true.
#[derive(Debug, Default)]
struct Count {
    accepted: u32,
    rejected: u32,
}

impl Count {
    fn judge(&mut self, forged: &Json) {
        if accepts(forged) {
            self.accepted += 1;
            assert_eq!(wrong_sum(forged), None, "accepted: {forged}");
        } else {
            self.rejected += 1;
        }
    }
}

/// All that a strategy may say about a node with a single piece: that it is not listed, or all
/// kinds of entries.
fn entries(digraph: &Digraph, node: Node, ranked: bool) -> Vec<Option<Json>> {
    let mut plays = vec![Json::Null];
    plays.extend(digraph.nodes().map(|to| json!([0, to])));
    let mut entries = vec![None];
    for play in plays {
        let kinds = if ranked {
            json!([[0, false], [1, false], [2, false]])
        } else {
            json!([[null, false], [null, true]])
        };
        for kind in kinds.as_array().expect("a list") {
            entries
                .push(Some(json!({"at": [node], "rank": kind[0], "play": play, "holds": kind[1]})));
        }
    }
    entries
}

#[test]
fn no_strategy_proves_a_false_claim() {
    let mut count = Count::default();
    let mut random = SplitMix64::new(17);
    for nodes in 1..=3 {
        for digraph in Exhaustive::new(nodes, None) {
            for (piece, outcome) in
                digraph.nodes().flat_map(|piece| ["N", "P", "D"].map(|o| (piece, o)))
            {
                let mut forged = of_sum(&digraph, &[piece]).expect("one piece");
                forged["sum"]["outcome"] = json!(outcome);
                forged["sum"]["turn"] = Json::Null;
                let choices: Vec<_> =
                    digraph.nodes().map(|node| entries(&digraph, node, outcome != "D")).collect();
                let all: usize = choices.iter().map(Vec::len).product();
                // All of them on two nodes, and some on three.
                let tried = if nodes < 3 { all } else { 40 };
                for number in 0..tried {
                    let mut rest =
                        if nodes < 3 { number } else { (random.next_u64() % all as u64) as usize };
                    let strategy = choices.iter().filter_map(|choices| {
                        let choice = &choices[rest % choices.len()];
                        rest /= choices.len();
                        choice.clone()
                    });
                    forged["sum"]["strategy"] = strategy.collect();
                    count.judge(&forged);
                }
            }
        }
    }
    assert!(count.accepted > 1_000 && count.rejected > 50_000, "{count:?}");
}

#[test]
fn no_turn_proves_a_false_claim() {
    let mut count = Count::default();
    let mut random = SplitMix64::new(29);
    for nodes in 1..=3 {
        for digraph in Exhaustive::new(nodes, None) {
            let singles = digraph.nodes().map(|x| vec![x]);
            let pairs = digraph.nodes().flat_map(|x| digraph.nodes().map(move |y| vec![x, y]));
            for pieces in singles.chain(pairs) {
                let Some(mut forged) = of_sum(&digraph, &pieces) else { continue };
                for number in 0..60 {
                    let kind = ["winning", "drawing", "losing", "none"][number % 4];
                    let mut plies = Vec::new();
                    let mut at = pieces.clone();
                    for _ in 0..random.next_u64() % 5 {
                        // Mostly moves, so that the plies after them are checked.
                        let piece = match at.iter().position(|&node| digraph.is_gray(node)) {
                            Some(due) if !random.next_u64().is_multiple_of(8) => due,
                            _ => (random.next_u64() % at.len() as u64) as usize,
                        };
                        let options = digraph.options(at[piece]);
                        let to = if options.is_empty() || random.next_u64().is_multiple_of(16) {
                            (random.next_u64() % nodes as u64) as Node
                        } else {
                            options[(random.next_u64() % options.len() as u64) as usize]
                        };
                        plies.push(json!([piece, to]));
                        at[piece] = to;
                    }
                    let endless = random.next_u64().is_multiple_of(2);
                    forged["sum"]["turn"] =
                        json!({"kind": kind, "plies": plies, "endless": endless});
                    count.judge(&forged);
                }
            }
        }
    }
    assert!(count.accepted > 1_000 && count.rejected > 50_000, "{count:?}");
}

/// A graph with Left's edges and Right's by the bits of a number.
fn graph(vertices: u32, edges: u64) -> (PartizanGame, Partizan) {
    let bit = |player: u32, from: u32, to: u32| {
        edges >> (player * vertices * vertices + from * vertices + to) & 1 == 1
    };
    let list = |player: u32| -> Vec<(u32, u32)> {
        let pairs = (0..vertices).flat_map(|from| (0..vertices).map(move |to| (from, to)));
        pairs.filter(|&(from, to)| bit(player, from, to)).collect()
    };
    let options = |player: u32| {
        let row = |from| (0..vertices).filter(move |&to| bit(player, from, to));
        (0..vertices).map(|from| row(from).map(|to| to as usize).collect()).collect()
    };
    let len = vertices as usize;
    let graph = Graph::new(len, list(0), list(1)).expect("all ends are vertices");
    let game = PartizanGame { names: lettered(len), graph, start: 0 };
    (game, Partizan { left: options(0), right: options(1) })
}

/// A strategy that leaves each state out, or gives it any rank and any move, mostly to the player
/// whose strategy it is.
fn any_strategy(random: &mut SplitMix64, vertices: [u32; 2], holds: bool) -> Json {
    let ours = if holds { "left" } else { "right" };
    let mut below = |most: u32| (random.next_u64() % u64::from(most)) as u32;
    let mut strategy = Vec::new();
    for (u, v) in (0..vertices[0]).flat_map(|u| (0..vertices[1]).map(move |v| (u, v))) {
        for mover in ["left", "right"] {
            let play = match (mover == ours) == (below(8) > 0) {
                false => Json::Null,
                true if below(2) == 0 => json!(["first", below(vertices[0])]),
                true => json!(["second", below(vertices[1])]),
            };
            if below(5) > 0 {
                let rank = below(3);
                strategy.push(json!({"at": [u, v], "mover": mover, "rank": rank, "play": play}));
            }
        }
    }
    json!(strategy)
}

#[test]
fn no_strategy_proves_a_false_order_of_loopy_games() {
    let mut random = SplitMix64::new(31);
    let (mut accepted, mut rejected) = (0, 0);
    // All pairs of graphs with two vertices and one, and some with two each.
    let ones = (0..1 << 8).flat_map(|a| (0..1 << 2).map(move |b| (a, [2, 1], b)));
    let twos = (0..400_u64).map(|n| (n * 1_567 % 256, [2, 2], n * 2_909 % 256));
    for (first, vertices, second) in ones.chain(twos) {
        let ((a, plain_a), (b, plain_b)) = (graph(vertices[0], first), graph(vertices[1], second));
        let certificate = ComparisonCertificate::new(&a, &b, &mut Work::default()).ok();
        let certificate = serde_json::to_value(certificate.expect("it is small")).expect("JSON");
        assert!(accepts(&certificate), "{certificate}");
        let truth = Order::new(&plain_a, &plain_b).ge_plus(0, 0);
        for number in 0..60 {
            let mut forged = certificate.clone();
            let holds = number % 2 == 0;
            let strategy = any_strategy(&mut random, vertices, holds);
            forged["ge_plus"] = json!({"holds": holds, "strategy": strategy});
            let has = |name: &str| forged[name]["holds"] == true;
            let (ge, le) = (has("ge_plus") && has("ge_minus"), has("le_plus") && has("le_minus"));
            forged["relation"] = json!(match (ge, le) {
                (true, true) => "=",
                (true, false) => ">",
                (false, true) => "<",
                (false, false) => "||",
            });
            if accepts(&forged) {
                accepted += 1;
                assert_eq!(holds, truth, "accepted: {forged}");
            } else {
                rejected += 1;
            }
        }
    }
    assert!(accepted > 500 && rejected > 50_000, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn a_side_is_an_equal_stopper() {
    let mut random = SplitMix64::new(37);
    let mut count = Count::default();
    for number in 0..3_000 {
        let (a, plain_a) = graph(2, random.next_u64() % 256);
        // A graph is always equal to itself, and a stopper or not.
        let other = if number % 3 == 0 { None } else { Some(graph(2, random.next_u64() % 256)) };
        let (b, plain_b) = other.unwrap_or_else(|| (a.clone(), plain_a.clone()));
        let (mut stoppers, mut work) = (Stoppers::new(), Work::default());
        let sides = stoppers.sides(&a.graph, a.start, &mut work).expect("it is small");
        let certificate = LoopyCertificate::new(&a, sides, &stoppers, &mut work).ok();
        let mut forged = serde_json::to_value(certificate.expect("it is small")).expect("JSON");
        let shown = ComparisonCertificate::new(&a, &b, &mut work).ok();
        let shown = serde_json::to_value(shown.expect("it is small")).expect("JSON");
        let (ge, le) = (Order::new(&plain_a, &plain_b), Order::new(&plain_b, &plain_a));
        let (side, ge_sign, le_sign, is_equal) = if number % 2 == 0 {
            ("onside", "ge_plus", "le_plus", ge.ge_plus(0, 0) && le.ge_plus(0, 0))
        } else {
            ("offside", "ge_minus", "le_minus", ge.ge_minus(0, 0) && le.ge_minus(0, 0))
        };
        forged[side] =
            json!({"graph": shown["second"], "ge": shown[ge_sign], "le": shown[le_sign]});
        let is_true = is_equal && plain_b.is_stopper(0);
        assert_eq!(accepts(&forged), is_true, "{forged}");
        *(if is_true { &mut count.accepted } else { &mut count.rejected }) += 1;
    }
    assert!(count.accepted > 100 && count.rejected > 500, "{count:?}");
}
