//! Conditions of the checker, one at a time. Each certificate here says something false or
//! meaningless, and violates only the condition that the test is named after. So each is rejected
//! at the place of that condition.

use crate::common::accepts;
use serde_json::{Value as Json, json};

/// The statement that a certificate is refused for.
#[track_caller]
fn refused(certificate: &Json) -> String {
    match nimoon_check::check(certificate.to_string().as_bytes()) {
        Ok(claim) => panic!("accepted: {} by {certificate}", claim.sentence),
        Err(wrong) => wrong.at,
    }
}

/// A certificate of labels by an order; the names of nodes are those of the letters.
fn labels(theory: &str, gray: &Json, options: &Json, values: &Json, order: &Json) -> Json {
    let count = options.as_array().expect("lists").len();
    let names: Vec<String> = ('a'..='z').take(count).map(String::from).collect();
    json!({"certificate": "labels", "version": 1, "theory": theory, "nodes": names, "gray": gray,
        "options": options, "values": values, "order": order})
}

/// Labels of the carry-on theory are refused for the label of this node.
#[track_caller]
fn wrong_label(node: usize, gray: &Json, options: &Json, values: &Json, order: &Json) {
    let certificate = labels("carry-on", gray, options, values, order);
    assert_eq!(refused(&certificate), format!("values[{node}]"), "{certificate}");
}

fn arc() -> Json {
    labels("short", &json!([]), &json!([[], [0]]), &json!([0, 1]), &json!([0, 1]))
}

fn set(certificate: &Json, path: &str, to: Json) -> Json {
    let mut changed = certificate.clone();
    let (parent, last) = path.rsplit_once('/').expect("a path");
    match changed.pointer_mut(parent).expect("a place") {
        Json::Object(fields) => drop(fields.insert(last.to_owned(), to)),
        Json::Array(entries) => entries[last.parse::<usize>().expect("a number")] = to,
        _ => panic!("no place"),
    }
    changed
}

#[test]
fn a_later_version_may_mean_something_else() {
    assert!(accepts(&arc()));
    assert_eq!(refused(&set(&arc(), "/version", json!(2))), "version");
    assert_eq!(refused(&set(&arc(), "/certificate", json!("graph"))), "certificate");
}

#[test]
fn names_are_of_one_node_each() {
    // Who wins from `a`?
    assert_eq!(refused(&set(&arc(), "/nodes", json!(["a", "a"]))), "nodes[1]");
    assert_eq!(refused(&set(&arc(), "/nodes", json!(["a"]))), "options");
    assert_eq!(refused(&set(&arc(), "/nodes", json!(["a", "b", "c"]))), "options");
    // Without names they are numbered.
    assert!(accepts(&set(&arc(), "/nodes", json!([]))));
}

#[test]
fn levels_that_no_node_has_are_not_checked() {
    // It is rejected as a whole, before the levels up to 2: there could be a million of them.
    let certificate =
        labels("cyclic", &json!([]), &json!([[], [], []]), &json!([0, 0, 2]), &json!([0, 1, 2]));
    assert_eq!(refused(&certificate), "values");
}

#[test]
fn statements_are_about_existing_nodes() {
    let entailing = set(&arc(), "/theory", json!("entailing"));
    assert_eq!(refused(&set(&entailing, "/gray", json!([2]))), "gray[0]");
    assert_eq!(refused(&set(&arc(), "/options", json!([[], [0, 2]]))), "options[1]");
    assert_eq!(refused(&set(&arc(), "/order", json!([0, 1, 2]))), "order[2]");
    let cyclic = set(&arc(), "/theory", json!("cyclic"));
    assert_eq!(refused(&set(&cyclic, "/order", json!([0, 1, 2]))), "order[2]");
    assert_eq!(refused(&set(&arc(), "/values", json!([0, 1, 2]))), "values");
    assert_eq!(refused(&set(&arc(), "/values", json!([0]))), "values");
}

#[test]
fn what_is_listed_twice_counts_once() {
    let moon = |options: Json| {
        let values = json!([0, {"all_except": [0]}, {"kind": "moon"}]);
        labels("entailing", &json!([1, 1]), &options, &values, &json!([0, 1, 0, 2]))
    };
    // c has the options a, which is 0, and the gray b, which covers all but 0.
    assert!(accepts(&moon(json!([[], [0, 0], [0, 1, 0]]))));
    // A list in another order differs from the computed one.
    let covers = |numbers: Json| {
        let values = json!([0, 1, {"all_except": numbers}]);
        labels("entailing", &json!([2]), &json!([[], [0], [0, 1]]), &values, &json!([0, 1, 2]))
    };
    assert!(accepts(&covers(json!([0, 1]))));
    assert_eq!(refused(&covers(json!([1, 0]))), "values[2]");
    assert_eq!(refused(&covers(json!([0, 1, 1]))), "values[2]");
}

#[test]
fn a_label_says_one_thing() {
    for label in [
        json!({"kind": "nimber", "n": 0, "forced": 1}),
        json!({"kind": "nimber", "n": 0, "exits": [1]}),
        json!({"kind": "nimber", "n": 0, "only": [1]}),
        json!({"kind": "nimber", "n": 0, "all_except": [1]}),
        json!({"kind": "nimber", "n": 0, "win": {"only": []}}),
        json!({"kind": "nimber"}),
        json!({"only": [0], "all_except": [1]}),
        json!({"only": [0], "n": 1}),
        json!({"only": [0], "draw": {"only": []}}),
        json!({}),
    ] {
        let at = refused(&set(&arc(), "/values/0", label));
        assert!(at.contains(':'), "it is not read at all: {at}");
    }
    assert!(accepts(&set(&arc(), "/values/0", json!({"kind": "nimber", "n": 0}))));
    let sets = json!({"win": {"all_except": [0]}, "loss": {"only": [0]}, "draw": {"only": []}});
    let general = json!({"certificate": "labels", "version": 1, "theory": "general", "nodes": ["a"], "gray": [],
        "options": [[]], "values": [sets], "ranks": [[0], [1]]});
    assert!(accepts(&general));
    let more = set(&general, "/values/0/loss/but", json!([0]));
    assert!(refused(&more).contains(':'), "{more}");
    let both = json!({"only": [0], "all_except": [1]});
    assert!(refused(&set(&general, "/values/0/loss", both)).contains(':'));
    for (field, more) in [("kind", json!("moon")), ("n", json!(1)), ("only", json!([0]))] {
        assert!(refused(&set(&general, &format!("/values/0/{field}"), more)).contains(':'));
    }
}

#[test]
fn nothing_in_a_certificate_is_left_unread() {
    let game = json!({"nodes": ["0"], "left": [], "right": [], "start": 0});
    let state = json!({"at": [0, 0], "mover": "right", "rank": 0, "play": null});
    let shown = json!({"holds": true, "strategy": [state]});
    let side = json!({"graph": game, "ge": shown, "le": shown});
    let loopy = json!({"certificate": "loopy", "version": 1, "given": game, "stopper": true,
        "remoteness": [[0, 0]], "onside": side, "offside": side});
    let comparison = json!({"certificate": "comparison", "version": 1, "first": game, "second": game,
        "ge_plus": shown, "ge_minus": shown, "le_plus": shown, "le_minus": shown, "relation": "="});
    let remoteness = json!({"certificate": "remoteness", "version": 1, "misere": false, "nodes": ["a"],
        "options": [[]], "distance": [0], "remoteness": [0]});
    let partizan = json!({"certificate": "partizan-remoteness", "version": 1, "misere": false, "graph": game,
        "distance": [[0, 0]], "remoteness": [[0, 0]]});
    let table =
        json!({"certificate": "table", "version": 1, "ruleset": "nim", "first": 0, "values": [0]});
    let gray =
        labels("entailing", &json!([0]), &json!([[]]), &json!([{"all_except": []}]), &json!([0]));
    for (certificate, places) in [
        (one_piece(), &["", "/sum", "/sum/turn", "/sum/strategy/0"][..]),
        (gray, &["/values/0"]),
        (loopy, &["", "/given", "/onside", "/onside/graph", "/onside/ge", "/onside/ge/strategy/0"]),
        (comparison, &["", "/first", "/ge_plus"]),
        (remoteness, &[""]),
        (partizan, &["", "/graph"]),
        (table, &[""]),
    ] {
        assert!(accepts(&certificate), "{certificate}");
        for place in places {
            let more = set(&certificate, &format!("{place}/but"), json!("not on Sundays"));
            assert!(refused(&more).contains(':'), "{more}");
        }
    }
    // An order and ranks do not show the same.
    assert_eq!(refused(&set(&arc(), "/ranks", json!([[5, 5]]))), "theory");
    let cyclic = set(&arc(), "/theory", json!("cyclic"));
    assert!(accepts(&cyclic));
    assert_eq!(refused(&set(&cyclic, "/ranks", json!([[5, 5]]))), "theory");
    let none = set(&arc(), "/order", Json::Null);
    assert_eq!(refused(&none), "theory");
    assert_eq!(refused(&set(&none, "/ranks", json!([[0, 1], [1, 0]]))), "theory");
    let general = json!({"certificate": "labels", "version": 1, "theory": "general", "nodes": ["a"], "gray": [],
        "options": [[]], "order": [0], "ranks": [[0], [1]],
        "values": [{"win": {"all_except": [0]}, "loss": {"only": [0]}, "draw": {"only": []}}]});
    assert_eq!(refused(&general), "theory");
}

/// A piece on b, from which a move leads to a, by a strategy.
fn one_piece() -> Json {
    let sum = json!({"pieces": [1], "total": 1, "outcome": "N",
        "turn": {"kind": "winning", "plies": [[0, 0]], "endless": false},
        "strategy": [{"at": [1], "rank": 1, "play": [0, 0]}, {"at": [0], "rank": 0, "play": null}]});
    set(&set(&arc(), "/certificate", json!("sum")), "/sum", sum)
}

#[test]
fn theories_are_of_the_digraphs_that_they_fit() {
    let values = json!([{"all_except": []}, {"kind": "moon"}]);
    let right = labels("entailing", &json!([0]), &json!([[], [0]]), &values, &json!([0, 1]));
    assert!(accepts(&right));
    assert_eq!(refused(&set(&right, "/theory", json!("short"))), "gray[0]");
    let values = json!(["new-moon", {"kind": "full-moon"}]);
    let right = labels("carry-on", &json!([0]), &json!([[], [0]]), &values, &json!([]));
    assert!(accepts(&right));
    assert_eq!(refused(&set(&right, "/theory", json!("cyclic"))), "gray[0]");
    // From the gray b the opponent may choose.
    let values = json!([0, {"all_except": [0]}, 0]);
    let two = labels("carry-on", &json!([1]), &json!([[], [0, 2], [1]]), &values, &json!([0, 2]));
    assert_eq!(refused(&two), "options[1]");
}

#[test]
fn the_recursion_goes_from_options_to_nodes() {
    let circle = labels("short", &json!([]), &json!([[1], [0]]), &json!([0, 1]), &json!([0, 1]));
    assert_eq!(refused(&circle), "order[0]");
    assert_eq!(refused(&set(&arc(), "/order", json!([1, 0]))), "order[0]");
    assert_eq!(refused(&set(&arc(), "/values/1", json!(0))), "values[1]");
    let left_out = set(&arc(), "/values/1", json!(7));
    assert_eq!(refused(&set(&left_out, "/order", json!([0]))), "values[1]");
}

#[test]
fn a_nimber_follows_from_its_level_and_lower_ones() {
    // A cycle of two: nobody has to leave it.
    wrong_label(0, &json!([]), &json!([[1], [0]]), &json!([0, 1]), &json!([0, 1]));
    // No move to a node of value 0.
    wrong_label(1, &json!([]), &json!([[], []]), &json!([0, 1]), &json!([0, 1]));
    // A move to a node of value 0.
    wrong_label(1, &json!([]), &json!([[], [0]]), &json!([0, 0]), &json!([0, 1]));
    // a moves on by the gray b to itself: for ever, and the opponent never moves.
    wrong_label(0, &json!([1]), &json!([[1], [0]]), &json!([0, {"all_except": [0]}]), &json!([0]));
    // a moves on to c, which has the value 1, and from there to d.
    let options = json!([[1], [2], [3], []]);
    let values = json!([0, {"all_except": [1]}, 1, 0]);
    wrong_label(0, &json!([1]), &options, &values, &json!([3, 2, 0]));
    // a has a move into a cycle of gray nodes.
    wrong_label(0, &json!([1]), &json!([[1], [1]]), &json!([0, null]), &json!([0]));
    // a wins at once: the opponent has no answer in b.
    wrong_label(0, &json!([1]), &json!([[1], []]), &json!([0, "new-moon"]), &json!([0]));
    let twice = labels("cyclic", &json!([]), &json!([[]]), &json!([0]), &json!([0, 0]));
    assert_eq!(refused(&twice), "order[1]");
}

#[test]
fn what_has_no_nimber_gets_none_by_the_rules() {
    let cyclic = |exits: Json| json!({"kind": "cyclic", "exits": exits});
    wrong_label(0, &json!([]), &json!([[]]), &json!([cyclic(json!([]))]), &json!([]));
    // The 0 of a is true, but b is 1: that would not be found if a were left out of the order.
    wrong_label(0, &json!([]), &json!([[], [0]]), &json!([0, cyclic(json!([0]))]), &json!([]));
}

#[test]
fn values_without_a_number_are_distinguished() {
    let full = json!({"kind": "full-moon"});
    let moon = |forced: Json| json!({"kind": "moon", "forced": forced});
    let ninny = |forced: u64| json!({"kind": "ninny", "forced": forced});
    let cyclic = |exits: Json| json!({"kind": "cyclic", "exits": exits});
    let none = json!([]);
    // A loop.
    let options = json!([[0]]);
    for wrong in [
        full.clone(),
        moon(json!([])),
        moon(json!([0])),
        ninny(0),
        cyclic(json!([0])),
        json!({"only": []}),
        json!({"all_except": []}),
        json!("new-moon"),
        json!(null),
    ] {
        wrong_label(0, &none, &options, &json!([wrong]), &none);
    }
    assert!(accepts(&labels("carry-on", &none, &options, &json!([cyclic(json!([]))]), &none)));
    // A loop with an exit to 0.
    let options = json!([[0, 1], []]);
    for wrong in
        [cyclic(json!([])), cyclic(json!([0, 1])), cyclic(json!([1])), ninny(0), full.clone()]
    {
        wrong_label(0, &none, &options, &json!([wrong, 0]), &json!([1]));
    }
    let right = json!([cyclic(json!([0])), 0]);
    assert!(accepts(&labels("carry-on", &none, &options, &right, &json!([1]))));
    // A loop, and the gray b by which the mover may go on to c: a ninny.
    let options = json!([[0, 1], [2], []]);
    let with = |label: Json| json!([label, {"all_except": [0]}, 0]);
    for wrong in [ninny(1), cyclic(json!([])), cyclic(json!([0])), moon(json!([0])), full.clone()] {
        wrong_label(0, &json!([1]), &options, &with(wrong), &json!([2]));
    }
    let right = with(ninny(0));
    assert!(accepts(&labels("carry-on", &json!([1]), &options, &right, &json!([2]))));
    // Moves to c, and by b on to c: a moon.
    let options = json!([[1, 2], [2], []]);
    for wrong in
        [ninny(0), cyclic(json!([])), cyclic(json!([0])), moon(json!([])), moon(json!([1])), full]
    {
        wrong_label(0, &json!([1]), &options, &with(wrong), &json!([2]));
    }
    let right = with(moon(json!([0])));
    assert!(accepts(&labels("carry-on", &json!([1]), &options, &right, &json!([2]))));
    // A win at once.
    let options = json!([[1], []]);
    for wrong in [ninny(0), cyclic(json!([])), moon(json!([])), json!("full-moon")] {
        wrong_label(0, &json!([1]), &options, &json!([wrong, "new-moon"]), &none);
    }
    // Labels of gray nodes.
    for wrong in [json!(null), json!("full-moon"), json!({"only": [0]}), json!({"all_except": []})]
    {
        wrong_label(0, &json!([0]), &json!([[1], []]), &json!([wrong, 0]), &json!([1]));
    }
    // A nimber is not a label of a gray node, in the order or not.
    wrong_label(0, &json!([0]), &json!([[1], []]), &json!([1, 0]), &json!([1, 0]));
    wrong_label(0, &json!([0]), &json!([[1], []]), &json!([1, 0]), &json!([1]));
}

/// Ranks with the outcome sets that follow from them, if the last heap is repeated for ever.
fn ranks(gray: &Json, options: &Json, ranks: &Json) -> Json {
    let rows: Vec<Vec<Option<u64>>> = serde_json::from_value(ranks.clone()).expect("ranks");
    let nodes = options.as_array().expect("lists").len();
    let values: Vec<Json> = (0..nodes).map(|node| crate::common::sets(&rows, node)).collect();
    let mut certificate = labels("general", gray, options, &json!(values), &Json::Null);
    certificate["ranks"] = ranks.clone();
    certificate
}

/// Checks that the wrong ranks are rejected at this place, and the right ones accepted.
#[track_caller]
fn wrong_rank(at: &str, gray: &Json, options: &Json, wrong: &Json, right: &Json) {
    assert!(accepts(&ranks(gray, options, right)), "{right}");
    assert_eq!(refused(&ranks(gray, options, wrong)), at);
}

#[test]
fn a_loss_has_every_move_answered() {
    let none = json!([]);
    // b moves to a and wins.
    let right = json!([[0, 1], [1, 2], [1, 1]]);
    wrong_rank("ranks[0][1]", &none, &json!([[], [0]]), &json!([[0, 2], [1, 1]]), &right);
    // Nobody leaves a cycle of two.
    let circle = json!([[1], [0]]);
    let wrong = json!([[2, 3], [1, 2], [1, 1]]);
    wrong_rank("ranks[0][0]", &none, &circle, &wrong, &json!([[null, null]]));
    // Beside *1 the heap is taken.
    let right = json!([[0], [1]]);
    wrong_rank("ranks[1][0]", &none, &json!([[]]), &json!([[0], [0], [1]]), &right);
    // a is terminal, b → a has the value 1, c moves to itself and to b, d to c. Beside *1 c is won
    // by moving to b. But d + *1 is not a loss: the heap can be taken, and d alone is drawn.
    let options = json!([[], [0], [1, 2], [2]]);
    let right = json!([[0, 1, null, null], [1, 2, 3, null], [1, 1, null, null]]);
    let wrong = json!([[0, 1, null, null], [1, 2, 3, 4], [1, 1, null, 1]]);
    wrong_rank("ranks[1][3]", &none, &options, &wrong, &right);
}

#[test]
fn a_win_has_a_move_to_a_loss() {
    let none = json!([]);
    // c → b → a: c is lost.
    let options = json!([[], [0], [1]]);
    let right = json!([[0, 1, 2], [1, 2, 3], [1, 1, 1]]);
    let wrong = json!([[0, 1, 3], [1, 2, 3], [1, 1, 2], [1, 1, 1]]);
    wrong_rank("ranks[0][2]", &none, &options, &wrong, &right);
    // A cycle of two.
    let wrong = json!([[1, 2], [2, 1], [1, 1]]);
    wrong_rank("ranks[0][0]", &none, &json!([[1], [0]]), &wrong, &json!([[null, null]]));
    // A gray node must be moved: there is no move in the heap.
    wrong_rank("ranks[1][0]", &json!([0]), &json!([[]]), &json!([[0], [1]]), &json!([[0]]));
}

#[test]
fn in_a_draw_nobody_has_a_better_move_and_nobody_is_stuck() {
    let none = json!([]);
    // b moves to itself, or to a and wins.
    let options = json!([[], [1, 0]]);
    let right = json!([[0, 1], [1, null]]);
    wrong_rank("ranks[0][1]", &none, &options, &json!([[0, null], [1, null]]), &right);
    // There is no move.
    wrong_rank("ranks[0][0]", &none, &json!([[]]), &json!([[null]]), &json!([[0], [1]]));
    // c → b: c is lost, and so c + *1 is won by taking the heap, though b + *1 is drawn.
    let options = json!([[], [0, 1], [1]]);
    let right = json!([[0, 1, 2], [1, null, 1]]);
    let wrong = json!([[0, 1, 2], [1, null, null]]);
    wrong_rank("ranks[1][2]", &none, &options, &wrong, &right);
}

#[test]
fn ranks_are_of_all_nodes_and_go_far_enough() {
    let none = json!([]);
    let right = json!([[0], [1]]);
    // Beside *1 it is no longer a loss.
    wrong_rank("ranks", &none, &json!([[]]), &json!([[0]]), &right);
    wrong_rank("ranks", &none, &json!([[]]), &json!([]), &right);
    wrong_rank("ranks[1]", &none, &json!([[]]), &json!([[0], [1, 1]]), &right);
    let other = set(&ranks(&none, &json!([[]]), &right), "/values/0/win", json!({"only": [1]}));
    assert_eq!(refused(&other), "values[0]");
}

/// A sum with one piece, shown by a strategy; the value of the sum is that of the node.
fn strategy(digraph: &Json, piece: usize, outcome: &str, strategy: &Json) -> Json {
    let total = &digraph["values"][piece];
    let sum = json!({"pieces": [piece], "total": total, "outcome": outcome, "strategy": strategy});
    set(&set(digraph, "/certificate", json!("sum")), "/sum", sum)
}

#[test]
fn a_draw_is_shown_without_ranks() {
    // d is terminal and c → d is won, so b → c is lost, and a wins by moving there.
    let cyclic = json!({"kind": "cyclic", "exits": [0]});
    let values = json!([cyclic, 0, 1, 0]);
    let digraph =
        labels("cyclic", &json!([]), &json!([[0, 1], [2], [3], []]), &values, &json!([3, 2, 1]));
    assert!(accepts(&digraph));
    let stays = json!({"at": [0], "rank": null, "play": [0, 0], "holds": true});
    // The answer in b leads to c, which is not listed.
    let answer = json!({"at": [1], "rank": 5, "play": [0, 2]});
    let nothing = json!({"at": [2], "rank": null, "play": null});
    let forged = strategy(&digraph, 0, "D", &json!([stays, answer, nothing]));
    assert_eq!(refused(&forged), "sum.strategy[1]");
    // And a win with them.
    let wins = json!({"at": [1], "rank": 1, "play": [0, 2]});
    let forged = strategy(&digraph, 1, "N", &json!([wins, nothing]));
    assert_eq!(refused(&forged), "sum.strategy[1]");
}

#[test]
fn unreachable_entries_of_a_strategy_do_not_count() {
    let one = one_piece();
    assert!(accepts(&one));
    let mut entries = one["sum"]["strategy"].as_array().expect("a list").clone();
    // No piece and three, and b once more before what counts.
    entries.insert(0, json!({"at": [], "rank": 0, "play": null}));
    entries.insert(0, json!({"at": [0, 0, 0], "rank": 0, "play": null}));
    entries.insert(0, json!({"at": [1], "rank": 9, "play": [0, 0]}));
    assert!(accepts(&set(&one, "/sum/strategy", json!(entries))));
    // But it is checked, and the last entry of a position counts.
    entries.push(json!({"at": [1], "rank": 0, "play": [0, 0]}));
    assert_eq!(refused(&set(&one, "/sum/strategy", json!(entries))), "sum.strategy[5]");
    entries.pop();
    entries.push(json!({"at": [2], "rank": 0, "play": null}));
    assert_eq!(refused(&set(&one, "/sum/strategy", json!(entries))), "sum.strategy[5]");
}
