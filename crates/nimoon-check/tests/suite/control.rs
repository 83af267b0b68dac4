//! Values with cycles and entailing moves of any outdegree, their sums and their order: certificates
//! are accepted, and changed ones are rejected or still true.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::common::truth::{rows, wrong_label, wrong_sum};
use crate::common::{mutants, parsed};
use nimoon::impartial::control::{Control, Layers, values};
use nimoon::impartial::turn::solve;
use nimoon::{Digraph, Node, Sum, Theory, Work, label};
use nimoon_audit::random;
use nimoon_formats::Names;
use nimoon_session::certificate::{LabelsCertificate, OrderCertificate};
use serde_json::{Value as Json, json};

/// Digraphs with choices of the opponent: heaps 0 to 2, white nodes with loops and gray ones between.
fn digraphs() -> Vec<Digraph> {
    let rich = (0..60_u32).map(|seed| {
        let pick = |place: u32, of: u32| (seed * 7 + place * place * 13 + seed * place * 5) % of;
        // 0, 1 and 2 are heaps; 3 and 4 white; 5 and 6 gray.
        let mut arcs = vec![(1, 0), (2, 0), (2, 1), (3, 3), (4, 4), (3, 5), (4, 6)];
        arcs.extend((0..4).map(|place| (3 + place % 2, pick(place, 7))));
        arcs.extend((4..8).map(|place| (5 + place % 2, pick(place, 7))));
        arcs.retain(|&(from, to)| from > 2 || to < from);
        Digraph::new(7, [5, 6], arcs).expect("a digraph")
    });
    let any = (0..40).map(|number| random::digraph(3, number, 6, Some(Theory::General)));
    rich.chain(any).collect()
}

fn named(node: Node) -> String {
    format!("v{node}")
}

fn checked(bytes: &[u8]) -> Json {
    nimoon_check::check(bytes).unwrap_or_else(|wrong| {
        panic!("{wrong} in {}", String::from_utf8_lossy(bytes));
    });
    parsed(bytes)
}

/// The certificate of a sum of white nodes, by a strategy or by values alone.
fn certificate(digraph: &Digraph, pieces: &[Node], by_strategy: bool) -> Json {
    let labelling = label(digraph, Some(Theory::General), &Work::default()).unwrap();
    let sum = Sum::new(digraph, &labelling, pieces.to_vec()).unwrap();
    let answer = solve(&sum, &Work::default()).unwrap();
    let certificate = LabelsCertificate::new(digraph, &labelling, &Work::default()).unwrap();
    let work = Work::default();
    let with_sum = certificate.with_sum(&sum, answer.outcome, answer.turn, &work).unwrap();
    let mut bytes = Vec::new();
    with_sum.write(|node| named(node).into(), &mut bytes).unwrap();
    let mut certificate = checked(&bytes);
    if by_strategy {
        return certificate;
    }
    let sum = certificate["sum"].as_object_mut().unwrap();
    sum.remove("strategy").expect("a strategy");
    sum.remove("turn");
    checked(certificate.to_string().as_bytes())
}

fn order(digraph: &Digraph, x: Node, y: Node) -> Json {
    let names: Names = digraph.nodes().map(named).collect();
    let found = OrderCertificate::new(digraph, &names, (x, y), &Work::default()).unwrap();
    checked(&serde_json::to_vec(&found).unwrap())
}

fn digraph_of(certificate: &Json) -> Digraph {
    let options = rows(&certificate["options"]);
    let gray: Vec<Node> = certificate["gray"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap() as Node)
        .collect();
    let arcs = (0..).zip(&options);
    let arcs = arcs.flat_map(|(from, to)| to.iter().map(move |&to| (from, to as Node))).collect();
    Digraph::new(options.len(), gray, arcs).unwrap()
}

/// A listed value, by its equations.
fn value(json: &Json) -> Control {
    let place = |place: &Json| match place.as_u64() {
        Some(state) => format!("X{state}"),
        None => place["n"].to_string(),
    };
    if json["start"].get("n").is_some() {
        return Control::number(json["start"]["n"].as_u64().unwrap());
    }
    let states = json["states"].as_array().unwrap();
    let mut text = format!("A = [{}]", place(&json["start"]));
    for (number, state) in states.iter().enumerate() {
        let hand = state["hand"].as_array().unwrap().iter().map(|k| format!(">{k}"));
        let keep = state["keep"].as_array().unwrap().iter().map(|results| {
            let results: Vec<String> = results.as_array().unwrap().iter().map(place).collect();
            if results.is_empty() { "(win)".to_owned() } else { results.join("/") }
        });
        let members: Vec<String> = hand.chain(keep).collect();
        let _ = write!(text, ", X{number} = [{}]", members.join(", "));
    }
    Control::read(&text, &mut Work::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn values_of(digraph: &Digraph, nodes: &[Node]) -> Vec<Control> {
    let mut work = Work::default();
    let layers = Layers::of(digraph, &work);
    values(digraph, &layers, nodes, &mut work).unwrap()
}

fn relation(one: &Control, other: &Control) -> Option<Ordering> {
    one.relation(other, &mut Work::default()).unwrap()
}

/// What is wrong with the values and totals of a certificate, if anything.
fn wrong_value(certificate: &Json) -> Option<String> {
    let digraph = digraph_of(certificate);
    for entry in certificate["control"].as_array()? {
        let node = entry[0].as_u64().unwrap() as Node;
        let claimed = value(&entry[1]["value"]);
        let found = values_of(&digraph, &[node]).remove(0);
        if relation(&claimed, &found) != Some(Ordering::Equal) {
            return Some(format!("node {node} is {found} and not {claimed}"));
        }
    }
    let totals = certificate["sum"]["totals"].as_array()?;
    let pieces: Vec<Node> = certificate["sum"]["pieces"]
        .as_array()?
        .iter()
        .map(|n| n.as_u64().unwrap() as Node)
        .collect();
    let parts = values_of(&digraph, &pieces);
    for (place, total) in totals.iter().enumerate() {
        let claimed = value(&total["equals"]["value"]);
        let found = Control::sum(&parts[..=place], &mut Work::default()).unwrap();
        if relation(&claimed, &found) != Some(Ordering::Equal) {
            return Some(format!("the sum up to {place} is {found} and not {claimed}"));
        }
    }
    None
}

/// Why changed certificates are rejected, and how often.
#[derive(Default)]
struct Reasons(BTreeMap<String, usize>);

impl Reasons {
    /// Changes one place after the other, a part of them; what is accepted must be true.
    fn tamper(
        &mut self,
        certificate: &Json,
        every: usize,
        wrong: impl Fn(&Json) -> Option<String>,
    ) {
        for (number, (what, mutant)) in mutants(certificate).into_iter().enumerate() {
            if number % every != 0 {
                continue;
            }
            match nimoon_check::check(mutant.to_string().as_bytes()) {
                Ok(_) => {
                    let wrong = wrong(&mutant);
                    assert_eq!(wrong, None, "accepted: {what} of {certificate}");
                }
                Err(rejection) => {
                    let reason = rejection.reason;
                    *self.0.entry(reason).or_default() += 1;
                }
            }
        }
    }

    fn need(&self, part: &str) {
        let found: usize =
            self.0.iter().filter(|(reason, _)| reason.contains(part)).map(|(_, n)| n).sum();
        assert!(found > 0, "nothing was rejected because `{part}`: {:?}", self.0);
    }
}

#[test]
fn values_and_sums_pass_and_no_change_makes_a_false_claim() {
    let mut reasons = Reasons::default();
    let (mut terms, mut totals) = (0, 0);
    for (number, digraph) in digraphs().iter().enumerate() {
        let white: Vec<Node> = digraph.nodes().filter(|&node| !digraph.is_gray(node)).collect();
        let (Some(&first), Some(&last)) = (white.first(), white.last()) else { continue };
        for (pieces, by_strategy) in
            [(vec![last], false), (vec![last, first, last], false), (vec![first, last], true)]
        {
            let certificate = certificate(digraph, &pieces, by_strategy);
            assert_eq!(wrong_label(&certificate), None);
            assert_eq!(wrong_sum(&certificate), None);
            assert_eq!(wrong_value(&certificate), None);
            terms += certificate["control"].as_array().unwrap().len();
            totals += certificate["sum"]["totals"].as_array().unwrap().len();
            if number % 4 == 0 && !by_strategy {
                let wrong = |mutant: &Json| {
                    wrong_label(mutant)
                        .or_else(|| wrong_sum(mutant))
                        .or_else(|| wrong_value(mutant))
                };
                reasons.tamper(&certificate, 5, wrong);
            }
        }
    }
    assert!(terms > 300 && totals > 300, "{terms} values, {totals} totals");
    for reason in [
        "the first wins beside a heap, and the second does not",
        "an action of the first has no answer",
        "the pair of the two starts is missing",
        "a pair that can be reached is missing",
        "a number equals only itself",
        "it does not follow from the totals",
        "expected a white node",
        "the value of the piece is missing",
        "there is no state",
    ] {
        reasons.need(reason);
    }
}

#[test]
fn orders_pass_and_no_change_makes_a_false_claim() {
    let mut reasons = Reasons::default();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut forgeries = 0;
    for (number, digraph) in digraphs().iter().enumerate() {
        let white: Vec<Node> = digraph.nodes().filter(|&node| !digraph.is_gray(node)).collect();
        let pairs = white.iter().flat_map(|&x| white.iter().map(move |&y| (x, y)));
        for (place, (x, y)) in pairs.enumerate() {
            if (number + place) % 3 != 0 {
                continue;
            }
            let certificate = order(digraph, x, y);
            let wrong = |certificate: &Json| {
                let node = |name: &str| certificate[name].as_u64().unwrap() as Node;
                let found = values_of(&digraph_of(certificate), &[node("x"), node("y")]);
                let found = match relation(&found[0], &found[1]) {
                    Some(Ordering::Equal) => "=",
                    Some(Ordering::Less) => "<",
                    Some(Ordering::Greater) => ">",
                    None => "||",
                };
                (certificate["relation"] != found).then(|| found.to_owned())
            };
            assert_eq!(wrong(&certificate), None, "{certificate}");
            *seen.entry(certificate["relation"].to_string()).or_default() += 1;
            if (number + place) % 24 == 0 {
                reasons.tamper(&certificate, 3, wrong);
                // A node does not fare better than itself.
                if certificate["below"].get("context").is_some() {
                    let mut forged = certificate.clone();
                    forged["y"] = forged["x"].clone();
                    forged["below"]["second"] = forged["below"]["first"].clone();
                    let rejected = nimoon_check::check(forged.to_string().as_bytes()).unwrap_err();
                    assert_eq!(rejected.reason, "the first does not fare better");
                    forgeries += 1;
                }
                // The other relations do not follow.
                for other in ["=", "<", ">", "||"] {
                    let mut forged = certificate.clone();
                    forged["relation"] = json!(other);
                    let accepted = nimoon_check::check(forged.to_string().as_bytes()).is_ok();
                    assert_eq!(accepted, certificate["relation"] == other);
                }
            }
        }
    }
    assert!(seen.len() == 4 && seen.values().all(|&count| count > 10), "{seen:?}");
    assert!(forgeries > 3, "{forgeries}");
    for reason in ["nothing else is below a number", "an action of the first has no answer"] {
        reasons.need(reason);
    }
}

/// A value with a member more is above, and with a member less below: the same pairs do not prove it.
#[test]
fn a_value_with_other_members_is_rejected() {
    // 4 passes, hands over at 0, or lets the opponent choose between 0 and 1.
    let arcs = vec![(1, 0), (2, 0), (2, 1), (4, 4), (4, 0), (4, 3), (3, 0), (3, 1)];
    let digraph = Digraph::new(5, [3], arcs).unwrap();
    let right = certificate(&digraph, &[4], false);
    assert_eq!(
        right["control"][0][1]["value"]["states"][0],
        json!({"hand": [0], "keep": [[{"n": 0}, {"n": 1}]]})
    );
    let changed = |states: Json| {
        let mut forged = right.clone();
        forged["control"][0][1]["value"]["states"] = states;
        forged.as_object_mut().unwrap().remove("sum");
        forged["certificate"] = json!("labels");
        nimoon_check::check(forged.to_string().as_bytes()).map_err(|wrong| wrong.to_string())
    };
    let meet = json!([{"n": 0}, {"n": 1}]);
    assert!(changed(json!([{"hand": [0], "keep": [meet]}])).is_ok());
    let wrong = [
        (json!([{"hand": [0, 1], "keep": [meet]}]), "control[0].above[0]: the first wins"),
        (json!([{"hand": [], "keep": [meet]}]), "control[0].below[0]: the first wins"),
        (json!([{"hand": [0], "keep": []}]), "control[0].below[0]: the first wins"),
        (json!([{"hand": [0, 2, 3], "keep": [[{"n": 0}]]}]), "control[0].above[0]: the first wins"),
        (json!([{"hand": [0], "keep": [[{"n": 1}, {"n": 0}, {"n": 2}]]}]), "control[0].below[0]"),
        (json!([{"hand": [0], "keep": [meet, []]}]), "control[0].above[0]"),
    ];
    for (states, at) in wrong {
        let rejected = changed(states.clone()).unwrap_err();
        assert!(rejected.starts_with(at), "{states}: {rejected}");
    }
}
