//! Answers from a manifest and its shards.

use std::path::{Path, PathBuf};

use nimoon::smith::remoteness::outcome;
use nimoon::{AnyValue, Cover, EntailingValue, HeapOutcomes, Label, Outcome, Theory, Value};

use crate::ClusterError;
use crate::manifest::{Checksum, Manifest};
use crate::shards::shard_of;

/// The entry of a node in a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// The label of a theory.
    Label(Label),
    /// Remoteness and terminal distance, none if infinite.
    Remoteness {
        /// The remoteness.
        remoteness: Option<u64>,
        /// The terminal distance.
        distance: Option<u64>,
    },
}

impl Known {
    /// The winner with a piece on the node; none for gray nodes.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Label(label) => label.value()?.outcome(),
            Self::Remoteness { remoteness, .. } => Some(outcome(*remoteness)),
        }
    }
}

/// A manifest that can be queried.
#[derive(Debug)]
pub struct Labelled {
    /// The manifest.
    pub manifest: Manifest,
    file: PathBuf,
    theory: Option<Theory>,
    /// The shards that were read so far.
    shards: Vec<Option<String>>,
}

impl Labelled {
    /// Reads a manifest; a folder stands for the one in it.
    ///
    /// # Errors
    /// When it cannot be read, or is not a manifest.
    pub fn open(file: &Path) -> Result<Self, ClusterError> {
        let file =
            if file.is_dir() { file.join(crate::manifest::MANIFEST) } else { file.to_owned() };
        let manifest = Manifest::read(&file)?;
        let theory = match manifest.theory.as_deref().map(str::parse) {
            None => None,
            Some(Ok(theory)) => Some(theory),
            Some(Err(error)) => {
                return Err(ClusterError::Manifest(format!("{}: {error}", file.display())));
            }
        };
        if manifest.shards.is_empty() {
            let message = format!("{}: the manifest lists no shards", file.display());
            return Err(ClusterError::Manifest(message));
        }
        let shards = vec![None; manifest.shards.len()];
        Ok(Self { manifest, file, theory, shards })
    }

    /// The theory of the labels, if any.
    pub fn theory(&self) -> Option<Theory> {
        self.theory
    }

    /// The entry of a node; none if there is no such node.
    ///
    /// # Errors
    /// When its shard is missing, or does not match the manifest.
    pub fn node(&mut self, name: &str) -> Result<Option<Known>, ClusterError> {
        let shard = shard_of(name.as_bytes(), self.shards.len());
        if self.shards[shard].is_none() {
            self.shards[shard] = Some(self.read_shard(shard)?);
        }
        let text = self.shards[shard].as_deref().unwrap_or_default();
        let Some(label) = find(text, name) else { return Ok(None) };
        let known = self.known(label);
        let damaged = || {
            ClusterError::Manifest(format!(
                "{}: found the unknown label `{label}`",
                self.shard_path(shard).display()
            ))
        };
        known.map(Some).ok_or_else(damaged)
    }

    fn shard_path(&self, shard: usize) -> PathBuf {
        self.file.with_file_name(&self.manifest.shards[shard].file)
    }

    fn read_shard(&self, shard: usize) -> Result<String, ClusterError> {
        let path = self.shard_path(shard);
        let entry = &self.manifest.shards[shard];
        let bytes = std::fs::read(&path).map_err(|error| {
            let path = path.display();
            if error.kind() == std::io::ErrorKind::NotFound {
                ClusterError::Manifest(format!(
                    "{path}: the shard is missing: copy it there from the machine whose process wrote it"
                ))
            } else {
                ClusterError::File { file: self.shard_path(shard), error }
            }
        })?;
        let mut checksum = Checksum::default();
        let mut nodes = 0;
        let text = String::from_utf8(bytes).unwrap_or_default();
        // The checksum is the same in every order and covers only lines of the shard; but the
        // search for names needs their order.
        let mut in_order = true;
        let mut before = None;
        for line in text.split_terminator('\n') {
            let Some((name, label)) = line.rsplit_once('\t') else {
                in_order = false;
                continue;
            };
            checksum.add(name, label);
            nodes += 1;
            in_order &= before < Some(name);
            before = Some(name);
        }
        if !in_order || (nodes, checksum.to_string()) != (entry.nodes, entry.checksum.clone()) {
            return Err(ClusterError::Manifest(format!(
                "{}: the shard has {nodes} nodes{} and checksum {checksum}, the manifest says {} and {}: it is damaged, or of another run",
                path.display(),
                if in_order { "" } else { " out of order" },
                entry.nodes,
                entry.checksum
            )));
        }
        Ok(text)
    }

    /// The entry for the text of a label.
    fn known(&self, label: &str) -> Option<Known> {
        let Some(theory) = self.theory else {
            let number = |text: &str| match text {
                "oo" => Some(None),
                text => text.parse().ok().map(Some),
            };
            let (remoteness, distance) = label.split_once(' ')?;
            return Some(Known::Remoteness {
                remoteness: number(remoteness)?,
                distance: number(distance)?,
            });
        };
        if let Some(cover) = label.strip_prefix("gray ") {
            let cover = if cover == "-" { None } else { Some(cover.parse::<Cover>().ok()?) };
            return Some(Known::Label(Label::Gray(cover)));
        }
        let value = match (theory, label) {
            (Theory::Entailing, "moon") => AnyValue::Entailing(EntailingValue::Moon),
            (Theory::Entailing, n) => AnyValue::Entailing(EntailingValue::Nimber(n.parse().ok()?)),
            (Theory::General, outcomes) => {
                AnyValue::General(outcomes.parse::<HeapOutcomes>().ok()?)
            }
            (_, value) => AnyValue::CarryOn(value.parse::<Value>().ok()?),
        };
        Some(Known::Label(Label::White(value)))
    }
}

/// The label of a name in the lines of a shard, which are in order.
fn find<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let bytes = text.as_bytes();
    let (mut start, mut end) = (0, text.len());
    while start < end {
        let middle = usize::midpoint(start, end);
        let line_start =
            bytes[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line_end = bytes[middle..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(text.len(), |at| middle + at);
        let (found, label) = text[line_start..line_end].rsplit_once('\t')?;
        match found.cmp(name) {
            std::cmp::Ordering::Equal => return Some(label),
            std::cmp::Ordering::Less => start = line_end + 1,
            std::cmp::Ordering::Greater => end = line_start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::ShardEntry;

    #[test]
    fn a_shard_out_of_order_is_rejected_although_its_checksum_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let mut checksum = Checksum::default();
        for name in ["a", "b", "c"] {
            checksum.add(name, "0");
        }
        let checksum = checksum.to_string();
        let entry = ShardEntry { file: "shard.tsv".into(), nodes: 3, checksum: checksum.clone() };
        let manifest = Manifest {
            nimoon_manifest: crate::manifest::FORMAT,
            theory: Some("cyclic".into()),
            remoteness: None,
            nodes: 3,
            gray: 0,
            arcs: 0,
            checksum,
            starts: Vec::new(),
            histogram: Vec::new(),
            shards: vec![entry],
        };
        manifest.write(folder.path()).unwrap();
        let ask = |shard: &str| {
            std::fs::write(folder.path().join("shard.tsv"), shard).unwrap();
            let mut labelled = Labelled::open(folder.path()).unwrap();
            ["a", "b", "c"].map(|name| labelled.node(name).is_ok_and(|known| known.is_some()))
        };
        assert_eq!(ask("a\t0\nb\t0\nc\t0\n"), [true; 3]);
        for damaged in ["b\t0\na\t0\nc\t0\n", "a\t0\nb\t0\nc\t0\nd\n", "a\t0\nb\t0\n\nc\t0\n"] {
            assert_eq!(ask(damaged), [false; 3], "{damaged:?}");
        }
    }

    #[test]
    fn every_line_of_a_shard_is_found() {
        let names = ["", "a", "aa", "b", "nim:3 + nim:4", "z"];
        let lines = names.map(|name| format!("{name}\tlabel of {name}\n"));
        let text = lines.concat();
        for name in names {
            assert_eq!(find(&text, name), Some(format!("label of {name}").as_str()));
        }
        for name in ["0", "ab", "zz", "nim:3"] {
            assert_eq!(find(&text, name), None);
        }
        assert_eq!(find("", "a"), None);
    }
}
