//! The wording of texts: documents, help, messages, the page, the Python package, comments and
//! names avoid phrases that are hard to read.

use std::fs;
use std::path::{Path, PathBuf};

use super::root;

/// A phrase to avoid, in lower case.
struct Phrase {
    text: &'static str,
    /// What to write instead.
    instead: &'static str,
    /// The words before it that make it plain English.
    fine_after: &'static [&'static str],
    /// The words behind it that do.
    fine_before: &'static [&'static str],
}

const fn phrase(text: &'static str, instead: &'static str) -> Phrase {
    Phrase { text, instead, fine_after: &[], fine_before: &[] }
}

/// Nouns that a relative clause may follow: "a player who cannot move".
const PEOPLE: &[&str] = &[
    "player", "players", "mover", "opponent", "winner", "loser", "someone", "those", "people",
    "reader", "readers", "left", "right",
];

const PHRASES: &[Phrase] = &[
    phrase("is told", "say who prints, says or reports it"),
    phrase("are told", "say who prints, says or reports it"),
    phrase("was told", "say who printed, said or reported it"),
    phrase("were told", "say who printed, said or reported it"),
    phrase("be told", "say who prints, says or reports it"),
    phrase("as told", "write `as requested`"),
    phrase("told otherwise", "give the default: `default: 3`"),
    phrase("unless told", "give the default: `default: 3`"),
    phrase("told apart", "write `distinguished`, or `keyed by`"),
    phrase("tells of", "write `describes`"),
    phrase("nobody wants", "say what was not requested"),
    phrase("nobody knows", "say what is not known"),
    phrase("held against", "write `compared with`"),
    phrase("hold against", "write `compare with`"),
    phrase("holds against", "write `compares with`"),
    phrase("looked at", "write `visited`, `checked` or `considered`"),
    phrase("be looked", "write `be visited`, `be checked` or `be considered`"),
    phrase("asked for it", "write `requested`"),
    phrase("passed over", "write `skipped` or `ignored`"),
    phrase("worked out", "write `computed` or `solved`"),
    phrase("works out", "write `computes` or `solves`"),
    phrase("is at an end", "write `has ended`"),
    phrase("of no account", "write `does not matter`"),
    phrase("anew", "write `again`"),
    phrase("so may you", "write `so can you`"),
    phrase("cannot be had", "say what failed"),
    phrase("tells what", "write `lists`, `shows` or `says what`"),
    phrase("tells the rest", "write `lists the commands`"),
    phrase("tells whether", "write `says whether`"),
    phrase("to tell about", "write `description`, or say what is printed"),
    Phrase {
        fine_after: &["visitor", "user", "person"],
        ..phrase("who asked", "name the person or the program")
    },
    phrase("whoever asked", "name the person or the program"),
    phrase("answers no question", "say what it does"),
    phrase("gone on from", "write `resumed from`"),
    phrase("that is there can", "write `existing`"),
    phrase("costs time alone", "say what is slower"),
    phrase("which is the limit", "write `the limit of …`"),
    Phrase {
        fine_after: PEOPLE,
        ..phrase("who cannot", "name the person: `a player who cannot move`")
    },
    Phrase { fine_after: PEOPLE, ..phrase("who completes", "name the person: `a player who`") },
    Phrase { fine_after: PEOPLE, ..phrase("who removed", "name the person: `a player who`") },
    Phrase { fine_after: PEOPLE, ..phrase("who takes one", "name the person: `a player who`") },
    Phrase {
        fine_after: &["there"],
        fine_before: &["longer", "more", "less", "larger", "smaller"],
        ..phrase("is no", "write `is not a`")
    },
    Phrase {
        fine_after: &["there"],
        fine_before: &["longer", "more", "less", "larger", "smaller"],
        ..phrase("are no", "write `are not`")
    },
];

/// The ends of names of files with texts for people.
const TEXTS: [&str; 10] = ["md", "rs", "py", "pyi", "ipynb", "js", "html", "css", "sh", "toml"];

/// Folders that are built, installed, or hold what the program printed.
const LEFT_OUT: [&str; 5] = ["target", "node_modules", "snapshots", "wording", "__pycache__"];

/// The files below a folder, from the root on.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root().join(folder)).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name in UTF-8");
        let path = folder.join(&name);
        if entry.file_type().expect("a kind").is_dir() {
            if !name.starts_with('.') && !LEFT_OUT.contains(&&*name) {
                files(&path, found);
            }
        } else if path.extension().is_some_and(|end| TEXTS.iter().any(|text| end == *text)) {
            found.push(path);
        }
    }
}

/// The words of a text in lower case, each with its line and whether a sign that ends a clause
/// follows. Signs of comments are left out, so that a phrase is found across lines, and so are
/// blocks in a document that show what a program prints.
fn words(text: &str, is_document: bool) -> Vec<(String, usize, bool)> {
    let (mut words, mut in_block) = (Vec::new(), false);
    for (line, number) in text.lines().zip(1..) {
        let is_fence = is_document && line.trim_start().starts_with("```");
        in_block ^= is_fence;
        if in_block || is_fence {
            continue;
        }
        let line = line.replace("\\n", " ");
        // Names consist of words too. The name of a macro, and a quotation, begin a clause.
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | '_');
        let pieces = line.split_inclusive(is_end);
        for word in pieces.map(str::trim) {
            let letters: String =
                word.chars().filter(|c| c.is_alphanumeric() || *c == '\'').collect();
            if !letters.is_empty() {
                let ends = word.ends_with(['.', ',', ';', ':', '?', '!', '(', ')', '"', '`']);
                // What a macro inserts is not a word.
                let letters = if word.starts_with('{') { String::new() } else { letters };
                words.push((letters.to_lowercase(), number, ends));
            }
        }
    }
    words
}

/// The phrases in a text, each with its line.
fn found(text: &str, is_document: bool) -> Vec<(usize, &'static Phrase)> {
    let words = words(text, is_document);
    let mut found = Vec::new();
    for (at, (_, line, _)) in words.iter().enumerate() {
        for phrase in PHRASES {
            if words[at].0.is_empty() || !phrase.text.starts_with(&*words[at].0) {
                continue;
            }
            let length = phrase.text.split(' ').count();
            let Some(window) = words.get(at..at + length) else { continue };
            let same = phrase.text.split(' ').zip(window).all(|(word, (found, ..))| word == found);
            // Two clauses make no phrase.
            let is_broken = window[..length - 1].iter().any(|(.., ends)| *ends);
            let word = |at: usize| words.get(at).map_or("", |(word, ..)| word.as_str());
            let is_fine = at > 0 && phrase.fine_after.contains(&word(at - 1))
                || phrase.fine_before.contains(&word(at + length));
            if same && !is_broken && !is_fine {
                found.push((*line, phrase));
            }
        }
    }
    found
}

#[test]
fn texts_are_plain_english() {
    let mut all = Vec::new();
    files(Path::new(""), &mut all);
    assert!(all.len() > 300, "{}", all.len());
    let mut wrong = Vec::new();
    for path in all {
        let text = fs::read_to_string(root().join(&path)).expect("UTF-8");
        let is_document = path.extension().is_some_and(|end| end == "md");
        let path = path.display();
        wrong.extend(
            found(&text, is_document).into_iter().map(|(line, phrase)| {
                format!("{path}:{line}: `{}`; {}", phrase.text, phrase.instead)
            }),
        );
    }
    assert!(wrong.is_empty(), "phrases to avoid:\n{}", wrong.join("\n"));
}

#[test]
fn a_phrase_is_found_across_lines_and_in_comments() {
    let lines = |text: &str, is_document| {
        found(text, is_document)
            .into_iter()
            .map(|(line, phrase)| (line, phrase.text))
            .collect::<Vec<_>>()
    };
    assert_eq!(lines("/// The format is\n    /// told by it.", false), [(1, "is told")]);
    assert_eq!(lines("Three threads, *unless told* so.", true), [(1, "unless told")]);
    assert_eq!(lines("`x` is no format.", true), [(1, "is no")]);
    assert_eq!(lines("fn a_limit_is_no_error() {", false), [(1, "is no")]);
    assert_eq!(
        lines("Who cannot move loses; a player who cannot move loses.", true),
        [(1, "who cannot")]
    );
    for fine in [
        "There is no format; it is no longer read.",
        "what it is. Told by them",
        "```console\n$ x\nerror: it was looked at\n```\n",
        "An axis tells, an island",
        "format!(\"there is no file {name}\")",
        "After it {who} cannot move.",
    ] {
        assert_eq!(lines(fine, true), [], "{fine}");
    }
    assert_eq!(lines("```console\nit was looked at\n```\n", false), [(2, "looked at")]);
}
