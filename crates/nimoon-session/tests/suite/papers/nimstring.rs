//! Nimstring [LNS2021, §4], against brute force over all sets of drawn edges.

use crate::papers::engine::{self, Dice};

/// A board of R × C boxes: how many edges it has, and which edges bound each box. The horizontal
/// edges are numbered row by row, then the vertical ones.
struct Grid {
    rows: usize,
    columns: usize,
    boxes: Vec<u32>,
}

const MOON: u8 = u8::MAX;

impl Grid {
    fn new(rows: usize, columns: usize) -> Self {
        let across = (rows + 1) * columns;
        let corner = |row: usize, column: usize| {
            let top = row * columns + column;
            let left = across + row * (columns + 1) + column;
            [top, top + columns, left, left + 1].into_iter().map(|edge| 1_u32 << edge).sum()
        };
        let boxes = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Self { rows, columns, boxes: boxes.map(|(row, column)| corner(row, column)).collect() }
    }

    fn edges(&self) -> usize {
        (self.rows + 1) * self.columns + self.rows * (self.columns + 1)
    }

    /// The values of all sets of drawn edges; [`MOON`] where the next player wins beside every
    /// heap.
    fn values(&self) -> Vec<u8> {
        let edges = self.edges();
        let mut values = vec![0; 1 << edges];
        for drawn in (0..1_u32 << edges).rev() {
            // The heaps beside which the next player wins by drawing an edge. If there is one that
            // is not among them, then the next player loses beside the smallest such heap, and wins
            // beside all larger ones by going there: the drawing is as good as this heap.
            let mut wins = 0_u64;
            for edge in (0..edges).filter(|edge| drawn >> edge & 1 == 0) {
                let after = drawn | 1 << edge;
                let closed = |sides: &&u32| *sides >> edge & 1 == 1 && **sides & after == **sides;
                let again = self.boxes.iter().any(|sides| closed(&sides));
                wins |= match (again, values[after as usize]) {
                    (false, MOON) => 0,
                    (false, heap) => 1 << heap,
                    (true, MOON) => u64::MAX,
                    (true, heap) => !(1 << heap),
                };
            }
            values[drawn as usize] =
                if wins == u64::MAX { MOON } else { wins.trailing_ones() as u8 };
        }
        values
    }

    /// The edges that are drawn in all of these parts of the board.
    fn drawn(&self, parts: &str) -> u32 {
        let all = (1 << self.edges()) - 1;
        parts.split(" + ").fold(all, |drawn, part| {
            let digits = part.split('/').skip(1).flat_map(str::chars);
            let set = digits.enumerate().filter(|(_, digit)| *digit == '1');
            drawn & set.map(|(edge, _)| 1 << edge).sum::<u32>()
        })
    }

    /// The notation of a set of drawn edges.
    fn text(&self, drawn: u32) -> String {
        let bit = |edge: usize| if drawn >> edge & 1 == 1 { '1' } else { '0' };
        let across = (self.rows + 1) * self.columns;
        let horizontal: String = (0..across).map(bit).collect();
        let vertical: String = (across..self.edges()).map(bit).collect();
        format!("nimstring:{}x{}/{horizontal}/{vertical}", self.rows, self.columns)
    }
}

fn ascii(value: u8) -> String {
    if value == MOON { "moon".to_owned() } else { value.to_string() }
}

/// These sets of drawn edges have their values by brute force.
fn check(grid: &Grid, values: &[u8], drawn: &[u32], note: &str) {
    let texts: Vec<String> = drawn.iter().map(|&drawn| grid.text(drawn)).collect();
    for ((text, found), &drawn) in texts.iter().zip(engine::values(&texts)).zip(drawn) {
        assert_eq!(found, ascii(values[drawn as usize]), "{text}{note}");
    }
}

#[test]
fn every_position_of_boards_up_to_2_by_2_has_its_value_by_brute_force() {
    for (rows, columns) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        let grid = Grid::new(rows, columns);
        let values = grid.values();
        let all: Vec<u32> = (0..1 << grid.edges()).collect();
        check(&grid, &values, &all, "");
        assert_eq!(values.contains(&MOON), rows * columns > 1);
    }
}

#[test]
fn random_positions_of_2_by_3_boards_have_their_values_by_brute_force() {
    for (seed, rows, columns) in [(23, 2, 3), (32, 3, 2)] {
        let grid = Grid::new(rows, columns);
        let values = grid.values();
        let mut dice = Dice(seed);
        let random: Vec<u32> = (0..1500).map(|_| dice.below(1 << grid.edges()) as u32).collect();
        check(&grid, &values, &random, &format!(", seed {seed}"));
    }
}

#[test]
fn random_positions_of_2_by_3_boards_alone_have_their_values_by_brute_force() {
    // One by one, so that no position helps another.
    let grid = Grid::new(2, 3);
    let values = grid.values();
    let seed = 6;
    let mut dice = Dice(seed);
    for _ in 0..40 {
        let drawn = dice.below(1 << grid.edges()) as u32;
        check(&grid, &values, &[drawn], &format!(", seed {seed}"));
    }
}

#[test]
fn empty_strips_of_up_to_10_boxes_are_worth_1() {
    for columns in 1..=10 {
        assert_eq!(engine::value(&format!("nimstring:1x{columns}")), "1", "{columns}");
        if columns <= 5 {
            assert_eq!(Grid::new(1, columns).values()[0], 1, "{columns}");
        }
    }
}

#[test]
fn empty_boards_have_their_values_by_brute_force() {
    for (rows, columns, value) in [(2, 2, 0), (2, 3, 1), (2, 4, 0)] {
        assert_eq!(Grid::new(rows, columns).values()[0], value, "{rows}x{columns}");
        let found = engine::value(&format!("nimstring:{rows}x{columns}"));
        assert_eq!(found, value.to_string(), "{rows}x{columns}");
    }
}

#[test]
fn the_empty_3_by_3_board_is_worth_2() {
    assert_eq!(engine::value("nimstring:3x3"), "2");
    let grid = Grid::new(3, 3);
    let values = grid.values();
    assert_eq!(values[0], 2);
    // The board is searched and not explored, and turns are found by asking for values. Whatever
    // the opponent replies, the engine leaves 0 by brute force, up to the end.
    let mut solution = engine::solution("nimstring:3x3 + nim:1");
    let mut placement = solution.start().clone();
    let mut dice = Dice(33);
    loop {
        let answer = solution.answer(&placement).unwrap();
        assert_eq!(answer.outcome, nimoon::Outcome::N);
        for made in &answer.moves {
            placement = solution.after(&placement, made);
        }
        let heap = u8::from(solution.text(&placement, 1) != "nim:0");
        assert_eq!(values[grid.drawn(&solution.text(&placement, 0)) as usize], heap);
        // Random replies, up to one that ends the turn.
        loop {
            let moves = solution.moves(&placement).unwrap();
            if moves.is_empty() {
                return;
            }
            let made = &moves[dice.below(moves.len())];
            placement = solution.after(&placement, made);
            if made.kind == nimoon::Kind::Ordinary {
                break;
            }
        }
    }
}

#[test]
fn boards_beyond_exploring_are_searched() {
    assert_eq!(engine::value("nimstring:3x4"), "0");
    assert_eq!(engine::value("nimstring:2x5 + nimstring:5x2"), "0");
}

#[test]
fn drawing_the_middle_bar_before_the_double_box_is_a_carry_on_move() {
    // Two boxes, one above the other, without the top bar and the bar between them.
    let mut solution = engine::solution("nimstring:2x1/001/1111");
    let start = solution.start().clone();
    let mut found = Vec::new();
    for made in solution.moves(&start).unwrap() {
        let after = solution.after(&start, &made);
        found.push((made.kind, engine::ascii(solution.value(&after).as_ref())));
    }
    let zero = || "0".to_owned();
    assert_eq!(found, [(nimoon::Kind::Ordinary, zero()), (nimoon::Kind::Again, zero())]);
    // Beside *2 the middle bar wins; the top bar does not.
    let mut sum = engine::solution("nimstring:2x1/001/1111 + nim:2");
    let turns = engine::best_turns(&mut sum);
    let first = |turn: &Vec<nimoon::solve::solution::PlyInWords>| (turn[0].component, turn[0].kind);
    assert!(turns.iter().all(|turn| first(turn) == (0, nimoon::Kind::Again)), "{turns:?}");
    assert!(!turns.is_empty());
}
