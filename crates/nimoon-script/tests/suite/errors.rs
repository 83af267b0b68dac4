//! What is said of scripts that are wrong.

use insta::assert_snapshot;
use nimoon::ruleset::{Fault, Interned, Notation, Positions, Ruleset, Shortcuts};
use nimoon_script::{Limits, Problem, Script, ScriptError};

fn compile(source: &str) -> Result<Script, ScriptError> {
    Script::compile("games/my-game.rhai", source, Limits::default())
}

/// What is wrong with the text of a script.
fn refused(source: &str) -> ScriptError {
    compile(source).unwrap_err()
}

/// What is wrong with the options of 5.
fn fails(source: &str) -> ScriptError {
    compile(source).unwrap().moves(&5.into()).unwrap_err()
}

#[test]
fn a_syntax_error_is_pointed_at() {
    assert_snapshot!(refused("// My game.\nfn options(p) {\n\t[p - ]\n}"), @r"
    games/my-game.rhai:3:7: Unexpected ']'
      |
    3 | 	[p - ]
      | 	     ^
    ");
    assert_eq!(refused("fn options(p) {").problem, Problem::Syntax);
}

#[test]
fn a_place_behind_the_end_of_the_script_is_shown_too() {
    assert_snapshot!(refused("fn options(p) {"), @"
    games/my-game.rhai:1:16: Expecting '}' to terminate this block
      |
    1 | fn options(p) {
      |                ^
    ");
}

#[test]
fn a_script_without_options_gets_the_missing_signature() {
    assert_snapshot!(refused("fn moves(p) { [] }"), @"games/my-game.rhai: a ruleset needs a function `fn options(p) { … }` that gives an array of moves, or `left(p)` and `right(p)`; the script has `moves`");
    assert_snapshot!(refused(""), @"games/my-game.rhai: a ruleset needs a function `fn options(p) { … }` that gives an array of moves, or `left(p)` and `right(p)`; the script has no function");
}

#[test]
fn a_function_with_another_number_of_parameters_is_pointed_at() {
    assert_snapshot!(refused("fn options(p, q) { [] }"), @"
    games/my-game.rhai:1:4: the parameters of `options` are (p), found 2
      |
    1 | fn options(p, q) { [] }
      |    ^
    ");
    assert_snapshot!(refused("fn options(p) { [] }\n\nfn words(p) { \"\" }"), @r#"
    games/my-game.rhai:3:4: the parameters of `words` are (p, q), found 1
      |
    3 | fn words(p) { "" }
      |    ^
    "#);
}

#[test]
fn fractions_cannot_be_written() {
    assert_snapshot!(refused("fn options(p) { [p / 2.5] }"), @"
    games/my-game.rhai:1:24: numbers are whole: a fraction such as `2.5` cannot be written
      |
    1 | fn options(p) { [p / 2.5] }
      |                        ^
    ");
}

#[test]
fn a_variable_outside_the_functions_must_be_a_constant() {
    assert_snapshot!(refused("let steps = [1, 2];\nfn options(p) { steps }"), @"games/my-game.rhai: no function sees the variable `steps`, since functions see only constants; write `const steps`");
}

#[test]
fn text_is_not_run_and_nothing_is_imported() {
    assert_snapshot!(refused("import \"a\" as a;\nfn options(p) { [] }"), @r#"
    games/my-game.rhai:1:1: 'import' is a reserved keyword
      |
    1 | import "a" as a;
      | ^
    "#);
    assert_snapshot!(refused("fn options(p) { eval(\"[]\") }"), @r#"
    games/my-game.rhai:1:17: reserved keyword 'eval' is disabled
      |
    1 | fn options(p) { eval("[]") }
      |                 ^
    "#);
    assert_eq!(refused("fn options(p) { this }").problem, Problem::Syntax);
    assert_eq!(refused("fn options(p) { let f = |x| x; f.curry(f) }").problem, Problem::Syntax);
    assert_snapshot!(fails("fn options(p) { sleep(1000); [] }"), @"
    games/my-game.rhai:1:17: a script cannot sleep
      |
    1 | fn options(p) { sleep(1000); [] }
      |                 ^
    in options(5)
    ");
    for name in ["open_file", "timestamp", "rand"] {
        let error = fails(&format!("fn options(p) {{ {name}(p) }}"));
        assert!(error.message.starts_with("Function not found"), "{error}");
    }
}

#[test]
fn the_name_of_the_file_must_be_a_name() {
    let error = Script::compile("games/My game.rhai", "", Limits::default()).unwrap_err();
    assert_snapshot!(error, @"games/My game.rhai: the name of the file is the name of the ruleset, so it is made of small letters, digits and `-`, as `my-game.rhai`; found `My game`");
}

#[test]
fn a_fault_in_a_helper_names_the_calls() {
    let source = "fn take(heap, n) {\n    heap - m\n}\n\nfn options(p) {\n    [take(p, 1)]\n}";
    assert_snapshot!(fails(source), @"
    games/my-game.rhai:2:12: Variable not found: m
      |
    2 |     heap - m
      |            ^
    in take, called by options(5)
    ");
}

#[test]
fn what_is_thrown_is_shown() {
    assert_snapshot!(fails("fn options(p) { throw `no options of ${p}` }"), @"
    games/my-game.rhai:1:17: no options of 5
      |
    1 | fn options(p) { throw `no options of ${p}` }
      |                 ^
    in options(5)
    ");
    assert_snapshot!(fails("fn options(p) { throw }"), @"
    games/my-game.rhai:1:17: the script says `throw` without a message
      |
    1 | fn options(p) { throw }
      |                 ^
    in options(5)
    ");
}

#[test]
fn options_are_an_array_of_moves_and_positions() {
    assert_snapshot!(fails("fn options(p) { to(p) }"), @"
    games/my-game.rhai: expected an array of moves and positions, found a move
    in options(5)
    ");
    assert_snapshot!(fails("fn options(p) { for q in 0..p { } }"), @"
    games/my-game.rhai: expected an array of moves and positions, found nothing; does a function end without a value, as after a loop?
    in options(5)
    ");
    assert_snapshot!(fails("fn options(p) { [p, ()] }"), @"
    games/my-game.rhai: a position is made of integers, booleans, characters, strings, arrays and object maps; found nothing; does a function end without a value, as after a loop?
    in options(5)
    ");
    assert_snapshot!(fails("fn options(p) {\n    [to(0..p)]\n}"), @"
    games/my-game.rhai:2:6: a position is made of integers, booleans, characters, strings, arrays and object maps; found a value of the type `Range<i64>`
      |
    2 |     [to(0..p)]
      |      ^
    in options(5)
    ");
    assert_snapshot!(fails("fn options(p) { [again(to(p))] }"), @"
    games/my-game.rhai:1:18: a position is made of integers, booleans, characters, strings, arrays and object maps; found a move
      |
    1 | fn options(p) { [again(to(p))] }
      |                  ^
    in options(5)
    ");
}

#[test]
fn parts_are_an_array_and_their_faults_end_the_exploration() {
    let source = "fn options(p) { [p - 1] } fn parts(p) { if p == 3 { 7 } else { [p] } }";
    let game = compile(source).unwrap();
    let mut positions = Interned::new(game);
    let five = positions.read("5").unwrap();
    assert!(positions.expand(&[five], 100, 1).is_ok());
    let four = positions.read("4").unwrap();
    let Err(Fault::Rules(message)) = positions.expand(&[four], 100, 1) else { panic!() };
    assert_snapshot!(message, @"
    games/my-game.rhai: expected an array of positions, found an integer
    in parts(3)
    ");
    assert_snapshot!(positions.read("3").unwrap_err(), @"
    games/my-game.rhai: expected an array of positions, found an integer
    in parts(3)
    ");
}

#[test]
fn a_fault_of_canonical_ends_the_exploration_and_changes_no_value() {
    let source = "fn options(p) { [p - 1] } fn canonical(p) { if p == 3 { throw \"three\" } p }";
    let game = compile(source).unwrap();
    assert_eq!(game.canonical(3.into()), 3.into());
    let mut positions = Interned::new(game);
    let four = positions.read("4").unwrap();
    let Err(Fault::Rules(message)) = positions.expand(&[four], 100, 1) else { panic!() };
    assert_snapshot!(message, @r#"
    games/my-game.rhai:1:57: three
      |
    1 | fn options(p) { [p - 1] } fn canonical(p) { if p == 3 { throw "three" } p }
      |                                                         ^
    in canonical(3)
    "#);
}

#[test]
fn more_options_than_the_caller_takes_are_a_fault() {
    let game = compile("fn options(p) { [1, 2, 3] }").unwrap();
    assert_eq!(game.try_options(&5.into(), 2), Err(Fault::TooMany { limit: 2 }));
    assert_eq!(game.try_options(&5.into(), 3).unwrap().len(), 3);
}

#[test]
fn other_text_is_rejected_in_the_words_of_the_script() {
    let source = "fn options(p) { [] } fn read(text) { if text == \"a\" { throw \"not a\" } text }";
    let game = compile(source).unwrap();
    let error = game.read("a").unwrap_err();
    assert_eq!((error.at, error.message.as_str()), (0, "not a"));
    assert!(game.read("b").is_ok());
    let source = "fn options(p) { [] } fn read(text) { throw #{ at: 2, message: \"here\" } }";
    let error = compile(source).unwrap().read("aé").unwrap_err();
    // The second byte of é is not a position in the text.
    assert_eq!((error.at, error.message.as_str()), (1, "here"));
}

#[test]
fn a_fault_of_read_is_shown_with_its_place() {
    let game = compile("fn options(p) { [] }\nfn read(text) { text[7] }").unwrap();
    assert_snapshot!(game.read("abc").unwrap_err(), @r#"
    games/my-game.rhai:2:22: String index 7 out of bounds: only 3 characters in string
      |
    2 | fn read(text) { text[7] }
      |                      ^
    in read("abc")
    "#);
}

#[test]
fn read_and_write_must_be_inverse() {
    let game = compile("fn options(p) { [] } fn write(p) { \"0\" }").unwrap();
    assert_snapshot!(game.read("5").unwrap_err(), @"games/my-game.rhai: the position 5 is written as `0`, and this is read as 0; `read` and `write` must be inverse to each other");
    assert!(game.read("0").is_ok());
}

#[test]
fn a_fault_of_words_leaves_the_usual_words_and_one_of_board_is_shown_in_its_place() {
    let game = compile("fn options(p) { [p] } fn words(p, q) { q.x } fn board(p) { 7 }").unwrap();
    let option = &game.moves(&5.into()).unwrap()[0];
    assert_eq!(game.words(&5.into(), 0, option), "move to 5");
    let lines = compile("fn options(p) { [to(p, `take\n1`)] }").unwrap();
    let option = &lines.moves(&5.into()).unwrap()[0];
    assert_eq!(lines.words(&5.into(), 0, option), "take 1");
    assert_snapshot!(game.board(&5.into()), @"
    5
    games/my-game.rhai: expected a string, found an integer
    in board(5)
    ");
}

#[test]
fn what_is_printed_goes_nowhere() {
    let game = compile("fn options(p) { print(p); debug(p); [] }").unwrap();
    assert!(game.moves(&5.into()).unwrap().is_empty());
}
