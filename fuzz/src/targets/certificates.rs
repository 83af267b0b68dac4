//! Certificates: whatever is in one, it is refused or what it says is true.

use nimoon::turn::solve;
use nimoon::{Node, Sum, Theory, label};
use nimoon_check::check;
use nimoon_formats::write::certificate::LabelsCertificate;
use serde_json::{Value as Json, json};

use crate::bytes::Bytes;
use crate::digraph::Plain;
use crate::limits::ENOUGH;

// Brute force over what a certificate says, as in the tests of the checker.
#[path = "../../../crates/nimoon-check/tests/common/truth.rs"]
mod truth;

/// The most nodes of a digraph.
const MOST_NODES: usize = 3;

/// A true certificate of labels, or of a sum of one or two pieces, by any theory that fits.
fn written(plain: &Plain, bytes: &mut Bytes<'_>) -> Option<Json> {
    let digraph = plain.digraph();
    let theory = match bytes.below(Theory::ALL.len() + 1) {
        0 => None,
        number => Some(Theory::ALL[number - 1]),
    };
    let labelling = label(&digraph, theory, ENOUGH).ok()?;
    let labels = LabelsCertificate::new(&digraph, &labelling).expect("it is complete");
    let mut pieces = Vec::new();
    for _ in 0..bytes.below(3) {
        pieces.push(bytes.below(plain.len()) as Node);
    }
    let name = |node: Node| format!("v{node}").into();
    let mut file = Vec::new();
    if pieces.is_empty() {
        labels.write(name, &mut file).expect("memory takes all");
    } else {
        let sum = Sum::new(&digraph, &labelling, pieces).ok()?;
        let answer = solve(&sum, ENOUGH).expect("the budget is enough");
        let sum = labels.with_sum(&sum, answer.outcome, answer.turn, ENOUGH);
        sum.expect("the budget is enough").write(name, &mut file).expect("memory takes all");
    }
    assert!(check(&file).is_ok(), "{}", String::from_utf8_lossy(&file));
    Some(serde_json::from_slice(&file).expect("it is JSON"))
}

/// The places in a certificate that may be changed: all but names.
fn places(json: &Json, path: &str, found: &mut Vec<String>) {
    match json {
        Json::Object(fields) => {
            for (name, field) in fields.iter().filter(|(name, _)| *name != "nodes") {
                places(field, &format!("{path}/{name}"), found);
            }
        }
        Json::Array(entries) => {
            found.push(path.to_owned());
            for (number, entry) in entries.iter().enumerate() {
                places(entry, &format!("{path}/{number}"), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

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
    "general",
    "new-moon",
    "full-moon",
    "moon",
    "ninny",
];

/// Something else for a place.
fn other(json: &Json, bytes: &mut Bytes<'_>) -> Json {
    let what = bytes.byte();
    let number = what / 8;
    match (json, what % 8) {
        (Json::Array(entries), 0..=2) if !entries.is_empty() => {
            let mut entries = entries.clone();
            let place = usize::from(number) % entries.len();
            match what % 8 {
                0 => drop(entries.remove(place)),
                1 => entries.push(entries[place].clone()),
                _ => entries.swap(place, 0),
            }
            json!(entries)
        }
        (Json::Array(entries), 3) => json!([&entries[..], &[json!(number)]].concat()),
        (Json::Bool(truth), _) => json!(!truth),
        (Json::String(_), _) => json!(WORDS[usize::from(what) % WORDS.len()]),
        (_, 4) => Json::Null,
        (_, 5) => json!({"kind": "cyclic", "exits": []}),
        (_, 6) => json!({"kind": "moon", "forced": [number]}),
        (_, 7) => json!({"kind": "ninny", "forced": number}),
        _ => json!(number),
    }
}

/// What a certificate says, without what shows it.
fn claim(certificate: &Json) -> Vec<Json> {
    let parts = ["/theory", "/gray", "/options", "/values"];
    let of_sum = ["/sum/pieces", "/sum/total", "/sum/outcome", "/sum/turn"];
    let parts = parts.iter().chain(&of_sum).map(|part| certificate.pointer(part).cloned());
    parts.map(Option::unwrap_or_default).collect()
}

/// Any bytes are refused or prove something; what was changed in a true certificate is refused, or still true.
pub(super) fn certificate(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    if bytes.byte() % 8 == 0 {
        match check(bytes.rest()) {
            Ok(claim) => assert!(!claim.sentence.is_empty()),
            Err(wrong) => assert!(!wrong.reason.is_empty()),
        }
        return;
    }
    let plain = Plain::read(bytes, MOST_NODES);
    let Some(mut certificate) = written(&plain, bytes) else { return };
    let mut known = claim(&certificate);
    while !bytes.is_empty() {
        let mut found = Vec::new();
        places(&certificate, "", &mut found);
        let place = &found[bytes.below_large(found.len())];
        if let Some(part) = certificate.pointer_mut(place) {
            *part = other(part, bytes);
        }
        // Two changes together may make up for each other, so each step is looked at.
        if claim(&certificate) != known && check(certificate.to_string().as_bytes()).is_ok() {
            let few = certificate["sum"]["pieces"].as_array().is_none_or(|pieces| pieces.len() < 4);
            let wrong = truth::wrong_label(&certificate)
                .or_else(|| few.then(|| truth::wrong_sum(&certificate)).flatten());
            assert_eq!(wrong, None, "accepted: {certificate}");
            known = claim(&certificate);
        }
    }
}
