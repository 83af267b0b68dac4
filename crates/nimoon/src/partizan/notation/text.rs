//! Stoppers and sides as text that reads back as an equal game.
//!
//! Braces around an only option are left out where bars are enough, up to four of them. A follower
//! that leads back to braces around it names them, or passes. Braces side by side may have the same
//! name.

use super::names::Shape;
use crate::partizan::sides::Sides;
use crate::partizan::stoppers::{Stopper, Stoppers};

/// The longest text, in bytes.
const MOST: usize = 100_000;

/// The longest run of bars.
const MOST_BARS: usize = 4;

impl Stoppers {
    /// A stopper in the [notation](super) of loopy games: its name, or braces.
    ///
    /// The text depends on the game alone, and reads back as an equal game. Braces write a follower
    /// again each time it occurs. If that takes more than 100,000 bytes the text is
    /// `... (N vertices)` instead, which cannot be read.
    ///
    /// ```
    /// use nimoon::{Work, partizan::{Graph, Stoppers}};
    /// let mut stoppers = Stoppers::new();
    /// // {0|{0|-2}}, where -2 = {|{|0}}
    /// let graph = Graph::new(5, [(0, 4), (1, 4)], [(0, 1), (1, 2), (2, 3), (3, 4)]).unwrap();
    /// let tiny = stoppers.onside(&graph, 0, &mut Work::default()).unwrap().unwrap();
    /// assert_eq!(stoppers.text(tiny), "Tiny(2)");
    /// ```
    pub fn text(&self, stopper: Stopper) -> String {
        let shape = Shape::new(self, stopper);
        let text = Tree::new(&shape).and_then(|tree| tree.write(&shape));
        text.unwrap_or_else(|| format!("... ({} vertices)", shape.options.len()))
    }

    /// Sides as text: `G & H`, or one game if they are equal, or `dud`; none if one was not found.
    ///
    /// ```
    /// use nimoon::partizan::{Sides, Stoppers};
    /// let zero = Sides::of(Stoppers::ZERO);
    /// assert_eq!(Stoppers::new().sides_text(zero).unwrap(), "0");
    /// ```
    pub fn sides_text(&self, sides: Sides) -> Option<String> {
        if let Some(stopper) = sides.stopper() {
            return Some(self.text(stopper));
        }
        let (onside, offside) = (self.text(sides.onside?), self.text(sides.offside?));
        if onside == "on" && offside == "off" {
            return Some("dud".to_owned());
        }
        Some(format!("{onside} & {offside}"))
    }
}

/// A follower where it occurs.
struct Branch {
    rank: u32,
    parent: u32,
    /// The braces around it that it leads back to, if it is written as their name.
    back: Option<u32>,
    options: [Vec<u32>; 2],
    /// Whether something below leads back here: only its own options, or more.
    passes: bool,
    labelled: bool,
}

/// A stopper unfolded up to names and what leads back. Every branch stands after its parent.
struct Tree(Vec<Branch>);

enum Step {
    Enter(u32),
    Leave(u32),
}

impl Tree {
    fn new(shape: &Shape) -> Option<Self> {
        const NONE: u32 = u32::MAX;
        let branch = |rank, parent, back| Branch {
            rank,
            parent,
            back,
            options: [Vec::new(), Vec::new()],
            passes: false,
            labelled: false,
        };
        let mut branches = vec![branch(shape.start, 0, None)];
        let mut on_path = vec![NONE; shape.options.len()];
        let mut steps = vec![Step::Enter(0)];
        while let Some(step) = steps.pop() {
            let here = match step {
                Step::Enter(here) => here,
                Step::Leave(here) => {
                    on_path[branches[here as usize].rank as usize] = NONE;
                    continue;
                }
            };
            let rank = branches[here as usize].rank as usize;
            if shape.names[rank].is_some() {
                continue;
            }
            on_path[rank] = here;
            steps.push(Step::Leave(here));
            let first = branches.len() as u32;
            for (side, options) in shape.options[rank].iter().enumerate() {
                if branches.len() + options.len() > MOST {
                    return None;
                }
                for &option in options {
                    let next = branches.len() as u32;
                    let target = on_path[option as usize];
                    let back = (target != NONE).then_some(target);
                    if let Some(back) = back {
                        let around = &mut branches[back as usize];
                        around.passes |= back == here;
                        around.labelled |= back != here;
                    }
                    branches.push(branch(option, here, back));
                    branches[here as usize].options[side].push(next);
                }
            }
            let entered = (first..branches.len() as u32).rev();
            let entered = entered.filter(|&next| branches[next as usize].back.is_none());
            steps.extend(entered.map(Step::Enter));
        }
        Some(Self(branches))
    }

    /// For each branch the number of bars between its sides, and whether its braces are left out.
    fn bars(&self, shape: &Shape) -> (Vec<usize>, Vec<bool>) {
        let mut bars = vec![1_usize; self.0.len()];
        let mut bare = vec![false; self.0.len()];
        for here in (0..self.0.len()).rev() {
            for side in &self.0[here].options {
                let [only] = side[..] else { continue };
                let option = &self.0[only as usize];
                let plain = option.back.is_none()
                    && shape.names[option.rank as usize].is_none()
                    && !option.passes
                    && !option.labelled
                    && !option.options.iter().any(Vec::is_empty);
                if plain && bars[only as usize] < MOST_BARS {
                    bare[only as usize] = true;
                    bars[here] = bars[here].max(bars[only as usize] + 1);
                }
            }
        }
        (bars, bare)
    }

    fn write(&self, shape: &Shape) -> Option<String> {
        enum Piece {
            Branch(u32),
            Text(&'static str),
            Bars(usize),
        }
        let (bars, bare) = self.bars(shape);
        // How many braces around a branch are labelled: these names are taken.
        let mut taken = vec![0_usize; self.0.len()];
        for (here, branch) in self.0.iter().enumerate().skip(1) {
            let parent = branch.parent as usize;
            taken[here] = taken[parent] + usize::from(self.0[parent].labelled);
        }
        let mut text = String::new();
        let mut pieces = vec![Piece::Branch(0)];
        while let Some(piece) = pieces.pop() {
            if text.len() > MOST {
                return None;
            }
            let here = match piece {
                Piece::Branch(here) => here as usize,
                Piece::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                Piece::Bars(count) => {
                    text.extend(std::iter::repeat_n('|', count));
                    continue;
                }
            };
            let branch = &self.0[here];
            if let Some(back) = branch.back {
                let back = back as usize;
                if self.0[back].labelled {
                    text.push_str(&label(taken[back]));
                } else {
                    text.push_str("pass");
                }
                continue;
            }
            if let Some(name) = shape.names[branch.rank as usize] {
                text.push_str(&name.to_string());
                continue;
            }
            if branch.labelled {
                text.push_str(&label(taken[here]));
            }
            // From the end, as the last piece comes first.
            if !bare[here] {
                text.push('{');
                pieces.push(Piece::Text("}"));
            }
            for (side, options) in branch.options.iter().enumerate().rev() {
                for (i, &option) in options.iter().enumerate().rev() {
                    pieces.push(Piece::Branch(option));
                    if i > 0 {
                        pieces.push(Piece::Text(","));
                    }
                }
                if side == 1 {
                    pieces.push(Piece::Bars(bars[here]));
                }
            }
        }
        Some(text)
    }
}

/// a, b, c, … without v, which is down; then a1, b1, …
fn label(number: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuwxyz";
    let letter = char::from(LETTERS[number % LETTERS.len()]);
    match number / LETTERS.len() {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
