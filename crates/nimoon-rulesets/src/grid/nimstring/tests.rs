use nimoon::Kind;
use nimoon::impartial::value::EntailingValue::{Moon, Nimber};
use proptest::prelude::*;

use super::*;
use crate::graph::Coins;
use crate::graph::testing::{Evaluator, read_or_refuse};

fn read(text: &str) -> Drawing {
    Nimstring::default().read(text).unwrap()
}

/// A board with edges at the places (y, x) with y + x odd, boxes at odd y and odd x and dots at
/// even y and even x. It shares nothing with the ruleset.
struct Plain {
    edges: Vec<(usize, usize)>,
    /// The numbers of the edges of each box.
    boxes: Vec<Vec<usize>>,
    rows: usize,
    columns: usize,
}

impl Plain {
    fn new(rows: usize, columns: usize) -> Self {
        let places = |odd: usize| {
            let all = (0..=2 * rows).flat_map(|y| (0..=2 * columns).map(move |x| (y, x)));
            all.filter(move |&(y, x)| if odd == 2 { y % 2 + x % 2 == 2 } else { (y + x) % 2 == 1 })
        };
        let edges: Vec<_> = places(1).collect();
        let touch = |edge: usize, y: usize, x: usize| {
            edges[edge].0.abs_diff(y) + edges[edge].1.abs_diff(x) == 1
        };
        let boxes = places(2)
            .map(|(y, x)| (0..edges.len()).filter(|&edge| touch(edge, y, x)).collect())
            .collect();
        Self { edges, boxes, rows, columns }
    }

    fn digits(&self, drawn: u32, odd: usize) -> String {
        let edges = (0..self.edges.len()).filter(|&edge| self.edges[edge].0 % 2 == odd);
        edges.map(|edge| if drawn >> edge & 1 == 1 { '1' } else { '0' }).collect()
    }

    fn text(&self, drawn: u32) -> String {
        let (horizontal, vertical) = (self.digits(drawn, 0), self.digits(drawn, 1));
        format!("{}x{}/{horizontal}/{vertical}", self.rows, self.columns)
    }

    /// The strings and coins with a coin for each box.
    fn coins(&self, drawn: u32) -> String {
        let missing = (0..self.edges.len()).filter(|edge| drawn >> edge & 1 == 0);
        let strings = missing.map(|edge| {
            let coins = (0..self.boxes.len()).filter(|&coin| self.boxes[coin].contains(&edge));
            let coins: Vec<_> = coins.map(|coin| format!("box{coin}")).collect();
            if coins.len() == 1 { format!("{}-0", coins[0]) } else { coins.join("-") }
        });
        let strings = strings.collect::<Vec<_>>().join(",");
        if strings.is_empty() { "0".to_owned() } else { strings }
    }

    /// Whether the mover wins beside each heap of less than 16 tokens, for each set of drawn edges.
    fn wins(&self) -> Vec<[bool; 16]> {
        let full = (1_u32 << self.edges.len()) - 1;
        let mut wins = vec![[false; 16]; full as usize + 1];
        for drawn in (0..=full).rev() {
            for heap in 0..16 {
                let by_heap = (0..heap).any(|smaller| !wins[drawn as usize][smaller]);
                let by_edge =
                    (0..self.edges.len()).filter(|edge| drawn >> edge & 1 == 0).any(|edge| {
                        let after = drawn | 1 << edge;
                        let closes = |sides: &Vec<usize>| {
                            sides.contains(&edge) && sides.iter().all(|side| after >> side & 1 == 1)
                        };
                        wins[after as usize][heap] == self.boxes.iter().any(closes)
                    });
                wins[drawn as usize][heap] = by_heap || by_edge;
            }
        }
        wins
    }
}

#[test]
fn empty_boards_have_the_known_values() {
    let mut evaluator = Evaluator::new(Nimstring::default());
    let mut value = |text: &str| evaluator.value(&read(text));
    for columns in 1..=5 {
        assert_eq!(value(&format!("1x{columns}")), Nimber(1), "1x{columns}");
    }
    assert_eq!(value("2x2"), Nimber(0));
    assert_eq!(value("2x3"), Nimber(1));
    assert_eq!(value("3x2"), Nimber(1));
}

#[test]
fn every_position_of_small_boards_has_the_outcomes_beside_heaps_of_its_value() {
    for (rows, columns) in [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)] {
        let plain = Plain::new(rows, columns);
        let mut evaluator = Evaluator::new(Nimstring::default());
        for (drawn, wins) in plain.wins().iter().enumerate() {
            let text = plain.text(drawn as u32);
            let lost: Vec<_> = (0..16).filter(|&heap| !wins[heap]).collect();
            let value = match lost[..] {
                [] => Moon,
                [heap] => Nimber(heap as u64),
                _ => panic!("{text} is lost beside two heaps"),
            };
            assert_eq!(evaluator.value(&read(&text)), value, "{text}");
        }
    }
}

#[test]
fn parts_add_up_to_the_value_of_the_whole_canonical_or_not() {
    // Without splitting and without symmetries.
    struct Whole(Nimstring);
    impl Ruleset for Whole {
        type Position = Drawing;

        fn name(&self) -> String {
            self.0.name()
        }

        fn options(&self, drawing: &Drawing) -> impl Iterator<Item = Move<Drawing>> {
            self.0.options(drawing)
        }

        fn read(&self, text: &str) -> Result<Drawing, NotationError> {
            self.0.read(text)
        }

        fn write(&self, drawing: &Drawing) -> String {
            self.0.write(drawing)
        }
    }

    impl Notation for Whole {}

    impl Shortcuts for Whole {}
    let mut whole = Evaluator::new(Whole(Nimstring::default()));
    let mut split = Evaluator::new(Nimstring::default());
    let plain = Plain::new(1, 4);
    for drawn in 0..1 << 13 {
        let drawing = read(&plain.text(drawn));
        assert_eq!(whole.value(&drawing), split.value(&drawing), "{}", plain.text(drawn));
    }
}

#[test]
fn a_part_is_the_same_wherever_it_stands_and_however_it_is_turned() {
    let nimstring = Nimstring::default();
    let canonical = |text: &str| {
        let parts = nimstring.components(read(text));
        assert_eq!(parts.len(), 1, "{text}");
        nimstring.write(&nimstring.canonical(parts[0]))
    };
    // A chain of two boxes, open at one end.
    let across = canonical("1x2/1111/001");
    assert_eq!(across, canonical("1x2/1111/100"));
    assert_eq!(across, canonical("2x1/001/1111"));
    // The open end is another border edge of the same box.
    assert_eq!(across, canonical("1x2/1110/101"));
    // In the corner of a larger board.
    assert_eq!(across, canonical("3x3/111111111110/111111111101"));
    assert_ne!(across, canonical("1x2/1111/101"));
    assert_eq!(nimstring.write(&nimstring.canonical(read("2x2/111111/111111"))), "1x1/11/11");
}

#[test]
fn boxes_are_completed_one_or_two_at_a_time() {
    let nimstring = Nimstring::default();
    let options = |text: &str| {
        let position = read(text);
        let options = nimstring.options(&position).enumerate();
        options
            .map(|(number, option)| (nimstring.words(&position, number, &option), option.kind))
            .collect::<Vec<_>>()
    };
    let two = "draw the right edge of the box in row 1, column 1; that completes two boxes";
    assert_eq!(options("1x2/1111/101"), [(two.to_owned(), Kind::Again)]);
    let one = "draw the top edge of the box in row 1, column 1; that completes a box";
    let none = "draw the bottom edge of the box in row 2, column 1";
    let left = "draw the left edge of the box in row 2, column 1";
    let expected = [(one, Kind::Again), (none, Kind::Ordinary), (left, Kind::Ordinary)];
    assert_eq!(options("2x1/010/1101"), expected.map(|(words, kind)| (words.to_owned(), kind)));
}

#[test]
fn pictures_are_read_as_they_are_drawn() {
    let nimstring = Nimstring::default();
    let drawing = read("1x2/1011/101");
    let picture = "+--+  +\n|     |\n+--+--+";
    assert_eq!(nimstring.board(&drawing), picture);
    assert_eq!(read(picture), drawing);
    assert_eq!(read("\n  ·--·  ·\r\n  |     |\n  ·--·--·  \n\n"), drawing);
    assert_eq!(nimstring.board(&read("1x1")), "+  +\n\n+  +");
}

#[test]
fn an_indented_picture_is_read_whether_or_not_its_first_line_has_lost_its_blanks() {
    let drawing = read("1x2/1011/101");
    for blanks in ["", " ", "   ", "\t", "                "] {
        let lines = ["+--+  +", "|     |", "+--+--+"].join(&format!("\n{blanks}"));
        assert_eq!(read(&lines), drawing, "{lines}");
        assert_eq!(read(&format!("\n{blanks}{lines}\n")), drawing, "{lines}");
    }
    // The left edge is missing, and only the dots show where the lines begin.
    let open = read("2x1/111/0101");
    assert_eq!(read("+--+\n      |\n   +--+\n      |\n   +--+"), open);
    assert_eq!(read("   +--+\n      |\n   +--+\n      |\n   +--+"), open);
    assert_eq!(read("+  +\n\n   +  +\n"), read("1x1"));
    // Lines that are shifted against each other are not a picture.
    let error = |text: &str| Nimstring::default().read(text).unwrap_err();
    assert_eq!(error("+--+\n  |  |\n +--+").at, 7);
    assert_eq!(error("  +--+\n  |  |\n +--+").at, 6);
}

#[test]
fn faults_are_pointed_at() {
    let error = |text: &str| {
        let error = Nimstring::default().read(text).unwrap_err();
        (error.at, error.message)
    };
    assert_eq!(error("0x3"), (0, "expected a board with at least one row, found 0".into()));
    assert_eq!(error("3x0").0, 2);
    assert!(error("8x8").1.ends_with("one of 8x8 boxes has 144"));
    assert!(error("9999999999999x99999999999").1.ends_with("far more"));
    assert_eq!(
        error("1x1/10/1"),
        (8, "expected `0` or `1` for each of the 2 vertical edges, found the end".into())
    );
    assert_eq!(error("1x1/101/10"), (6, "expected `/`, found `1`".into()));
    assert_eq!(error("1x1/10/101"), (9, "expected the end, found `1`".into()));
    assert_eq!(error("\n"), (0, "expected a picture of a board, found blanks".into()));
    assert_eq!(error("+--+\n|  |\n").0, 10);
    assert_eq!(error("+--+\n|x |\n+--+"), (6, "expected a blank, found `x`".into()));
    assert_eq!(error("+--+\n|  |\n+- +").0, 12);
    assert_eq!(error("+--+\n|  |\n+--").1, "expected a dot, `+`, found the end of the line");
    assert_eq!(error("+--+\n|  |\n+--+--+").0, 14);
    assert_eq!(error("+\n+\n+").0, 1);
}

#[test]
fn the_largest_boards_are_played_too() {
    let nimstring = Nimstring::default();
    for text in ["7x8", "8x7", "1x42", "42x1"] {
        let board = read(text);
        assert_eq!(nimstring.options(&board).count(), board.missing.count_ones() as usize);
        assert_eq!(nimstring.components(board), [board]);
        assert_eq!(read(&nimstring.board(&board)), board);
        assert_eq!(nimstring.canonical(board), nimstring.canonical(nimstring.canonical(board)));
    }
    assert_eq!(nimstring.canonical(read("8x7")), read("7x8"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nimstring_is_strings_and_coins_on_the_dual(drawn in 0_u32..1 << 17) {
        let plain = Plain::new(2, 3);
        let dual = Coins::default().read(&plain.coins(drawn)).unwrap();
        let coins = Evaluator::new(Coins::default()).value(&dual);
        let boxes = Evaluator::new(Nimstring::default()).value(&read(&plain.text(drawn)));
        prop_assert_eq!(coins, boxes, "{}", plain.text(drawn));
    }

    #[test]
    fn positions_are_read_as_they_are_written_and_drawn(
        missing: u128,
        rows in 1_u8..7,
        columns in 1_u8..7,
    ) {
        let nimstring = Nimstring::default();
        let missing = missing & nimstring.boxes(rows, columns).all();
        let drawing = Drawing { rows, columns, missing };
        prop_assert_eq!(read(&nimstring.write(&drawing)), drawing);
        prop_assert_eq!(read(&nimstring.board(&drawing)), drawing);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9x/+| \n·-]{0,30}") {
        read_or_refuse(&Nimstring::default(), &text);
    }
}
