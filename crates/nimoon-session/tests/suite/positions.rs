//! Positions in answers: wherever JSON says where a move comes from and where it leads, the text is
//! read back as a position, and it is the one that the answer speaks of.

use std::fs;

use nimoon::solve::play::{Game, Player};
use nimoon::solve::solution::Solution;
use nimoon::{Label, Theory, Work};
use nimoon_session::catalogue;
use nimoon_session::expression::{AnyExpression, Expression, ExpressionError, Library};
use nimoon_session::report::{ExplanationReport, PartizanSumReport, PlayReport, SumReport};
use serde_json::{Value as Json, json};

/// The files of the repository.
struct Repository;

impl Library for Repository {
    fn file(&mut self, name: &str, _most: u64) -> Result<Vec<u8>, ExpressionError> {
        let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
        fs::read(path).map_err(|error| ExpressionError::Unreadable { message: error.to_string() })
    }
}

fn read(text: &str) -> AnyExpression {
    AnyExpression::read(text, &mut Repository).unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

fn solved(sum: Expression, theory: Option<Theory>) -> Solution {
    Solution::new(sum.fields, &sum.terms, theory, &Work::default()).expect("solved")
}

/// Positions with moves of all kinds: those that split, must be answered, end the game, carry on
/// along a chain, or come to the same.
const MORE: [&str; 24] = [
    "nim:0",
    "nim:2 + kayles:3",
    "kayles:3,4",
    "octal[0.77]:3,4",
    "top-entails:!2,3",
    "top-entails:2,3 + top-entails:1",
    "top-entails:1",
    "grundys-game:3",
    "slide[-2,+2;4]:2",
    "green-lime:gl",
    "green-lime:0-1g,1-2g,1-3l",
    "green-lime:0-1g,1-2l + nim:1",
    "green-lime:0-1g,0-2l",
    "coins:a-b,b-c",
    "nimstring:1x2",
    "green-hackenbush:0-1,0-2",
    "lights:2b1s",
    "digraph[examples/general.game]:x",
    "digraph[examples/missed-moon.game]:x + nim:2",
    "digraph[examples/endless.game]:v",
    "digraph[examples/endless.game]:r",
    "digraph[examples/endless.game]:k",
    "ordinal[kayles | nim]:2 | 1",
    "backsliding:t..f + nim:2",
];

fn expressions() -> impl Iterator<Item = &'static str> {
    catalogue().into_iter().map(|entry| entry.example).chain(MORE)
}

/// Calls this with every text in a field of this name.
fn each_text(json: &Json, field: &str, use_it: &mut dyn FnMut(&str)) {
    match json {
        Json::Object(fields) => {
            if let Some(text) = fields.get(field).and_then(Json::as_str) {
                use_it(text);
            }
            fields.values().for_each(|inner| each_text(inner, field, use_it));
        }
        Json::Array(items) => items.iter().for_each(|inner| each_text(inner, field, use_it)),
        _ => {}
    }
}

/// What all reports say about an expression.
fn reports(text: &str) -> Json {
    match read(text) {
        AnyExpression::Impartial(sum) => {
            let mut solution = solved(sum, None);
            let start = solution.start().clone();
            let (report, missing) = SumReport::of_placement(&mut solution, &start, Some(20));
            assert!(missing.is_none(), "{text}: {missing:?}");
            let (parts, missing) = ExplanationReport::of_placement(&mut solution, &start);
            assert!(missing.is_none(), "{text}: {missing:?}");
            let mut game =
                Game::new(&mut solution, start, [Player::Person; 2]).expect("the moves are known");
            let mut games = Vec::new();
            while games.len() < 3 && game.ending().is_none() {
                games.push(json!(PlayReport::new(&game, &mut solution, 20).0));
                game.play(&mut solution, 0).expect("it is a move");
            }
            json!({ "sum": report, "explanations": parts, "games": games })
        }
        AnyExpression::Mixed(sum) => {
            let mut solution = sum.solution(&Work::default()).expect("solved");
            json!(PartizanSumReport::new(&mut solution).0)
        }
    }
}

#[test]
fn every_position_in_json_is_read_back() {
    for text in expressions() {
        let json = reports(text);
        let mut count = 0;
        for field in ["from", "to", "node", "position", "reply"] {
            each_text(&json, field, &mut |position| {
                let (name, _) = text.split_once(['[', ':']).expect("an expression");
                assert!(text.contains(" + ") || position.starts_with(name), "{field}: {position}");
                // The opponent is about to choose: play cannot begin there.
                let duel = position.strip_prefix("values:");
                if duel.is_some_and(|duel| duel.contains('/') && !duel.starts_with('[')) {
                    return;
                }
                read(position);
                count += 1;
            });
        }
        assert!(count > 0, "{text}");
    }
}

#[test]
fn every_explained_option_has_words_and_the_value_of_the_position_that_it_leads_to() {
    let mut compared = 0;
    for text in expressions() {
        let AnyExpression::Impartial(sum) = read(text) else { continue };
        let mut solution = solved(sum, None);
        let start = solution.start().clone();
        let (parts, missing) = solution.explain_all(&start);
        assert!(missing.is_none(), "{text}: {missing:?}");
        for part in &parts {
            let json = json!(ExplanationReport::of_position(part));
            assert_eq!(json["node"], part.position);
            assert_eq!(part.options.len(), part.explanation.options.len(), "{text}");
            let options = part.options.iter().zip(&part.explanation.options).enumerate();
            for (number, (option, fact)) in options {
                let told = &json["options"][number];
                assert_eq!(
                    (&told["to"], &told["words"]),
                    (&json!(option.to), &json!(option.words))
                );
                assert!(!option.words.is_empty(), "{text}: {told}");
                let sentence = format!("{} → {}", option.words, option.leaves);
                assert_eq!(told["option"], sentence);
                let Some(Label::White(value)) = &fact.label else { continue };
                let AnyExpression::Impartial(to) = read(&option.to) else {
                    panic!("{text}: {}", option.to)
                };
                let to = solved(to, Some(part.explanation.theory));
                let start = to.start().clone();
                if let Some(found) = to.value(&start) {
                    assert_eq!(found.to_string(), value.to_string(), "{text}: {told}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn a_move_that_comes_to_the_position_itself_keeps_its_words() {
    let AnyExpression::Impartial(sum) = read("green-lime:0-1g,1-2g,1-3l") else { panic!() };
    let mut solution = solved(sum, None);
    let start = solution.start().clone();
    let parts = solution.explain(&start, 0).unwrap();
    let swap = &parts[0].options[0];
    assert_eq!(swap.words, "swap the colours of 1-2 and 1-3");
    assert_eq!(swap.to, "green-lime:0-1g,1-2l,1-3g");
}
