//! Strongly connected components, in the order in which they can be settled.
//!
//! R. Tarjan, Depth-first search and linear graph algorithms (1972), without recursion.

/// The components of the graph on `0..len`, each after all those that it leads to.
pub(crate) fn strongly_connected(
    len: usize,
    successors: impl Fn(u32, &mut Vec<u32>),
) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    struct Frame {
        node: u32,
        first: usize,
        next: usize,
    }
    let mut index = vec![NEW; len];
    let mut low = vec![0_u32; len];
    let mut on_stack = vec![false; len];
    let (mut stack, mut frames, mut pending) = (Vec::new(), Vec::<Frame>::new(), Vec::new());
    let mut found = Vec::new();
    let mut count = 0;
    for root in 0..len as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        let mut entered = Some(root);
        loop {
            if let Some(node) = entered.take() {
                index[node as usize] = count;
                low[node as usize] = count;
                count += 1;
                stack.push(node);
                on_stack[node as usize] = true;
                let first = pending.len();
                successors(node, &mut pending);
                frames.push(Frame { node, first, next: first });
            }
            let Some(frame) = frames.last_mut() else { break };
            let node = frame.node;
            if let Some(&to) = pending.get(frame.next) {
                frame.next += 1;
                if index[to as usize] == NEW {
                    entered = Some(to);
                } else if on_stack[to as usize] {
                    low[node as usize] = low[node as usize].min(index[to as usize]);
                }
                continue;
            }
            pending.truncate(frame.first);
            frames.pop();
            if let Some(above) = frames.last() {
                let above = above.node as usize;
                low[above] = low[above].min(low[node as usize]);
            }
            if low[node as usize] == index[node as usize] {
                let start = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                let component = stack.split_off(start);
                for &member in &component {
                    on_stack[member as usize] = false;
                }
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_those_they_lead_to_and_are_mutually_reachable() {
        // All digraphs on four nodes with at most the arcs of a 12-bit mask.
        let arcs: Vec<(u32, u32)> =
            (0..4).flat_map(|a| (0..4).filter(move |&b| a != b).map(move |b| (a, b))).collect();
        for mask in 0_u32..1 << arcs.len() {
            let there: Vec<_> =
                (0..arcs.len()).filter(|i| mask >> i & 1 == 1).map(|i| arcs[i]).collect();
            let mut reach = [[false; 4]; 4];
            for (i, row) in reach.iter_mut().enumerate() {
                row[i] = true;
            }
            for &(a, b) in &there {
                reach[a as usize][b as usize] = true;
            }
            for k in 0..4 {
                for i in 0..4 {
                    for j in 0..4 {
                        reach[i][j] |= reach[i][k] && reach[k][j];
                    }
                }
            }
            let found = strongly_connected(4, |node, list| {
                list.extend(there.iter().filter(|arc| arc.0 == node).map(|arc| arc.1));
            });
            let mut place = [0; 4];
            for (i, component) in found.iter().enumerate() {
                for &node in component {
                    place[node as usize] = i;
                }
            }
            for a in 0..4 {
                for b in 0..4 {
                    assert_eq!(place[a] == place[b], reach[a][b] && reach[b][a]);
                    assert!(!reach[a][b] || place[a] >= place[b]);
                }
            }
        }
    }
}
