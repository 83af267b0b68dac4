//! Pictures of tables: points for one parameter, a colour map for two.
//!
//! Moons are crescents, and values without end (∞ and its kin) are rings; in a scatter they stand in bands of
//! their own above the numbers. What is not known is left blank. Value 0 is the darkest colour.

#![allow(clippy::cast_sign_loss, reason = "shares are not negative")]

use std::fmt::Write as _;

use nimoon::{AnyValue, Value};
use thiserror::Error;

use super::png::Canvas;
use super::sequence::{Family, ParameterValue, SequenceReport};
use super::svg::Xml;

/// What is drawn of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Nimber(u64),
    Moon,
    Endless,
    Blank,
}

/// A picture that cannot be drawn.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlotError {
    /// More parameters than a picture has sides.
    #[error("a picture shows one or two parameters, and this table has {count}")]
    Parameters {
        /// How many there are.
        count: usize,
    },
    /// More rows than anyone can see.
    #[error("a picture shows at most {most} rows along a side, and this table has {count}")]
    TooLarge {
        /// How many there are along a side.
        count: usize,
        /// How many there may be.
        most: usize,
    },
}

/// The most rows along a side.
const MOST: usize = 100_000;

/// The most columns and lines of a colour map.
const MOST_CELLS: usize = 2_000;

/// A table as a picture.
pub struct Plot {
    title: String,
    names: Vec<String>,
    /// The first and the last value of each parameter.
    ends: Vec<(String, String)>,
    /// How many values each parameter has.
    lengths: Vec<usize>,
    marks: Vec<Mark>,
    largest: u64,
}

fn mark(value: Option<&AnyValue>, is_moon: bool) -> Mark {
    match value {
        _ if is_moon => Mark::Moon,
        None => Mark::Blank,
        Some(value) => match (value.nimber(), value) {
            (Some(nimber), _) => Mark::Nimber(nimber),
            (_, AnyValue::CarryOn(Value::Cyclic(_) | Value::Ninny(_))) => Mark::Endless,
            _ => Mark::Blank,
        },
    }
}

impl Plot {
    /// The rows of a table that are known and shown. `lengths` says how many values each parameter has; it is
    /// empty where the number of the row is the one parameter.
    ///
    /// # Errors
    /// When there are more than two parameters, or too many rows.
    pub fn new(report: &SequenceReport<'_>, lengths: &[u64]) -> Result<Self, PlotError> {
        let rows = usize::try_from(report.last - report.first + 1).unwrap_or(usize::MAX);
        let lengths: Vec<usize> = match lengths {
            [] => vec![rows],
            lengths => lengths.iter().map(|&l| usize::try_from(l).unwrap_or(usize::MAX)).collect(),
        };
        if lengths.len() > 2 {
            return Err(PlotError::Parameters { count: lengths.len() });
        }
        let most = if lengths.len() == 1 { MOST } else { MOST_CELLS };
        if let Some(&count) = lengths.iter().find(|&&length| length > most) {
            return Err(PlotError::TooLarge { count, most });
        }
        let mut marks = vec![Mark::Blank; rows];
        let mut largest = 0;
        for (n, row) in report.rows_shown() {
            let mark = mark(row.value.as_ref(), row.is_moon());
            if let Mark::Nimber(nimber) = mark {
                largest = largest.max(nimber);
            }
            marks[(n - report.first) as usize] = mark;
        }
        let family: &dyn Family = report.family;
        let text = |value: Option<&ParameterValue>| {
            value.map_or_else(String::new, std::string::ToString::to_string)
        };
        let (first, last) = (family.values(report.first), family.values(report.last));
        let ends = (0..lengths.len()).map(|i| (text(first.get(i)), text(last.get(i)))).collect();
        Ok(Self {
            title: report.title(),
            names: family.names().into_iter().map(str::to_owned).collect(),
            ends,
            lengths,
            marks,
            largest,
        })
    }

    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        self.draw(&mut svg);
        let (width, height) = self.size();
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n",
            Xml(&self.title)
        );
        let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"20\">{}</text>", Xml(&self.title));
        text.push_str(&svg.text);
        text.push_str("</svg>\n");
        text
    }

    /// The picture as PNG, without words.
    pub fn png(&self) -> Vec<u8> {
        let (width, height) = self.size();
        let mut canvas = Canvas::new(width, height);
        self.draw(&mut canvas);
        canvas.into_png()
    }

    /// How large a cell of the colour map is.
    fn cell(&self) -> usize {
        let most = self.lengths.iter().copied().max().unwrap_or(1).max(1);
        (640 / most).clamp(2, 24)
    }

    fn size(&self) -> (usize, usize) {
        match self.lengths[..] {
            [lines, columns] => {
                let cell = self.cell();
                (LEFT + RIGHT + (columns * cell).max(400), TOP + BOTTOM + lines * cell)
            }
            _ => (LEFT + RIGHT + WIDTH, TOP + BOTTOM + HEIGHT),
        }
    }

    fn draw(&self, surface: &mut dyn Surface) {
        match self.lengths[..] {
            [lines, columns] => self.draw_map(lines, columns, surface),
            _ => self.draw_points(surface),
        }
    }

    /// The first parameter goes down, the second to the right.
    fn draw_map(&self, lines: usize, columns: usize, surface: &mut dyn Surface) {
        let cell = self.cell();
        for (place, mark) in self.marks.iter().enumerate() {
            let (x, y) = (LEFT + place % columns * cell, TOP + place / columns * cell);
            match mark {
                Mark::Nimber(nimber) => {
                    surface.rectangle(x, y, cell, cell, colour(*nimber, self.largest));
                }
                Mark::Blank => {}
                Mark::Moon => {
                    surface.rectangle(x, y, cell, cell, NIGHT);
                    surface.crescent(x + cell / 2, y + cell / 2, cell * 2 / 5, MOONLIGHT);
                }
                Mark::Endless => {
                    surface.ring(x + cell / 2, y + cell / 2, cell * 2 / 5, RED);
                }
            }
        }
        let (width, height) = (columns * cell, lines * cell);
        surface.rectangle(LEFT, TOP + height, width, 1, BLACK);
        surface.rectangle(LEFT - 1, TOP, 1, height, BLACK);
        let ends = &self.ends;
        surface.word(LEFT, TOP + height + 16, &ends[1].0, false);
        surface.word(LEFT + width, TOP + height + 16, &ends[1].1, true);
        surface.word(LEFT + width / 2, TOP + height + 30, &self.names[1], false);
        surface.word(LEFT - 6, TOP + 12, &ends[0].0, true);
        surface.word(LEFT - 6, TOP + height, &ends[0].1, true);
        surface.word(LEFT - 6, TOP + height / 2, &self.names[0], true);
    }

    fn draw_points(&self, surface: &mut dyn Surface) {
        let count = self.marks.len().max(2) - 1;
        let any = |wanted: Mark| self.marks.contains(&wanted);
        let moons = if any(Mark::Moon) { BAND } else { 0 };
        let endless = if any(Mark::Endless) { BAND } else { 0 };
        let top = TOP + moons + endless;
        let bottom = TOP + HEIGHT;
        let radius = if self.marks.len() > 400 { 1 } else { 3 };
        for (place, mark) in self.marks.iter().enumerate() {
            let x = LEFT + place * WIDTH / count;
            match mark {
                Mark::Nimber(nimber) => {
                    let share = *nimber as f64 / self.largest.max(1) as f64;
                    let y = bottom - (share * (bottom - top) as f64).round() as usize;
                    surface.disc(x, y, radius, colour(0, 1));
                }
                Mark::Moon => surface.crescent(x, TOP + BAND / 2, radius + 2, DUSK),
                Mark::Endless => surface.ring(x, TOP + moons + BAND / 2, radius + 1, RED),
                Mark::Blank => {}
            }
        }
        surface.rectangle(LEFT - 6, bottom + 4, WIDTH + 12, 1, BLACK);
        surface.rectangle(LEFT - 6, TOP, 1, HEIGHT + 4, BLACK);
        surface.word(LEFT, bottom + 20, &self.ends[0].0, false);
        surface.word(LEFT + WIDTH, bottom + 20, &self.ends[0].1, true);
        surface.word(LEFT + WIDTH / 2, bottom + 32, &self.names[0], false);
        surface.word(LEFT - 10, bottom + 4, "0", true);
        surface.word(LEFT - 10, top + 4, &self.largest.to_string(), true);
        if moons > 0 {
            surface.word(LEFT - 10, TOP + BAND / 2 + 4, "moon", true);
        }
        if endless > 0 {
            surface.word(LEFT - 10, TOP + moons + BAND / 2 + 4, "∞", true);
        }
    }
}

/// Where a picture is drawn.
pub(super) trait Surface {
    fn rectangle(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour);
    fn disc(&mut self, x: usize, y: usize, radius: usize, colour: Colour);
    fn ring(&mut self, x: usize, y: usize, radius: usize, colour: Colour);
    fn crescent(&mut self, x: usize, y: usize, radius: usize, colour: Colour);
    /// A word that begins or ends here.
    fn word(&mut self, x: usize, y: usize, text: &str, ends: bool);
}

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

const BLACK: Colour = [0, 0, 0];
const NIGHT: Colour = [226, 226, 234];
const MOONLIGHT: Colour = [214, 142, 0];
const DUSK: Colour = [190, 120, 0];
const RED: Colour = [200, 30, 60];

/// What surrounds the picture, and its size where it shows points.
const LEFT: usize = 60;
const RIGHT: usize = 30;
const TOP: usize = 36;
const BOTTOM: usize = 44;
const WIDTH: usize = 720;
const HEIGHT: usize = 400;
/// The height of the band of moons.
const BAND: usize = 24;

/// From dark blue by green to yellow.
fn colour(nimber: u64, largest: u64) -> Colour {
    const STOPS: [[f64; 3]; 4] =
        [[20.0, 20.0, 90.0], [30.0, 110.0, 150.0], [70.0, 180.0, 110.0], [250.0, 235.0, 90.0]];
    let share = nimber as f64 / largest.max(1) as f64 * (STOPS.len() - 1) as f64;
    let stop = (share as usize).min(STOPS.len() - 2);
    let (from, to, part) = (STOPS[stop], STOPS[stop + 1], share - stop as f64);
    [0, 1, 2].map(|i| (from[i] + (to[i] - from[i]) * part).round() as u8)
}

#[derive(Default)]
struct Svg {
    text: String,
}

fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

impl Surface for Svg {
    fn rectangle(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        let fill = hex(colour);
        let _ = writeln!(
            self.text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
        );
    }

    fn disc(&mut self, x: usize, y: usize, radius: usize, colour: Colour) {
        let fill = hex(colour);
        let _ =
            writeln!(self.text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>");
    }

    fn ring(&mut self, x: usize, y: usize, radius: usize, colour: Colour) {
        let stroke = hex(colour);
        let _ = writeln!(
            self.text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke=\"{stroke}\"/>"
        );
    }

    fn crescent(&mut self, x: usize, y: usize, radius: usize, colour: Colour) {
        let (fill, top, bottom) = (hex(colour), y as f64 - radius as f64, y + radius);
        let inner = radius as f64 * 1.25;
        let _ = writeln!(
            self.text,
            "<path d=\"M{x} {top}A{radius} {radius} 0 1 0 {x} {bottom}A{inner} {inner} 0 0 1 {x} {top}\" fill=\"{fill}\"/>"
        );
    }

    fn word(&mut self, x: usize, y: usize, text: &str, ends: bool) {
        let anchor = if ends { " text-anchor=\"end\"" } else { "" };
        let _ = writeln!(self.text, "<text x=\"{x}\" y=\"{y}\"{anchor}>{}</text>", Xml(text));
    }
}
