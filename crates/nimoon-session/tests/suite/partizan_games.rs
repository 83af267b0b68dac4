//! Games of Left and Right, asked move by move, compared with a search in this file that shares nothing with the engine.

use std::collections::HashMap;

use nimoon_session::{ErrorKind, Question, Session, Work};
use serde_json::{Value, json};

fn ask(name: &str, fields: &Value) -> Result<Value, (ErrorKind, String)> {
    let (question, _) = Question::read(name, fields.to_string().as_bytes()).expect("it is read");
    let answer = Session::default().ask(&question, &Work::default());
    let answer = answer.map_err(|error| (error.kind, error.message))?;
    assert_eq!(answer.missing, None, "{fields}");
    Ok(answer.value().expect("it is data").expect("it can be written"))
}

type State = (String, bool);

/// What a toad (Left) or a frog can do on a strip, by the rules as they are printed.
fn options((strip, is_left): &State) -> Vec<State> {
    let squares: Vec<char> = strip.chars().collect();
    let (own, other, forward) = if *is_left { ('t', 'f', 1) } else { ('f', 't', -1) };
    let at = |from: usize, steps: isize| {
        let place = from.checked_add_signed(steps)?;
        squares.get(place).map(|piece| (place, *piece))
    };
    let mut found = Vec::new();
    for from in (0..squares.len()).filter(|&from| squares[from] == own) {
        let jumps = at(from, forward).is_some_and(|(_, piece)| piece == other);
        let far = at(from, 2 * forward).filter(|_| jumps);
        for (to, piece) in [at(from, forward), at(from, -forward), far].into_iter().flatten() {
            if piece == '.' {
                let mut after = squares.clone();
                after.swap(from, to);
                found.push((after.into_iter().collect(), !is_left));
            }
        }
    }
    found
}

/// Whether the player to move wins (1), loses (-1) or can only draw (0), for all states that can be reached.
fn solved(start: &State) -> HashMap<State, i32> {
    let mut states = vec![start.clone()];
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        for option in options(&state) {
            if !states.contains(&option) {
                states.push(option);
            }
        }
        next += 1;
    }
    let mut result: HashMap<State, i32> = states.iter().map(|state| (state.clone(), 0)).collect();
    loop {
        let before = result.clone();
        for state in &states {
            let after: Vec<i32> = options(state).iter().map(|option| result[option]).collect();
            if after.contains(&-1) {
                result.insert(state.clone(), 1);
            } else if after.iter().all(|&outcome| outcome == 1) {
                result.insert(state.clone(), -1);
            }
        }
        if result == before {
            return result;
        }
    }
}

fn strips(length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    for _ in 0..length {
        all = all
            .iter()
            .flat_map(|strip| [".", "t", "f"].map(|piece| strip.clone() + piece))
            .collect();
    }
    all
}

#[test]
fn what_each_move_achieves_is_what_a_search_finds() {
    let (mut judged, mut drawn) = (0, 0);
    // From the last one a move draws, and no shorter strip has such a move.
    for strip in (1..=4).flat_map(strips).chain(["fft.t.".to_owned()]) {
        for starts in ["left", "right"] {
            let start = (strip.clone(), starts == "left");
            let search = solved(&start);
            let position = format!("backsliding:{strip}");
            let game = ask("moves", &json!({ "position": position, "starts": starts })).unwrap();
            assert_eq!(game["side"], starts);
            let after = options(&start);
            assert_eq!(game["count"], after.len(), "{position} {starts}");
            for made in game["moves"].as_array().unwrap() {
                let to = made["to"].as_str().unwrap().strip_prefix("backsliding:").unwrap();
                let state = after.iter().find(|state| state.0 == to).expect("it is an option");
                let expected = match search[state] {
                    -1 => "winning",
                    0 => "drawing",
                    _ => "losing",
                };
                assert_eq!(made["achieves"], expected, "{position} {starts}: {to}");
                judged += 1;
                drawn += usize::from(expected == "drawing");
            }
            // The engine never gives away what it has.
            let fields = json!({ "game": { "position": position, "starts": starts } });
            let number = &ask("engine", &fields).unwrap()["move"];
            let best = search[&start];
            let chosen =
                game["moves"].as_array().unwrap().iter().find(|made| made["move"] == *number);
            let achieved = chosen.map(|made| made["achieves"].as_str().unwrap());
            let expected = match best {
                _ if after.is_empty() => None,
                1 => Some("winning"),
                0 => Some("drawing"),
                _ => Some("losing"),
            };
            assert_eq!(achieved, expected, "{position} {starts}");
        }
    }
    assert!(judged > 150 && drawn > 0, "{judged} moves, {drawn} of them draw");
}

#[test]
fn a_game_is_replayed_move_by_move_and_its_seats_alternate() {
    let fields = json!({ "position": "backsliding:t.f + nim:1", "moves": [0], "starts": "right" });
    let game = ask("moves", &fields).unwrap();
    assert_eq!((&game["side"], &game["mover"]), (&json!("left"), &json!(1)));
    assert_eq!(game["played"][0]["seat"], 0);
    assert_eq!(game["outcome"].as_object().unwrap().len(), 2);
}

#[test]
fn questions_that_make_no_sense_for_a_game_say_why() {
    let wrong = [
        (
            "moves",
            json!({ "position": "nim:3", "starts": "right" }),
            "`starts` is for partizan sums",
        ),
        ("moves", json!({ "position": "backsliding:t.f", "theory": "short" }), "a theory"),
        ("explain", json!({ "position": "backsliding:t.f" }), "reasons"),
        ("moves", json!({ "position": "backsliding:t.f", "moves": [7] }), "no move 7"),
    ];
    for (name, fields, says) in wrong {
        let (kind, message) = ask(name, &fields).unwrap_err();
        assert_eq!(kind, ErrorKind::Input, "{fields}");
        assert!(message.contains(says), "{message}");
    }
}
