//! Splits Rust source as far as the tests need it: code, string literals, and paths into a crate.

use std::fs;
use std::path::{Path, PathBuf};

/// All source files below a folder, without those that only contain tests.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let path = entry.expect("an entry").path();
        let is_test = path.file_stem().is_some_and(|name| name == "tests");
        if path.is_dir() && !is_test {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Code without comments and tests, and the string literals in it.
pub struct Source {
    /// Each literal is replaced by its number in quotes.
    pub code: String,
    pub literals: Vec<String>,
}

impl Source {
    pub fn new(text: &str) -> Self {
        let Source { code, literals } = lex(text);
        let code = without_tests(&code);
        let number = |part: &str| part.parse::<usize>().ok();
        let left = code.split('"').skip(1).step_by(2).filter_map(number);
        let literals = left.map(|number| literals[number].clone()).collect();
        Source { code, literals }
    }

    /// Every path that begins with this crate; lists in braces are written out.
    pub fn paths(&self, name: &str) -> Vec<String> {
        let begins = |at: usize| {
            let before = self.code[..at].chars().next_back();
            let after = self.code[at + name.len()..].chars().next();
            !before.is_some_and(|c| is_word(c) || c == ':') && !after.is_some_and(is_word)
        };
        let mut found = Vec::new();
        for (at, _) in self.code.match_indices(name).filter(|(at, _)| begins(*at)) {
            let rest: String = self.code[at..].split(';').next().unwrap_or_default().to_owned();
            tree(&mut rest.as_str(), "", &mut found);
        }
        found
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Reads a path with lists in braces, as in `a::{b, c::{d, e}}`.
fn tree(rest: &mut &str, before: &str, found: &mut Vec<String>) {
    let mut path = before.to_owned();
    loop {
        *rest = rest.trim_start();
        if let Some(list) = rest.strip_prefix('{') {
            *rest = list;
            loop {
                tree(rest, &path, found);
                let next = rest.find([',', '}']).unwrap_or(rest.len());
                let is_more = rest[next..].starts_with(',');
                *rest = rest.get(next + 1..).unwrap_or_default();
                if !is_more || rest.trim_start().starts_with('}') {
                    *rest = rest.trim_start().strip_prefix('}').filter(|_| is_more).unwrap_or(rest);
                    return;
                }
            }
        }
        let end = rest.find(|c| !is_word(c) && c != '*').unwrap_or(rest.len());
        path.push_str(&rest[..end]);
        *rest = rest[end..].trim_start();
        match rest.strip_prefix("::") {
            Some(more) if !more.starts_with('<') => *rest = more,
            _ => return found.push(path),
        }
        path.push_str("::");
    }
}

/// Code without comments, with each string literal replaced by its number.
fn lex(text: &str) -> Source {
    let number = |number: usize| format!("\"{number}\"");
    let (mut code, mut literals) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after_word = code.chars().next_back().is_some_and(is_word);
        let hashes =
            rest.strip_prefix('r').map(|raw| raw.len() - raw.trim_start_matches('#').len());
        let raw = hashes.filter(|hashes| !after_word && rest[1 + hashes..].starts_with('"'));
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, after)| after);
        } else if let Some(hashes) = raw {
            let end = format!("\"{}", "#".repeat(hashes));
            let inner = &rest[2 + hashes..];
            let (literal, after) = inner.split_once(&end).expect("a raw string ends");
            code.push_str(&number(literals.len()));
            literals.push(literal.to_owned());
            rest = after;
        } else if c == '"' {
            let end = end_of_string(&rest[1..]);
            code.push_str(&number(literals.len()));
            literals.push(rest[1..=end].to_owned());
            rest = &rest[end + 2..];
        } else {
            // A quote in a character literal begins no string, and a lifetime has no second quote.
            let len = character(rest).unwrap_or(c.len_utf8());
            code.push_str(if len > c.len_utf8() { " " } else { &rest[..len] });
            rest = &rest[len..];
        }
    }
    Source { code, literals }
}

/// The end of a string after its first quote.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().find(|&(_, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.expect("a string ends").0
}

/// The length of a character literal.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    if inner.starts_with('\\') {
        return Some(inner[2..].find('\'')? + 4);
    }
    let len = inner.chars().next()?.len_utf8();
    inner[len..].starts_with('\'').then_some(len + 2)
}

/// Code without the items that only tests have.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut parts = code.split(MARK);
    let mut left = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut depth = 0_usize;
        let end = part.char_indices().find(|&(_, c)| match c {
            '(' | '[' | '{' => {
                depth += 1;
                false
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                depth == 0 && c == '}'
            }
            _ => depth == 0 && matches!(c, ';' | ','),
        });
        left.push_str(end.map_or("", |(end, _)| &part[end + 1..]));
    }
    left
}

#[test]
fn comments_tests_and_literals_are_distinguished() {
    let source = Source::new(
        r##"
//! A comment with "quotes" and `--comment`.
const A: &str = "one \" --two"; /* "no" */ const Q: char = '"';
fn b<'a>(x: &'a str) { print(r#"raw "--three"."#, '\'', b"bytes") }
#[cfg(test)]
#[path = "b/tests.rs"]
mod tests;
#[cfg(test)]
mod more { fn c() { print("--four"); } }
const D: &str = "--five";
"##,
    );
    assert_eq!(source.literals, ["one \\\" --two", "raw \"--three\".", "bytes", "--five"]);
    assert!(!source.code.contains("comment") && source.code.contains("const D"));
}

#[test]
fn paths_are_written_out() {
    let text =
        "use nimoon::{a::{B, c::D}, E as F, g::*}; use nimoon_formats::X; use other::nimoon::Y;
        let x = nimoon::solve::play::<Z>(nimoon::H::I, crate::nimoon::J);";
    let expected = "a::B a::c::D E g::* solve::play H::I";
    let expected: Vec<String> = expected.split(' ').map(|path| format!("nimoon::{path}")).collect();
    assert_eq!(Source::new(text).paths("nimoon"), expected);
    assert_eq!(Source::new("use nimoon as other;").paths("nimoon"), ["nimoon"]);
}
