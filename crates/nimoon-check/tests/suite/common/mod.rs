//! Single changes of certificates, and what is true by brute force.
pub mod truth;

use serde_json::{Value as Json, json};

/// The certificate that was written.
pub fn parsed(bytes: &[u8]) -> Json {
    serde_json::from_slice(bytes).expect("JSON")
}

pub fn accepts(certificate: &Json) -> bool {
    nimoon_check::check(certificate.to_string().as_bytes()).is_ok()
}

/// The outcome sets that follow from ranks beside the heaps, if the last heap is repeated for ever.
pub fn sets(ranks: &[Vec<Option<u64>>], node: usize) -> Json {
    let set = |wanted: Option<u64>| {
        let has = |row: &Vec<Option<u64>>| row[node].map(|rank| rank % 2) == wanted;
        let heaps = |held: bool| -> Vec<usize> {
            (0..ranks.len()).filter(|&k| has(&ranks[k]) == held).collect()
        };
        if ranks.last().is_some_and(has) {
            json!({"all_except": heaps(false)})
        } else {
            json!({"only": heaps(true)})
        }
    };
    json!({"win": set(Some(1)), "loss": set(Some(0)), "draw": set(None)})
}

/// Every certificate that differs from this one in one place: a number one more or less, or none; a
/// truth value; a word; an entry left out, repeated, or exchanged with the next.
pub fn mutants(certificate: &Json) -> Vec<(String, Json)> {
    let mut found = Vec::new();
    mutate(certificate, certificate, "", &mut found);
    found
}

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
            truth::WORDS
                .iter()
                .filter(|other| *other != word)
                .for_each(|other| put(other, json!(other)));
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
