//! From strings and coins to graphs of joints and chains.

use super::graph::{Chain, Graph, LONG, MOST_CHAINS, MOST_JOINTS};

/// What is left of a position after all coins that cost nothing are taken.
#[derive(Debug)]
pub(super) enum Reduced {
    /// The player to move can take the last coins of a long row, or leave them.
    Moon,
    /// The nim-sum of what has no joints, and connected graphs.
    Sum(u8, Vec<Graph>),
    /// Some connected graph has more joints or chains than a [`Graph`] can have.
    TooLarge,
}

/// A position with what is known of it: a string has two coins, or one and the ground, or none.
struct Position {
    strings: Vec<[u32; 2]>,
    cut: Vec<bool>,
    /// The strings of each coin, also those that are cut.
    at: Vec<Vec<u32>>,
    degrees: Vec<u32>,
}

impl Position {
    fn across(&self, string: u32, coin: u32) -> u32 {
        let [a, b] = self.strings[string as usize];
        if a == coin { b } else { a }
    }

    fn strings_at(&self, coin: u32) -> impl Iterator<Item = u32> {
        self.at[coin as usize].iter().copied().filter(|&string| !self.cut[string as usize])
    }

    fn cut(&mut self, string: u32) {
        self.cut[string as usize] = true;
        for coin in self.strings[string as usize] {
            self.degrees[coin as usize] -= u32::from(coin != 0);
        }
    }

    /// Takes all coins that can be taken at no cost; false if the mover has a choice worth all.
    fn take(&mut self) -> bool {
        let mut waiting: Vec<u32> = (1..self.degrees.len() as u32).collect();
        while let Some(coin) = waiting.pop() {
            if self.degrees[coin as usize] != 1 {
                continue;
            }
            let Some(string) = self.strings_at(coin).next() else { continue };
            let next = self.across(string, coin);
            if next != 0 && self.degrees[next as usize] == 2 {
                let other = self.strings_at(next).find(|&other| other != string);
                let last = other.map_or(0, |other| self.across(other, next));
                if last == 0 || self.degrees[last as usize] != 1 {
                    return false;
                }
            }
            self.cut(string);
            if next != 0 {
                waiting.push(next);
            }
        }
        true
    }
}

/// Reduces a position whose coins are 1, 2, …; 0 is the ground.
pub(super) fn reduce(strings: impl Iterator<Item = [u32; 2]>) -> Reduced {
    // A string from a coin to itself is cut as one to the ground is.
    let strings: Vec<[u32; 2]> =
        strings.map(|[a, b]| if a == b { [0, a] } else { [a.min(b), a.max(b)] }).collect();
    let coins = strings.iter().map(|ends| ends[1]).max().unwrap_or(0) as usize;
    let mut at = vec![Vec::new(); coins + 1];
    let mut degrees = vec![0; coins + 1];
    for (string, ends) in strings.iter().enumerate() {
        for &coin in ends.iter().filter(|&&coin| coin != 0) {
            at[coin as usize].push(string as u32);
            degrees[coin as usize] += 1;
        }
    }
    let cut = vec![false; strings.len()];
    let mut position = Position { strings, cut, at, degrees };
    if !position.take() {
        return Reduced::Moon;
    }
    let (loose, chains) = chains(&position);
    split(coins, loose, chains)
}

/// The chains, with the nim-sum of those without joints.
fn chains(position: &Position) -> (u8, Vec<([u32; 2], u8)>) {
    let is_joint =
        |position: &Position, coin: u32| coin == 0 || position.degrees[coin as usize] > 2;
    let mut walked = position.cut.clone();
    let (mut loose, mut chains) = (0, Vec::new());
    // From joints and the ground first; what then is left are loops.
    for loops in [false, true] {
        for string in 0..position.strings.len() as u32 {
            let ends = position.strings[string as usize];
            let Some(&start) = ends.iter().find(|&&end| loops || is_joint(position, end)) else {
                continue;
            };
            if std::mem::replace(&mut walked[string as usize], true) {
                continue;
            }
            let mut coin = position.across(string, start);
            let mut coins = 0_u8;
            while !is_joint(position, coin) {
                coins = (coins + 1).min(LONG + 1);
                let onward = position.strings_at(coin).find(|&next| !walked[next as usize]);
                let Some(next) = onward else { break };
                walked[next as usize] = true;
                coin = position.across(next, coin);
            }
            if loops {
                // The walk began at a coin, went once around and ended where it began.
                loose ^= u8::from(coins <= LONG);
            } else if start == 0 && coin == 0 {
                loose ^= u8::from(coins < LONG);
            } else {
                chains.push(([start, coin], coins.min(LONG)));
            }
        }
    }
    (loose, chains)
}

/// Hangs joints on long chains in place of these, and splits what is left.
fn split(coins: usize, mut loose: u8, chains: Vec<([u32; 2], u8)>) -> Reduced {
    let mut ties = vec![0_u32; coins + 1];
    for (ends, _) in chains.iter().filter(|(_, coins)| *coins == LONG) {
        for &end in ends {
            ties[end as usize] += 1;
        }
    }
    let grounded = |joint: u32| if ties[joint as usize] > 1 { 0 } else { joint };
    let mut short = Vec::new();
    for ([one, other], coins) in chains.into_iter().filter(|(_, coins)| *coins < LONG) {
        match (grounded(one), grounded(other)) {
            (0, 0) => loose ^= 1,
            (one, other) => short.push(([one.min(other), one.max(other)], coins)),
        }
    }
    // Joints that short chains connect get the same leader.
    let mut leaders: Vec<u32> = (0..=coins as u32).collect();
    for ([one, other], _) in &short {
        if *one != 0 {
            let (one, other) = (leader(&mut leaders, *one), leader(&mut leaders, *other));
            leaders[one as usize] = other;
        }
    }
    let mut place_of = vec![usize::MAX; coins + 1];
    let mut numbers = vec![0_u8; coins + 1];
    let mut parts: Vec<(usize, Vec<Chain>)> = Vec::new();
    for (ends, coins) in short {
        let place = &mut place_of[leader(&mut leaders, ends[1]) as usize];
        if *place == usize::MAX {
            *place = parts.len();
            parts.push((0, Vec::new()));
        }
        let (joints, chains) = &mut parts[*place];
        for end in ends {
            if end != 0 && numbers[end as usize] == 0 {
                if *joints == MOST_JOINTS {
                    return Reduced::TooLarge;
                }
                *joints += 1;
                numbers[end as usize] = *joints as u8;
                if ties[end as usize] == 1 {
                    chains.push(Chain::new(0, numbers[end as usize], LONG));
                }
            }
        }
        chains.push(Chain::new(numbers[ends[0] as usize], numbers[ends[1] as usize], coins));
        if chains.len() > MOST_CHAINS {
            return Reduced::TooLarge;
        }
    }
    let graphs = parts.into_iter().map(|(_, chains)| {
        let mut graph = Graph::default();
        graph.set(chains.into_iter());
        graph
    });
    Reduced::Sum(loose, graphs.collect())
}

/// The joint that stands for all that are connected with this one.
fn leader(leaders: &mut [u32], mut joint: u32) -> u32 {
    while leaders[joint as usize] != joint {
        leaders[joint as usize] = leaders[leaders[joint as usize] as usize];
        joint = leaders[joint as usize];
    }
    joint
}
