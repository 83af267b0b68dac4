//! All values of positions of few nodes, each with a smallest digraph:
//! `cargo run --release -p nimoon --example small_values -- 4`.
//!
//! Digraphs are listed up to the order of nodes of the same color and outdegree. Four nodes have 22
//! values, five have 58; the latter takes minutes.

use std::collections::BTreeMap;

use nimoon::impartial::control::{Control, Layers, values};
use nimoon::{Digraph, Node, Work};

/// The arcs of node 0, which is white, and of the others, which are in order of outdegree by color.
struct Rows {
    len: usize,
    gray: usize,
    options: Vec<u32>,
}

impl Rows {
    /// Calls this with each choice of the rows that are still missing.
    fn each(&mut self, found: &mut impl FnMut(&Rows)) {
        let node = self.options.len();
        if node == self.len {
            found(self);
            return;
        }
        // The first node of a color has none before it.
        let first = node <= 1 || node == self.len - self.gray;
        let least = if first { 0 } else { self.options[node - 1].count_ones() };
        for row in 0..1_u32 << self.len {
            if row.count_ones() >= least {
                self.options.push(row);
                self.each(found);
                self.options.pop();
            }
        }
    }

    fn digraph(&self) -> Digraph {
        let to = |row: u32| (0..self.len as Node).filter(move |to| row >> to & 1 == 1);
        let rows = (0..).zip(&self.options);
        let arcs = rows.flat_map(|(from, &row)| to(row).map(move |to| (from, to)));
        let gray = (self.len - self.gray..self.len).map(|node| node as Node);
        Digraph::new(self.len, gray, arcs.collect()).expect("all arcs lead to nodes")
    }

    fn text(&self) -> String {
        let node = |node: usize| {
            let color = if node < self.len - self.gray { 'w' } else { 'g' };
            let to = (0..self.len).filter(|to| self.options[node] >> to & 1 == 1);
            let to: Vec<String> = to.map(|to| to.to_string()).collect();
            format!("{color}{node}>{}", to.join(","))
        };
        (0..self.len).map(node).collect::<Vec<_>>().join(" ")
    }
}

fn main() {
    let most = std::env::args().nth(1).and_then(|most| most.parse().ok()).unwrap_or(4);
    let mut work = Work::endless();
    let mut smallest: BTreeMap<Control, (usize, String)> = BTreeMap::new();
    for len in 1..=most {
        for gray in 0..len {
            Rows { len, gray, options: Vec::new() }.each(&mut |rows| {
                let digraph = rows.digraph();
                let layers = Layers::of(&digraph, &work);
                let mut found = values(&digraph, &layers, &[0], &mut work).expect("no limit");
                let value = found.swap_remove(0);
                smallest.entry(value).or_insert_with(|| (len, rows.text()));
            });
        }
        println!("up to {len} nodes: {} values", smallest.len());
    }
    for (value, (_, text)) in &smallest {
        println!("{value:#}\t{text}");
    }
}
