//! Certificates: every one is rejected or its claim is true.

use nimoon::impartial::turn::solve;
use nimoon::{Digraph, Labelling, Node, Sum, Theory, Work, label};
use nimoon_check::check;
use nimoon_session::certificate::LabelsCertificate;
use serde_json::{Value as Json, json};

use crate::bytes::Bytes;
use crate::digraph::Plain;
use crate::limits::ENOUGH;

// Brute force over the claims of a certificate, as in the tests of the checker.
#[path = "../../../crates/nimoon-check/tests/suite/common/truth.rs"]
pub(super) mod truth;

/// The most nodes of a digraph.
const MOST_NODES: usize = 3;

/// A true certificate of labels, or of a sum of one or two pieces, by any theory that fits.
fn written(plain: &Plain, bytes: &mut Bytes<'_>) -> Option<Json> {
    let digraph = plain.digraph();
    let theory = match bytes.below(Theory::ALL.len() + 1) {
        0 => None,
        number => Some(Theory::ALL[number - 1]),
    };
    let labelling = label(&digraph, theory, &Work::new(ENOUGH)).ok()?;
    let labels =
        LabelsCertificate::new(&digraph, &labelling, &Work::new(ENOUGH)).expect("it is complete");
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
        let answer = solve(&sum, &Work::new(ENOUGH)).expect("the budget is enough");
        let sum = labels.with_sum(&sum, answer.outcome, answer.turn, &Work::new(ENOUGH));
        sum.expect("the budget is enough").write(name, &mut file).expect("memory takes all");
    }
    assert!(check(&file).is_ok(), "{}", String::from_utf8_lossy(&file));
    Some(serde_json::from_slice(&file).expect("it is JSON"))
}

/// A true certificate of labels.
pub(super) fn base(digraph: &Digraph, labelling: &Labelling) -> Json {
    let labels =
        LabelsCertificate::new(digraph, labelling, &Work::new(ENOUGH)).expect("it is complete");
    let mut file = Vec::new();
    labels.write(|node| format!("v{node}").into(), &mut file).expect("memory takes all");
    serde_json::from_slice(&file).expect("it is JSON")
}

/// The places in a certificate that may be changed: all except names.
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

/// Another value for a place.
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
        (Json::String(_), _) => json!(truth::WORDS[usize::from(what) % truth::WORDS.len()]),
        (_, 4) => Json::Null,
        (_, 5) => json!({"kind": "cyclic", "exits": []}),
        (_, 6) => json!({"kind": "moon", "forced": [number]}),
        (_, 7) => json!({"kind": "ninny", "forced": number}),
        _ => json!(number),
    }
}

/// The claim of a certificate, without its proof.
fn claim(certificate: &Json) -> Vec<Json> {
    let parts = ["/theory", "/gray", "/options", "/values"];
    let of_sum = ["/sum/pieces", "/sum/total", "/sum/outcome", "/sum/turn"];
    let parts = parts.iter().chain(&of_sum).map(|part| certificate.pointer(part).cloned());
    parts.map(Option::unwrap_or_default).collect()
}

/// Any bytes are rejected or prove something; a changed certificate is rejected, or still true.
pub(super) fn certificate(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    if bytes.byte().is_multiple_of(8) {
        match check(bytes.rest()) {
            Ok(claim) => assert!(!claim.sentence.is_empty()),
            Err(wrong) => assert!(!wrong.reason.is_empty()),
        }
        return;
    }
    let plain = Plain::read(bytes, MOST_NODES);
    let Some(mut certificate) = written(&plain, bytes) else { return };
    let mut known = claim(&certificate);
    if certificate["sum"].is_object() && bytes.byte().is_multiple_of(2) {
        forge(&plain, &mut certificate, bytes);
        judge(&certificate, &mut known);
    }
    while !bytes.is_empty() {
        let mut found = Vec::new();
        places(&certificate, "", &mut found);
        let place = &found[bytes.below_large(found.len())];
        if let Some(part) = certificate.pointer_mut(place) {
            *part = other(part, bytes);
        }
        // Two changes together may compensate each other, so each step is checked.
        judge(&certificate, &mut known);
    }
}

/// A certificate with a new claim is rejected, or true.
fn judge(certificate: &Json, known: &mut Vec<Json>) {
    if claim(certificate) == *known || check(certificate.to_string().as_bytes()).is_err() {
        return;
    }
    let few = certificate["sum"]["pieces"].as_array().is_none_or(|pieces| pieces.len() < 4);
    let wrong = truth::wrong_label(certificate)
        .or_else(|| few.then(|| truth::wrong_sum(certificate)).flatten());
    assert_eq!(wrong, None, "accepted: {certificate}");
    *known = claim(certificate);
}

/// Forges any outcome with one piece, any strategy, and any turn: single changes do not get there.
fn forge(plain: &Plain, certificate: &mut Json, bytes: &mut Bytes<'_>) {
    let piece = certificate["sum"]["pieces"][0].clone();
    let total = piece.as_u64().map(|node| certificate["values"][node as usize].clone());
    let is_value = |total: &Json| total.is_number() || total.get("kind").is_some();
    let outcome = ["N", "P", "D"][bytes.below(3)];
    let mut strategy = Vec::new();
    for node in 0..plain.len() {
        let what = bytes.byte();
        if what % 4 == 3 {
            continue;
        }
        let play = match usize::from(what / 16) % (plain.len() + 1) {
            0 => Json::Null,
            to => json!([0, to - 1]),
        };
        let rank = if outcome == "D" { Json::Null } else { json!(what % 4) };
        let holds = outcome == "D" && what & 4 == 4;
        strategy.push(json!({"at": [node], "rank": rank, "play": play, "holds": holds}));
    }
    let sum = &mut certificate["sum"];
    sum["pieces"] = json!([piece]);
    sum["total"] = json!(total.filter(is_value));
    sum["outcome"] = json!(outcome);
    sum["strategy"] = json!(strategy);
    let kind = ["winning", "drawing", "losing", "none", ""][bytes.below(5)];
    let count = bytes.below(4);
    let plies: Vec<Json> = (0..count).map(|_| json!([0, bytes.below(plain.len())])).collect();
    let endless = bytes.byte() % 2 == 1;
    sum["turn"] = match kind {
        "" => Json::Null,
        _ => json!({"kind": kind, "plies": plies, "endless": endless}),
    };
}
