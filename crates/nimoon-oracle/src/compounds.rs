//! Remoteness, compounds and Sprague–Grundy functions, by the definitions and by sweeps.
//!
//! A game is a list of options, one row for each position. Compounds are written out position by
//! position, and every function is computed by sweeps over all positions until nothing changes.
//!
//! ## References
//! [Smith1966, §3 to §10]

/// Positions `0..len` and the options of each.
pub type Options = Vec<Vec<usize>>;

/// The longest play from each position; none if there is no bound.
///
/// ```
/// use nimoon_oracle::compounds::distances;
/// assert_eq!(distances(&vec![vec![1], vec![], vec![2]]), [Some(1), Some(0), None]);
/// ```
pub fn distances(options: &Options) -> Vec<Option<usize>> {
    let mut found = vec![None; options.len()];
    for distance in 0..options.len() {
        for position in 0..options.len() {
            let below = |&to: &usize| found[to].is_some_and(|found| found < distance);
            if found[position].is_none() && options[position].iter().all(below) {
                found[position] = Some(distance);
            }
        }
    }
    found
}

/// The remoteness of each position, where terminal ones have 0, or 1 if `next_wins` says so.
///
/// The sets of the positions of remoteness 0, 1, 2 and so on are found one after the other.
///
/// ```
/// use nimoon_oracle::compounds::remoteness;
/// let trap = vec![vec![1], vec![0, 2], vec![]];
/// assert_eq!(remoteness(&trap, &[false; 3]), [Some(2), Some(1), Some(0)]);
/// assert_eq!(remoteness(&trap, &[true; 3]), [None, None, Some(1)]);
/// ```
pub fn remoteness(options: &Options, next_wins: &[bool]) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; options.len()];
    for stage in 0..=options.len() + 1 {
        let before = found.clone();
        for (position, row) in options.iter().enumerate() {
            let belongs = if row.is_empty() {
                stage == usize::from(next_wins[position])
            } else if stage % 2 == 1 {
                row.iter().any(|&to| before[to] == Some(stage - 1))
            } else {
                row.iter().all(|&to| before[to].is_some_and(|value| value % 2 == 1))
            };
            if belongs && found[position].is_none() {
                found[position] = Some(stage);
            }
        }
    }
    found
}

/// How a player may move in several games at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In all of them.
    Conjunctive,
    /// In some of them, at least one.
    Selective,
    /// In one of them.
    Disjunctive,
}

/// All kinds of compounds.
pub const KINDS: [Kind; 3] = [Kind::Conjunctive, Kind::Selective, Kind::Disjunctive];

/// The compound of two games, where (x, y) is the position x · |second| + y.
///
/// ```
/// use nimoon_oracle::compounds::{Kind, compound};
/// let arc = vec![vec![], vec![0]];
/// assert_eq!(compound(Kind::Conjunctive, &arc, &arc)[3], [0]);
/// assert_eq!(compound(Kind::Disjunctive, &arc, &arc)[3], [1, 2]);
/// assert_eq!(compound(Kind::Selective, &arc, &arc)[3], [0, 1, 2]);
/// ```
pub fn compound(kind: Kind, first: &Options, second: &Options) -> Options {
    let mut options = Options::new();
    for (x, from_x) in first.iter().enumerate() {
        for (y, from_y) in second.iter().enumerate() {
            let at = |x: usize, y: usize| x * second.len() + y;
            let mut row = Vec::new();
            for &to_x in from_x {
                for &to_y in from_y {
                    if kind != Kind::Disjunctive {
                        row.push(at(to_x, to_y));
                    }
                }
            }
            if kind != Kind::Conjunctive {
                row.extend(from_x.iter().map(|&to_x| at(to_x, y)));
                row.extend(from_y.iter().map(|&to_y| at(x, to_y)));
            }
            row.sort_unstable();
            row.dedup();
            options.push(row);
        }
    }
    options
}

/// The least number that is not among these.
fn comin(values: impl Iterator<Item = usize>) -> usize {
    let mut values: Vec<usize> = values.collect();
    values.sort_unstable();
    values.dedup();
    values.iter().enumerate().position(|(i, &value)| i != value).unwrap_or(values.len())
}

/// The Sprague–Grundy function in the strict sense, extended as far as (26) allows.
///
/// ```
/// use nimoon_oracle::compounds::strict_grundy;
/// assert_eq!(strict_grundy(&vec![vec![1, 2], vec![], vec![0]]), [Some(1), Some(0), Some(0)]);
/// assert_eq!(strict_grundy(&vec![vec![0]]), [None]);
/// ```
pub fn strict_grundy(options: &Options) -> Vec<Option<usize>> {
    let mut g: Vec<Option<usize>> = vec![None; options.len()];
    loop {
        let mut changed = false;
        for position in 0..options.len() {
            let value = comin(options[position].iter().filter_map(|&to| g[to]));
            let reverts = |&to: &usize| {
                g[to].is_some() || options[to].iter().any(|&back| g[back] == Some(value))
            };
            if g[position].is_none() && options[position].iter().all(reverts) {
                g[position] = Some(value);
                changed = true;
            }
        }
        if !changed {
            return g;
        }
    }
}

/// The least function H beside G that meets the conditions (23a–e): raised wherever it is too
/// small.
///
/// ```
/// use nimoon_oracle::compounds::{least_h, strict_grundy};
/// let options = vec![vec![1, 2], vec![], vec![0]];
/// assert_eq!(least_h(&options, &strict_grundy(&options)), [Some(3), Some(0), Some(2)]);
/// ```
pub fn least_h(options: &Options, g: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut h: Vec<Option<usize>> = g.iter().map(|g| g.map(|_| 0)).collect();
    while let Some((position, _)) = violation(options, g, &h) {
        h[position] = h[position].map(|h| h + 1);
    }
    h
}

/// The first position and condition of (23a–e) that a pair of functions violates.
///
/// ```
/// use nimoon_oracle::compounds::violation;
/// let arc = vec![vec![], vec![0]];
/// assert_eq!(violation(&arc, &[Some(0), Some(1)], &[Some(0), Some(1)]), None);
/// assert_eq!(violation(&arc, &[Some(0), Some(1)], &[Some(0), Some(0)]), Some((1, 'c')));
/// assert_eq!(violation(&arc, &[Some(0), Some(0)], &[Some(0), Some(1)]), Some((1, 'd')));
/// ```
pub fn violation(
    options: &Options,
    g: &[Option<usize>],
    h: &[Option<usize>],
) -> Option<(usize, char)> {
    for (position, row) in options.iter().enumerate() {
        if g[position].is_some() != h[position].is_some() {
            return Some((position, 'a'));
        }
        if row.is_empty() && (g[position], h[position]) != (Some(0), Some(0)) {
            return Some((position, 'b'));
        }
        let (Some(value), Some(height)) = (g[position], h[position]) else {
            continue;
        };
        let below = |to: usize, slack: usize| h[to].is_some_and(|h| h + slack < height);
        for wanted in 0..value {
            if !row.iter().any(|&to| g[to] == Some(wanted) && below(to, 0)) {
                return Some((position, 'c'));
            }
        }
        for &to in row {
            if below(to, 0) {
                if g[to] == Some(value) {
                    return Some((position, 'd'));
                }
            } else if !options[to].iter().any(|&back| g[back] == Some(value) && below(back, 1)) {
                return Some((position, 'e'));
            }
        }
    }
    None
}

/// All functions that are everywhere the comin of the options, by trying everything.
///
/// ```
/// use nimoon_oracle::compounds::wide_grundy;
/// assert_eq!(wide_grundy(&vec![vec![1], vec![0]]), [[0, 1], [1, 0]]);
/// assert!(wide_grundy(&vec![vec![0]]).is_empty());
/// ```
pub fn wide_grundy(options: &Options) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut values = vec![0; options.len()];
    loop {
        let fits = |position: usize| {
            values[position] == comin(options[position].iter().map(|&to| values[to]))
        };
        if (0..options.len()).all(fits) {
            found.push(values.clone());
        }
        let Some(place) = (0..options.len()).rev().find(|&at| values[at] < options[at].len())
        else {
            return found;
        };
        values[place] += 1;
        values[place + 1..].fill(0);
    }
}
