//! A canvas of pixels, and the PNG file that it is written to.
//!
//! Pixels are not compressed beyond runs of equal lines: the pictures are small.

#![allow(clippy::cast_possible_wrap, reason = "pictures are some hundred pixels wide")]

use super::plot::{Colour, Surface};

/// A canvas, white at first.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Colour>,
}

const WHITE: Colour = [255, 255, 255];

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![WHITE; width * height] }
    }

    fn set(&mut self, x: isize, y: isize, colour: Colour) {
        if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y))
            && x < self.width
            && y < self.height
        {
            self.pixels[y * self.width + x] = colour;
        }
    }

    /// Colours the pixels around a centre for which this holds, by their distance from it.
    fn around(
        &mut self,
        x: usize,
        y: usize,
        radius: usize,
        colour: Colour,
        is_in: impl Fn(isize, isize) -> bool,
    ) {
        let r = radius as isize;
        for dy in -r..=r {
            for dx in -r..=r {
                if is_in(dx, dy) {
                    self.set(x as isize + dx, y as isize + dy, colour);
                }
            }
        }
    }

    /// The file.
    pub(super) fn into_png(self) -> Vec<u8> {
        let mut lines = Vec::with_capacity((self.width * 3 + 1) * self.height);
        for line in self.pixels.chunks(self.width.max(1)) {
            // Each line begins with the number of its filter, here none.
            lines.push(0);
            lines.extend(line.iter().flatten());
        }
        let mut header = Vec::new();
        header.extend((self.width as u32).to_be_bytes());
        header.extend((self.height as u32).to_be_bytes());
        // Eight bits each of red, green and blue.
        header.extend([8, 2, 0, 0, 0]);
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        chunk(&mut file, *b"IHDR", &header);
        chunk(&mut file, *b"IDAT", &zlib(&lines));
        chunk(&mut file, *b"IEND", &[]);
        file
    }
}

impl Surface for Canvas {
    fn rectangle(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        for line in y..y + height {
            for column in x..x + width {
                self.set(column as isize, line as isize, colour);
            }
        }
    }

    fn disc(&mut self, x: usize, y: usize, radius: usize, colour: Colour) {
        let r = radius as isize;
        self.around(x, y, radius, colour, |dx, dy| dx * dx + dy * dy <= r * r);
    }

    fn ring(&mut self, x: usize, y: usize, radius: usize, colour: Colour) {
        let r = radius as isize;
        let inner = (r - 1).max(0);
        self.around(x, y, radius, colour, |dx, dy| {
            let distance = dx * dx + dy * dy;
            distance <= r * r && distance >= inner * inner
        });
    }

    fn crescent(&mut self, x: usize, y: usize, radius: usize, colour: Colour) {
        let r = radius as isize;
        self.around(x, y, radius, colour, |dx, dy| {
            let shifted = dx - r * 2 / 3;
            dx * dx + dy * dy <= r * r && shifted * shifted + dy * dy > r * r
        });
    }

    /// Pixels have no words.
    fn word(&mut self, _x: usize, _y: usize, _text: &str, _ends: bool) {}
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(data);
    let sum = crc(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// The checksum of PNG: a cyclic redundancy check of 32 bits.
fn crc(bytes: &[u8]) -> u32 {
    let rest = bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { 0xEDB8_8320 ^ (sum >> 1) } else { sum >> 1 }
        })
    });
    !rest
}

/// The bytes as a zlib stream. Runs of equal bytes at the distance of a line's beginning are what these
/// pictures are made of, so one distance is enough: that of a pixel.
fn zlib(bytes: &[u8]) -> Vec<u8> {
    /// Three bytes back: the pixel before.
    const BACK: usize = 3;
    /// The longest copy, of code 285.
    const LONGEST: usize = 258;
    let mut out = Bits { bytes: vec![0x78, 0x01], bit: 0 };
    // One last block with fixed codes.
    out.push(0b011, 3);
    let mut at = 0;
    while at < bytes.len() {
        let run = if at < BACK {
            0
        } else {
            (at..bytes.len().min(at + LONGEST)).take_while(|&i| bytes[i] == bytes[i - BACK]).count()
        };
        if run == LONGEST {
            // Length 258 without more bits, and distance 3.
            out.code(285);
            out.reversed(2, 5);
            at += LONGEST;
        } else if run >= 3 {
            // Length 3 is the code 257, without more bits.
            let step = run.min(10);
            out.code(254 + step as u16);
            out.reversed(2, 5);
            at += step;
        } else {
            out.code(u16::from(bytes[at]));
            at += 1;
        }
    }
    out.code(256);
    let mut out = out.bytes;
    out.extend(adler(bytes).to_be_bytes());
    out
}

/// The checksum of zlib.
fn adler(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    let (a, b) = bytes.iter().fold((1, 0), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % MODULUS;
        (a, (b + a) % MODULUS)
    });
    b << 16 | a
}

/// Bits, the first in the lowest place of a byte.
struct Bits {
    bytes: Vec<u8>,
    /// How many bits of the last byte are in use; 0 for all of them.
    bit: u32,
}

impl Bits {
    fn push(&mut self, bits: u32, count: u32) {
        for i in 0..count {
            if self.bit == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((bits >> i & 1) as u8) << self.bit;
            }
            self.bit = (self.bit + 1) % 8;
        }
    }

    /// Codes stand with their highest bit first.
    fn reversed(&mut self, code: u32, count: u32) {
        for i in (0..count).rev() {
            self.push(code >> i & 1, 1);
        }
    }

    /// A byte, the end, or a length, in the fixed code.
    fn code(&mut self, symbol: u16) {
        let symbol = u32::from(symbol);
        match symbol {
            0..=143 => self.reversed(0x30 + symbol, 8),
            144..=255 => self.reversed(0x190 + symbol - 144, 9),
            256..=279 => self.reversed(symbol - 256, 7),
            _ => self.reversed(0xC0 + symbol - 280, 8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_their_definitions() {
        // The check value of the CRC of PNG, and of Adler-32, for these texts.
        assert_eq!(crc(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc(b"IEND"), 0xAE42_6082);
        assert_eq!(adler(b"Wikipedia"), 0x11E6_0398);
    }

    /// Reads a block of fixed codes again, by the rules of RFC 1951.
    fn inflated(stream: &[u8]) -> Vec<u8> {
        let bits: Vec<u32> =
            stream[2..].iter().flat_map(|b| (0..8).map(move |i| u32::from(b >> i & 1))).collect();
        let mut at = 3;
        let mut take = |count: usize| {
            let number = bits[at..at + count].iter().fold(0, |n, bit| n << 1 | bit);
            at += count;
            number
        };
        let mut out: Vec<u8> = Vec::new();
        loop {
            let seven = take(7);
            let symbol = if seven <= 0b001_0111 {
                256 + seven
            } else {
                let eight = seven << 1 | take(1);
                match eight {
                    0x30..=0xBF => eight - 0x30,
                    0xC0..=0xC7 => eight - 0xC0 + 280,
                    _ => (eight << 1 | take(1)) - 0x190 + 144,
                }
            };
            match symbol {
                0..=255 => out.push(symbol as u8),
                256 => return out,
                length => {
                    let length = if length == 285 { 258 } else { length - 254 };
                    assert_eq!(take(5), 2, "distance 3");
                    for _ in 0..length {
                        out.push(out[out.len() - 3]);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let mixed: Vec<u8> = (0..3000_u32).map(|i| (i * i / 7 % 251) as u8).collect();
        let mut long = vec![9; 5000];
        long.extend([1, 2, 3, 1, 2, 3, 1, 2, 3, 200, 201, 255]);
        for bytes in [vec![], vec![7], b"abcabcabcabcd".to_vec(), mixed, long] {
            assert_eq!(inflated(&zlib(&bytes)), bytes);
        }
    }
}
