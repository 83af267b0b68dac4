//! The results of a run: shards with a line for each node, and a manifest that describes them.
//!
//! A shard is text, with a line `name TAB label` for each of its nodes, by name. A label is a value
//! that can be read back, such as `oo{0,2}`; or `gray` and the cover of a gray node, as in `gray
//! all but {0}`; or remoteness and terminal distance, as in `3 oo`. All of this depends only on the
//! digraph and the number of shards, so runs with any number of workers write the same bytes.
//!
//! The checksum of a shard is the sum of the hashes of its lines, and that of a manifest is the sum
//! over its shards. So it does not depend on the order either, and you can compute it from labels
//! that you have from elsewhere ([`Checksum`]).

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use nimoon::Label;
use serde::{Deserialize, Serialize};

use crate::ClusterError;
use crate::shards::{hash, mix};

/// The version of the format of manifests and shards; raised with every change.
pub(crate) const FORMAT: u32 = 1;

/// The name of a manifest.
pub(crate) const MANIFEST: &str = "manifest.json";

/// A manifest counts this many different labels; the rarest ones are counted together.
const MOST_COUNTED: usize = 1000;

/// A sum of hashes, the same in every order.
///
/// ```
/// use nimoon_cluster::Checksum;
/// let mut one = Checksum::default();
/// one.add("a", "0");
/// one.add("b", "1");
/// let mut other = Checksum::default();
/// other.add("b", "1");
/// other.add("a", "0");
/// assert_eq!(one, other);
/// assert_ne!(one, Checksum::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checksum {
    low: u64,
    high: u64,
}

impl Checksum {
    /// Adds a node with its label, as in a line of a shard.
    pub fn add(&mut self, name: &str, label: &str) {
        self.add_hashed(hash(name.as_bytes()), hash(label.as_bytes()));
    }

    /// As [`add`](Self::add), for hashes of both.
    pub(crate) fn add_hashed(&mut self, name: u64, label: u64) {
        let low = mix(name ^ label.rotate_left(32));
        self.low = self.low.wrapping_add(low);
        self.high = self.high.wrapping_add(mix(low.wrapping_add(name)));
    }

    /// Adds a line of a text.
    pub(crate) fn add_line(&mut self, line: &[u8]) {
        self.add_hashed(hash(line), 0);
    }

    pub(crate) fn parts(self) -> [u64; 2] {
        [self.low, self.high]
    }

    pub(crate) fn of_parts([low, high]: [u64; 2]) -> Self {
        Self { low, high }
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.low = self.low.wrapping_add(other.low);
        self.high = self.high.wrapping_add(other.high);
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.high, self.low)
    }
}

/// The text of a label in a shard.
///
/// ```
/// use nimoon::{Cover, Label};
/// assert_eq!(nimoon_cluster::label_text(&Label::White("∞₀,₂".parse().unwrap())), "oo{0,2}");
/// assert_eq!(nimoon_cluster::label_text(&Label::Gray(Some(Cover::NewMoon))), "gray new-moon");
/// assert_eq!(nimoon_cluster::label_text(&Label::Gray(None)), "gray -");
/// ```
pub fn label_text(label: &Label) -> String {
    match label {
        Label::White(value) => format!("{value:#}"),
        Label::Gray(Some(cover)) => format!("gray {cover:#}"),
        Label::Gray(None) => "gray -".to_owned(),
    }
}

/// How many nodes have a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// The label; none for all that are not listed.
    pub label: Option<String>,
    /// How many nodes have it.
    pub nodes: u64,
}

/// A shard in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardEntry {
    /// The file, beside the manifest.
    pub file: String,
    /// How many nodes are in it.
    pub nodes: u64,
    /// Its checksum.
    pub checksum: String,
}

/// The results of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format.
    pub nimoon_manifest: u32,
    /// The theory of the labels; none for remoteness.
    pub theory: Option<String>,
    /// `normal` or `misere`, where the labels are remoteness and terminal distance.
    pub remoteness: Option<String>,
    /// How many nodes there are, gray ones included.
    pub nodes: u64,
    /// How many of them are gray.
    pub gray: u64,
    /// How many arcs there are.
    pub arcs: u64,
    /// The checksum of all labels.
    pub checksum: String,
    /// The nodes of the positions that a ruleset was explored from.
    pub starts: Vec<String>,
    /// How many nodes have each label, those of most nodes first.
    pub histogram: Vec<Count>,
    /// The shards.
    pub shards: Vec<ShardEntry>,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// When it cannot be read, or is not a manifest of this version.
    pub fn read(file: &Path) -> Result<Self, ClusterError> {
        let text = std::fs::read(file).map_err(ClusterError::file(file))?;
        let wrong = |what: String| ClusterError::Manifest(format!("{}: {what}", file.display()));
        let json: serde_json::Value = serde_json::from_slice(&text)
            .map_err(|error| wrong(format!("not a manifest of `nimoon cluster label`: {error}")))?;
        match json.get("nimoon_manifest").and_then(serde_json::Value::as_u64) {
            None => return Err(wrong("not a manifest of `nimoon cluster label`".to_owned())),
            Some(format) if format != u64::from(FORMAT) => {
                return Err(wrong(format!(
                    "the manifest has format {format}, this nimoon reads {FORMAT}: label again, or use the version that wrote it"
                )));
            }
            Some(_) => {}
        }
        serde_json::from_value(json)
            .map_err(|error| wrong(format!("the manifest is damaged: {error}")))
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), ClusterError> {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        write_whole(&folder.join(MANIFEST), text.as_bytes())
    }
}

/// Writes a file completely or not at all.
pub(crate) fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), ClusterError> {
    let beside = file.with_extension("new");
    std::fs::write(&beside, bytes)
        .and_then(|()| std::fs::rename(&beside, file))
        .map_err(ClusterError::file(file))
}

/// The name of the file of a shard.
pub(crate) fn shard_file(shard: usize) -> String {
    format!("shard-{shard:04}.tsv")
}

/// The description of a written shard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    pub(crate) nodes: u64,
    pub(crate) checksum: Checksum,
}

/// Writes one shard, and counts its labels.
pub(crate) struct ShardWriter {
    file: PathBuf,
    out: BufWriter<std::fs::File>,
    written: Written,
}

impl ShardWriter {
    pub(crate) fn new(folder: &Path, shard: usize) -> Result<Self, ClusterError> {
        let file = folder.join(shard_file(shard));
        let out = std::fs::File::create(&file).map_err(ClusterError::file(&file))?;
        Ok(Self { file, out: BufWriter::with_capacity(1 << 18, out), written: Written::default() })
    }

    /// Writes a line; the label comes with its hash, since few labels have many nodes.
    pub(crate) fn line(&mut self, name: &[u8], label: &(String, u64)) -> Result<(), ClusterError> {
        self.written.nodes += 1;
        self.written.checksum.add_hashed(hash(name), label.1);
        let written = self
            .out
            .write_all(name)
            .and_then(|()| self.out.write_all(b"\t"))
            .and_then(|()| self.out.write_all(label.0.as_bytes()))
            .and_then(|()| self.out.write_all(b"\n"));
        written.map_err(ClusterError::file(&self.file))
    }

    pub(crate) fn finish(mut self) -> Result<Written, ClusterError> {
        self.out.flush().map_err(ClusterError::file(&self.file))?;
        Ok(self.written)
    }
}

/// The most frequent labels, and the rest together.
pub(crate) fn histogram(counts: BTreeMap<String, u64>) -> Vec<Count> {
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    // The sort is stable, so labels of equally many nodes stay in the order of their texts.
    counts.sort_by_key(|&(_, nodes)| std::cmp::Reverse(nodes));
    let rest: u64 = counts.iter().skip(MOST_COUNTED).map(|&(_, nodes)| nodes).sum();
    let listed = counts.into_iter().take(MOST_COUNTED);
    let mut listed: Vec<Count> =
        listed.map(|(label, nodes)| Count { label: Some(label), nodes }).collect();
    if rest > 0 {
        listed.push(Count { label: None, nodes: rest });
    }
    listed
}
