//! Layers for the nodes of an acyclic digraph, such that arcs are short in total.
//!
//! The network simplex method of Gansner, Koutsofios, North and Vo (1993): keep a spanning tree
//! of arcs that span exactly one layer; while some tree arc would rather be longer, let it go
//! and take in the arc that becomes tight first. The cut value of a tree arc is found from the
//! sum, over one side of the tree, of arcs out less arcs in, since inner arcs cancel.

/// The layer of each node: every arc goes at least one layer down. The digraph must be acyclic
/// and connected.
pub(super) fn layers(len: usize, arcs: &[(usize, usize)]) -> Vec<usize> {
    if len == 0 {
        return Vec::new();
    }
    let mut simplex = Simplex::new(len, arcs);
    simplex.make_tight_tree();
    // Each exchange shortens the arcs or is degenerate; the bound ends a run of the latter.
    for _ in 0..10 * len {
        if !simplex.exchange() {
            break;
        }
    }
    let mut layers = simplex.normalized();
    balance(&mut layers, arcs);
    layers
}

struct Simplex<'a> {
    arcs: &'a [(usize, usize)],
    /// Arcs at each node.
    incident: Vec<Vec<usize>>,
    rank: Vec<isize>,
    in_tree: Vec<bool>,
}

impl<'a> Simplex<'a> {
    /// Ranks by longest paths.
    fn new(len: usize, arcs: &'a [(usize, usize)]) -> Self {
        let mut incident = vec![Vec::new(); len];
        let mut waiting = vec![0_usize; len];
        for (i, &(v, w)) in arcs.iter().enumerate() {
            incident[v].push(i);
            incident[w].push(i);
            waiting[w] += 1;
        }
        let mut rank = vec![0_isize; len];
        let mut ready: Vec<usize> = (0..len).filter(|&v| waiting[v] == 0).collect();
        while let Some(v) = ready.pop() {
            for &i in &incident[v] {
                let (from, to) = arcs[i];
                if from == v {
                    rank[to] = rank[to].max(rank[v] + 1);
                    waiting[to] -= 1;
                    if waiting[to] == 0 {
                        ready.push(to);
                    }
                }
            }
        }
        Self { arcs, incident, rank, in_tree: vec![false; arcs.len()] }
    }

    fn slack(&self, arc: usize) -> isize {
        let (v, w) = self.arcs[arc];
        self.rank[w] - self.rank[v] - 1
    }

    /// Grows a tree of tight arcs, moving it where no further arc is tight.
    fn make_tight_tree(&mut self) {
        let len = self.rank.len();
        let mut inside = vec![false; len];
        let mut members = vec![0];
        inside[0] = true;
        let mut next = 0;
        loop {
            while next < members.len() {
                let v = members[next];
                next += 1;
                for at in 0..self.incident[v].len() {
                    let arc = self.incident[v][at];
                    let (from, to) = self.arcs[arc];
                    let other = if from == v { to } else { from };
                    if !inside[other] && self.slack(arc) == 0 {
                        inside[other] = true;
                        self.in_tree[arc] = true;
                        members.push(other);
                    }
                }
            }
            let crossing = |&arc: &usize| inside[self.arcs[arc].0] != inside[self.arcs[arc].1];
            let nearest = (0..self.arcs.len()).filter(crossing).min_by_key(|&arc| self.slack(arc));
            let Some(arc) = nearest else { return };
            let slack = self.slack(arc);
            // The tree holds the upper end: it moves down, and otherwise up.
            let shift = if inside[self.arcs[arc].0] { slack } else { -slack };
            for &v in &members {
                self.rank[v] += shift;
            }
            // Look again at all members: one of their arcs is tight now.
            next = 0;
        }
    }

    /// The tree seen from node 0: nodes in an order with parents first, and for each the arc to
    /// its parent and the parent.
    fn rooted(&self) -> (Vec<usize>, Vec<Option<(usize, usize)>>) {
        let mut parent = vec![None; self.rank.len()];
        let mut order = vec![0];
        let mut next = 0;
        while next < order.len() {
            let v = order[next];
            next += 1;
            for &arc in &self.incident[v] {
                let (from, to) = self.arcs[arc];
                let other = if from == v { to } else { from };
                let known = other == 0 || parent[other].is_some();
                if self.in_tree[arc] && !known {
                    parent[other] = Some((arc, v));
                    order.push(other);
                }
            }
        }
        (order, parent)
    }

    /// Exchanges one tree arc with a negative cut value for another arc, if there is one.
    fn exchange(&mut self) -> bool {
        let (order, parent) = self.rooted();
        let mut below = vec![0_isize; self.rank.len()];
        for &(v, w) in self.arcs {
            below[v] += 1;
            below[w] -= 1;
        }
        let mut leaving: Option<(isize, usize)> = None;
        for &v in order.iter().rev() {
            let Some((arc, above)) = parent[v] else { continue };
            let cut = if self.arcs[arc].0 == v { below[v] } else { -below[v] };
            if cut < 0 && leaving.is_none_or(|(least, _)| cut < least) {
                leaving = Some((cut, v));
            }
            let sum = below[v];
            below[above] += sum;
        }
        let Some((_, node)) = leaving else { return false };
        let Some((arc, _)) = parent[node] else { return false };
        // The nodes under `node` are one side of the tree without `arc`.
        let mut side = vec![false; self.rank.len()];
        side[node] = true;
        for &v in &order {
            if let Some((_, above)) = parent[v] {
                side[v] |= side[above];
            }
        }
        let tail_side = side[self.arcs[arc].0];
        let entering = (0..self.arcs.len())
            .filter(|&other| {
                let (v, w) = self.arcs[other];
                side[v] != tail_side && side[w] == tail_side
            })
            .min_by_key(|&other| self.slack(other));
        let Some(other) = entering else { return false };
        let slack = self.slack(other);
        for (v, rank) in self.rank.iter_mut().enumerate() {
            if side[v] == tail_side {
                *rank -= slack;
            }
        }
        self.in_tree[arc] = false;
        self.in_tree[other] = true;
        true
    }

    fn normalized(&self) -> Vec<usize> {
        let least = self.rank.iter().min().copied().unwrap_or(0);
        self.rank.iter().map(|&rank| (rank - least).cast_unsigned()).collect()
    }
}

/// Moves nodes with as many arcs in as out to the least crowded layer that they can be in: the
/// total length stays the same.
fn balance(layers: &mut [usize], arcs: &[(usize, usize)]) {
    let depth = layers.iter().max().map_or(0, |&last| last + 1);
    let mut crowd = vec![0_usize; depth];
    for &layer in layers.iter() {
        crowd[layer] += 1;
    }
    for node in 0..layers.len() {
        let above: Vec<usize> = arcs.iter().filter(|a| a.1 == node).map(|a| layers[a.0]).collect();
        let below: Vec<usize> = arcs.iter().filter(|a| a.0 == node).map(|a| layers[a.1]).collect();
        if above.len() != below.len() {
            continue;
        }
        let (Some(first), Some(last)) = (above.iter().max(), below.iter().min()) else { continue };
        let here = layers[node];
        crowd[here] -= 1;
        let best = (first + 1..*last).min_by_key(|&layer| (crowd[layer], layer != here));
        layers[node] = best.unwrap_or(here);
        crowd[layers[node]] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(layers: &[usize], arcs: &[(usize, usize)]) -> usize {
        arcs.iter().map(|&(v, w)| layers[w] - layers[v]).sum()
    }

    #[test]
    fn a_late_entrance_sits_just_above_its_target() {
        // 0 → 1 → 2 → 3 and 4 → 3: longest paths from the sources would put 4 on top.
        let arcs = [(0, 1), (1, 2), (2, 3), (4, 3)];
        assert_eq!(layers(5, &arcs), [0, 1, 2, 3, 2]);
    }

    #[test]
    fn total_length_is_least_on_small_digraphs() {
        // All acyclic connected digraphs on 4 nodes with arcs v → w for v < w.
        let pairs: Vec<(usize, usize)> =
            (0..4).flat_map(|v| (v + 1..4).map(move |w| (v, w))).collect();
        for bits in 0..1_u32 << pairs.len() {
            let arcs: Vec<(usize, usize)> =
                (0..pairs.len()).filter(|i| bits >> i & 1 == 1).map(|i| pairs[i]).collect();
            let mut reached = [true, false, false, false];
            for _ in 0..4 {
                for &(v, w) in &arcs {
                    let any = reached[v] || reached[w];
                    reached[v] = any;
                    reached[w] = any;
                }
            }
            if reached != [true; 4] {
                continue;
            }
            let found = layers(4, &arcs);
            assert!(arcs.iter().all(|&(v, w)| found[v] < found[w]), "{arcs:?} {found:?}");
            let least = (0..256_usize)
                .map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6])
                .filter(|l| arcs.iter().all(|&(v, w)| l[v] < l[w]))
                .map(|l| total(&l, &arcs))
                .min();
            assert_eq!(Some(total(&found, &arcs)), least, "{arcs:?} {found:?}");
        }
    }
}
