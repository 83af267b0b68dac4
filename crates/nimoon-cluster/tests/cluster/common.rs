//! Random digraphs, and runs on them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use nimoon::Digraph;
use nimoon_cluster::{Checksum, Input, Manifest, Plan};

/// Numbers that look random (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

/// The shape of a random digraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub cycles: bool,
    /// The percentage of gray nodes.
    pub gray: u64,
    /// The most options of a gray node.
    pub gray_options: u64,
    pub options: u64,
}

/// A random digraph; [`name`] names its nodes.
pub fn digraph(random: &mut Random, len: u64, shape: Shape) -> Digraph {
    let mut arcs = Vec::new();
    let mut gray = Vec::new();
    for node in 0..len {
        let is_gray = random.below(100) < shape.gray;
        if is_gray {
            gray.push(node as u32);
        }
        let most = if is_gray { shape.gray_options } else { shape.options };
        let count = random.below(most + 1);
        for _ in 0..count {
            let most = if shape.cycles { len } else { node };
            if most == 0 {
                break;
            }
            let to = random.below(most);
            arcs.push((node as u32, to as u32));
            if is_gray && shape.gray_options == 1 {
                break;
            }
        }
    }
    Digraph::new(len as usize, gray, arcs).unwrap()
}

/// Some numbers and some words, so that both are hashed.
pub fn name(node: u32) -> String {
    if node.is_multiple_of(3) { format!("node-{node}-with-a-long-name") } else { node.to_string() }
}

/// Writes an edge list, in several files, with some arcs twice.
pub fn write_edges(digraph: &Digraph, folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    let mut files = [String::new(), String::new(), String::new()];
    for node in digraph.nodes() {
        let file = &mut files[node as usize % 3];
        writeln!(file, "{}", name(node)).unwrap();
        if digraph.is_gray(node) {
            writeln!(file, "gray {}", name(node)).unwrap();
        }
        for &to in digraph.options(node) {
            writeln!(file, "{} {}", name(node), name(to)).unwrap();
        }
    }
    for (from, to) in digraph.arcs().step_by(5) {
        writeln!(files[0], "{} {}", name(from), name(to)).unwrap();
    }
    for (i, text) in files.iter().enumerate() {
        std::fs::write(folder.join(format!("part-{i}.edges")), text).unwrap();
    }
}

/// The labels in the shards of a run, by name.
pub fn labels(out: &Path, manifest: &Manifest) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for shard in &manifest.shards {
        let text = std::fs::read_to_string(out.join(&shard.file)).unwrap();
        for line in text.lines() {
            let (name, label) = line.rsplit_once('\t').unwrap();
            assert!(all.insert(name.to_owned(), label.to_owned()).is_none(), "{name} twice");
        }
    }
    all
}

/// The checksum that these labels have.
pub fn checksum(labels: &BTreeMap<String, String>) -> String {
    let mut sum = Checksum::default();
    for (name, label) in labels {
        sum.add(name, label);
    }
    sum.to_string()
}

/// Runs a plan.
pub fn run(plan: &Plan) -> Result<Manifest, String> {
    nimoon_cluster::label(plan, Arc::new(|_| {})).map_err(|error| error.to_string())
}

/// A plan for the files of a folder.
pub fn plan(edges: &Path, out: &Path, workers: usize) -> Plan {
    let input = Input::Files { paths: vec![edges.to_owned()], local: false };
    let mut plan = Plan::new(input, out);
    plan.workers = workers;
    plan.shards = 8;
    plan.piece = 1000;
    plan
}

/// All files of a folder with their contents.
pub fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned())
        })
        .collect()
}
