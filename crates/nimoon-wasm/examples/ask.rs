//! Answers questions as the module does, on this machine: one per line, each the name of a question, a space and its fields.
//!
//! Tests compare the replies with those of the module. A line of the output is the number of milliseconds, a space, and the
//! reply as a JSON string.

use std::io::{BufRead as _, Write as _};
use std::time::Instant;

use nimoon_wasm::Desk;

fn main() -> std::io::Result<()> {
    let (desk, mut out) = (Desk::default(), std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let question = line?.replacen(' ', "\n", 1);
        let start = Instant::now();
        let reply = desk.reply(question.as_bytes(), |_| {});
        let time = start.elapsed().as_secs_f64() * 1000.0;
        let reply = serde_json::to_string(&String::from_utf8_lossy(&reply))?;
        writeln!(out, "{time} {reply}")?;
    }
    Ok(())
}
