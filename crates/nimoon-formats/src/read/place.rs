//! Places in a text, for errors.

/// The mark of byte order that some editors put at the start of a text.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The line and the column of the byte at `offset`, both counted from 1; columns in characters.
///
/// ```
/// assert_eq!(nimoon_formats::read::line_and_column("a\nbé:".as_bytes(), 5), (2, 3));
/// ```
pub fn line_and_column(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = &bytes[..offset.min(bytes.len())];
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let in_line = before[start..].strip_prefix(BOM).filter(|_| start == 0);
    let column = count_chars(in_line.unwrap_or(&before[start..])) + 1;
    (line, column)
}

/// The line of the byte at `offset` and, under it, a line with a caret. Of a long line only the
/// neighbourhood is shown. Characters that could upset a terminal are replaced. `None` when the
/// line is blank.
pub fn snippet(bytes: &[u8], offset: usize) -> Option<String> {
    /// How much is shown to the left of the place, and altogether.
    const LEFT: usize = 48;
    const WIDTH: usize = 78;
    let before = bytes.get(..offset)?;
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &bytes[offset..]).map_or(bytes.len(), |length| offset + length);
    // Lines can have the length of the file: cut bytes first, characters later.
    let left_start = floor_char(bytes, start.max(offset.saturating_sub(4 * LEFT)));
    let right_end = floor_char(bytes, end.min(offset + 4 * WIDTH));
    let decode = |part: &[u8]| -> Vec<char> {
        let part = part.strip_prefix(BOM).unwrap_or(part);
        String::from_utf8_lossy(part).chars().map(harmless).collect()
    };
    let left = decode(&bytes[left_start..offset]);
    let mut right = decode(&bytes[offset..right_end.max(offset)]);
    while right.last().is_some_and(|c| c.is_whitespace()) {
        right.pop();
    }
    if left.iter().chain(&right).all(|c| c.is_whitespace()) {
        return None;
    }
    let mut line = String::new();
    let shown_left = if left_start > start || left.len() > LEFT {
        line.push('…');
        &left[left.len().saturating_sub(LEFT)..]
    } else {
        &left[..]
    };
    line.extend(shown_left);
    let caret = line.chars().count();
    let room = WIDTH - caret;
    line.extend(right.iter().take(room));
    if right.len() > room || right_end < end && right.len() == room {
        line.push('…');
    }
    line.push('\n');
    line.extend(std::iter::repeat_n(' ', caret));
    line.push('^');
    Some(line)
}

fn count_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// The start of the character at `place`, which may be in the middle of one.
fn floor_char(bytes: &[u8], place: usize) -> usize {
    let inside = |&place: &usize| bytes.get(place).is_some_and(|byte| byte & 0xC0 == 0x80);
    (place.saturating_sub(3)..=place).rev().find(|place| !inside(place)).unwrap_or(place)
}

/// Replaces what could upset a terminal or hide what is there: control characters, and marks that
/// change the direction of text or take no room.
pub(super) fn harmless(c: char) -> char {
    match c {
        '\t' | '\r' => ' ',
        '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' => '\u{FFFD}',
        _ if c.is_control() => '\u{FFFD}',
        _ => c,
    }
}
