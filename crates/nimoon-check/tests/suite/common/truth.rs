//! Finds errors of a certificate by brute force over play; the fuzzer uses this file too.

use nimoon_oracle::{Board, Contexts, Outcome, Product, Value};
use serde_json::{Value as Json, json};

/// Words of certificates, which are exchanged for each other.
pub const WORDS: [&str; 20] = [
    "N",
    "P",
    "D",
    "winning",
    "drawing",
    "losing",
    "none",
    "short",
    "cyclic",
    "entailing",
    "carry-on",
    "general",
    "new-moon",
    "full-moon",
    "moon",
    "ninny",
    "left",
    "right",
    "first",
    "second",
];

fn list(json: &Json) -> Vec<usize> {
    json.as_array()
        .expect("a list")
        .iter()
        .map(|n| n.as_u64().expect("a number") as usize)
        .collect()
}

pub fn rows(json: &Json) -> Vec<Vec<usize>> {
    json.as_array().expect("lists").iter().map(list).collect()
}

fn board(certificate: &Json) -> Board {
    let options = rows(&certificate["options"]);
    let mut gray = vec![false; options.len()];
    for node in list(&certificate["gray"]) {
        gray[node] = true;
    }
    Board { gray, options }
}

fn in_set(set: &Json, n: usize) -> bool {
    match set.get("only") {
        Some(only) => list(only).contains(&n),
        None => !list(&set["all_except"]).contains(&n),
    }
}

/// What is wrong with the labels of a certificate by brute force over play, if anything.
pub fn wrong_label(certificate: &Json) -> Option<String> {
    let board = board(certificate);
    let largest = 2 * board.len() + 2;
    let theory = certificate["theory"].as_str().expect("a theory");
    let contexts = match theory {
        "carry-on" | "cyclic" => Contexts::carry_on(board.len() + 2),
        _ => Contexts::heaps(largest),
    };
    let product = contexts.beside(&board).expect("small enough");
    let labels = certificate["values"].as_array().expect("labels");
    for (node, label) in labels.iter().enumerate() {
        let beside = |k: usize| product.outcome(&[node, k]).expect("a position");
        let heaps = 0..=board.len() + 2;
        let right = if board.gray[node] {
            match label {
                Json::Null => true,
                Json::String(word) if word == "new-moon" => {
                    heaps.clone().all(|k| beside(k) == Outcome::P)
                }
                Json::String(_) => heaps.clone().all(|k| beside(k) == Outcome::N),
                sets if sets.get("win").is_some() => right_sets(sets, largest, &beside),
                set => heaps.clone().all(|k| (beside(k) == Outcome::P) == in_set(set, k)),
            }
        } else if let Some(n) = label.as_u64() {
            heaps.clone().all(|k| (beside(k) == Outcome::P) == (k as u64 == n))
        } else if label.get("win").is_some() {
            right_sets(label, largest, &beside)
        } else if theory == "carry-on" || theory == "cyclic" {
            let numbers = |set: &Vec<usize>| json!(set);
            let value = contexts.behaviour(&product, node).and_then(|behaviour| behaviour.value());
            let truth = match value.expect("a behaviour") {
                Value::Number(n) => json!({"kind": "nimber", "n": n}),
                Value::FullMoon => json!({"kind": "full-moon"}),
                Value::Moon(set) => json!({"kind": "moon", "forced": numbers(&set)}),
                Value::Ninny(f) => json!({"kind": "ninny", "forced": f}),
                Value::Cyclic(set) => json!({"kind": "cyclic", "exits": numbers(&set)}),
            };
            truth == *label
        } else {
            *label == json!({"kind": "moon"}) && heaps.clone().all(|k| beside(k) == Outcome::N)
        };
        if !right {
            return Some(format!("node {node} is not {label}"));
        }
    }
    None
}

fn right_sets(sets: &Json, largest: usize, beside: &dyn Fn(usize) -> Outcome) -> bool {
    (0..=largest).all(|k| {
        let claimed = [("win", Outcome::N), ("loss", Outcome::P), ("draw", Outcome::D)];
        claimed.iter().all(|(name, outcome)| in_set(&sets[name], k) == (beside(k) == *outcome))
    })
}

/// What is wrong with the value of a sum by brute force beside nim-heaps, which do not show forced
/// values, if anything.
fn wrong_total(total: &Json, board: &Board, pieces: &[usize]) -> Option<String> {
    let largest = board.len() + 2;
    let heap = Board::heap(largest);
    let mut boards = vec![board; pieces.len()];
    boards.push(&heap);
    let product = Product::new(&boards).expect("small enough");
    (0..=largest).find_map(|k| {
        let found = product.outcome(&[pieces, &[k]].concat()).expect("a position");
        let expected = if let Some(n) = total.as_u64() {
            if n == k as u64 { Outcome::P } else { Outcome::N }
        } else {
            match total["kind"].as_str()? {
                "ninny" if total["forced"] == k => Outcome::D,
                "cyclic" if !list(&total["exits"]).contains(&k) => Outcome::D,
                _ => Outcome::N,
            }
        };
        (found != expected)
            .then(|| format!("the value is not {total}: beside *{k} it is {found:?}"))
    })
}

/// What is wrong with the sum of a certificate by brute force over play, if anything.
pub fn wrong_sum(certificate: &Json) -> Option<String> {
    let sum = certificate.get("sum").filter(|sum| !sum.is_null())?;
    let board = board(certificate);
    let pieces = list(&sum["pieces"]);
    let boards = vec![&board; pieces.len()];
    if pieces.is_empty() {
        return (sum["outcome"] != "P").then(|| "no pieces are lost for the next player".into());
    }
    let product = Product::new(&boards).expect("small enough");
    let letter = |outcome| match outcome {
        Outcome::N => "N",
        Outcome::P => "P",
        Outcome::D => "D",
    };
    let truth = letter(product.outcome(&pieces).expect("a position"));
    if sum["outcome"] != truth {
        return Some(format!("the outcome is {truth}"));
    }
    if let Some(wrong) = wrong_total(&sum["total"], &board, &pieces) {
        return Some(wrong);
    }
    let turn = sum.get("turn").filter(|turn| !turn.is_null())?;
    wrong_turn(turn, truth, &board, pieces, |at| letter(product.outcome(at).expect("a position")))
}

/// What is wrong with a turn, if anything, given who wins.
fn wrong_turn(
    turn: &Json,
    truth: &str,
    board: &Board,
    mut pieces: Vec<usize>,
    outcome: impl Fn(&[usize]) -> &'static str,
) -> Option<String> {
    let due = |pieces: &[usize]| pieces.iter().position(|&node| board.gray[node]);
    let forced =
        |pieces: &[usize]| due(pieces).is_some_and(|piece| board.options[pieces[piece]].len() == 1);
    let can_move = |pieces: &[usize]| match due(pieces) {
        Some(piece) => !board.options[pieces[piece]].is_empty(),
        None => pieces.iter().any(|&node| !board.options[node].is_empty()),
    };
    let kind = turn["kind"].as_str().expect("a kind");
    let right = match truth {
        "N" => kind == "winning",
        "D" => kind == "drawing",
        _ => kind == if can_move(&pieces) { "losing" } else { "none" },
    };
    // A player who loses may have no move, or be said to make one.
    if !(right || truth == "P" && kind == "losing") {
        return Some(format!("a turn of {truth} is not {kind}"));
    }
    let plies = rows(&turn["plies"]);
    if plies.is_empty() != (kind == "none") {
        return Some("there is a move, and it must be listed".into());
    }
    let mut before = Vec::new();
    for (number, ply) in plies.iter().enumerate() {
        let may = due(&pieces).is_none_or(|piece| piece == ply[0]);
        if !may || !board.options[pieces[ply[0]]].contains(&ply[1]) {
            return Some("a ply is not a move".into());
        }
        if number % 2 == 1 && !forced(&pieces) {
            return Some("the opponent may do something else".into());
        }
        before.push(pieces.clone());
        pieces[ply[0]] = ply[1];
    }
    if turn["endless"] == true && (kind == "winning" || !before.contains(&pieces)) {
        return Some("it is not endless, or no win".into());
    }
    let left = outcome(&pieces);
    let good = match (kind, plies.len().is_multiple_of(2)) {
        ("winning", true) => left == "N",
        ("winning", false) => left == "P",
        ("drawing", true) => left != "P",
        ("drawing", false) => left != "N",
        _ => true,
    };
    (!good).then(|| format!("the turn leaves {left}"))
}
