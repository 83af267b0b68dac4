//! Reads the labels that the two programs print, without the code of either.

use std::collections::HashMap;
use std::fmt;

use thiserror::Error;

/// The label of a node of a digraph without gray nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A nimber.
    Finite(u64),
    /// Infinite, with the nimbers among the options in increasing order.
    Infinite(Vec<u64>),
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(n) => write!(f, "{n}"),
            Self::Infinite(exits) => write!(f, "infinite with exits {exits:?}"),
        }
    }
}

/// Why an output cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum AnswerError {
    #[error("line {line}: `{text}` is not a label: expected {expected}")]
    Label { line: usize, text: String, expected: &'static str },
    #[error("line {line}: `{text}` is not a node: expected a whole number")]
    Node { line: usize, text: String },
    #[error("line {line}: missing column `{column}`")]
    Column { line: usize, column: &'static str },
    #[error("line {line}: a quotation mark is not closed")]
    Quotation { line: usize },
    #[error("line {line}: node {node} is listed a second time")]
    Twice { line: usize, node: u64 },
    #[error("the numbers {names} are missing in `{text}`")]
    Numbers { names: String, text: String },
}

/// Reads `3`, or the set between `open` and `close`.
fn entry(text: &str, open: &str, close: char) -> Option<Entry> {
    let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) else {
        return text.parse().ok().map(Entry::Finite);
    };
    let exits: Option<Vec<u64>> =
        inner.split(',').filter(|n| !n.is_empty()).map(|n| n.parse().ok()).collect();
    exits.map(Entry::Infinite)
}

/// Reads what `sfp edges FILE -p` prints: a line for each of the nodes 0, 1, 2, …
pub(crate) fn read_baseline(output: &str) -> Result<Vec<Entry>, AnswerError> {
    let lines = output.lines().enumerate();
    lines
        .map(|(i, text)| {
            entry(text, "inf(", ')').ok_or_else(|| AnswerError::Label {
                line: i + 1,
                text: text.to_owned(),
                expected: "a number or inf(…)",
            })
        })
        .collect()
}

/// Reads what `nimoon label FILE --format csv` prints for a digraph whose nodes are numbers.
pub(crate) fn read_csv(output: &str) -> Result<HashMap<u64, Entry>, AnswerError> {
    let mut lines = output.lines().zip(1..);
    let header = match lines.next() {
        Some((text, line)) => fields(text).ok_or(AnswerError::Quotation { line })?,
        None => Vec::new(),
    };
    let place = |column: &'static str| {
        let found = header.iter().position(|name| name == column);
        found.ok_or(AnswerError::Column { line: 1, column })
    };
    let (node_place, value_place) = (place("node")?, place("value")?);
    let mut entries = HashMap::new();
    for (text, line) in lines {
        let fields = fields(text).ok_or(AnswerError::Quotation { line })?;
        let field = |place: usize, column| {
            fields.get(place).ok_or(AnswerError::Column { line, column }).map(String::as_str)
        };
        let node_text = field(node_place, "node")?;
        let node = node_text
            .parse()
            .map_err(|_| AnswerError::Node { line, text: node_text.to_owned() })?;
        let value_text = field(value_place, "value")?;
        let value = entry(value_text, "oo{", '}').ok_or_else(|| AnswerError::Label {
            line,
            text: value_text.to_owned(),
            expected: "a number or oo{…}",
        })?;
        if entries.insert(node, value).is_some() {
            return Err(AnswerError::Twice { line, node });
        }
    }
    Ok(entries)
}

/// Reads a shard of `nimoon cluster label`, of a digraph whose nodes are numbers: lines of a node
/// and its label.
pub(crate) fn read_shard(text: &str) -> Result<Vec<(u64, Entry)>, AnswerError> {
    let read = |(line, text): (usize, &str)| {
        let (node, label) =
            text.split_once('\t').ok_or(AnswerError::Column { line, column: "label" })?;
        let label_text =
            || AnswerError::Label { line, text: label.to_owned(), expected: "a number or oo{…}" };
        let number = node.parse().map_err(|_| AnswerError::Node { line, text: node.to_owned() })?;
        Ok((number, entry(label, "oo{", '}').ok_or_else(label_text)?))
    };
    (1..).zip(text.lines()).map(read).collect()
}

/// The fields of a line of comma-separated values; none if a quotation mark is not closed.
fn fields(line: &str) -> Option<Vec<String>> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            // A doubled mark within quotation marks stands for itself.
            '"' if quoted && characters.next_if_eq(&'"').is_some() => {
                fields.last_mut()?.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut()?.push(c),
        }
    }
    (!quoted).then_some(fields)
}

/// The numbers with these names in the one line of `output` that is a JSON object with all of
/// them.
pub(crate) fn read_numbers<const N: usize>(
    output: &str,
    names: [&str; N],
) -> Result<[f64; N], AnswerError> {
    let in_line = |line: &str| -> Option<[f64; N]> {
        let object: serde_json::Value = serde_json::from_str(line).ok()?;
        let mut numbers = [0.0; N];
        for (number, name) in numbers.iter_mut().zip(names) {
            *number = object.get(name)?.as_f64()?;
        }
        Some(numbers)
    };
    output.lines().find_map(in_line).ok_or_else(|| AnswerError::Numbers {
        names: names.join(", "),
        text: output.chars().take(200).collect(),
    })
}

/// The nodes that the lines `u v` of an edge list name.
pub(crate) fn read_nodes(edges: &str) -> Result<Vec<u64>, AnswerError> {
    let mut nodes = Vec::new();
    for (text, line) in edges.lines().zip(1..) {
        for word in text.split_whitespace() {
            let node = word.parse();
            nodes.push(node.map_err(|_| AnswerError::Node { line, text: word.to_owned() })?);
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_shard_are_read() {
        let expected = vec![(7, Entry::Finite(3)), (12, Entry::Infinite(vec![0, 2]))];
        assert_eq!(read_shard("7\t3\n12\too{0,2}\n").unwrap(), expected);
        for bad in ["7", "a\t3", "7\tmoon"] {
            assert!(read_shard(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_labels_of_the_baseline_are_read_in_order() {
        let entries = read_baseline("3\ninf()\ninf(0,2)\n").unwrap();
        let expected = [Entry::Finite(3), Entry::Infinite(vec![]), Entry::Infinite(vec![0, 2])];
        assert_eq!(entries, expected);
        let error = read_baseline("3\ninf(0\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: `inf(0` is not a label: expected a number or inf(…)"
        );
    }

    #[test]
    fn labels_in_csv_are_read_with_and_without_quotation_marks() {
        let csv = "node,color,value,outcome,covers\n\
                   7,white,\"oo{0,2}\",N,\n3,white,oo{},D,\n0,white,4,N,\n";
        let entries = read_csv(csv).unwrap();
        assert_eq!(entries.len(), 3);
        assert_eq!(entries[&7], Entry::Infinite(vec![0, 2]));
        assert_eq!(entries[&3], Entry::Infinite(vec![]));
        assert_eq!(entries[&0], Entry::Finite(4));
    }

    #[test]
    fn unexpected_csv_is_rejected() {
        let missing = AnswerError::Column { line: 1, column: "node" };
        assert_eq!(read_csv("").unwrap_err(), missing);
        let missing = AnswerError::Column { line: 2, column: "value" };
        assert_eq!(read_csv("node,value\n1\n").unwrap_err(), missing);
        let twice = AnswerError::Twice { line: 3, node: 1 };
        assert_eq!(read_csv("node,value\n1,0\n1,0\n").unwrap_err(), twice);
        assert!(matches!(read_csv("node,value\n1,moon\n"), Err(AnswerError::Label { .. })));
        assert!(matches!(read_csv("node,value\nx,0\n"), Err(AnswerError::Node { .. })));
        assert_eq!(
            read_csv("node,value\n1,\"oo{\n").unwrap_err(),
            AnswerError::Quotation { line: 2 }
        );
    }

    #[test]
    fn a_doubled_quotation_mark_stands_for_itself() {
        assert_eq!(fields(r#""a""b,",c"#).unwrap(), ["a\"b,", "c"]);
    }

    #[test]
    fn numbers_are_found_in_the_line_that_has_them() {
        let output = "note\n{\"other\":1}\n{\"label_s\":0.25,\"peak_rss_mb\":12}\n";
        let [label, memory] = read_numbers(output, ["label_s", "peak_rss_mb"]).unwrap();
        assert!((label - 0.25).abs() < 1e-12 && (memory - 12.0).abs() < 1e-12);
        let error = read_numbers(output, ["total_s"]).unwrap_err();
        assert!(error.to_string().starts_with("the numbers total_s are missing"));
    }

    #[test]
    fn the_nodes_of_an_edge_list_are_those_it_names() {
        assert_eq!(read_nodes("5 2\n2 0\n").unwrap(), [0, 2, 5]);
        assert!(read_nodes("5 x\n").is_err());
    }
}
