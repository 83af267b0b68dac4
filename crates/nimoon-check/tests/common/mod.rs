//! Single changes of certificates, and what is true by brute force.
#![allow(dead_code)]

use nimoon_oracle::{Board, Contexts, Outcome, Product, Value};
use serde_json::{Value as Json, json};

/// The certificate that was written.
pub fn parsed(bytes: &[u8]) -> Json {
    serde_json::from_slice(bytes).expect("JSON")
}

pub fn accepts(certificate: &Json) -> bool {
    nimoon_check::check(certificate.to_string().as_bytes()).is_ok()
}

/// Every certificate that differs from this one in one place: a number one more or less, or none; a truth value; a word; an
/// entry left out, repeated, or exchanged with the next.
pub fn mutants(certificate: &Json) -> Vec<(String, Json)> {
    let mut found = Vec::new();
    mutate(certificate, certificate, "", &mut found);
    found
}

/// Words that other words are exchanged for.
const WORDS: [&str; 16] = [
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
    "left",
    "right",
    "first",
    "second",
    "full-moon",
];

fn mutate(whole: &Json, part: &Json, path: &str, found: &mut Vec<(String, Json)>) {
    let mut put = |how: &str, changed: Json| {
        let mut mutant = whole.clone();
        *mutant.pointer_mut(path).expect("a place") = changed;
        found.push((format!("{path} {how}"), mutant));
    };
    match part {
        Json::Number(number) => {
            let number = number.as_u64().expect("a natural number");
            put("more", json!(number + 1));
            put("none", Json::Null);
            if number > 0 {
                put("less", json!(number - 1));
            }
            if number > 1 {
                put("0", json!(0));
            }
            if path.starts_with("/values/") {
                put("moon", json!({"kind": "moon"}));
                put("ninny", json!({"kind": "ninny", "forced": number}));
                put("full moon", json!({"kind": "full-moon"}));
                put("cyclic", json!({"kind": "cyclic", "exits": []}));
            }
        }
        Json::Null => {
            put("0", json!(0));
            put("1", json!(1));
            put("new moon", json!("new-moon"));
        }
        Json::Bool(truth) => put("not", json!(!truth)),
        Json::String(_) if path.starts_with("/nodes") || path.contains("/nodes/") => {}
        Json::String(word) => {
            WORDS.iter().filter(|other| *other != word).for_each(|other| put(other, json!(other)));
        }
        Json::Array(entries) => {
            for i in 0..entries.len() {
                let mut without = entries.clone();
                without.remove(i);
                put(&format!("without {i}"), json!(without));
                let mut twice = entries.clone();
                twice.push(entries[i].clone());
                put(&format!("twice {i}"), json!(twice));
                if i > 0 {
                    let mut swapped = entries.clone();
                    swapped.swap(i - 1, i);
                    put(&format!("swapped {i}"), json!(swapped));
                }
            }
            for new in 0..3 {
                let mut longer = entries.clone();
                longer.push(json!(new));
                put(&format!("with {new}"), json!(longer));
            }
            for (i, entry) in entries.iter().enumerate() {
                mutate(whole, entry, &format!("{path}/{i}"), found);
            }
        }
        Json::Object(fields) => {
            for name in fields.keys() {
                let mut without = fields.clone();
                without.remove(name);
                put(&format!("without {name}"), json!(without));
            }
            for (name, field) in fields {
                mutate(whole, field, &format!("{path}/{name}"), found);
            }
        }
    }
}

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
        let told = [("win", Outcome::N), ("loss", Outcome::P), ("draw", Outcome::D)];
        told.iter().all(|(name, outcome)| in_set(&sets[name], k) == (beside(k) == *outcome))
    })
}

/// What is wrong with the sum of a certificate by brute force over play, if anything.
pub fn wrong_sum(certificate: &Json) -> Option<String> {
    let sum = certificate.get("sum").filter(|sum| !sum.is_null())?;
    let board = board(certificate);
    let mut pieces = list(&sum["pieces"]);
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
    let turn = sum.get("turn").filter(|turn| !turn.is_null())?;
    let plies = rows(&turn["plies"]);
    for ply in &plies {
        let gray = pieces.iter().position(|&node| board.gray[node]);
        let may = gray.is_none_or(|gray| gray == ply[0]);
        if !may || !board.options[pieces[ply[0]]].contains(&ply[1]) {
            return Some("a ply is no move".into());
        }
        pieces[ply[0]] = ply[1];
    }
    let left = letter(product.outcome(&pieces).expect("a position"));
    let mover = plies.len().is_multiple_of(2);
    let good = match (turn["kind"].as_str().expect("a kind"), mover) {
        ("winning", true) => left == "N",
        ("winning", false) => left == "P",
        ("drawing", true) => left != "P",
        ("drawing", false) => left != "N",
        _ => true,
    };
    (!good).then(|| format!("the turn leaves {left}"))
}
