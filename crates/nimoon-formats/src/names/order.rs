//! Names that are numbers, in the order of the numbers.

use nimoon::Node;

use super::table::NodeTable;
use super::{NO_NODE, Names, NumberIndex, Store, hash_number};

impl Names {
    /// The names of arcs between numbers, of a text of this many bytes, in the order of the numbers. The
    /// ends of the arcs become nodes; where all numbers up to the largest occur, they are that already.
    pub(crate) fn of_raw_arcs(arcs: &mut [(Node, Node)], bytes: usize) -> Self {
        let Some(largest) = arcs.iter().map(|&(from, to)| from.max(to)).max() else {
            return Self::for_text_of(bytes);
        };
        // A table takes no more memory than the text.
        if largest as usize >= (bytes / 4).max(1024) {
            let mut all: Vec<u32> = arcs.iter().flat_map(|&(from, to)| [from, to]).collect();
            all.sort_unstable();
            all.dedup();
            let mut names = Self::for_text_of(bytes);
            for &number in &all {
                names.try_intern_number(number);
            }
            let node = |number: &mut u32| *number = names.node_of_number(*number).unwrap_or(0);
            for (from, to) in arcs {
                [from, to].into_iter().for_each(node);
            }
            return names;
        }
        let mut seen = vec![false; largest as usize + 1];
        for &(from, to) in &*arcs {
            seen[from as usize] = true;
            seen[to as usize] = true;
        }
        let numbers = (0..=largest).filter(|&number| seen[number as usize]);
        let numbers: Vec<u32> = numbers.collect();
        if numbers.len() == largest as usize + 1 {
            return Self::numbered(largest + 1);
        }
        let mut table = vec![NO_NODE; largest as usize + 1];
        for (node, &number) in (0..).zip(&numbers) {
            table[number as usize] = node;
        }
        for (from, to) in arcs {
            (*from, *to) = (table[*from as usize], table[*to as usize]);
        }
        let store = Store::Numbers { numbers, index: NumberIndex::Dense(table) };
        Self { store, dense_below: u32::try_from(bytes / 4).unwrap_or(u32::MAX) }
    }

    /// Sorts the names, if all are numbers, and returns the new place of each node; none if they stay as
    /// they are.
    pub(crate) fn sort_numbers(&mut self) -> Option<Vec<Node>> {
        let Store::Numbers { numbers, index } = &mut self.store else { return None };
        if numbers.is_sorted() {
            return None;
        }
        let mut order: Vec<Node> = (0..numbers.len() as Node).collect();
        order.sort_unstable_by_key(|&node| numbers[node as usize]);
        let mut places = vec![0; order.len()];
        for (place, &node) in (0..).zip(&order) {
            places[node as usize] = place;
        }
        *numbers = order.iter().map(|&node| numbers[node as usize]).collect();
        match index {
            NumberIndex::Dense(table) => {
                for (node, &number) in (0..).zip(&*numbers) {
                    table[number as usize] = node;
                }
            }
            NumberIndex::Sparse(table) => {
                let mut sorted = NodeTable::default();
                sorted.reserve(numbers.len());
                for (node, &number) in (0..).zip(&*numbers) {
                    sorted.insert(hash_number(number), node);
                }
                *table = sorted;
            }
        }
        Some(places)
    }
}
