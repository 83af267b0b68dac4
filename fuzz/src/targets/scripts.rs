//! Rules from scripts: any script is rejected, or answers within its limits.

use nimoon::{Notation, Ruleset};
use nimoon_script::{Limits, Position, Script};

use crate::bytes::text;

/// Limits that a careless script reaches soon.
fn limits() -> Limits {
    Limits {
        operations: 20_000,
        array: 500,
        map: 200,
        memory: 200_000,
        position: 500,
        string: 2_000,
        ..Limits::default()
    }
}

pub(super) fn scripts(bytes: &[u8]) {
    let Some(source) = text(bytes) else { return };
    let script = match Script::compile("fuzz.rhai", source, limits()) {
        Ok(script) => script,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    // Without a function `words`, a position is written as it is read.
    let plain = !source.contains("read") && !source.contains("write");
    let texts = ["", "5", "abc", "[3, 4]", "#{a: 1}"];
    let mut positions: Vec<Position> = texts.iter().filter_map(|t| script.read(t).ok()).collect();
    positions.push(3.into());
    let mut visited = 0;
    while let Some(position) = positions.pop() {
        visited += 1;
        if visited > 12 {
            return;
        }
        let written = script.write(&position);
        if plain {
            assert_eq!(script.read(&written).ok().as_ref(), Some(&position), "{written}");
        }
        let _ = script.board(&position);
        let Ok(moves) = script.moves(&position) else { continue };
        assert!(moves.len() <= limits().array, "{} moves", moves.len());
        if let Some((number, first)) = moves.iter().enumerate().next() {
            let _ = script.words(&position, number, first);
        }
        if let Ok(parts) = script.parts(&position) {
            assert!(parts.len() <= limits().array, "{} components", parts.len());
        }
        let _ = script.canonical_form(&position);
        positions.extend(moves.into_iter().take(3).map(|made| made.to));
    }
}
