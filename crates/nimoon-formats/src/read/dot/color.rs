//! Colours in DOT, as far as gray goes.

/// What an attribute of a node says about gray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Color {
    /// The attribute is not there.
    #[default]
    Unset,
    /// Exactly `gray`.
    Gray,
    /// Another shade of gray.
    Shade,
    Other,
}

/// The attributes of a node that can make it gray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Paint {
    marked: bool,
    filled: bool,
    color: Color,
    fill: Color,
}

impl Paint {
    /// Sets an attribute; `false` when its value means nothing.
    #[must_use]
    pub(super) fn set(&mut self, key: &str, value: Option<&str>) -> bool {
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        if is("gray") || is("grey") {
            let one_of = |words: [&str; 3]| {
                value.is_some_and(|value| words.iter().any(|w| w.eq_ignore_ascii_case(value)))
            };
            self.marked = value.is_none() || one_of(["true", "yes", "1"]);
            return self.marked || one_of(["false", "no", "0"]);
        }
        let value = value.unwrap_or_default();
        if is("color") || is("colour") {
            self.color = color(value);
        } else if is("fillcolor") || is("fillcolour") {
            self.fill = color(value);
        } else if is("style") {
            let filled = |style: &str| style.trim().eq_ignore_ascii_case("filled");
            self.filled = value.split(',').any(filled);
        }
        true
    }

    pub(super) fn is_gray(self) -> bool {
        let fill = match (self.fill, self.filled) {
            // What Graphviz fills with: the colour, or else light gray.
            (Color::Unset, true) if self.color == Color::Unset => Color::Shade,
            (Color::Unset, true) => self.color,
            (fill, _) => fill,
        };
        self.marked || self.color == Color::Gray || matches!(fill, Color::Gray | Color::Shade)
    }
}

fn color(value: &str) -> Color {
    let value = value.trim().to_ascii_lowercase();
    if value.is_empty() {
        return Color::Unset;
    }
    // A colour may name its scheme, as in /svg/gray.
    let name =
        value.strip_prefix('/').map_or(&*value, |rest| rest.split_once('/').map_or(rest, |s| s.1));
    let name = name.replace("grey", "gray");
    if name == "gray" {
        return Color::Gray;
    }
    let is_shade = match name.strip_prefix('#') {
        Some(digits) => is_gray_code(digits),
        None => is_gray_name(&name) || is_gray_triple(&name),
    };
    if is_shade { Color::Shade } else { Color::Other }
}

fn is_gray_name(name: &str) -> bool {
    let named = ["lightgray", "darkgray", "dimgray", "silver", "gainsboro", "whitesmoke"];
    let percent = name.strip_prefix("gray").filter(|p| p.bytes().all(|b| b.is_ascii_digit()));
    // gray0 is black and gray100 white.
    let percent = percent.and_then(|percent| percent.parse::<u8>().ok());
    named.contains(&name) || percent.is_some_and(|percent| (1..=99).contains(&percent))
}

/// `rgb`, `rrggbb` or `rrggbbaa` in hexadecimal digits.
fn is_gray_code(digits: &str) -> bool {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return false;
    }
    let (width, color, alpha) = match digits.len() {
        3 => (1, digits, ""),
        6 => (2, digits, ""),
        8 => (2, &digits[..6], &digits[6..]),
        _ => return false,
    };
    let red = &color[..width];
    let is_black_or_white = red.bytes().all(|b| b == b'0') || red.bytes().all(|b| b == b'f');
    color == red.repeat(3) && !is_black_or_white && alpha != "00"
}

/// Hue, saturation and value between 0 and 1, separated by commas or blanks.
fn is_gray_triple(text: &str) -> bool {
    let parts: Option<Vec<f64>> = text
        .split([',', ' ', '\t'])
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().ok())
        .collect();
    match parts.as_deref() {
        Some(&[_, saturation, value]) => saturation <= 0.0 && value > 0.0 && value < 1.0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_of_gray_are_not_colours() {
        for gray in ["gray", "Grey", "/svg/gray", "//GREY"] {
            assert_eq!(color(gray), Color::Gray, "{gray}");
        }
        for shade in [
            "lightgray",
            "LightGrey",
            "darkgrey",
            "DimGray",
            "gray70",
            "grey1",
            "gray99",
            "#808080",
            "#AbAbAb",
            "#777",
            "#c0c0c0ff",
            "silver",
            "0 0 0.5",
            "0.3,0.0,0.9",
        ] {
            assert_eq!(color(shade), Color::Shade, "{shade}");
        }
        for other in [
            "white",
            "black",
            "#000000",
            "#ffffff",
            "#FFF",
            "#000",
            "#808081",
            "#80808000",
            "gray0",
            "gray100",
            "gray101",
            "gray999",
            "slategray",
            "grayish",
            "0 1 0.5",
            "0 0 1",
            "0 0 0",
            "gray:white",
            "#8080",
            "#",
            "#ééé",
            "0 0",
            "nan nan nan",
        ] {
            assert_eq!(color(other), Color::Other, "{other}");
        }
    }
}
