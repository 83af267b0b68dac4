//! A row of numbered squares with one token, for the games on it.

use std::fmt::Write;

use nimoon::notation::NotationError;

/// The last square of the largest board: with its arcs it still fits a small machine.
const LAST: u64 = 10_000_000;

/// Refuses boards that are too large.
pub(super) fn check_size(last: u64) -> Result<(), String> {
    if last <= LAST {
        return Ok(());
    }
    Err(format!("the last square is at most {LAST}, found {last}"))
}

/// Refuses squares that are not on the board.
pub(super) fn check_square(square: u64, last: u64) -> Result<(), NotationError> {
    if square <= last {
        return Ok(());
    }
    Err(NotationError::at(0, format!("the squares are 0 to {last}, found {square}")))
}

/// Draws the numbers of the squares, and below them the token `■` and a mark for the others. Of a
/// large board only the neighbourhood of the token is drawn.
pub(super) fn draw(token: u64, last: u64, mark: impl Fn(u64) -> String) -> String {
    /// How many squares are drawn on each side of the token, and at most.
    const SIDE: u64 = 12;
    let first = token.saturating_sub(SIDE).min(last.saturating_sub(2 * SIDE));
    let end = last.min(first + 2 * SIDE);
    let (mut numbers, mut marks) = (String::new(), String::new());
    for square in first..=end {
        let mark = if square == token { "■".to_owned() } else { mark(square) };
        let width = square.to_string().len().max(mark.chars().count());
        let _ = write!(numbers, "{square:<width$}  ");
        let _ = write!(marks, "{mark:<width$}  ");
    }
    let (left, right) = (if first > 0 { "…  " } else { "" }, if end < last { "…" } else { "" });
    let blank = if first > 0 { "   " } else { "" };
    format!("{left}{}\n{blank}{}", (numbers + right).trim_end(), marks.trim_end())
}

#[cfg(test)]
pub(super) mod tests {
    use nimoon::ruleset::Ruleset;
    use nimoon::{Digraph, Labelling, Outcome, Work, label};

    use super::*;

    fn place(squares: &[u64], square: u64) -> usize {
        squares.iter().position(|&other| other == square).unwrap()
    }

    /// The engine's values of these squares.
    pub(in crate::strip) fn labelled<R>(ruleset: &R, squares: &[u64]) -> Labelling
    where
        R: Ruleset<Position = u64>,
    {
        let arcs = squares.iter().enumerate().flat_map(|(from, square)| {
            let to = ruleset.options(square).map(|option| place(squares, option.to));
            to.map(move |to| (from as u32, to as u32))
        });
        let digraph = Digraph::new(squares.len(), [], arcs.collect()).unwrap();
        label(&digraph, None, &Work::default()).unwrap()
    }

    /// The outcomes of these squares beside the heaps below `heaps`: positions are lost if all
    /// options are won, won if one is lost, over and over until nothing changes; the rest is drawn.
    pub(in crate::strip) fn retrograde(
        squares: &[u64],
        heaps: usize,
        options: impl Fn(u64) -> Vec<u64>,
    ) -> Vec<Vec<Outcome>> {
        let places = |square| options(square).into_iter().map(|to| place(squares, to)).collect();
        let options: Vec<Vec<usize>> = squares.iter().map(|&square| places(square)).collect();
        let mut outcomes = vec![vec![Outcome::D; heaps]; squares.len()];
        loop {
            let before = outcomes.clone();
            for (square, heap) in
                (0..squares.len()).flat_map(|square| (0..heaps).map(move |heap| (square, heap)))
            {
                let slides = options[square].iter().map(|&to| before[to][heap]);
                let mut after = slides.chain(before[square][..heap].iter().copied());
                if after.clone().any(|outcome| outcome == Outcome::P) {
                    outcomes[square][heap] = Outcome::N;
                } else if after.all(|outcome| outcome == Outcome::N) {
                    outcomes[square][heap] = Outcome::P;
                }
            }
            if outcomes == before {
                return outcomes;
            }
        }
    }

    #[test]
    fn of_a_large_board_the_neighbourhood_of_the_token_is_drawn() {
        let drawn = draw(5_000_000, LAST, |_| "·".to_owned());
        let lines: Vec<_> = drawn.lines().collect();
        assert!(lines[0].starts_with("…  4999988  ") && lines[0].ends_with("5000012  …"));
        let column = |text: &str, sign: &str| text[..text.find(sign).unwrap()].chars().count();
        assert_eq!(column(lines[0], "5000000"), column(lines[1], "■"));
        assert_eq!(draw(1, 2, |_| "·".to_owned()), "0  1  2\n·  ■  ·");
    }
}
