//! The scripts and the table of `docs/scripts.md`.

use nimoon::{Notation, Ruleset, Shortcuts};
use nimoon_script::{Limits, Script};

const TUTORIAL: &str = include_str!("../../../../docs/scripts.md");

/// The scripts, in their order.
fn scripts() -> Vec<Script> {
    let blocks = TUTORIAL.split("```rhai\n").skip(1);
    let sources = blocks.map(|block| block.split("```").next().unwrap());
    let compile = |source| Script::compile("take.rhai", source, Limits::default());
    sources.map(|source| compile(source).unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn options(game: &Script, position: &str) -> Vec<String> {
    let position = game.read(position).unwrap();
    let options = game.try_options(&position, 100).unwrap();
    options.iter().map(|option| game.write(&option.to)).collect()
}

#[test]
fn the_scripts_do_what_the_tutorial_says() {
    let games = scripts();
    assert_eq!(games.len(), 5);
    assert_eq!(options(&games[0], "5"), ["4", "2", "1"]);
    assert_eq!(options(&games[1], "5"), ["4", "3", "2"]);
    assert_eq!(options(&games[2], "3"), ["2", "=sum[1,1]", "1"]);
    assert_eq!(options(&games[3], "5"), ["4", "3"]);
    assert_eq!(options(&games[3].with_parameters(Some("1,3")).unwrap(), "5"), ["4", "2"]);
    assert_eq!(options(&games[4], "hhth"), ["ttth"]);
    let coins = &games[4];
    let row = coins.read("hthh").unwrap();
    let parts = coins.try_parts(row.clone()).unwrap();
    assert_eq!(parts.iter().map(|part| coins.write(part)).collect::<Vec<_>>(), ["h", "hh"]);
    assert_eq!(coins.write(&coins.canonical(coins.read("th").unwrap())), "ht");
    assert_eq!(coins.read("hxt").unwrap_err().at, 1);
    let option = &coins.try_options(&row, 9).unwrap()[0];
    assert_eq!(coins.words(&row, 0, option), "turn 3 and 4");
    assert_eq!(coins.board(&row), "[hthh]");
}

#[test]
fn the_error_is_as_the_tutorial_shows_it() {
    let source = TUTORIAL.split("```rhai\n").nth(1).unwrap().split("```").next().unwrap();
    let wrong = source.replace("push(heap - n)", "push(heaps - n)");
    let game = Script::compile("take.rhai", &wrong, Limits::default()).unwrap();
    let error = game.moves(&5.into()).unwrap_err().to_string();
    assert!(TUTORIAL.contains(&error), "{error}");
}

#[test]
fn the_table_names_the_limits_as_they_are() {
    let Limits { calls, nesting, variables, string, array, map, depth, position, .. } =
        Limits::default();
    let numbers = [
        ("calls", calls),
        ("nesting", nesting),
        ("variables", variables),
        ("string", string),
        ("array", array),
        ("map", map),
        ("depth", depth),
        ("position", position),
    ];
    for (name, number) in numbers {
        let row = TUTORIAL.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap();
        assert!(row.replace(',', "").contains(&number.to_string()), "{row}");
    }
}
