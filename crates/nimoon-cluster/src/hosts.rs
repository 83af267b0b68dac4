//! The hosts file: a line `host:port` for each process, in the order of their numbers, as timely
//! has it.
//!
//! Empty lines and lines that begin with `#` are ignored.

use std::path::Path;

use crate::ClusterError;

/// Reads a hosts file.
///
/// # Errors
/// When it cannot be read, has no address, or a line is not an address.
///
/// ```
/// let file = tempfile::NamedTempFile::new().unwrap();
/// std::fs::write(file.path(), "# two processes here\n127.0.0.1:2101\n127.0.0.1:2102\n").unwrap();
/// let hosts = nimoon_cluster::read_hosts(file.path()).unwrap();
/// assert_eq!(hosts, ["127.0.0.1:2101", "127.0.0.1:2102"]);
/// ```
pub fn read_hosts(file: &Path) -> Result<Vec<String>, ClusterError> {
    let text = std::fs::read_to_string(file).map_err(ClusterError::file(file))?;
    let wrong = |message: String| ClusterError::Hosts { file: file.to_owned(), message };
    let mut hosts: Vec<String> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = number + 1;
        let address = line.rsplit_once(':').filter(|(host, port)| {
            !host.is_empty()
                && !host.contains(char::is_whitespace)
                && port.parse::<u16>().is_ok_and(|port| port > 0)
        });
        if address.is_none() {
            let shown: String = line.chars().take(60).collect();
            return Err(wrong(format!(
                "line {number}: found `{shown}`, expected the host and the port of a process, as in `10.0.0.1:2101`"
            )));
        }
        if hosts.iter().any(|host| host == line) {
            return Err(wrong(format!(
                "line {number}: found `{line}` a second time: every process needs an address of its own"
            )));
        }
        hosts.push(line.to_owned());
    }
    if hosts.is_empty() {
        return Err(wrong(
            "found no address, expected a line for each process, as in `10.0.0.1:2101`".to_owned(),
        ));
    }
    Ok(hosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_their_line() {
        let cases = [
            ("", "found no address"),
            ("# nothing\n\n", "found no address"),
            ("a:1\nb\n", "line 2: found `b`, expected the host and the port"),
            ("a:1\n\nb:0\n", "line 3: found `b:0`"),
            ("a:1\nb:99999\n", "line 2: found `b:99999`"),
            ("a b:1\n", "line 1: found `a b:1`"),
            (":1\n", "line 1: found `:1`"),
            ("a:1\na:1\n", "line 2: found `a:1` a second time"),
        ];
        let file = tempfile::NamedTempFile::new().unwrap();
        for (text, expected) in cases {
            std::fs::write(file.path(), text).unwrap();
            let error = read_hosts(file.path()).unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }
}
