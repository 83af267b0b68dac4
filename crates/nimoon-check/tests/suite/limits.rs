//! The caller can end a check at any point; a check that was ended proves nothing and refutes
//! nothing.

use std::cell::Cell;

use nimoon_check::{Unproved, Work, check_while};
use serde_json::{Value as Json, json};

/// A certificate of each kind and theory.
fn certificates() -> Vec<Json> {
    let labels = |theory: &str, options: Json, values: Json, order: Json| {
        json!({"certificate": "labels", "version": 1, "theory": theory, "nodes": ["a", "b", "c"],
            "gray": [], "options": options, "values": values, "order": order})
    };
    let short = labels("short", json!([[], [0], [0, 1]]), json!([0, 1, 2]), json!([0, 1, 2]));
    let cyclic = json!({"kind": "cyclic", "exits": [0, 1]});
    let cyclic =
        labels("cyclic", json!([[], [0], [0, 1, 2]]), json!([0, 1, cyclic]), json!([0, 1]));
    let mut sum = short.clone();
    sum["sum"] = json!({"pieces": [1, 2], "total": 3, "outcome": "N",
        "turn": {"kind": "winning", "plies": [[1, 1]]}, "strategy": null});
    let outcomes = json!({"win": {"all_except": [0]}, "loss": {"only": [0]}, "draw": {"only": []}});
    let general = json!({"certificate": "labels", "version": 1, "theory": "general",
        "nodes": ["a"], "gray": [], "options": [[]], "values": [outcomes],
        "ranks": [[0], [1]]});
    let mut positions = short.clone();
    positions["nodes"] = json!(["no moves", "nim:1", "nim:2"]);
    positions["rules"] = json!(["nim"]);
    let on = json!({"nodes": ["on"], "left": [[0, 0]], "right": [], "start": 0});
    let remoteness = json!({"certificate": "remoteness", "version": 1, "misere": false,
        "nodes": ["a", "b"], "options": [[], [0]], "distance": [0, 1], "remoteness": [0, 1]});
    let partizan = json!({"certificate": "partizan-remoteness", "version": 1, "misere": false,
        "graph": on, "distance": [[1, 0]], "remoteness": [[1, 0]]});
    let loopy = json!({"certificate": "loopy", "version": 1, "given": on, "stopper": true,
        "remoteness": [[1, 0]], "onside": null, "offside": null});
    let table = json!({"certificate": "table", "version": 1, "ruleset": "kayles", "first": 0,
        "values": [0, 1, 2, 3, 1]});
    vec![short, cyclic, sum, general, positions, remoteness, partizan, loopy, table]
}

#[test]
fn every_kind_is_ended_by_steps_by_bytes_and_at_every_question() {
    for certificate in certificates() {
        let bytes = certificate.to_string().into_bytes();
        let (most, asked) = (Cell::new(Work::default()), Cell::new(0));
        let claim = check_while(&bytes, &|Work { steps, bytes }| {
            asked.set(asked.get() + 1);
            most.set(Work {
                steps: steps.max(most.get().steps),
                bytes: bytes.max(most.get().bytes),
            });
            true
        });
        assert!(claim.is_ok(), "{claim:?}: {certificate}");
        let most = most.get();
        assert!(most.steps > 0 && most.bytes > 0 && asked.get() > 3, "{most:?}: {certificate}");
        let within = |steps, bytes_held| {
            check_while(&bytes, &|work| work.steps <= steps && work.bytes <= bytes_held)
        };
        assert_eq!(within(most.steps, most.bytes), claim);
        assert_eq!(within(most.steps - 1, most.bytes), Err(Unproved::Ended), "{certificate}");
        assert_eq!(within(most.steps, most.bytes - 1), Err(Unproved::Ended), "{certificate}");
        for question in 0..asked.get() {
            let left = Cell::new(question);
            let ended = check_while(&bytes, &|_| left.replace(left.get() - 1) > 0);
            assert_eq!(ended, Err(Unproved::Ended), "{question}: {certificate}");
        }
    }
}

#[test]
fn reading_is_ended_before_the_file_is_read_to_its_end() {
    // The end is wrong, but the checker does not get there.
    let long = format!("{{\"certificate\":\"table\",\"values\":[{}0],x", "0,".repeat(100_000));
    let asked = Cell::new(0);
    let ended = check_while(long.as_bytes(), &|_| asked.replace(asked.get() + 1) < 5);
    assert_eq!(ended, Err(Unproved::Ended));
    assert!(asked.get() < 10, "{}", asked.get());
}

#[test]
fn a_short_table_of_large_heaps_is_refused_at_once() {
    let values =
        |first: u64, len: u64| -> Vec<u64> { (first..first + len).map(|n| n % 2).collect() };
    let check = |first: u64, len: u64| {
        let table = json!({"certificate": "table", "version": 1, "ruleset": "subtraction[1]", "first": first,
            "values": values(first, len)});
        let most = Cell::new(Work::default());
        let found = check_while(table.to_string().as_bytes(), &|work| {
            most.set(work);
            true
        });
        (found, most.get())
    };
    for (first, len) in [(199_999_990, 1), (u64::MAX - 1, 1), (101, 100), (1, 0)] {
        let (found, most) = check(first, len);
        let Err(Unproved::Wrong(wrong)) = found else { panic!("{found:?}") };
        assert!(["first", "values"].contains(&wrong.at.as_str()), "{wrong}");
        assert!(most.steps < 1000 && most.bytes < 10_000, "{most:?}");
    }
    assert!(check(100, 100).0.is_ok());
    // A heap takes a few steps and bytes, however many there are.
    let ((few, one), (many, ten)) = (check(0, 10_000), check(0, 100_000));
    assert!(few.is_ok() && many.is_ok());
    assert!(ten.steps < 11 * one.steps && ten.bytes < 11 * one.bytes, "{one:?} {ten:?}");
}

#[test]
fn the_search_for_options_ends_at_the_first_missing_one() {
    // A heap with more than ten thousand million options, of which none is listed.
    let certificate = json!({"certificate": "labels", "version": 1, "theory": "short",
        "rules": ["hexadecimal[0.8]"], "nodes": ["hexadecimal[0.8]:1048576"], "gray": [],
        "options": [[]], "values": [0], "order": [0]});
    let wrong = nimoon_check::check(certificate.to_string().as_bytes());
    assert_eq!(wrong.map_err(|wrong| wrong.at), Err("options[0]".to_owned()));
}
