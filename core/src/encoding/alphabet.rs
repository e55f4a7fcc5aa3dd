//! The alphabets of the encodings, with their tables, which are computed at compile time.
//!
//! An [`Alphabet`] writes numbers as digits, and returns the value of a digit.

use super::digits::{BASE32HEX_DIGITS, BASE58_DIGITS, BASE62_DIGITS, CROCKFORD_DIGITS, DECIMAL_DIGITS, HEX_DIGITS};
use super::whole::{Whole, pairs};
use crate::bits::low_64;

/// The number of bits of the widest ID.
pub(super) const MAX_BITS: u32 = 128;

/// The meaning of each ASCII character.
type Table = [Char; 128];

/// The meaning of a character in an alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Char {
    /// The character is outside the alphabet.
    None,
    /// A digit of the alphabet.
    Digit(u8),
    /// A digit of the alphabet, in the other case.
    OtherCase(u8),
    /// A character that people mistake for this digit.
    LooksLike(u8),
}

/// The digits of a base, at most 64, and the tables for reading and writing them.
pub(super) struct Alphabet {
    /// The digits, in the order of their values. Elements past the base are not used. There are 64
    /// elements, so that six bits are always a valid index.
    digits: [u8; 64],
    pub(super) base: u64,
    table: Table,
    /// The value of each byte that is a digit, and [`NO_DIGIT`] for all other bytes.
    values: [u8; 256],
    /// The number of digits that holds any number of `index` bits.
    widths: [u8; MAX_BITS as usize + 1],
    /// The number of digits that always fits a 64-bit word. Wider numbers are read and written in
    /// pieces of this width, so that almost all arithmetic is 64-bit.
    pub(super) piece_width: usize,
    piece: u64,
    /// The two digits of each number below the square of the base; empty if the encoder does not
    /// use pairs.
    pairs: &'static [[u8; 2]],
    /// The fast path for texts of the full 64-bit width, if the alphabet has one.
    pub(super) whole: Option<Whole>,
}

/// The value of a byte that is not a digit. No value of a digit has this bit.
pub(super) const NO_DIGIT: u8 = 0x80;

static PAIRS_10: [[u8; 2]; 100] = pairs(DECIMAL_DIGITS);
static PAIRS_16: [[u8; 2]; 256] = pairs(HEX_DIGITS);

pub(super) static DECIMAL: Alphabet = Alphabet::new(DECIMAL_DIGITS, false).by_pairs(&PAIRS_10);
pub(super) static HEX: Alphabet = Alphabet::new(HEX_DIGITS, true);
pub(super) static BINARY: Alphabet = Alphabet::new(b"01", false);
/// Crockford's base32 with its aliases: i and l for 1, o for 0.
pub(super) static CROCKFORD: Alphabet =
    Alphabet::new(CROCKFORD_DIGITS, true).also(b"IiLl", 1).also(b"Oo", 0).by_whole(Whole::Crockford);
pub(super) static BASE32HEX: Alphabet = Alphabet::new(BASE32HEX_DIGITS, true).by_whole(Whole::Base32Hex);
pub(super) static BASE36: Alphabet = Alphabet::new(b"0123456789abcdefghijklmnopqrstuvwxyz", true);
pub(super) static BASE58: Alphabet = Alphabet::new(BASE58_DIGITS, false).by_whole(Whole::Base58);
pub(super) static BASE62: Alphabet = Alphabet::new(BASE62_DIGITS, false).by_whole(Whole::Base62);
pub(super) static BASE64URL: Alphabet =
    Alphabet::new(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", false);

impl Alphabet {
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 64 digits")]
    const fn new(digits: &[u8], any_case: bool) -> Self {
        let base = digits.len() as u64;
        let (mut padded, mut table, mut values) = ([0; 64], [Char::None; 128], [NO_DIGIT; 256]);
        let mut digit = 0;
        while digit < digits.len() {
            let character = digits[digit];
            padded[digit] = character;
            values[character as usize] = digit as u8;
            table[character as usize] = Char::Digit(digit as u8);
            if any_case && character.is_ascii_alphabetic() {
                table[(character ^ 0x20) as usize] = Char::OtherCase(digit as u8);
            }
            digit += 1;
        }
        let (mut piece_width, mut piece) = (1, base);
        while let Some(larger) = piece.checked_mul(base) {
            piece = larger;
            piece_width += 1;
        }
        let widths = widths(base as u128);
        Alphabet { digits: padded, base, table, values, widths, piece_width, piece, pairs: &[], whole: None }
    }

    const fn by_pairs(mut self, pairs: &'static [[u8; 2]]) -> Self {
        self.pairs = pairs;
        self
    }

    const fn by_whole(mut self, whole: Whole) -> Self {
        self.whole = Some(whole);
        self.by_pairs(whole.pairs())
    }

    /// Adds characters that people mistake for a digit.
    const fn also(mut self, characters: &[u8], digit: u8) -> Self {
        let mut index = 0;
        while index < characters.len() {
            self.table[characters[index] as usize] = Char::LooksLike(digit);
            index += 1;
        }
        self
    }

    /// Returns the digit for 0.
    pub(super) const fn zero(&self) -> u8 {
        self.digits[0]
    }

    /// Returns the number of digits that holds any number of `bits` bits, at most 128.
    pub(super) const fn width_of(&self, bits: u32) -> usize {
        self.widths[bits as usize] as usize
    }

    /// Returns the meaning of a byte of text.
    #[inline]
    pub(super) fn meaning(&self, byte: u8) -> Char {
        self.table.get(usize::from(byte)).copied().unwrap_or(Char::None)
    }

    /// Returns the value of a byte that is a digit, or else [`NO_DIGIT`].
    #[inline]
    pub(super) fn value(&self, byte: u8) -> u8 {
        self.values[usize::from(byte)]
    }

    /// Returns the digit for the lowest six bits of a value.
    pub(super) fn digit(&self, value: u64) -> u8 {
        self.digits[(value & 63) as usize]
    }

    /// Writes a number that ends before index `end`, with leading zeros up to `least` digits.
    ///
    /// Returns the index of the first digit.
    #[inline]
    pub(super) fn write(&self, number: u64, out: &mut [u8], end: usize, least: usize) -> usize {
        if let Some(whole) = self.whole {
            let width = whole.width();
            if least == width || number >= whole.least() && least < width {
                let text = end.checked_sub(width).and_then(|start| out.get_mut(start..end));
                if text.and_then(|text| whole.write(number, text)).is_some() {
                    return end - width;
                }
            }
        }
        let start = match self.base {
            2 => return shift::<1, 64>(&self.digits, number, out, end, least),
            16 => return shift::<4, 16>(&self.digits, number, out, end, least),
            32 => return shift::<5, 12>(&self.digits, number, out, end, least),
            64 => return shift::<6, 11>(&self.digits, number, out, end, least),
            10 => divide_pairs::<100>(self.pairs, number, out, end),
            58 => divide_pairs::<3364>(self.pairs, number, out, end),
            62 => divide_pairs::<3844>(self.pairs, number, out, end),
            _ => divide::<36>(&self.digits, number, out, end),
        };
        self.pad(out, start, end.saturating_sub(least))
    }

    /// Writes a number of up to 128 bits as [`write`](Self::write) does.
    #[inline]
    pub(super) fn write_wide(&self, mut number: u128, out: &mut [u8], end: usize, least: usize) -> usize {
        let text = end.checked_sub(least).and_then(|start| out.get_mut(start..end));
        if text.and_then(|text| self.write_full(number, text)).is_some() {
            return end - least;
        }
        let mut start = end;
        while number > u128::from(u64::MAX) {
            let low = if self.base.is_power_of_two() {
                let low = low_64(number) & (self.piece - 1);
                number >>= self.piece.trailing_zeros();
                low
            } else {
                let high = number / u128::from(self.piece);
                let low = low_64(number - high * u128::from(self.piece));
                number = high;
                low
            };
            start = self.write(low, out, start, self.piece_width);
        }
        self.write(low_64(number), out, start, least.saturating_sub(end - start))
    }

    /// Writes a number that fills the text: 26 digits of base 32, or the hexadecimal digits of
    /// whole bytes. Returns `None` if there is no fast path, or if the number needs more digits.
    #[inline]
    fn write_full(&self, number: u128, text: &mut [u8]) -> Option<()> {
        match self.whole {
            Some(whole) => whole.write_wide(number, text.try_into().ok()?),
            None if self.base == 16 && text.len() % 2 == 0 => {
                let bytes = number.to_be_bytes();
                let (front, back) = bytes.split_at_checked(bytes.len().checked_sub(text.len() / 2)?)?;
                front.iter().all(|byte| *byte == 0).then(|| write_hex(back, text))
            }
            None => None,
        }
    }

    /// Fills the digits from index `wanted` to `start` with zeros, and returns the index of the
    /// first digit.
    pub(super) fn pad(&self, out: &mut [u8], start: usize, wanted: usize) -> usize {
        if wanted < start {
            out[wanted..start].fill(self.zero());
        }
        start.min(wanted)
    }
}

/// Writes the two hexadecimal digits of each byte.
#[inline]
pub(super) fn write_hex(bytes: &[u8], text: &mut [u8]) {
    for (place, byte) in text.chunks_exact_mut(2).zip(bytes) {
        place.copy_from_slice(&PAIRS_16[usize::from(*byte)]);
    }
}

/// Writes a number in a base of 2^`BITS`, with at least `least` digits that end before index `end`.
///
/// Returns the index of the first digit. `WIDEST` is the number of digits whose loop is
/// unrolled.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a digit has at most 6 bits")]
fn shift<const BITS: u32, const WIDEST: usize>(
    digits: &[u8; 64],
    number: u64,
    out: &mut [u8],
    end: usize,
    least: usize,
) -> usize {
    let mask = (1 << BITS) - 1;
    let count = (u64::BITS - number.leading_zeros()).div_ceil(BITS) as usize;
    let start = end - count.max(least).min(end);
    // For a constant number of digits, the shifts are independent of each other.
    if let Ok(text) = <&mut [u8; WIDEST]>::try_from(&mut out[start..end]) {
        for (index, digit) in text.iter_mut().enumerate() {
            *digit = digits[((number >> (BITS as usize * (WIDEST - 1 - index))) & mask) as usize];
        }
        return start;
    }
    let mut rest = number;
    for digit in out[start..end].iter_mut().rev() {
        *digit = digits[(rest & mask) as usize];
        rest >>= BITS;
    }
    start
}

/// Writes the digits of a number so that they end before index `end`; writes none for 0.
///
/// Returns the index of the first digit. Division by a constant base is many times faster than by a
/// variable.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a remainder is less than the base")]
fn divide<const BASE: u64>(digits: &[u8; 64], mut rest: u64, out: &mut [u8], end: usize) -> usize {
    let mut start = end;
    while rest > 0 {
        start -= 1;
        out[start] = digits[(rest % BASE) as usize & 63];
        rest /= BASE;
    }
    start
}

/// Writes the digits of a number as [`divide`] does, two digits at a time.
///
/// Each division depends on the one before it; pairs need half as many divisions.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a remainder is less than the square of the base")]
fn divide_pairs<const SQUARE: u64>(pairs: &[[u8; 2]], mut rest: u64, out: &mut [u8], end: usize) -> usize {
    let mut start = end;
    while rest >= SQUARE {
        start -= 2;
        out[start..start + 2].copy_from_slice(&pairs[(rest % SQUARE) as usize]);
        rest /= SQUARE;
    }
    if rest > 0 {
        let [first, last] = pairs[rest as usize];
        start -= 1;
        out[start] = last;
        // If the rest is below the base, the first digit of its pair is a zero.
        if first != pairs[0][0] {
            start -= 1;
            out[start] = first;
        }
    }
    start
}

const fn widths(base: u128) -> [u8; MAX_BITS as usize + 1] {
    let mut widths = [1; MAX_BITS as usize + 1];
    let mut bits = 1;
    while bits <= MAX_BITS {
        let mut rest = (u128::MAX >> (MAX_BITS - bits)) / base;
        while rest > 0 {
            rest /= base;
            widths[bits as usize] += 1;
        }
        bits += 1;
    }
    widths
}
