//! Runs the program as a document shows it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::documents::files::root;

/// The words of a command; quotes of either kind keep blanks, braces and the other kind together.
pub fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut in_word) = (None, false);
    for letter in command.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            (letter, None) if letter.is_whitespace() => {
                in_word = false;
                continue;
            }
            _ => {}
        }
        if !in_word {
            words.push(String::new());
        }
        in_word = true;
        let is_quote = matches!(letter, '\'' | '"') && quote.is_none_or(|open| open == letter);
        if let (Some(word), false) = (words.last_mut(), is_quote) {
            word.push(letter);
        }
    }
    assert!(quote.is_none(), "a quote does not end: {command}");
    words
}

pub fn nimoon(arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// What the program prints, with the complaint if it fails, and whether it does.
pub fn print(arguments: &[String]) -> (String, bool) {
    let output = nimoon(arguments).output().expect("the program starts");
    let mut printed = String::from_utf8(output.stdout).expect("UTF-8");
    if !output.status.success() {
        printed += &String::from_utf8(output.stderr).expect("UTF-8");
    }
    (printed, !output.status.success())
}

/// What the program prints where it is known whether it fails.
pub fn run(arguments: &[String], fails: bool) -> String {
    let (printed, failed) = print(arguments);
    assert_eq!(failed, fails, "{arguments:?}: {printed}");
    printed
}

/// Labels a digraph that stands in a document.
pub fn check_digraph(format: &str, text: &str) {
    let arguments = ["label", "-", "--input", format].map(str::to_owned);
    let mut command = nimoon(&arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(text.as_bytes()).expect("the program reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let error = String::from_utf8_lossy(&output.stderr);
    // What only other commands use is read, and then refused by its meaning alone.
    let refused = error.contains("values and sums are for");
    assert!(output.status.success() || refused, "{format}:\n{text}{error}");
}

#[test]
fn quotes_keep_words_together() {
    assert_eq!(words("value 'nim:3 + nim:5' --turns"), ["value", "nim:3 + nim:5", "--turns"]);
    assert_eq!(words("sum a.game \"G'\"  X"), ["sum", "a.game", "G'", "X"]);
    assert_eq!(words("-d '{\"a\": \"b c\"}' ''"), ["-d", "{\"a\": \"b c\"}", ""]);
}
