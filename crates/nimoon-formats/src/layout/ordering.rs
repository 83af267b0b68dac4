//! The order of the nodes in each layer, such that few arcs cross.
//!
//! Sweeps down and up, in which each layer is sorted by the medians, and in other sweeps by the
//! means, of its neighbours in the layer before; neighbours are then exchanged while that helps.
//! The best order seen is kept.

use super::Layered;

/// Sweeps over a digraph of ordinary size; larger ones get fewer.
const SWEEPS: usize = 32;
/// Stop after visiting this many nodes, dummies included, over all sweeps.
const WORK: usize = 200_000;
/// Sweeps without improvement after which to stop.
const PATIENCE: usize = 10;

/// Sorts the layers.
pub(super) fn order(layered: &mut Layered) {
    let sweeps = (WORK / layered.len().max(1)).clamp(3, SWEEPS);
    let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
    for downwards in [true, false] {
        layered.layers = initial(layered, downwards);
        let mut pos = vec![0; layered.len()];
        place(&layered.layers, &mut pos);
        let mut patience = PATIENCE;
        for sweep in 0..=sweeps {
            let crossings = crossings(layered, &pos);
            if best.as_ref().is_none_or(|(least, _)| crossings < *least) {
                best = Some((crossings, layered.layers.clone()));
                patience = PATIENCE;
            } else {
                patience -= 1;
            }
            if crossings == 0 || patience == 0 {
                break;
            }
            sort_layers(layered, &mut pos, sweep % 2 == 0, sweep / 2 % 2 == 0);
            exchange(layered, &mut pos);
        }
    }
    if let Some((_, layers)) = best {
        layered.layers = layers;
    }
}

fn place(layers: &[Vec<usize>], pos: &mut [usize]) {
    for layer in layers {
        for (i, &node) in layer.iter().enumerate() {
            pos[node] = i;
        }
    }
}

/// The order in which a search from the first (or last) layer finds the nodes.
fn initial(layered: &Layered, downwards: bool) -> Vec<Vec<usize>> {
    let mut found = vec![false; layered.len()];
    let mut layers = vec![Vec::new(); layered.layers.len()];
    let depth = layers.len();
    for i in 0..depth {
        let layer = if downwards { i } else { depth - 1 - i };
        for &start in &layered.layers[layer] {
            let mut stack = vec![start];
            while let Some(v) = stack.pop() {
                if std::mem::replace(&mut found[v], true) {
                    continue;
                }
                layers[layered.layer_of[v]].push(v);
                stack.extend(layered.up[v].iter().rev());
                stack.extend(layered.down[v].iter().rev());
            }
        }
    }
    layers
}

fn sort_layers(layered: &mut Layered, pos: &mut [usize], downwards: bool, by_median: bool) {
    let depth = layered.layers.len();
    for i in 1..depth {
        let at = if downwards { i } else { depth - 1 - i };
        let neighbours = if downwards { &layered.up } else { &layered.down };
        let layer = &mut layered.layers[at];
        let keyed: Vec<(usize, Option<f64>)> =
            layer.iter().map(|&v| (v, centre(&neighbours[v], pos, by_median))).collect();
        // Nodes without neighbours there keep their places; the others are sorted around them.
        let mut movable: Vec<(usize, f64)> =
            keyed.iter().filter_map(|&(v, key)| key.map(|key| (v, key))).collect();
        movable.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut sorted = movable.into_iter();
        for (slot, (node, key)) in layer.iter_mut().zip(keyed) {
            let moved = if key.is_some() { sorted.next().map(|(v, _)| v) } else { None };
            *slot = moved.unwrap_or(node);
        }
        for (i, &node) in layer.iter().enumerate() {
            pos[node] = i;
        }
    }
}

fn centre(neighbours: &[usize], pos: &[usize], by_median: bool) -> Option<f64> {
    if neighbours.is_empty() {
        return None;
    }
    let mut places: Vec<usize> = neighbours.iter().map(|&w| pos[w]).collect();
    if by_median {
        places.sort_unstable();
        let half = places.len() / 2;
        let upper = places[half];
        let lower = places[(places.len() - 1) / 2];
        Some((lower + upper) as f64 / 2.0)
    } else {
        Some(places.iter().sum::<usize>() as f64 / places.len() as f64)
    }
}

/// Exchanges neighbours in layers while that removes crossings.
fn exchange(layered: &mut Layered, pos: &mut [usize]) {
    let rounds = if layered.len() > 3000 { 1 } else { 6 };
    for _ in 0..rounds {
        let mut improved = false;
        for at in 0..layered.layers.len() {
            for i in 1..layered.layers[at].len() {
                let (v, w) = (layered.layers[at][i - 1], layered.layers[at][i]);
                let (up, down) = (&layered.up, &layered.down);
                let now =
                    pair_crossings(&up[v], &up[w], pos) + pair_crossings(&down[v], &down[w], pos);
                let then =
                    pair_crossings(&up[w], &up[v], pos) + pair_crossings(&down[w], &down[v], pos);
                if then < now {
                    improved = true;
                    layered.layers[at].swap(i - 1, i);
                    pos[v] = i;
                    pos[w] = i - 1;
                }
            }
        }
        if !improved {
            break;
        }
    }
}

/// Crossings between arcs of two nodes, the first of them to the left.
fn pair_crossings(left: &[usize], right: &[usize], pos: &[usize]) -> usize {
    left.iter().map(|&a| right.iter().filter(|&&b| pos[b] < pos[a]).count()).sum()
}

/// The number of pairs of arc pieces that cross.
fn crossings(layered: &Layered, pos: &[usize]) -> usize {
    let mut total = 0;
    for (at, layer) in layered.layers.iter().enumerate() {
        let Some(below) = layered.layers.get(at + 1) else { break };
        // Ends of earlier pieces, counted in a Fenwick tree by place.
        let mut tree = vec![0_usize; below.len() + 1];
        let mut inserted = 0;
        for &v in layer {
            let mut ends: Vec<usize> = layered.down[v].iter().map(|&w| pos[w]).collect();
            ends.sort_unstable();
            for &end in &ends {
                let mut not_right = 0;
                let mut i = end + 1;
                while i > 0 {
                    not_right += tree[i];
                    i &= i - 1;
                }
                total += inserted - not_right;
            }
            for &end in &ends {
                let mut i = end + 1;
                while i < tree.len() {
                    tree[i] += 1;
                    i += i & i.wrapping_neg();
                }
                inserted += 1;
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_counted() {
        // Two layers of three, each joined to the opposite one: every two arcs cross.
        let arcs = [(0, 5), (1, 4), (2, 3)];
        let layered = Layered::new(&[0, 0, 0, 1, 1, 1], &arcs);
        let mut pos = vec![0; 6];
        place(&layered.layers, &mut pos);
        assert_eq!(crossings(&layered, &pos), 3);
    }

    #[test]
    fn a_tangled_tree_is_untangled() {
        let arcs = [(0, 2), (0, 4), (1, 3), (1, 5), (2, 9), (3, 8), (4, 7), (5, 6)];
        let mut layered = Layered::new(&[0, 0, 1, 1, 1, 1, 2, 2, 2, 2], &arcs);
        order(&mut layered);
        let mut pos = vec![0; 10];
        place(&layered.layers, &mut pos);
        assert_eq!(crossings(&layered, &pos), 0);
    }
}
