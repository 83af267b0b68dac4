//! A new file with entries of an old one: to make room, to merge many small batches, to forget
//! entries, or to change the limit.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use nimoon::Work;

use crate::atomic_file::{AtomicFile, remove_left_behind};
use crate::format::{HEAD, Head, Label, batch};
use crate::store::{Entries, batches, new_head};
use crate::view::View;

/// What to keep of the old file.
pub(crate) struct Kept<'a> {
    /// This many bytes of batches, newer ones first.
    pub(crate) room: u64,
    /// The most bytes of the new file.
    pub(crate) most: u64,
    /// The rulesets that are forgotten.
    pub(crate) forget: &'a dyn Fn(&str) -> bool,
}

/// Batches up to this part of the limit are merged; larger ones stay apart, so that old ones can be
/// removed.
const TOGETHER: u64 = 64;

/// Replaces the file by a new one with more entries. The caller has the lock of the old file, and
/// then that of the new one.
pub(crate) fn rewritten(
    path: &Path,
    view: &View,
    kept: &Kept<'_>,
    more: &Entries,
    work: &mut Work,
) -> io::Result<View> {
    remove_left_behind(path);
    let head = new_head(kept.most);
    let mut atomic_file = AtomicFile::beside(path)?;
    atomic_file.file().write_all(&head.bytes())?;
    let mut start = HEAD;
    for group in groups(view, kept) {
        let bytes = merged(view, head, &group, start, work)?;
        start += bytes.len() as u64;
        atomic_file.file().write_all(&bytes)?;
    }
    atomic_file.file().write_all(&batches(more, start, head.made))?;
    work.check().map_err(io::Error::other)?;
    View::new(atomic_file.replace(path)?, head)
}

/// Batches of one ruleset that become one.
struct Group<'a> {
    name: &'a str,
    batches: Vec<Label>,
}

/// The batches that are kept, older ones first, in groups that become one.
fn groups<'a>(view: &'a View, kept: &Kept<'_>) -> Vec<Group<'a>> {
    let named = view.batches.iter().filter(|(name, _)| !(kept.forget)(name));
    let mut all: Vec<(Label, &str)> = named
        .flat_map(|(name, labels)| labels.iter().map(move |&label| (label, name.as_str())))
        .collect();
    all.sort_unstable_by_key(|(label, _)| std::cmp::Reverse(label.start));
    let mut room = kept.room;
    // All batches after the first one without room are older, and are removed too.
    let count = all.iter().take_while(|(label, _)| {
        let fits = label.length <= room;
        room = room.saturating_sub(label.length);
        fits
    });
    let count = count.count();
    all.truncate(count);
    all.reverse();
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut open: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
    for (label, name) in all {
        match open.get_mut(name) {
            Some((group, length)) if *length + label.length <= kept.most / TOGETHER => {
                groups[*group].batches.push(label);
                *length += label.length;
            }
            _ => {
                open.insert(name, (groups.len(), label.length));
                groups.push(Group { name, batches: vec![label] });
            }
        }
    }
    groups
}

/// One batch with all entries of a group that are not damaged, each key once.
fn merged(
    view: &View,
    head: Head,
    group: &Group<'_>,
    start: u64,
    work: &mut Work,
) -> io::Result<Vec<u8>> {
    // They are in memory as entries and as bytes.
    let length: u64 = group.batches.iter().map(|label| label.length).sum();
    work.hold(length.saturating_mul(2)).map_err(io::Error::other)?;
    let mut entries: BTreeMap<Box<[u8]>, Box<[u8]>> = BTreeMap::new();
    for &label in &group.batches {
        view.each_entry(label, group.name, work, |key, value| {
            entries.insert(key.into(), value.into());
        })?;
    }
    let pairs = entries.iter().map(|(key, value)| (&**key, &**value));
    Ok(batch(group.name, pairs, start, head.made))
}
