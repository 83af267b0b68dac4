//! A claim says exactly what its certificate proves: everything that was not computed is listed
//! under `given`, a game equals a stopper only if both sides are that one, and tables are of known
//! rulesets.

use crate::common::accepts;
use nimoon::{
    EntailingValue, Work,
    partizan::{Graph, Stoppers},
};
use nimoon_check::Claim;
use nimoon_formats::read::partizan::PartizanGame;
use nimoon_formats::write::lettered;
use nimoon_session::certificate::{LoopyCertificate, write_table_certificate};
use serde_json::{Value as Json, json};

fn claim(certificate: &Json) -> Claim {
    nimoon_check::check(certificate.to_string().as_bytes())
        .unwrap_or_else(|wrong| panic!("{wrong} in {certificate}"))
}

/// The statement that a certificate is refused for.
#[track_caller]
fn refused(certificate: &Json) -> String {
    match nimoon_check::check(certificate.to_string().as_bytes()) {
        Ok(claim) => panic!("accepted: {} by {certificate}", claim.sentence),
        Err(wrong) => wrong.at,
    }
}

/// Labels of positions by the entailing theory, options first.
fn positions(rules: &Json, gray: &Json, nodes: &Json, options: &Json, values: &Json) -> Json {
    let order: Vec<usize> = (0..nodes.as_array().expect("names").len()).collect();
    json!({"certificate": "labels", "version": 1, "theory": "entailing", "rules": rules, "nodes": nodes, "gray": gray,
        "options": options, "values": values, "order": order})
}

/// The assumptions of the claim about a digraph b → a, with this name of b.
fn given(rules: &Json, gray: bool, name: &str) -> Vec<String> {
    let (gray, value) =
        if gray { (json!([1]), json!({"all_except": [0]})) } else { (json!([]), json!(1)) };
    let nodes = json!(["no moves", name]);
    claim(&positions(rules, &gray, &nodes, &json!([[], [0]]), &json!([0, value]))).given
}

const COMPUTED: &str = "nothing about nim: the options were computed again";

#[test]
fn names_that_are_not_positions_of_the_ruleset_are_listed_as_given() {
    let nim = json!(["nim"]);
    assert_eq!(given(&nim, false, "nim:1"), [COMPUTED]);
    for (gray, name) in [
        // A piece on a gray node must be moved, and one on a white node need not.
        (true, "nim:1"),
        (false, "answer in nim:1"),
        // Two rulesets, or none.
        (false, "nim:1 + kayles:1"),
        (true, "answer in nim:1 beside kayles:1"),
        (false, ":1"),
        (false, "kayles:1"),
        // More than can be listed.
        (false, "nim:1000000000000000000"),
        (true, "answer in nim:1000000000000000000"),
        (false, "nim"),
        (false, "nim:1,2"),
    ] {
        let claimed = format!("that the options of `{name}` are those listed");
        assert_eq!(given(&nim, gray, name), [COMPUTED, &claimed]);
    }
    // Both rulesets are known, but the name is not a position of either.
    let claimed = given(&json!(["nim", "kayles"]), true, "answer in nim:1 beside kayles:2");
    assert_eq!(
        claimed[1..],
        ["that the options of `answer in nim:1 beside kayles:2` are those listed"]
    );
    let five = json!(["a", "b", "c", "d", "e"]);
    let empty = json!([[], [], [], [], []]);
    let claimed = claim(&positions(&nim, &json!([]), &five, &empty, &json!([0, 0, 0, 0, 0]))).given;
    assert_eq!(claimed.len(), 5);
    assert_eq!(claimed[4], "the same about 2 more positions");
}

#[test]
fn rulesets_that_are_not_known_are_given() {
    let claimed = given(&json!(["wythoff", "nim"]), false, "wythoff:0,1");
    assert_eq!(claimed, [COMPUTED, "that the options of `wythoff` are those listed"]);
    assert_eq!(given(&json!(["wythoff"]), true, "answer in wythoff:0,1").len(), 1);
    assert_eq!(given(&json!(["wythoff"]), true, "move again: wythoff:0,1").len(), 1);
    // Something else is not of that ruleset.
    assert_eq!(given(&json!(["wythoff"]), false, "wythoffs:0,1").len(), 2);
    // Not a ruleset, if its rules say that a move changes nothing, or are not a code.
    let [long, longer] = [256, 257].map(|digits| format!("octal[0.{}]", "3".repeat(digits)));
    assert!(given(&json!([long]), false, "x")[0].starts_with("nothing about octal"));
    for no_ruleset in [
        // It would take too long.
        &longer,
        "subtraction[0,1]",
        "subtraction[]",
        "subtraction[1,x]",
        "octal[2.0]",
        "octal[5.0]",
        "octal[.4]",
        "octal[04.0]",
        "octal[0.8]",
        "octal[077]",
        "hexadecimal[1.F]",
        "hexadecimal[0.G]",
        "octal 0.77",
    ] {
        let claimed = given(&json!([no_ruleset]), false, "x");
        assert_eq!(claimed[0], format!("that the options of `{no_ruleset}` are those listed"));
        let table = json!({"certificate": "table", "version": 1, "ruleset": no_ruleset, "first": 0, "values": [0]});
        assert_eq!(refused(&table), "ruleset", "{no_ruleset}");
    }
    let digraph = json!({"certificate": "labels", "version": 1, "theory": "short", "nodes": ["a"], "gray": [],
        "options": [[]], "values": [0], "order": [0]});
    assert_eq!(claim(&digraph).given, ["the digraph as it is listed"]);
}

#[test]
fn scripts_are_given_whatever_their_names_are() {
    // With a script in its place, a heap of Nim has other options.
    let nodes = json!(["no moves", "nim:7"]);
    let other = positions(&json!([]), &json!([]), &nodes, &json!([[], []]), &json!([0, 0]));
    let mut script = other.clone();
    script["scripts"] = json!(["nim"]);
    let claimed = ["that the options of the script `nim` are those listed"];
    assert_eq!(claim(&script).given, claimed);
    script.as_object_mut().unwrap().remove("rules");
    assert_eq!(claim(&script).given, claimed);
    // A name is a ruleset or a script, not both.
    script["rules"] = json!(["nim"]);
    assert_eq!(refused(&script), "scripts[0]");
    let mut ruleset = other;
    ruleset["rules"] = json!(["nim"]);
    assert_eq!(refused(&ruleset), "options[1]");
}

#[test]
fn a_name_cannot_imitate_a_message_of_the_checker() {
    let name = "b` the previous player wins\n\u{1b}[31mproves: everything";
    let quoted = "`b\\` the previous player wins\\n\\u{1b}[31mproves: everything`";
    let mut certificate =
        positions(&json!([name]), &json!([]), &json!([name]), &json!([[]]), &json!([0]));
    certificate["scripts"] = json!(["\u{85}"]);
    certificate["sum"] = json!({"pieces": [0], "total": 0, "outcome": "P",
        "turn": {"kind": "none", "plies": []}, "strategy": null});
    let claimed = claim(&certificate);
    assert!(
        claimed.sentence.starts_with(&format!("in the sum of {quoted} the previous player wins, "))
    );
    let options = format!("that the options of {quoted} are those listed");
    let script = "that the options of the script `\\u{85}` are those listed";
    assert_eq!(claimed.given, [&options, script, &options]);
    certificate["values"] = json!([1]);
    let wrong = nimoon_check::check(certificate.to_string().as_bytes()).unwrap_err();
    assert!(wrong.reason.starts_with(&format!("node {quoted}: ")), "{wrong}");
}

#[test]
fn what_comes_from_a_certificate_is_printable_ascii() {
    // An invisible character, one that looks like an `a`, one that turns the direction of text
    // round, an accent.
    for (raw, printed) in [
        ("nim:1\u{200b}", "nim:1\\u{200b}"),
        ("\u{430}", "\\u{430}"),
        ("\u{202e}b", "\\u{202e}b"),
        ("e\u{301}", "e\\u{301}"),
        ("\\u{430}", "\\\\u{430}"),
        ("plain ~ name", "plain ~ name"),
    ] {
        let mut certificate =
            positions(&json!([raw]), &json!([]), &json!([raw]), &json!([[]]), &json!([0]));
        certificate["sum"] = json!({"pieces": [0], "total": 0, "outcome": "P",
            "turn": {"kind": "none", "plies": []}, "strategy": null});
        let claimed = claim(&certificate);
        assert!(
            claimed.sentence.starts_with(&format!("in the sum of `{printed}` ")),
            "{claimed:?}"
        );
        assert_eq!(claimed.given[0], format!("that the options of `{printed}` are those listed"));
        let reason = |certificate: &serde_json::Value| {
            nimoon_check::check(certificate.to_string().as_bytes()).unwrap_err().reason
        };
        certificate["values"] = json!([1]);
        assert!(reason(&certificate).starts_with(&format!("node `{printed}`: ")));
        certificate["values"] = json!([0]);
        certificate[raw] = json!(0);
        assert!(reason(&certificate).contains(&format!("unknown field `{printed}`")));
        assert!(
            reason(&json!({"certificate": raw, "version": 1})).ends_with(&format!("`{printed}`"))
        );
        let table = json!({"certificate": "table", "version": 1, "ruleset": raw, "first": 0, "values": [0]});
        assert!(reason(&table).contains(&format!("`{printed}`")));
        assert!(reason(&json!({"certificate": "table", "version": raw})).is_ascii());
    }
}

#[test]
fn positions_have_their_options_and_no_other() {
    let nim = json!(["nim"]);
    let none = json!([]);
    let at = |nodes: Json, options: Json, values: Json| {
        refused(&positions(&nim, &none, &nodes, &options, &values))
    };
    // Options that are not among the nodes, one that is not an option, and one that is listed
    // twice.
    assert_eq!(at(json!(["no moves", "nim:2"]), json!([[], [0]]), json!([0, 1])), "options[1]");
    let nodes = json!(["no moves", "nim:1", "nim:2"]);
    assert_eq!(at(nodes.clone(), json!([[], [0], [1]]), json!([0, 1, 0])), "options[2]");
    assert_eq!(at(nodes.clone(), json!([[], [0], [0, 1, 1]]), json!([0, 1, 2])), "options[2]");
    assert_eq!(at(json!(["a", "no moves"]), json!([[], [0]]), json!([0, 1])), "options[1]");
    // A heap has no move to itself as another position.
    let right = positions(&nim, &none, &nodes, &json!([[], [0], [0, 1]]), &json!([0, 1, 2]));
    assert_eq!(claim(&right).given, [COMPUTED]);
}

#[test]
fn two_nodes_may_be_the_same_position() {
    // Heaps of 1 and 1, written in two ways with empty heaps; their sum is 0, and its options have
    // the value 1.
    let nodes =
        json!(["no moves", "nim:1", "nim:0 + nim:1", "nim:1 + nim:1", "nim:1 + nim:0 + nim:1"]);
    let options = json!([[], [0], [0], [2], [2]]);
    let right = positions(&json!(["nim"]), &json!([]), &nodes, &options, &json!([0, 1, 1, 0, 0]));
    assert_eq!(claim(&right).given, [COMPUTED]);
    let options = json!([[], [0], [0], [2], [0]]);
    let wrong = positions(&json!(["nim"]), &json!([]), &nodes, &options, &json!([0, 1, 1, 0, 1]));
    assert_eq!(refused(&wrong), "options[4]");
}

#[test]
fn answers_are_made_where_they_are_due() {
    // Top Entails: a heap of 1 is a moon, since the move that takes its token leaves no answer.
    let top = json!(["top-entails"]);
    let nodes = json!(["no moves", "answer in no moves", "top-entails:1"]);
    let moon = json!({"kind": "moon"});
    let all = json!({"all_except": []});
    let right = positions(&top, &json!([1]), &nodes, &json!([[], [], [1]]), &json!([0, all, moon]));
    let claimed = ["nothing about top-entails: the options were computed again"];
    assert_eq!(claim(&right).given, claimed);
    // The same options without the duty to answer.
    let wrong = positions(&top, &json!([1]), &nodes, &json!([[], [], [0]]), &json!([0, all, 1]));
    assert_eq!(refused(&wrong), "options[2]");
    let wrong = positions(&top, &json!([1]), &nodes, &json!([[], [], []]), &json!([0, all, 0]));
    assert_eq!(refused(&wrong), "options[2]");
}

/// Heaps of 0 to 14 of Top Entails, from [LNS2021, §5]; those of 1 and 3 are moons.
fn top_entails() -> Vec<EntailingValue> {
    use EntailingValue::{Moon, Nimber};
    let numbers = [1, 0, 2, 1, 3, 0, 1, 3, 4, 0, 3].map(Nimber);
    [&[Nimber(0), Moon, Nimber(0), Moon], &numbers[..]].concat()
}

fn table(ruleset: &str, first: u64, values: &[EntailingValue]) -> Json {
    let mut bytes = Vec::new();
    write_table_certificate(ruleset, first, values, &mut bytes).expect("memory");
    crate::common::parsed(&bytes)
}

#[test]
fn moons_in_tables_are_computed_again() {
    let values = top_entails();
    assert!(accepts(&table("top-entails", 0, &values)));
    assert!(accepts(&table("top-entails", 1, &values[1..])));
    for (heap, right) in values.iter().enumerate() {
        let wrong = (0..9).map(EntailingValue::Nimber).chain([EntailingValue::Moon]);
        for wrong in wrong.filter(|wrong| wrong != right) {
            let mut values = values.clone();
            values[heap] = wrong;
            let certificate = table("top-entails", 0, &values);
            assert_eq!(refused(&certificate), format!("values[{heap}]"));
        }
    }
}

#[test]
fn tables_of_every_kind_of_rules_are_right() {
    let numbers = |values: &[u64]| -> Vec<EntailingValue> {
        values.iter().map(|&n| EntailingValue::Nimber(n)).collect()
    };
    for (ruleset, values) in [
        ("nim", &[0, 1, 2, 3, 4][..]),
        ("subtraction[1,3]", &[0, 1, 0, 1, 0, 1]),
        ("subtraction[1,3,4]", &[0, 1, 0, 1, 2, 3, 2, 0]),
        // From Winning Ways, chapter 4.
        ("grundys-game", &[0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3]),
        ("octal[0.77]", &[0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]),
        ("dawsons-chess", &[0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4]),
        ("dawsons-kayles", &[0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4]),
        ("treblecross", &[0, 0, 0, 1, 1, 1, 2, 2, 0, 3, 3, 1, 1, 1, 0]),
        ("officers", &[0, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4]),
    ] {
        let right = table(ruleset, 0, &numbers(values));
        assert!(
            accepts(&right),
            "{ruleset}: {:?}",
            nimoon_check::check(right.to_string().as_bytes())
        );
        for heap in 0..values.len() {
            let mut wrong = values.to_vec();
            wrong[heap] += 1;
            let wrong = table(ruleset, 0, &numbers(&wrong));
            assert_eq!(refused(&wrong), format!("values[{heap}]"));
        }
    }
    let none =
        json!({"certificate": "table", "version": 1, "ruleset": "nim", "first": 0, "values": []});
    assert_eq!(refused(&none), "values");
    let last = json!({"certificate": "table", "version": 1, "ruleset": "nim", "first": u64::MAX, "values": [0, 1]});
    assert_eq!(refused(&last), "values");
    // This would take years, so the checker does not begin.
    let far = json!({"certificate": "table", "version": 1, "ruleset": "nim", "first": 1_u64 << 40, "values": [1_u64 << 40]});
    assert_eq!(refused(&far), "first");
}

/// The certificate of a loopy game with these edges of Left and Right.
fn loopy(vertices: usize, left: &[(u32, u32)], right: &[(u32, u32)]) -> Json {
    let graph = Graph::new(vertices, left.to_vec(), right.to_vec()).expect("all ends are vertices");
    let given = PartizanGame { names: lettered(vertices), graph, start: 0 };
    let (mut stoppers, mut work) = (Stoppers::new(), Work::default());
    let sides = stoppers.sides(&given.graph, 0, &mut work).expect("it is small");
    let certificate = LoopyCertificate::new(&given, sides, &stoppers, &mut work).ok();
    serde_json::to_value(certificate.expect("it is small")).expect("JSON")
}

#[test]
fn a_game_equals_a_stopper_only_if_both_sides_do() {
    let equals = "the game equals the stopper listed, of ";
    let has = "the game has the onside listed, of 1 vertex and the offside listed, of 1 vertex";
    for (vertices, left, right, left_starts, right_starts, sides) in [
        (1, &[][..], &[][..], "Right", "Left", equals),
        (2, &[(0, 1)], &[(0, 1)], "Left", "Right", equals),
        (2, &[(0, 1)], &[], "Left", "Left", equals),
        (2, &[], &[(0, 1)], "Right", "Right", equals),
        // on, and dud with the sides on and off.
        (1, &[(0, 0)], &[], "Left", "Left", equals),
        (1, &[(0, 0)], &[(0, 0)], "nobody", "nobody", has),
    ] {
        let certificate = loopy(vertices, left, right);
        let winner = |name: &str| match name {
            "nobody" => "nobody can force a win".to_owned(),
            name => format!("{name} wins"),
        };
        let winners = format!(
            "if Left starts {}, if Right starts {}; ",
            winner(left_starts),
            winner(right_starts)
        );
        let sentence = claim(&certificate).sentence;
        assert!(sentence.starts_with(&format!("{winners}{sides}")), "{sentence}");
        let mut one = certificate.clone();
        one["offside"] = Json::Null;
        let sentence = claim(&one).sentence;
        assert!(sentence.contains("; the game has the onside listed, of "), "{sentence}");
        one["onside"] = Json::Null;
        let sentence = claim(&one).sentence;
        assert!(sentence.contains("; nothing is claimed of its sides; "), "{sentence}");
    }
}
