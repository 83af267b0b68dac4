//! The input of `nimoon cluster`: hosts, manifests, and shards and checkpoints, which are rejected
//! if they are damaged.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use nimoon::{AnyValue, Label, Value};
use nimoon_cluster::{Checksum, Known, Labelled, Manifest, label_text, read_hosts};
use serde_json::json;
use tempfile::TempDir;

use super::parts;
use crate::bytes::Bytes;

/// A folder for all inputs.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(parts::folder).path()
}

/// The first byte selects the kind of the rest.
pub(super) fn cluster(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    match bytes.below(4) {
        0 => hosts(bytes.rest()),
        1 => manifest(bytes.rest()),
        2 => shard(bytes),
        _ => parts::part(bytes),
    }
}

/// Addresses are read as they are written, one on each line.
fn hosts(bytes: &[u8]) {
    let file = folder().join("hosts");
    fs::write(&file, bytes).expect("there is room for a file");
    match read_hosts(&file) {
        Ok(hosts) => {
            assert!(!hosts.is_empty());
            fs::write(&file, hosts.join("\n")).expect("there is room for a file");
            assert_eq!(read_hosts(&file).ok().as_ref(), Some(&hosts));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A manifest is written as JSON and read back.
fn manifest(bytes: &[u8]) {
    let file = folder().join("manifest.json");
    fs::write(&file, bytes).expect("there is room for a file");
    match Manifest::read(&file) {
        Ok(manifest) => {
            if let Ok(mut labelled) = Labelled::open(&file) {
                // There is no shard at any path of the manifest.
                let _ = labelled.node("a");
            }
            let text = serde_json::to_vec(&manifest).expect("it is JSON");
            fs::write(&file, text).expect("there is room for a file");
            assert_eq!(Manifest::read(&file).ok(), Some(manifest));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The nodes of the shard that is damaged, in order, with their labels.
const NODES: [(&str, &str); 5] =
    [("a", "0"), ("b\t2", "oo{0,2}"), ("c", "1"), ("ä", "full-moon"), ("ö", "ninny{1}")];

fn labels() -> Vec<(&'static str, Label)> {
    let value = |text: &str| text.parse::<Value>().expect("it is a value");
    NODES
        .iter()
        .map(|&(name, label)| (name, Label::White(AnyValue::CarryOn(value(label)))))
        .collect()
}

/// A shard with some changed bytes is rejected, or every answer from it is true.
fn shard(bytes: &mut Bytes<'_>) {
    let labels = labels();
    let mut checksum = Checksum::default();
    let mut text = String::new();
    for (name, label) in &labels {
        let label = label_text(label);
        checksum.add(name, &label);
        text.extend([name, "\t", &label, "\n"]);
    }
    let sum = checksum.to_string();
    let manifest = json!({"nimoon_manifest": 1, "theory": "carry-on", "remoteness": null, "nodes": labels.len(),
        "gray": 0, "arcs": 0, "checksum": sum, "starts": [], "histogram": [],
        "shards": [{"file": "shard.tsv", "nodes": labels.len(), "checksum": sum}]});
    let mut file = text.into_bytes();
    while !bytes.is_empty() {
        let what = bytes.byte();
        let place = bytes.below(file.len() + 1);
        match what % 4 {
            0 => file.insert(place, bytes.byte()),
            1 if place < file.len() => drop(file.remove(place)),
            2 if place < file.len() => file[place] = bytes.byte(),
            // A line goes to the end.
            3 if place < file.len() => {
                let mut lines: Vec<Vec<u8>> =
                    file.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
                let line = lines.remove(place % lines.len());
                lines.push(line);
                file = lines.concat();
            }
            _ => {}
        }
    }
    let path = folder().join("label.json");
    fs::write(&path, manifest.to_string()).expect("there is room for a file");
    fs::write(folder().join("shard.tsv"), &file).expect("there is room for a file");
    let mut labelled = Labelled::open(&path).expect("the manifest is right");
    for (name, label) in &labels {
        if let Ok(known) = labelled.node(name) {
            let text = String::from_utf8_lossy(&file);
            assert_eq!(known, Some(Known::Label(label.clone())), "{name:?} in {text:?}");
        }
    }
    for name in ["", "b", "d", "x\t0"] {
        if let Ok(known) = labelled.node(name) {
            assert_eq!(known, None, "{name:?} in {:?}", String::from_utf8_lossy(&file));
        }
    }
}
