//! The data of `docs/findings`: every row is well-formed and stands in its document, and what does
//! not take long is found again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// A file of the findings.
fn read(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings").join(name);
    std::fs::read_to_string(file).expect("it is there")
}

/// What the program prints.
fn nimoon(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_nimoon")).args(arguments).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

fn number(text: &str) -> u64 {
    text.trim().replace(',', "").parse().unwrap_or_else(|_| panic!("not a number: `{text}`"))
}

/// The cells of all rows below the head of a table that begins like this.
fn table<'t>(text: &'t str, head: &str) -> Vec<Vec<&'t str>> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(head));
    assert!(lines.next().is_some(), "there is no table `{head}`");
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// Rows, columns and value of each board.
fn boards() -> BTreeMap<(u64, u64), u64> {
    let text = read("nimstring.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("rows,columns,edges,value"));
    let mut boards = BTreeMap::new();
    let mut last = (0, 0);
    for line in lines {
        let cells: Vec<u64> = line.split(',').map(number).collect();
        let [rows, columns, edges, value] = cells[..] else { panic!("`{line}` has four numbers") };
        assert!(1 <= rows && rows <= columns, "{line}: a board stands once, with the fewer rows");
        assert_eq!(edges, rows * (columns + 1) + columns * (rows + 1), "{line}");
        // A value is at most the number of moves, which are at most as many as the edges.
        assert!(value <= edges, "{line}");
        assert!(last < (rows, columns), "{line}: the rows are in order");
        last = (rows, columns);
        boards.insert(last, value);
    }
    assert!(text.ends_with('\n') && boards.len() >= 25, "{}", boards.len());
    boards
}

/// The numbers that the head of a column tells, such as `9 to 12, 20`.
fn numbers(head: &str) -> Vec<u64> {
    let range = |part: &str| match part.split_once(" to ") {
        None => number(part)..=number(part),
        Some((first, last)) => number(first)..=number(last),
    };
    head.split(',').flat_map(range).collect()
}

#[test]
fn the_boards_of_nimstring_are_those_of_the_document() {
    let (text, boards) = (read("nimstring.md"), boards());
    let head = text.lines().find(|line| line.starts_with("| R \\ C |")).expect("it has a table");
    let columns: Vec<Vec<u64>> = head.trim_matches('|').split('|').skip(1).map(numbers).collect();
    let (mut shown, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for row in table(&text, "| R \\ C |") {
        let rows = number(row[0]);
        for (columns, cell) in columns.iter().zip(&row[1..]).filter(|(_, cell)| !cell.is_empty()) {
            for &columns in columns {
                let board = (rows.min(columns), rows.max(columns));
                let value = number(cell.trim_matches('*'));
                assert_eq!(boards.get(&board), Some(&value), "{rows} × {columns}");
                shown.insert(board);
                if cell.starts_with("**") {
                    twice.insert(board);
                } else {
                    assert!(!twice.contains(&board), "{rows} × {columns} is bold and is not");
                }
            }
        }
    }
    assert_eq!(shown, boards.keys().copied().collect(), "the boards that the document shows");
    // Bold are those that the loop over all positions found as well.
    let mut counted = BTreeSet::new();
    for row in table(&text, "| board | edges |") {
        let [rows, columns] =
            row[0].split(" × ").map(number).collect::<Vec<_>>().try_into().expect("R × C");
        let [edges, positions, moons, largest] = [1, 2, 3, 4].map(|cell| number(row[cell]));
        assert_eq!(edges, rows * (columns + 1) + columns * (rows + 1), "{row:?}");
        assert_eq!(positions, 1 << edges, "{row:?}");
        assert!(moons < positions && boards[&(rows, columns)] <= largest, "{row:?}");
        counted.insert((rows, columns));
    }
    assert_eq!(counted, twice);
}

/// The boards of up to 27 edges, and the narrow ones, which fall apart soon.
#[test]
fn small_boards_of_nimstring_are_found_again() {
    let mut found = 0;
    for ((rows, columns), value) in boards() {
        let edges = rows * (columns + 1) + columns * (rows + 1);
        if edges <= 27 || rows == 1 {
            let board = format!("nimstring:{rows}x{columns}");
            let printed = nimoon(&["value", &board, "--format", "json"]);
            let json: serde_json::Value = serde_json::from_str(&printed).expect("it is JSON");
            let expected = serde_json::json!({ "kind": "nimber", "n": value });
            assert_eq!(json["value"], expected, "{board}");
            found += 1;
        }
    }
    assert!(found >= 18, "{found} boards");
}

/// The moons of the file, which is a b-file: each with its number.
fn moons() -> Vec<u64> {
    let text = read("top-entails-moons.txt");
    let mut moons = Vec::new();
    for (line, place) in text.lines().zip(1..) {
        let (number_of, moon) = line.split_once(' ').expect("two numbers");
        assert_eq!(number(number_of), place, "{line}");
        let moon = number(moon);
        assert_eq!(line, format!("{place} {moon}"));
        // Why this must be so, the document tells.
        assert!(moon % 2 == 1 && moons.last().is_none_or(|&last| last < moon), "{line}");
        moons.push(moon);
    }
    assert!(text.ends_with('\n') && moons.len() >= 9);
    moons
}

#[test]
fn the_moons_of_top_entails_are_those_of_the_document() {
    let (text, moons) = (read("top-entails.md"), moons());
    let quoted = text.lines().find(|line| line.starts_with("> 1, 3, ")).expect("it lists them");
    let quoted: Vec<u64> = quoted[2..].replace('*', "").split(", ").map(number).collect();
    assert_eq!(quoted, moons);
    // What commands print is a beginning of the list.
    let mut printed: Vec<Vec<u64>> = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split_whitespace().collect();
        if let [heap, position, "☾", "N"] = cells[..] {
            assert_eq!(position, format!("top-entails:{heap}"));
            if heap == "1" {
                printed.push(Vec::new());
            }
            printed.last_mut().expect("1 is the first moon").push(number(heap));
        }
    }
    assert!(printed.len() >= 2);
    for list in printed {
        assert!(moons.starts_with(&list), "{list:?}");
    }
    // Those that are new are met by pairs of heaps.
    let new: Vec<u64> = moons.iter().copied().filter(|&moon| moon > 600_000).collect();
    let rows = table(&text, "| moon | pairs");
    assert_eq!(rows.iter().map(|row| number(row[0])).collect::<Vec<_>>(), new);
    for row in rows {
        assert!(number(row[1]) <= number(row[0]) / 2 && number(row[2]).is_power_of_two());
    }
}

#[test]
fn the_moons_of_top_entails_up_to_33243_are_found_again() {
    let printed = nimoon(&["table", "top-entails", "0..33300", "--moons", "--format", "csv"]);
    let found: Vec<u64> =
        printed.lines().skip(1).map(|row| number(row.split(',').next().unwrap_or(""))).collect();
    let known: Vec<u64> = moons().into_iter().filter(|&moon| moon <= 33_300).collect();
    assert_eq!(found, known);
    assert_eq!(found.last(), Some(&33_243));
}
