//! JSON set for reading: whatever fits into a line stands in one, and keys keep their order.

const WIDTH: usize = 116;

/// The characters of JSON, each with whether it belongs to a string.
fn characters(json: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let (mut in_string, mut is_escaped) = (false, false);
    json.char_indices().map(move |(at, character)| {
        let was_in_string = in_string;
        if in_string && !is_escaped && character == '\\' {
            is_escaped = true;
        } else {
            in_string ^= character == '"' && !is_escaped;
            is_escaped = false;
        }
        (at, character, was_in_string || in_string)
    })
}

fn one_line(json: &str) -> String {
    let mut line = String::new();
    for (_, character, in_string) in characters(json) {
        if in_string || !character.is_whitespace() {
            line.push(character);
        }
        if !in_string && matches!(character, ',' | ':') {
            line.push(' ');
        }
    }
    line
}

/// The pieces between signs that are neither in a string nor in inner brackets.
fn pieces(json: &str, sign: char) -> Vec<&str> {
    let (mut pieces, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character, in_string) in characters(json) {
        match character {
            _ if in_string => {}
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ if character == sign && depth == 0 => {
                pieces.push(json[start..at].trim());
                start = at + character.len_utf8();
            }
            _ => {}
        }
    }
    pieces.push(json[start..].trim());
    pieces
}

/// The JSON behind that many characters of its first line.
pub fn layout(json: &str, indent: usize) -> String {
    let json = json.trim();
    let line = one_line(json);
    let inner = json.strip_prefix(['[', '{']).and_then(|rest| rest.strip_suffix([']', '}']));
    let Some(inner) = inner.filter(|_| indent + line.chars().count() > WIDTH) else { return line };
    let child = |piece: &str| match pieces(piece, ':')[..] {
        [name, value] if json.starts_with('{') => format!("{name}: {}", layout(value, indent + 1)),
        _ => layout(piece, indent + 1),
    };
    let break_line = format!(",\n{}", " ".repeat(indent + 1));
    let lines: Vec<String> = pieces(inner, ',').into_iter().map(child).collect();
    format!("{}{}{}", &json[..1], lines.join(&break_line), &json[json.len() - 1..])
}

#[test]
fn long_json_is_broken_at_its_outermost_commas() {
    assert_eq!(
        layout("{\"a\":[1,{\"b, \\\"c\":2}],\n \"d\":null}", 0),
        "{\"a\": [1, {\"b, \\\"c\": 2}], \"d\": null}"
    );
    let text = "x".repeat(WIDTH);
    assert_eq!(
        layout(&format!("{{\"a\":[1,\"{text}\"],\"b\":{{}}}}"), 0),
        format!("{{\"a\": [1,\n  \"{text}\"],\n \"b\": {{}}}}")
    );
}
