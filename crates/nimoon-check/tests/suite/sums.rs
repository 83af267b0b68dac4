//! Conditions of the checker, one at a time, for sums and turns, and for games of Left and Right.
//! As in `conditions.rs`, each certificate is wrong in one place, and rejected there.

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

/// A sum on a digraph with right labels. Nodes: a terminal; b → a; c → b; d → d and a; e → e and c;
/// f → f; the gray g → a, and h → g; the gray i is terminal, and j → i; the gray k → k, and l → k;
/// m → m and g.
fn on_board(pieces: &Json, total: &Json, outcome: &str, more: &Json) -> Json {
    let names: Vec<String> = ('a'..='m').map(String::from).collect();
    let cyclic = |exits: Json| json!({"kind": "cyclic", "exits": exits});
    let mut certificate = json!({"certificate": "sum", "version": 1, "theory": "carry-on", "nodes": names,
        "gray": [6, 8, 10],
        "options": [[], [0], [1], [3, 0], [4, 2], [5], [0], [6], [], [8], [10], [10], [12, 6]],
        "values": [0, 1, 0, cyclic(json!([0])), cyclic(json!([0])), cyclic(json!([])), {"all_except": [0]}, 0,
            "new-moon", {"kind": "full-moon"}, null, cyclic(json!([])), {"kind": "ninny", "forced": 0}],
        "order": [0, 1, 2, 7],
        "sum": {"pieces": pieces, "total": total, "outcome": outcome}});
    for (name, part) in more.as_object().expect("parts of a sum") {
        certificate["sum"][name] = part.clone();
    }
    certificate
}

const NOTHING: Json = Json::Null;

#[test]
fn values_add_up_and_show_who_wins() {
    let cyclic = |exits: Json| json!({"kind": "cyclic", "exits": exits});
    let full = json!({"kind": "full-moon"});
    let ok = |pieces: Json, total: Json, outcome: &str| {
        let right = on_board(&pieces, &total, outcome, &json!({}));
        nimoon_check::check(right.to_string().as_bytes()).unwrap_or_else(|wrong| panic!("{wrong}"));
        for other in ["N", "P", "D"].into_iter().filter(|&other| other != outcome) {
            let wrong = on_board(&pieces, &total, other, &json!({}));
            assert_eq!(refused(&wrong), "sum.outcome");
        }
        for other in [json!(5), cyclic(json!([3])), json!({"kind": "ninny", "forced": 7})] {
            let wrong = on_board(&pieces, &other, outcome, &json!({}));
            assert_eq!(refused(&wrong), "sum.total");
        }
    };
    ok(json!([]), json!(0), "P");
    ok(json!([0]), json!(0), "P");
    ok(json!([1]), json!(1), "N");
    ok(json!([1, 1]), json!(0), "P");
    ok(json!([3]), cyclic(json!([0])), "N");
    ok(json!([3, 1]), cyclic(json!([1])), "D");
    ok(json!([3, 4]), cyclic(json!([])), "D");
    ok(json!([5]), cyclic(json!([])), "D");
    ok(json!([9, 5]), full.clone(), "N");
    ok(json!([12, 2]), json!({"kind": "ninny", "forced": 0}), "D");
    ok(json!([12, 1]), json!({"kind": "ninny", "forced": 1}), "N");
    ok(json!([9, 0]), full, "N");
    // On gray nodes: g leads to a, with the opponent to move; i is lost, and k goes on for ever.
    ok(json!([6]), NOTHING, "N");
    ok(json!([6, 1]), NOTHING, "P");
    ok(json!([6, 3]), NOTHING, "P");
    ok(json!([8]), NOTHING, "P");
    ok(json!([10, 1]), NOTHING, "D");
    // A sum that does not exist, and a node that does not exist.
    assert_eq!(refused(&on_board(&json!([6, 8]), &NOTHING, "N", &json!({}))), "sum.pieces");
    assert_eq!(refused(&on_board(&json!([13]), &NOTHING, "N", &json!({}))), "sum.pieces");
}

#[test]
fn a_gray_piece_of_the_entailing_theory_is_lost_beside_what_it_covers() {
    // a terminal, b → a; the gray c → a and b covers all but 0 and 1; the gray d covers nothing but
    // 0, since its option is c and b; e is a moon.
    let digraph = |pieces: Json, total: Json, outcome: &str| {
        json!({"certificate": "sum", "version": 1, "theory": "entailing", "nodes": ["a", "b", "c", "d", "e"], "gray": [2, 3],
            "options": [[], [0], [0, 1], [2, 1], [0, 1, 2]],
            "values": [0, 1, {"all_except": [0, 1]}, {"only": [0]}, {"kind": "moon"}], "order": [0, 1, 2, 3, 4],
            "sum": {"pieces": pieces, "total": total, "outcome": outcome}})
    };
    let moon = json!({"kind": "moon"});
    for (pieces, total, outcome) in [
        (json!([4]), moon.clone(), "N"),
        (json!([4, 4, 1]), moon, "N"),
        (json!([2]), NOTHING, "N"),
        (json!([2, 1]), NOTHING, "N"),
        // Beside a moon the gray c has no good move, and the gray d has that to c.
        (json!([2, 4]), NOTHING, "P"),
        (json!([3]), NOTHING, "P"),
        (json!([3, 1]), NOTHING, "N"),
        (json!([3, 4]), NOTHING, "N"),
    ] {
        let right = digraph(pieces.clone(), total.clone(), outcome);
        nimoon_check::check(right.to_string().as_bytes())
            .unwrap_or_else(|wrong| panic!("{wrong}: {right}"));
        let other = if outcome == "N" { "P" } else { "N" };
        assert_eq!(refused(&digraph(pieces, total, other)), "sum.outcome");
    }
}

#[test]
fn without_an_algebra_there_must_be_a_strategy() {
    let sets = json!({"win": {"all_except": [0]}, "loss": {"only": [0]}, "draw": {"only": []}});
    let general = json!({"certificate": "sum", "version": 1, "theory": "general", "nodes": ["a"], "gray": [],
        "options": [[]], "values": [sets], "ranks": [[0], [1]],
        "sum": {"pieces": [0], "total": null, "outcome": "P"}});
    assert_eq!(refused(&general), "sum.strategy");
}

/// A strategy on the board, for one piece or more.
fn strategy(pieces: &Json, total: &Json, outcome: &str, entries: &Json) -> Json {
    on_board(pieces, total, outcome, &json!({"strategy": entries}))
}

#[test]
fn a_winning_strategy_answers_every_move_with_lower_ranks() {
    let (a, b, c) = (
        json!({"at": [0], "rank": 0, "play": null}),
        json!({"at": [1], "rank": 1, "play": [0, 0]}),
        json!({"at": [2], "rank": 2, "play": null}),
    );
    assert!(accepts(&strategy(&json!([1]), &json!(1), "N", &json!([a, b]))));
    assert!(accepts(&strategy(&json!([2]), &json!(0), "P", &json!([a, b, c]))));
    let exits = json!({"kind": "cyclic", "exits": [0]});
    // Who wins is the one with the move, or the other.
    assert_eq!(refused(&strategy(&json!([1]), &json!(1), "P", &json!([a, b]))), "sum.outcome");
    assert_eq!(refused(&strategy(&json!([2]), &json!(0), "N", &json!([a, b, c]))), "sum.outcome");
    assert_eq!(refused(&strategy(&json!([2]), &json!(0), "P", &json!([a, b]))), "sum.outcome");
    // b is not answered, or its answer is illegal, or leads to b.
    assert_eq!(refused(&strategy(&json!([2]), &json!(0), "P", &json!([c]))), "sum.strategy[0]");
    let stuck = json!({"at": [1], "rank": 1, "play": null});
    assert_eq!(
        refused(&strategy(&json!([2]), &json!(0), "P", &json!([c, stuck]))),
        "sum.strategy[0]"
    );
    let none = json!({"at": [0], "rank": 1, "play": [0, 2]});
    assert_eq!(
        refused(&strategy(&json!([0]), &json!(0), "N", &json!([none, c, b]))),
        "sum.strategy[0]"
    );
    // d stays, with ranks that do not fall, against a move that wins for the other.
    let stays = json!({"at": [3], "rank": 1, "play": [0, 3]});
    assert_eq!(refused(&strategy(&json!([3]), &exits, "N", &json!([stays]))), "sum.strategy[0]");
    let waits = json!({"at": [5], "rank": 1, "play": null});
    let none = json!({"kind": "cyclic", "exits": []});
    assert_eq!(refused(&strategy(&json!([5]), &none, "P", &json!([waits]))), "sum.strategy[0]");
    let two =
        json!([{"at": [5, 1], "rank": 1, "play": [0, 5]}, {"at": [5, 0], "rank": 1, "play": null}]);
    assert_eq!(refused(&strategy(&json!([5, 1]), &none, "N", &two)), "sum.strategy[0]");
    // A move along an equal rank, there and back.
    let equal =
        json!([{"at": [1, 5], "rank": 1, "play": [0, 0]}, {"at": [0, 5], "rank": 1, "play": null}]);
    assert_eq!(refused(&strategy(&json!([1, 5]), &none, "N", &equal)), "sum.strategy[0]");
    // c has a winning move only if b, which has one as well, were lost.
    let wins = json!({"at": [2], "rank": 2, "play": [0, 1]});
    assert_eq!(
        refused(&strategy(&json!([2]), &json!(0), "N", &json!([wins, a, b]))),
        "sum.strategy[0]"
    );
    // A piece on a gray node must be moved, so the win in b must wait.
    let elsewhere =
        json!([{"at": [6, 1], "rank": 1, "play": [1, 0]}, {"at": [6, 0], "rank": 0, "play": null}]);
    assert_eq!(refused(&strategy(&json!([6, 1]), &NOTHING, "N", &elsewhere)), "sum.strategy[0]");
}

#[test]
fn a_draw_is_held_by_both() {
    let none = json!({"kind": "cyclic", "exits": []});
    let exits = json!({"kind": "cyclic", "exits": [0]});
    let both = json!({"at": [5], "play": [0, 5], "holds": true});
    assert!(accepts(&strategy(&json!([5]), &none, "D", &json!([both]))));
    // Only the next player is shown not to lose, or only the previous one.
    let next = json!([{"at": [9, 5], "play": [1, 5], "holds": false}]);
    assert!(!accepts(&strategy(&json!([9, 5]), &json!({"kind": "full-moon"}), "D", &next)));
    let next = json!([{"at": [1, 0], "play": [0, 0], "holds": false}, {"at": [0, 0], "play": null, "holds": true}]);
    assert_eq!(refused(&strategy(&json!([1, 0]), &json!(1), "D", &next)), "sum.outcome");
    let previous = json!([{"at": [0], "play": null, "holds": true}]);
    assert_eq!(refused(&strategy(&json!([0]), &json!(0), "D", &previous)), "sum.outcome");
    // The move leads to a position that is not held.
    let not_held = json!([{"at": [5], "play": [0, 5], "holds": false}]);
    assert_eq!(refused(&strategy(&json!([5]), &none, "D", &not_held)), "sum.strategy[0]");
    // d holds nothing: the move to a is not answered.
    let holds = json!([{"at": [3], "play": [0, 3], "holds": true}]);
    assert_eq!(refused(&strategy(&json!([3]), &exits, "D", &holds)), "sum.strategy[0]");
    let holds = json!([{"at": [3], "play": [0, 3], "holds": true}, {"at": [0], "play": null, "holds": false}]);
    assert_eq!(refused(&strategy(&json!([3]), &exits, "D", &holds)), "sum.strategy[0]");
}

/// A turn on the board, by values or by a strategy.
#[expect(clippy::needless_pass_by_value, reason = "what is handed over is made for it")]
fn turn(pieces: Json, total: &Json, outcome: &str, turn: Json, entries: Option<Json>) -> Json {
    on_board(&pieces, total, outcome, &json!({"turn": turn, "strategy": entries}))
}

#[test]
fn a_turn_does_what_is_said() {
    let claimed = |kind: &str, plies: Json| json!({"kind": kind, "plies": plies, "endless": false});
    let (none, exits) =
        (json!({"kind": "cyclic", "exits": []}), json!({"kind": "cyclic", "exits": [0]}));
    let one = json!(1);
    assert!(accepts(&turn(json!([1]), &one, "N", claimed("winning", json!([[0, 0]])), None)));
    // The kind goes with the outcome.
    for kind in ["drawing", "losing", "none"] {
        let wrong = turn(json!([1]), &one, "N", claimed(kind, json!([[0, 0]])), None);
        assert_eq!(refused(&wrong), "sum.turn.kind");
    }
    let zero = json!(0);
    for kind in ["winning", "drawing"] {
        let wrong = turn(json!([2]), &zero, "P", claimed(kind, json!([[0, 1]])), None);
        assert_eq!(refused(&wrong), "sum.turn.kind");
    }
    assert!(accepts(&turn(json!([2]), &zero, "P", claimed("losing", json!([[0, 1]])), None)));
    assert!(accepts(&turn(json!([0]), &zero, "P", claimed("none", json!([])), None)));
    let wrong = turn(json!([0]), &zero, "P", claimed("none", json!([[0, 1]])), None);
    assert_eq!(refused(&wrong), "sum.turn.kind");
    // There is a move, so it must be listed.
    assert_eq!(
        refused(&turn(json!([2]), &zero, "P", claimed("none", json!([])), None)),
        "sum.turn.kind"
    );
    assert_eq!(
        refused(&turn(json!([2]), &zero, "P", claimed("losing", json!([])), None)),
        "sum.turn.kind"
    );
    let wrong = turn(json!([5]), &none, "D", claimed("none", json!([])), None);
    assert_eq!(refused(&wrong), "sum.turn.kind");
    // From the gray i there is no move, though b has one.
    assert!(accepts(&turn(json!([8, 1]), &NOTHING, "P", claimed("none", json!([])), None)));
    // No move at all.
    let wrong = turn(json!([2]), &zero, "P", claimed("losing", json!([[0, 0]])), None);
    assert_eq!(refused(&wrong), "sum.turn.plies[0]");
    let wrong = turn(json!([2]), &zero, "P", claimed("losing", json!([[1, 0]])), None);
    assert_eq!(refused(&wrong), "sum.turn.plies[0]");
    // What the opponent need not do: from a white node, or in another component.
    let wrong = turn(json!([2]), &zero, "P", claimed("losing", json!([[0, 1], [0, 0]])), None);
    assert_eq!(refused(&wrong), "sum.turn.plies[1]");
    // h is moved to g, and the opponent must go on to a; then b is moved.
    let three = json!([[0, 6], [0, 0], [1, 0]]);
    assert!(accepts(&turn(json!([7, 1]), &one, "N", claimed("winning", three), None)));
    // The position that is left is not good enough.
    let wrong = turn(json!([3]), &exits, "N", claimed("winning", json!([[0, 3]])), None);
    assert_eq!(refused(&wrong), "sum.turn.plies");
    let wrong = turn(
        json!([3, 1]),
        &json!({"kind": "cyclic", "exits": [1]}),
        "D",
        claimed("drawing", json!([[1, 0]])),
        None,
    );
    assert_eq!(refused(&wrong), "sum.turn.plies");
    let right = turn(
        json!([3, 1]),
        &json!({"kind": "cyclic", "exits": [1]}),
        "D",
        claimed("drawing", json!([[0, 3]])),
        None,
    );
    assert!(accepts(&right));
}

#[test]
fn the_opponent_has_no_choice_in_a_turn() {
    // The gray b → a and c; c → a; d → b. By the general theory, since b has two options.
    let mut certificate = json!({"certificate": "sum", "version": 1, "theory": "entailing", "nodes": ["a", "b", "c", "d"], "gray": [1],
        "options": [[], [0, 2], [0], [1]],
        "values": [0, {"all_except": [0, 1]}, 1, 0], "order": [0, 2, 1, 3],
        "sum": {"pieces": [3, 2], "total": 1, "outcome": "N"}});
    assert!(accepts(&certificate));
    certificate["sum"]["turn"] =
        json!({"kind": "winning", "plies": [[0, 1], [0, 0], [1, 0]], "endless": false});
    assert_eq!(refused(&certificate), "sum.turn.plies[1]");
}

#[test]
fn an_endless_turn_comes_back() {
    let none = json!({"kind": "cyclic", "exits": []});
    let endless = |kind: &str, plies: Json| json!({"kind": kind, "plies": plies, "endless": true});
    // l is moved to k, and from there on all is forced.
    let round = json!([[0, 10], [0, 10]]);
    assert!(accepts(&turn(json!([11]), &none, "D", endless("drawing", round), None)));
    let once = turn(json!([11]), &none, "D", endless("drawing", json!([[0, 10]])), None);
    assert_eq!(refused(&once), "sum.turn.endless");
    // f is moved to itself, and what is a draw for one player is a draw for the other.
    let round = json!([[0, 5]]);
    assert!(accepts(&turn(json!([5, 1]), &none, "D", endless("drawing", round), None)));
    // h is moved to g, and the opponent to a: that is another position.
    let other = turn(json!([7, 5]), &none, "D", endless("drawing", json!([[0, 6], [0, 0]])), None);
    assert_eq!(refused(&other), "sum.turn.endless");
    // It is not a win.
    let exits = json!({"kind": "cyclic", "exits": [0]});
    let wrong = turn(json!([3]), &exits, "N", endless("winning", json!([[0, 3]])), None);
    assert_eq!(refused(&wrong), "sum.turn.endless");
    let full = json!({"kind": "full-moon"});
    let wrong = turn(
        json!([9, 11]),
        &full,
        "N",
        endless("winning", json!([[1, 10], [1, 10], [1, 10]])),
        None,
    );
    assert_eq!(refused(&wrong), "sum.turn.endless");
}

#[test]
fn a_turn_is_good_by_the_listed_strategy() {
    let none = json!({"kind": "cyclic", "exits": []});
    let claimed = json!({"kind": "drawing", "plies": [[0, 5]], "endless": false});
    let at = json!({"at": [5, 5], "play": [0, 5], "holds": true});
    let right = turn(json!([5, 5]), &none, "D", claimed.clone(), Some(json!([at])));
    assert!(accepts(&right));
    // d + b is drawn by staying in d. The move in b leaves d, which is won by the opponent.
    let total = json!({"kind": "cyclic", "exits": [1]});
    let entries = json!([
        {"at": [3, 1], "play": [0, 3], "holds": true},
        {"at": [0, 1], "play": [1, 0], "holds": false},
        {"at": [0, 0], "play": null, "holds": true},
        {"at": [3, 0], "play": [0, 0], "holds": false},
    ]);
    let drawing = |plies: Json| json!({"kind": "drawing", "plies": plies, "endless": false});
    let right = turn(json!([3, 1]), &total, "D", drawing(json!([[0, 3]])), Some(entries.clone()));
    assert!(accepts(&right));
    let wrong = turn(json!([3, 1]), &total, "D", drawing(json!([[1, 0]])), Some(entries));
    assert_eq!(refused(&wrong), "sum.turn.plies");
    // m is moved to g, and the opponent to a: that holds for the opponent, and the player is stuck.
    let ninny = json!({"kind": "ninny", "forced": 0});
    let entries = json!([
        {"at": [12], "play": [0, 12], "holds": true},
        {"at": [6], "play": [0, 0], "holds": false},
        {"at": [0], "play": null, "holds": true},
    ]);
    let right = turn(json!([12]), &ninny, "D", drawing(json!([[0, 12]])), Some(entries.clone()));
    assert!(accepts(&right));
    for entries in [Some(entries), None] {
        let wrong = turn(json!([12]), &ninny, "D", drawing(json!([[0, 6], [0, 0]])), entries);
        assert_eq!(refused(&wrong), "sum.turn.plies");
    }
}

/// A graph with these edges of Left and Right.
fn graph(vertices: usize, left: &Json, right: &Json) -> Json {
    let names: Vec<String> = ('a'..='z').take(vertices).map(String::from).collect();
    json!({"nodes": names, "left": left, "right": right, "start": 0})
}

/// A comparison of two games with the given strategy for the first relation; the other three
/// relations are those of equal games without moves.
fn compared(first: &Json, second: &Json, ge_plus: &Json, relation: &str) -> Json {
    let stuck = json!([{"at": [0, 0], "mover": "right", "rank": 0, "play": null}]);
    let shown = json!({"holds": true, "strategy": stuck});
    json!({"certificate": "comparison", "version": 1, "first": first, "second": second, "ge_plus": ge_plus,
        "ge_minus": shown, "le_plus": shown, "le_minus": shown, "relation": relation})
}

#[test]
fn graphs_and_states_have_their_vertices() {
    let zero = graph(1, &json!([]), &json!([]));
    let shown = json!({"holds": true, "strategy": [{"at": [0, 0], "mover": "right", "rank": 0, "play": null}]});
    assert!(accepts(&compared(&zero, &zero, &shown, "=")));
    let none = json!({"nodes": [], "left": [], "right": [], "start": 0});
    assert_eq!(refused(&compared(&none, &zero, &shown, "=")), "first.start");
    assert_eq!(refused(&compared(&zero, &none, &shown, "=")), "second.start");
    let from = graph(1, &json!([[1, 0]]), &json!([]));
    assert_eq!(refused(&compared(&from, &zero, &shown, "=")), "first.left[0]");
    let to = graph(1, &json!([]), &json!([[0, 0], [0, 1]]));
    assert_eq!(refused(&compared(&zero, &to, &shown, "=")), "second.right[1]");
    for at in [json!([1, 0]), json!([0, 1])] {
        let state = json!({"at": at, "mover": "right", "rank": 0, "play": null});
        let shown = json!({"holds": true, "strategy": [shown["strategy"][0], state]});
        assert_eq!(refused(&compared(&zero, &zero, &shown, "=")), "ge_plus.strategy[1]");
    }
    // The start, and with Right to move.
    let empty = json!({"holds": true, "strategy": []});
    assert_eq!(refused(&compared(&zero, &zero, &empty, "=")), "ge_plus");
    let left = json!({"holds": false, "strategy": [{"at": [0, 0], "mover": "left", "rank": 0, "play": null}]});
    assert_eq!(refused(&compared(&zero, &zero, &left, "<")), "ge_plus");
    for relation in ["<", ">", "||", ""] {
        assert_eq!(refused(&compared(&zero, &zero, &shown, relation)), "relation");
    }
    // Nobody has a move, so Right does not win by moving; and a strategy has the moves of its
    // player alone.
    let fails = json!({"holds": false, "strategy": [{"at": [0, 0], "mover": "right", "rank": 0, "play": ["first", 0]}]});
    assert_eq!(refused(&compared(&zero, &zero, &fails, "<")), "ge_plus.strategy[0]");
    let fails = json!({"holds": false, "strategy": [{"at": [0, 0], "mover": "right", "rank": 0, "play": null}]});
    assert_eq!(refused(&compared(&zero, &zero, &fails, "<")), "ge_plus.strategy[0]");
    let on = graph(1, &json!([[0, 0]]), &json!([]));
    let state = json!({"at": [0, 0], "mover": "right", "rank": 0, "play": ["second", 0]});
    let shown = json!({"holds": true, "strategy": [state]});
    assert_eq!(refused(&compared(&zero, &on, &shown, "=")), "ge_plus.strategy[0]");
}

#[test]
fn survival_has_ranks_that_fall() {
    let zero = graph(1, &json!([]), &json!([]));
    // on: Left moves for ever. off: Right does.
    let on = graph(1, &json!([[0, 0]]), &json!([]));
    let off = graph(1, &json!([]), &json!([[0, 0]]));
    let state = |mover: &str, rank: u32, play: Json| json!({"at": [0, 0], "mover": mover, "rank": rank, "play": play});
    let shown = |holds: bool, states: Json| json!({"holds": holds, "strategy": states});
    // 0 − on: Right moves in the second, and Left has no move. So it does not hold, whatever states
    // are left out.
    let wrong = shown(true, json!([state("right", 0, Json::Null)]));
    assert_eq!(refused(&compared(&zero, &on, &wrong, "=")), "ge_plus.strategy[0]");
    // on − on: it holds since Left moves in the first.
    let right = json!([state("right", 1, Json::Null), state("left", 0, json!(["first", 0]))]);
    // Each move of Right in the second has a lower rank, and each answer in the first may have a
    // higher one: only the next relation is wrong.
    let at = refused(&compared(&on, &on, &shown(true, right), "="));
    assert!(at.starts_with("ge_minus"), "{at}");
    let equal = json!([state("right", 0, Json::Null), state("left", 0, json!(["first", 0]))]);
    let at = refused(&compared(&on, &on, &shown(true, equal), "="));
    assert_eq!(at, "ge_plus.strategy[0]");
    // off − off: Right moves in the first for ever, so it is not a failure by moves in the second,
    // where Left moves.
    let fails = json!([state("right", 0, json!(["first", 0])), state("left", 0, Json::Null)]);
    assert_eq!(refused(&compared(&off, &off, &shown(false, fails), "<")), "ge_plus.strategy[0]");
    let rises = json!([state("right", 0, json!(["first", 0])), state("left", 1, Json::Null)]);
    assert_eq!(refused(&compared(&off, &off, &shown(false, rises), "<")), "ge_plus.strategy[0]");
}

#[test]
fn remoteness_of_left_and_right_is_checked() {
    // Left may move from a to b, and Right from b to a.
    let right = json!({"certificate": "partizan-remoteness", "version": 1, "misere": false,
        "graph": graph(2, &json!([[0, 1]]), &json!([[1, 0]])),
        "distance": [[null, 0], [0, null]], "remoteness": [[null, 0], [0, null]]});
    assert!(accepts(&right));
    let change = |path: &str, to: Json| {
        let mut changed = right.clone();
        *changed.pointer_mut(path).expect("a place") = to;
        refused(&changed)
    };
    assert_eq!(change("/distance/0/0", json!(1)), "distance[0][0]");
    assert_eq!(change("/distance/0/1", json!(1)), "distance[0][1]");
    assert_eq!(change("/remoteness/0/0", json!(1)), "remoteness[0][0]");
    assert_eq!(change("/remoteness/0/1", Json::Null), "remoteness[0][1]");
    assert_eq!(change("/misere", json!(true)), "remoteness[0][1]");
    assert_eq!(change("/distance", json!([[null, 0], [0, null], [0, 0]])), "distance");
    assert_eq!(change("/remoteness", json!([[null, 0], [0, null], [0, 0]])), "remoteness");
    assert_eq!(change("/distance", json!([[null, 0]])), "distance");
    assert_eq!(change("/remoteness", json!([[null, 0]])), "remoteness");
}

#[test]
fn remoteness_is_the_quickest_win_and_the_slowest_loss() {
    // a terminal; b → a; c → b; d → a and c; e → b and d; f → f; g → f and b; h → f and a.
    let right = json!({"certificate": "remoteness", "version": 1, "misere": false,
        "nodes": ["a", "b", "c", "d", "e", "f", "g", "h"],
        "options": [[], [0], [1], [2, 0], [1, 3], [5], [5, 1], [5, 0]],
        "distance": [0, 1, 2, 3, 4, null, null, null],
        "remoteness": [0, 1, 2, 1, 2, null, null, 1]});
    assert!(accepts(&right));
    let change = |path: &str, to: Json| {
        let mut changed = right.clone();
        *changed.pointer_mut(path).expect("a place") = to;
        refused(&changed)
    };
    for node in 0..8 {
        for wrong in [Json::Null, json!(0), json!(1), json!(2), json!(3), json!(4)] {
            for list in ["distance", "remoteness"] {
                if right[list][node] != wrong {
                    let at = change(&format!("/{list}/{node}"), wrong.clone());
                    assert!(at.starts_with(list), "{at}");
                }
            }
        }
    }
    // A loss is as slow as it can be: x → b and y, where y has remoteness 3.
    let slow = json!({"certificate": "remoteness", "version": 1, "misere": false, "nodes": ["a", "b", "c", "y", "x"],
        "options": [[], [0], [1], [2], [3, 1]], "distance": [0, 1, 2, 3, 4], "remoteness": [0, 1, 2, 3, 4]});
    assert!(accepts(&slow));
    let quick = json!({"certificate": "remoteness", "version": 1, "misere": false, "nodes": ["a", "b", "c", "y", "x"],
        "options": [[], [0], [1], [2], [3, 1]], "distance": [0, 1, 2, 3, 4], "remoteness": [0, 1, 2, 3, 2]});
    assert_eq!(refused(&quick), "remoteness[4]");
    // In misère play a player who cannot move wins.
    let misere = json!({"certificate": "remoteness", "version": 1, "misere": true, "nodes": ["a", "b"],
        "options": [[], [0]], "distance": [0, 1], "remoteness": [1, 2]});
    assert!(accepts(&misere));
    assert_eq!(change("/distance", json!([0])), "distance");
    assert_eq!(change("/remoteness", json!([0])), "remoteness");
}
