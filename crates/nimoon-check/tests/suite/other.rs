//! Loopy games, tables, positions of rulesets, and bytes that are not a certificate.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::common::{accepts, mutants, parsed};
use nimoon::impartial::turn::solve;
use nimoon::solve::solution::Solution;
use nimoon::{
    Sum, Work,
    partizan::{Graph, Stoppers},
};
use nimoon_audit::random::SplitMix64;
use nimoon_formats::read::partizan::PartizanGame;
use nimoon_formats::write::lettered;
use nimoon_oracle::loopy::{Order, Partizan, Player};
use nimoon_session::certificate::{
    ComparisonCertificate, LabelsCertificate, LoopyCertificate, write_table_certificate,
};
use nimoon_session::expression::{Expression, NoLibrary};
use serde_json::{Value as Json, json};

fn game(graph: Graph, start: u32) -> PartizanGame {
    PartizanGame { names: lettered(graph.len()), graph, start }
}

fn random_game(random: &mut SplitMix64, vertices: u64) -> PartizanGame {
    let mut edges = || -> Vec<(u32, u32)> {
        let count = random.next_u64() % (2 * vertices);
        let mut vertex = || (random.next_u64() % vertices) as u32;
        (0..count).map(|_| (vertex(), vertex())).collect()
    };
    let (left, right) = (edges(), edges());
    game(Graph::new(vertices as usize, left, right).unwrap(), 0)
}

fn partizan(json: &Json) -> (Partizan, usize) {
    let len = json["nodes"].as_array().unwrap().len();
    let options = |list: &Json| {
        let mut options = vec![Vec::new(); len];
        for edge in list.as_array().unwrap() {
            options[edge[0].as_u64().unwrap() as usize].push(edge[1].as_u64().unwrap() as usize);
        }
        options
    };
    let (left, right) = (options(&json["left"]), options(&json["right"]));
    (Partizan { left, right }, json["start"].as_u64().unwrap() as usize)
}

fn true_comparison(certificate: &Json) -> bool {
    let ((a, u), (b, v)) = (partizan(&certificate["first"]), partizan(&certificate["second"]));
    let (ge, le) = (Order::new(&a, &b), Order::new(&b, &a));
    let truths = [
        ("ge_plus", ge.ge_plus(u, v)),
        ("ge_minus", ge.ge_minus(u, v)),
        ("le_plus", le.ge_plus(v, u)),
        ("le_minus", le.ge_minus(v, u)),
    ];
    let relation = match truths.map(|(_, truth)| truth) {
        [true, true, true, true] => "=",
        [true, true, ..] => ">",
        [.., true, true] => "<",
        _ => "||",
    };
    certificate["relation"] == relation
        && truths.iter().all(|(name, truth)| certificate[name]["holds"] == *truth)
}

fn true_sides(certificate: &Json) -> bool {
    let (given, start) = partizan(&certificate["given"]);
    let side = |name: &str, plus: bool| {
        let Some(side) = certificate.get(name).filter(|side| !side.is_null()) else { return true };
        let (form, at) = partizan(&side["graph"]);
        let (ge, le) = (Order::new(&given, &form), Order::new(&form, &given));
        let equal = if plus {
            ge.ge_plus(start, at) && le.ge_plus(at, start)
        } else {
            ge.ge_minus(start, at) && le.ge_minus(at, start)
        };
        equal && form.is_stopper(at)
    };
    let winners = given.outcomes()[start];
    let claimed = [0, 1].map(|first| {
        let remoteness = certificate["remoteness"][start][first].as_u64();
        remoteness.map(|r| if (r % 2 == 1) == (first == 0) { Player::Left } else { Player::Right })
    });
    side("onside", true)
        && side("offside", false)
        && certificate["stopper"] == given.is_stopper(start)
        && winners == claimed
}

fn tamper(certificate: &Json, is_true: impl Fn(&Json) -> bool) -> usize {
    let mut rejected = 0;
    for (what, mutant) in mutants(certificate) {
        if accepts(&mutant) {
            assert!(is_true(&mutant), "accepted: {what} of {certificate}");
        } else {
            rejected += 1;
        }
    }
    rejected
}

#[test]
fn comparisons_pass_and_no_change_makes_a_false_claim() {
    let mut random = SplitMix64::new(11);
    let mut rejected = 0;
    for number in 0..400 {
        let (a, b) =
            (random_game(&mut random, 1 + number % 4), random_game(&mut random, 1 + number % 3));
        let certificate = ComparisonCertificate::new(&a, &b, &mut Work::default()).ok().unwrap();
        let certificate = serde_json::to_value(&certificate).unwrap();
        nimoon_check::check(certificate.to_string().as_bytes()).unwrap();
        assert!(true_comparison(&certificate), "{certificate}");
        if number % 8 == 0 {
            rejected += tamper(&certificate, true_comparison);
        }
    }
    assert!(rejected > 2_000, "{rejected}");
}

#[test]
fn the_verified_loopy_games_pass_with_their_sides() {
    let path = format!("{}/../../golden/loopy.json", env!("CARGO_MANIFEST_DIR"));
    let golden = parsed(&std::fs::read(path).unwrap());
    let (mut count, mut rejected) = (0, 0);
    for case in golden["games"].as_array().unwrap() {
        let edges = |list: &Json| -> Vec<(u32, u32)> {
            let rows = crate::common::truth::rows(list);
            let edges = rows.iter().enumerate();
            edges
                .flat_map(|(from, row)| row.iter().map(move |&to| (from as u32, to as u32)))
                .collect()
        };
        let len = case["n"].as_u64().unwrap() as usize;
        let graph = Graph::new(len, edges(&case["L"]), edges(&case["R"])).unwrap();
        let given = game(graph, case["start"].as_u64().unwrap() as u32);
        let (mut stoppers, mut work) = (Stoppers::new(), Work::default());
        let sides = stoppers.sides(&given.graph, given.start, &mut work).unwrap();
        let certificate = LoopyCertificate::new(&given, sides, &stoppers, &mut work).ok().unwrap();
        let certificate = serde_json::to_value(&certificate).unwrap();
        nimoon_check::check(certificate.to_string().as_bytes()).unwrap();
        assert_eq!(certificate["stopper"], case["is_stopper"]);
        count += 1;
        if len <= 3 && count % 5 == 0 {
            assert!(true_sides(&certificate), "{certificate}");
            rejected += tamper(&certificate, true_sides);
        }
    }
    assert!(count > 20 && rejected > 100, "{count} games, {rejected} rejected");
}

/// The certificate of a sum of positions.
fn of_positions(text: &str) -> Json {
    let expression = Expression::read(text, &mut NoLibrary).unwrap();
    let Expression { fields, terms } = expression;
    let solution = Solution::new(fields, &terms, None, &Work::default()).unwrap();
    let found = solution.placement_digraph(solution.start()).expect(text);
    let sum = Sum::new(found.digraph, found.labelling, found.pieces.clone()).unwrap();
    let answer = solve(&sum, &Work::default()).unwrap();
    let certificate = LabelsCertificate::new(found.digraph, found.labelling, &Work::default())
        .and_then(|labels| labels.with_sum(&sum, answer.outcome, answer.turn, &Work::default()))
        .unwrap()
        .with_rules(&found.rulesets, &[]);
    let mut bytes = Vec::new();
    let name = |node: u32| Cow::Borrowed(found.names[node as usize].as_str());
    certificate.write(name, &mut bytes).unwrap();
    nimoon_check::check(&bytes).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
    parsed(&bytes)
}

#[test]
fn positions_of_rulesets_pass() {
    for text in [
        "nim:3 + nim:5",
        "kayles:5 + grundys-game:7",
        "top-entails:5 + subtraction[1,3]:6",
        "octal[0.137]:6 + dawsons-kayles:6",
        "hexadecimal[0.3F]:6",
        "nimstring:1x2 + kayles:4",
        "green-lime:lg + green-lime:0-1l,1-2g,1-3l",
        "wythoff:2,3",
        "lights:bsb + nim:2",
    ] {
        of_positions(text);
    }
}

#[test]
fn a_changed_option_of_a_known_ruleset_is_rejected() {
    for text in ["kayles:5", "top-entails:4", "nim:4", "grundys-game:7", "subtraction[1,3]:5"] {
        let certificate = of_positions(text);
        for (what, mutant) in mutants(&certificate) {
            if !accepts(&mutant) {
                continue;
            }
            let same = |list: &str| mutant[list] == certificate[list];
            let mut sorted =
                [&mutant, &certificate].map(|one| crate::common::truth::rows(&one["options"]));
            sorted.iter_mut().flatten().for_each(|row| row.sort_unstable());
            let [gray, before] = [&mutant, &certificate].map(|one| {
                let gray =
                    one["gray"].as_array().unwrap().iter().map(|node| node.as_u64().unwrap());
                gray.collect::<BTreeSet<u64>>()
            });
            if sorted[0] == sorted[1] && gray == before && same("nodes") {
                continue;
            }
            // Without the ruleset the digraph is any digraph, and the claim says so.
            if !same("rules") {
                continue;
            }
            panic!("accepted: {what} of {certificate}");
        }
    }
}

#[test]
fn tables_are_computed_again() {
    use nimoon::EntailingValue::Nimber;
    // Kayles, from Winning Ways.
    let kayles = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6].map(Nimber);
    for first in [0, 4] {
        let mut bytes = Vec::new();
        write_table_certificate("kayles", first as u64, &kayles[first..], &mut bytes).unwrap();
        nimoon_check::check(&bytes).unwrap();
        let certificate = parsed(&bytes);
        for (what, mutant) in mutants(&certificate) {
            let first = mutant["first"].as_u64();
            let values = mutant["values"].as_array();
            let right = first.zip(values).is_some_and(|(first, values)| {
                let known = kayles.iter().skip(first as usize).map(|value| match value {
                    Nimber(n) => json!(n),
                    nimoon::EntailingValue::Moon => json!({"kind": "moon"}),
                });
                // The next value is 4.
                let known: Vec<Json> = known.chain([json!(4)]).take(values.len()).collect();
                *values == known
            });
            assert!(!accepts(&mutant) || right, "{what}");
        }
    }
}

#[test]
fn no_bytes_make_it_panic() {
    let mut random = SplitMix64::new(3);
    let certificates: Vec<String> = ["top-entails:3", "green-lime:lg", "nim:2 + nim:2"]
        .iter()
        .map(|text| of_positions(text).to_string())
        .collect();
    for number in 0..3_000 {
        let mut bytes = certificates[number % 3].clone().into_bytes();
        for _ in 0..=random.next_u64() % 3 {
            let at = (random.next_u64() % bytes.len() as u64) as usize;
            match random.next_u64() % 4 {
                0 => bytes[at] = (random.next_u64() % 256) as u8,
                1 => bytes.truncate(at.max(1)),
                2 => bytes[at] = b'0' + (random.next_u64() % 10) as u8,
                _ => drop(bytes.remove(at)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let _ = nimoon_check::check(&bytes);
    }
    for text in
        ["", "{}", "[]", "null", &"[".repeat(10_000), r#"{"certificate":"labels","version":2}"#]
    {
        assert!(nimoon_check::check(text.as_bytes()).is_err());
    }
}
