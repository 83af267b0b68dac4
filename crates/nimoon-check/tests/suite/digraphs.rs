//! Labels, sums and remoteness of digraphs: certificates of the engine are accepted, and changed
//! ones are rejected or still true.

use std::borrow::Cow;

use crate::common::truth::{rows, wrong_label, wrong_sum};
use crate::common::{accepts, mutants, parsed, sets};
use nimoon::impartial::turn::solve;
use nimoon::smith::remoteness::{Play, Remoteness};
use nimoon::{Digraph, Labelling, Limits, Node, Sum, Theory, Work, label};
use nimoon_audit::exhaustive::Exhaustive;
use nimoon_audit::random;
use nimoon_formats::Names;
use nimoon_oracle::compounds;
use nimoon_session::certificate::{LabelsCertificate, NoCertificate, write_remoteness};
use serde_json::{Value as Json, json};

fn name(node: Node) -> Cow<'static, str> {
    format!("v{node}").into()
}

fn written(certificate: &LabelsCertificate<'_>) -> Json {
    let mut bytes = Vec::new();
    certificate.write(name, &mut bytes).expect("memory");
    nimoon_check::check(&bytes).unwrap_or_else(|wrong| {
        panic!("{wrong} in {}", String::from_utf8_lossy(&bytes));
    });
    parsed(&bytes)
}

fn labels(digraph: &Digraph, labelling: &Labelling) -> Json {
    written(&LabelsCertificate::new(digraph, labelling, &Work::default()).expect("complete"))
}

/// The certificate of a sum, with a strategy if the budget allows.
fn sum(digraph: &Digraph, labelling: &Labelling, pieces: Vec<Node>, budget: u64) -> Option<Json> {
    let sum = Sum::new(digraph, labelling, pieces).ok()?;
    let answer = solve(&sum, &Work::new(Limits::new(budget))).ok()?;
    let certificate =
        LabelsCertificate::new(digraph, labelling, &Work::default()).and_then(|labels| {
            labels.with_sum(&sum, answer.outcome, answer.turn, &Work::new(Limits::new(budget)))
        });
    match certificate {
        // Values need fewer positions than what proves them.
        Err(NoCertificate::NoStrategy) if budget == 0 => None,
        certificate => Some(written(&certificate.expect("a certificate"))),
    }
}

/// All theories that fit.
fn labellings(digraph: &Digraph) -> Vec<Labelling> {
    let fitting = Theory::ALL.iter().map(|&theory| label(digraph, Some(theory), &Work::default()));
    fitting.filter_map(Result::ok).collect()
}

/// Whether each single change is rejected, or what it says is true by brute force. Returns how many
/// were rejected.
fn tamper(certificate: &Json) -> usize {
    let mut rejected = 0;
    for (what, mutant) in mutants(certificate) {
        if !accepts(&mutant) {
            rejected += 1;
        } else if what.starts_with("/sum/total") && !what.starts_with("/sum/totals") {
            panic!("accepted: {what} of {certificate}");
        } else if let Some(wrong) = wrong_label(&mutant).or_else(|| wrong_sum(&mutant)) {
            panic!("accepted, but {wrong}: {what} of {certificate}");
        }
    }
    rejected
}

#[test]
fn all_small_digraphs_under_all_theories_pass_and_no_change_makes_a_false_claim() {
    let (mut passed, mut rejected) = (0, 0);
    for nodes in 1..=3 {
        for digraph in Exhaustive::new(nodes, None) {
            for labelling in labellings(&digraph) {
                let certificate = labels(&digraph, &labelling);
                assert_eq!(wrong_label(&certificate), None, "{certificate}");
                passed += 1;
                if nodes < 3 || passed % 7 == 0 {
                    rejected += tamper(&certificate);
                }
            }
        }
    }
    assert!(passed > 500 && rejected > 5_000, "{passed} passed, {rejected} rejected");
}

#[test]
fn sums_on_all_small_digraphs_pass_by_strategy_and_by_values() {
    let (mut by_strategy, mut by_values, mut rejected) = (0, 0, 0);
    for nodes in 1..=3 {
        for (number, digraph) in Exhaustive::new(nodes, None).enumerate() {
            for labelling in labellings(&digraph) {
                let pairs = digraph.nodes().flat_map(|x| digraph.nodes().map(move |y| vec![x, y]));
                let singles = digraph.nodes().map(|x| vec![x]);
                for (place, pieces) in singles.chain(pairs).enumerate() {
                    for budget in [1_000_000, 0] {
                        let found = sum(&digraph, &labelling, pieces.clone(), budget);
                        let Some(certificate) = found else { continue };
                        assert_eq!(wrong_sum(&certificate), None, "{certificate}");
                        let has_strategy = certificate["sum"].get("strategy").is_some();
                        *(if has_strategy { &mut by_strategy } else { &mut by_values }) += 1;
                        if (number + place) % if nodes == 3 { 97 } else { 5 } == 0 {
                            rejected += tamper(&certificate);
                        }
                    }
                }
            }
        }
    }
    assert!(by_strategy > 5_000 && by_values > 3_000, "{by_strategy}, {by_values}");
    assert!(rejected > 20_000, "{rejected}");
}

/// A changed rank gives other sets, so a change of one alone is rejected because it does not fit
/// the other. Here they change together.
#[test]
fn ranks_with_their_own_sets_make_no_false_claim() {
    let (mut rejected, mut accepted) = (0, 0);
    let digraphs = (1..=3).flat_map(|nodes| Exhaustive::new(nodes, None));
    let random = (0..40).map(|number| random::digraph(5, number, 4, None));
    for digraph in digraphs.chain(random) {
        let labelling = label(&digraph, Some(Theory::General), &Work::default()).expect("it fits");
        let certificate = labels(&digraph, &labelling);
        let ranks: Vec<Vec<Option<u64>>> =
            serde_json::from_value(certificate["ranks"].clone()).expect("ranks");
        let mut forge = |ranks: &[Vec<Option<u64>>]| {
            let mut forged = certificate.clone();
            forged["ranks"] = json!(ranks);
            forged["values"] = (0..digraph.len()).map(|node| sets(ranks, node)).collect();
            if accepts(&forged) {
                accepted += 1;
                assert_eq!(wrong_label(&forged), None, "{forged}");
            } else {
                rejected += 1;
            }
        };
        forge(&ranks);
        forge(&ranks[..ranks.len() - 1]);
        for (k, node) in
            (0..ranks.len()).flat_map(|k| (0..digraph.len()).map(move |node| (k, node)))
        {
            for rank in [None, Some(0), Some(1), Some(2), Some(3), Some(8), Some(9)] {
                let mut changed = ranks.clone();
                changed[k][node] = rank;
                forge(&changed);
                // And so beside all larger heaps.
                changed[k..].iter_mut().for_each(|row| row[node] = rank);
                forge(&changed);
            }
        }
    }
    assert!(rejected > 50_000 && accepted > 5_000, "{rejected} rejected, {accepted} accepted");
}

#[test]
fn larger_random_digraphs_pass() {
    let mut sums = 0;
    for (seed, theory) in (1..).zip([None, Some(Theory::CarryOn), Some(Theory::Entailing)]) {
        for number in 0..60 {
            let digraph = random::digraph(seed, number, 24, theory);
            for labelling in labellings(&digraph) {
                labels(&digraph, &labelling);
                for x in digraph.nodes().take(4) {
                    let pieces = vec![x, (x + 3) % digraph.len() as Node];
                    for budget in [1_000_000, 0] {
                        sums += usize::from(
                            sum(&digraph, &labelling, pieces.clone(), budget).is_some(),
                        );
                    }
                }
            }
        }
    }
    assert!(sums > 1_000, "{sums}");
}

#[test]
fn changes_to_random_digraphs_of_five_nodes_make_no_false_claim() {
    for number in 0..40 {
        let theory = [None, Some(Theory::CarryOn)][number as usize % 2];
        let digraph = random::digraph(7, number, 5, theory);
        for labelling in labellings(&digraph) {
            tamper(&labels(&digraph, &labelling));
        }
    }
}

#[test]
fn the_verified_cases_pass() {
    let mut count = 0;
    for file in ["carry_on.json", "entailing.json"] {
        let path = format!("{}/../../golden/{file}", env!("CARGO_MANIFEST_DIR"));
        let golden = parsed(&std::fs::read(path).expect("golden"));
        for case in golden["cases"].as_array().expect("cases") {
            let names: Vec<&Json> = case["digraph"]["nodes"].as_array().unwrap().iter().collect();
            let node = |name: &Json| names.iter().position(|n| *n == name).unwrap() as Node;
            let gray = case["digraph"]["gray"].as_array().unwrap().iter().map(node);
            let arcs = case["digraph"]["arcs"].as_array().unwrap();
            let arcs = arcs.iter().map(|arc| (node(&arc[0]), node(&arc[1]))).collect();
            let digraph = Digraph::new(names.len(), gray, arcs).unwrap();
            for labelling in labellings(&digraph) {
                let certificate = labels(&digraph, &labelling);
                if labelling.theory() == Theory::CarryOn && file == "carry_on.json" {
                    for (name, value) in case["values"].as_object().unwrap() {
                        let claimed = &certificate["values"][node(&json!(name)) as usize];
                        let claimed = claimed
                            .as_u64()
                            .map_or(claimed.clone(), |n| json!({"kind": "nimber", "n": n}));
                        assert_eq!(claimed, *value);
                        count += 1;
                    }
                    for given in case["sums"].as_array().unwrap() {
                        let pieces = given["nodes"].as_array().unwrap().iter().map(node).collect();
                        let claimed = sum(&digraph, &labelling, pieces, 1_000_000).unwrap();
                        assert_eq!(claimed["sum"]["outcome"], given["outcome"]);
                    }
                }
            }
        }
    }
    assert!(count > 1_000);
}

#[test]
fn remoteness_is_accepted_exactly_if_it_is_right() {
    let mut rejected = 0;
    for nodes in 1..=3 {
        for digraph in Exhaustive::new(nodes, Some(Theory::Cyclic)) {
            for play in [Play::Normal, Play::Misere] {
                let names: Names = digraph.nodes().map(name).collect();
                let mut bytes = Vec::new();
                let solved = Remoteness::new(&digraph, play);
                write_remoteness(&digraph, &names, &solved, &mut bytes).expect("memory");
                let certificate = parsed(&bytes);
                nimoon_check::check(&bytes).expect("right");
                for (what, mutant) in mutants(&certificate) {
                    if !accepts(&mutant) {
                        rejected += 1;
                        continue;
                    }
                    let options = rows(&mutant["options"]);
                    let ends = vec![mutant["misere"] == true; options.len()];
                    let right = json!(compounds::remoteness(&options, &ends));
                    assert_eq!(mutant["remoteness"], right, "{what} of {certificate}");
                    assert_eq!(mutant["distance"], json!(compounds::distances(&options)), "{what}");
                }
            }
        }
    }
    assert!(rejected > 1_000, "{rejected}");
}

#[test]
fn a_million_levels_are_refused_at_once() {
    let certificate = json!({"certificate": "labels", "version": 1, "theory": "carry-on", "nodes": ["a"],
        "gray": [], "options": [[]], "values": [4_000_000_000_u64], "order": [0]});
    assert!(!accepts(&certificate));
}
