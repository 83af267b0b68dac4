//! Outcomes and remoteness on an explicit graph of positions.
//!
//! A player who cannot move loses; endless play is a draw [ACLNSS, Def. 1.7]. The *remoteness*
//! of a position is the number of plies that it lasts when the winner hurries and the loser
//! delays [Smith1966, §2].

use std::fmt;

/// Who wins a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The next player to move.
    N,
    /// The previous player.
    P,
    /// Nobody: play goes on for ever.
    D,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::N => "N",
            Self::P => "P",
            Self::D => "D",
        })
    }
}

/// Positions `0..len` and the options of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    ends: Vec<usize>,
    targets: Vec<usize>,
}

impl Graph {
    /// The graph with these options, or nothing if one of them is not a position.
    ///
    /// ```
    /// use nimoon_oracle::Graph;
    /// assert!(Graph::new(&[vec![1], vec![]]).is_some());
    /// assert!(Graph::new(&[vec![2], vec![]]).is_none());
    /// ```
    pub fn new(options: &[Vec<usize>]) -> Option<Self> {
        let mut graph = Self::default();
        for row in options {
            if row.iter().any(|&to| to >= options.len()) {
                return None;
            }
            graph.push(row.iter().copied());
        }
        Some(graph)
    }

    /// Appends a position. The caller ensures that every option becomes a position.
    pub(crate) fn push(&mut self, options: impl IntoIterator<Item = usize>) {
        self.targets.extend(options);
        self.ends.push(self.targets.len());
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The options of a position; none for a position that does not exist.
    pub fn options(&self, position: usize) -> &[usize] {
        let Some(&end) = self.ends.get(position) else {
            return &[];
        };
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.targets[start..end]
    }

    /// The graph with reversed arcs.
    fn reversed(&self) -> Self {
        let mut ends = vec![0; self.len()];
        for &to in &self.targets {
            ends[to] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        // Each row is filled from its end; in the end `next` has the starts.
        let mut next = ends.clone();
        let mut targets = vec![0; total];
        for from in 0..self.len() {
            for &to in self.options(from) {
                next[to] -= 1;
                targets[next[to]] = from;
            }
        }
        Self { ends, targets }
    }
}

/// The outcomes and the remoteness of all positions of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The outcome of each position.
    pub outcomes: Vec<Outcome>,
    /// The remoteness of each position in plies; none for a draw.
    pub remoteness: Vec<Option<usize>>,
}

/// Solves a graph by retrograde analysis, in linear time.
///
/// Positions are decided in the order of their remoteness, which is why a win is the fastest
/// one (the first option found lost) and a loss the slowest (the last option found won).
///
/// ```
/// use nimoon_oracle::{Graph, Outcome, solve};
/// // Smith's trap: a → b, b → a, b → c, where c is terminal. From b the winner moves to c.
/// let solution = solve(&Graph::new(&[vec![1], vec![0, 2], vec![]]).unwrap());
/// assert_eq!(solution.outcomes, [Outcome::P, Outcome::N, Outcome::P]);
/// assert_eq!(solution.remoteness, [Some(2), Some(1), Some(0)]);
/// ```
pub fn solve(graph: &Graph) -> Solution {
    let predecessors = graph.reversed();
    let mut outcomes = vec![Outcome::D; graph.len()];
    let mut remoteness: Vec<Option<usize>> = vec![None; graph.len()];
    let mut options_left: Vec<usize> = (0..graph.len()).map(|v| graph.options(v).len()).collect();

    let mut decided: Vec<usize> = (0..graph.len()).filter(|&v| options_left[v] == 0).collect();
    for &terminal in &decided {
        outcomes[terminal] = Outcome::P;
        remoteness[terminal] = Some(0);
    }
    let mut next = 0;
    while next < decided.len() {
        let position = decided[next];
        next += 1;
        let one_ply_more = remoteness[position].map(|plies| plies + 1);
        for &before in predecessors.options(position) {
            if remoteness[before].is_some() {
                continue;
            }
            options_left[before] -= 1;
            if outcomes[position] == Outcome::P {
                outcomes[before] = Outcome::N;
            } else if options_left[before] == 0 {
                outcomes[before] = Outcome::P;
            } else {
                continue;
            }
            remoteness[before] = one_ply_more;
            decided.push(before);
        }
    }
    Solution { outcomes, remoteness }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{D, N, P};

    fn solved(options: &[Vec<usize>]) -> Solution {
        solve(&Graph::new(options).unwrap())
    }

    #[test]
    fn a_loop_without_exit_is_drawn_and_one_with_a_winning_exit_is_won() {
        assert_eq!(solved(&[vec![0]]).outcomes, [D]);
        let solution = solved(&[vec![0, 1], vec![]]);
        assert_eq!(solution.outcomes, [N, P]);
        assert_eq!(solution.remoteness, [Some(1), Some(0)]);
    }

    #[test]
    fn a_player_prefers_a_draw_to_a_loss() {
        // 0 can move to the win of the opponent 1, or stay.
        let solution = solved(&[vec![0, 1], vec![2], vec![]]);
        assert_eq!(solution.outcomes, [D, N, P]);
        assert_eq!(solution.remoteness[0], None);
    }

    #[test]
    fn the_winner_hurries_and_the_loser_delays() {
        // A path 5 → 4 → 3 → 2 → 1 → 0, a shortcut 3 → 0 for the winner, and 6 → 1, 5.
        let options =
            [vec![], vec![0], vec![1], vec![2, 0], vec![3], vec![4], vec![1, 5], vec![6, 2]];
        let solution = solved(&options);
        assert_eq!(solution.outcomes, [P, N, P, N, P, N, P, N]);
        let plies: Vec<usize> = solution.remoteness.into_iter().flatten().collect();
        assert_eq!(plies, [0, 1, 2, 1, 2, 3, 4, 3]);
    }

    #[test]
    fn a_repeated_option_changes_nothing() {
        assert_eq!(solved(&[vec![1, 1], vec![2, 2], vec![]]).outcomes, [P, N, P]);
    }

    #[test]
    fn a_graph_without_positions_is_solved() {
        assert!(solved(&[]).outcomes.is_empty());
        assert!(Graph::default().options(3).is_empty());
    }

    /// Every graph of three nodes: the solution satisfies the definition, and the remoteness
    /// is a rank that proves wins and losses.
    #[test]
    fn all_graphs_of_three_nodes_satisfy_the_definition() {
        for bits in 0..512_u32 {
            let options: Vec<Vec<usize>> =
                (0..3).map(|v| (0..3).filter(|w| bits >> (3 * v + w) & 1 == 1).collect()).collect();
            let Solution { outcomes, remoteness } = solved(&options);
            for (v, row) in options.iter().enumerate() {
                let lost = row.iter().filter(|&&w| outcomes[w] == P);
                let fastest = lost.filter_map(|&w| remoteness[w]).min();
                let slowest = row.iter().filter_map(|&w| remoteness[w]).max();
                match outcomes[v] {
                    N => assert_eq!(remoteness[v], fastest.map(|r| r + 1)),
                    P => {
                        assert!(row.iter().all(|&w| outcomes[w] == N));
                        assert_eq!(remoteness[v], Some(slowest.map_or(0, |r| r + 1)));
                    }
                    D => {
                        assert!(row.iter().all(|&w| outcomes[w] != P));
                        assert!(row.iter().any(|&w| outcomes[w] == D));
                        assert_eq!(remoteness[v], None);
                    }
                }
            }
        }
    }
}
