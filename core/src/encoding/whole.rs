//! Fast paths for texts of the full 64-bit width, such as those of Snowflakes and Ulid-Flakes, and
//! for writing ULIDs.
//!
//! They read and write two digits at a time, in a constant base. Pairs of digits depend less on
//! each other than in the slow path.

use super::digits::{BASE32HEX_DIGITS, BASE58_DIGITS, BASE62_DIGITS, CROCKFORD_DIGITS};
use crate::bits::low_64;

/// An alphabet that has a fast path for texts of the full 64-bit width.
#[derive(Clone, Copy)]
pub(super) enum Whole {
    Crockford,
    Base32Hex,
    Base58,
    Base62,
}

/// The number of digits of base 32 that hold 128 bits.
const WIDE_WIDTH: usize = 26;

/// The two digits of each number below the square of the base.
type Pairs<const SQUARE: usize> = [[u8; 2]; SQUARE];

static PAIRS_CROCKFORD: Pairs<1024> = pairs(CROCKFORD_DIGITS);
static PAIRS_32HEX: Pairs<1024> = pairs(BASE32HEX_DIGITS);
static PAIRS_58: Pairs<3364> = pairs(BASE58_DIGITS);
static PAIRS_62: Pairs<3844> = pairs(BASE62_DIGITS);

/// The value of each byte as a digit. `first` is for the first of two digits, times the base;
/// `second` is for the second digit.
struct Values {
    first: [u32; 256],
    second: [u32; 256],
}

/// The value of a byte that is not a digit.
///
/// It is larger than six digits of base 32, and the sum of two such values still fits 32 bits.
const NO_DIGIT: u32 = 1 << 30;

static VALUES_CROCKFORD: Values = Values::of(CROCKFORD_DIGITS);
static VALUES_32HEX: Values = Values::of(BASE32HEX_DIGITS);
static VALUES_58: Values = Values::of(BASE58_DIGITS);
static VALUES_62: Values = Values::of(BASE62_DIGITS);

impl Whole {
    /// Returns the number of digits of the text.
    pub(super) const fn width(self) -> usize {
        match self {
            Whole::Crockford | Whole::Base32Hex => 13,
            Whole::Base58 | Whole::Base62 => 11,
        }
    }

    /// Returns the least number of this many digits without a leading zero.
    pub(super) const fn least(self) -> u64 {
        match self {
            Whole::Crockford | Whole::Base32Hex => 1 << 60,
            Whole::Base58 => 58_u64.pow(10),
            Whole::Base62 => 62_u64.pow(10),
        }
    }

    /// Returns the two digits of each number below the square of the base.
    pub(super) const fn pairs(self) -> &'static [[u8; 2]] {
        match self {
            Whole::Crockford => &PAIRS_CROCKFORD,
            Whole::Base32Hex => &PAIRS_32HEX,
            Whole::Base58 => &PAIRS_58,
            Whole::Base62 => &PAIRS_62,
        }
    }

    /// Writes a number with leading zeros to the start of a buffer.
    ///
    /// Returns `None` if the buffer is too short.
    #[inline]
    pub(super) fn write(self, number: u64, buffer: &mut [u8]) -> Option<()> {
        match self {
            Whole::Crockford => write_13(&PAIRS_CROCKFORD, number, buffer.first_chunk_mut()?),
            Whole::Base32Hex => write_13(&PAIRS_32HEX, number, buffer.first_chunk_mut()?),
            Whole::Base58 => write_11::<58, 3364>(&PAIRS_58, number, buffer.first_chunk_mut()?),
            Whole::Base62 => write_11::<62, 3844>(&PAIRS_62, number, buffer.first_chunk_mut()?),
        }
        Some(())
    }

    /// Writes a number of 128 bits with leading zeros.
    ///
    /// Returns `None` for the bases that are not a power of two.
    #[inline]
    pub(super) fn write_wide(self, number: u128, text: &mut [u8; WIDE_WIDTH]) -> Option<()> {
        match self {
            Whole::Crockford => write_26(&PAIRS_CROCKFORD, number, text),
            Whole::Base32Hex => write_26(&PAIRS_32HEX, number, text),
            Whole::Base58 | Whole::Base62 => return None,
        }
        Some(())
    }

    /// Writes many numbers, without separators, into a buffer that is long enough for all of them.
    pub(super) fn write_all(self, numbers: &[i64], texts: &mut [u8]) {
        match self {
            Whole::Crockford => write_each(numbers, texts, |number, text| write_13(&PAIRS_CROCKFORD, number, text)),
            Whole::Base32Hex => write_each(numbers, texts, |number, text| write_13(&PAIRS_32HEX, number, text)),
            Whole::Base58 => write_each(numbers, texts, |number, text| write_11::<58, 3364>(&PAIRS_58, number, text)),
            Whole::Base62 => write_each(numbers, texts, |number, text| write_11::<62, 3844>(&PAIRS_62, number, text)),
        }
    }

    /// Reads a number of exactly [`width`](Self::width) digits; leading zeros are allowed.
    ///
    /// Returns `None` if the text has another length, if a character is not a digit, or if the
    /// number has more than 64 bits.
    #[inline]
    pub(super) fn read(self, text: &[u8]) -> Option<u64> {
        match self {
            Whole::Crockford => read_13(&VALUES_CROCKFORD, text.try_into().ok()?),
            Whole::Base32Hex => read_13(&VALUES_32HEX, text.try_into().ok()?),
            Whole::Base58 => read_11::<58>(&VALUES_58, text.try_into().ok()?),
            Whole::Base62 => read_11::<62>(&VALUES_62, text.try_into().ok()?),
        }
    }
}

impl Values {
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 64 digits")]
    const fn of(digits: &[u8]) -> Self {
        let mut values = Values { first: [NO_DIGIT; 256], second: [NO_DIGIT; 256] };
        let mut digit = 0;
        while digit < digits.len() {
            values.first[digits[digit] as usize] = (digit * digits.len()) as u32;
            values.second[digits[digit] as usize] = digit as u32;
            digit += 1;
        }
        values
    }

    /// Returns the number that two digits stand for. If a byte is not a digit, the result is
    /// [`NO_DIGIT`] or more.
    #[inline]
    fn pair(&self, first: u8, second: u8) -> u32 {
        self.first[usize::from(first)] + self.second[usize::from(second)]
    }
}

#[inline]
fn write_each<const WIDTH: usize>(numbers: &[i64], texts: &mut [u8], write: impl Fn(u64, &mut [u8; WIDTH])) {
    for (number, text) in numbers.iter().zip(texts.chunks_exact_mut(WIDTH)) {
        if let Ok(text) = text.try_into() {
            write(*number as u64, text);
        }
    }
}

/// Writes 13 digits of base 32. Two digits have ten bits.
#[inline]
fn write_13(pairs: &Pairs<1024>, number: u64, text: &mut [u8; 13]) {
    text[0] = pairs[(number >> 60) as usize][1];
    for (index, place) in text[1..].chunks_exact_mut(2).enumerate() {
        place.copy_from_slice(&pairs[(number >> (50 - 10 * index) & 1023) as usize]);
    }
}

/// Writes 26 digits of base 32 of a number of 128 bits.
#[inline]
fn write_26(pairs: &Pairs<1024>, number: u128, text: &mut [u8; WIDE_WIDTH]) {
    for (index, place) in text.chunks_exact_mut(2).enumerate() {
        place.copy_from_slice(&pairs[(low_64(number >> (120 - 10 * index)) & 1023) as usize]);
    }
}

/// Writes 11 digits, as a number of six digits and a number of five digits.
///
/// Each of the two numbers becomes a fixed-point fraction. One multiplication moves the next two
/// digits before the point; a division and its remainder would take two multiplications.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "what stands before the point is less than SQUARE")]
fn write_11<const BASE: u64, const SQUARE: usize>(pairs: &Pairs<SQUARE>, number: u64, text: &mut [u8; 11]) {
    // 2^64 / BASE^4, rounded up: multiplied by it, a number has its last four digits in the low 64
    // bits. Rounding up makes the fraction too large by less than one unit of the last digit.
    let scale = u64::MAX / BASE.pow(4) + 1;
    let step = |rest: u64, factor: u64| {
        let product = u128::from(rest) * u128::from(factor);
        (low_64(product >> 64) as usize, low_64(product))
    };
    let three = |number: u64| {
        let (first, rest) = step(number, scale);
        let (second, rest) = step(rest, SQUARE as u64);
        let (third, _) = step(rest, SQUARE as u64);
        [&pairs[first], &pairs[second], &pairs[third]]
    };
    let (high, low) = (three(number / BASE.pow(5)), three(number % BASE.pow(5)));
    text[0..2].copy_from_slice(high[0]);
    text[2..4].copy_from_slice(high[1]);
    text[4..6].copy_from_slice(high[2]);
    // The first of five digits has no pair.
    text[6] = low[0][1];
    text[7..9].copy_from_slice(low[1]);
    text[9..11].copy_from_slice(low[2]);
}

/// Reads 13 digits of base 32 in groups of one, six and six. A byte that is not a digit sets a bit
/// above the 30 bits of six digits, at any position.
#[inline]
fn read_13(values: &Values, text: &[u8; 13]) -> Option<u64> {
    let six = |digits: &[u8]| {
        digits.chunks_exact(2).fold(0, |number, two| number << 10 | u64::from(values.pair(two[0], two[1])))
    };
    let (first, high, low) = (values.second[usize::from(text[0])], six(&text[1..7]), six(&text[7..]));
    let fits = first < 16 && (high | low) < u64::from(NO_DIGIT);
    fits.then_some(u64::from(first) << 60 | high << 30 | low)
}

/// Reads 11 digits in groups of five and six.
#[inline]
fn read_11<const BASE: u64>(values: &Values, text: &[u8; 11]) -> Option<u64> {
    let first = values.second[usize::from(text[0])];
    let mut seen = first;
    let mut read = |front: u32, digits: &[u8]| {
        digits.chunks_exact(2).fold(u64::from(front), |number, two| {
            let pair = values.pair(two[0], two[1]);
            seen |= pair;
            number * BASE.pow(2) + u64::from(pair)
        })
    };
    let (high, low) = (read(first, &text[1..5]), read(0, &text[5..]));
    let number = high.checked_mul(BASE.pow(6))?.checked_add(low)?;
    (seen < NO_DIGIT).then_some(number)
}

pub(super) const fn pairs<const SQUARE: usize>(digits: &[u8]) -> Pairs<SQUARE> {
    let mut pairs = [[0; 2]; SQUARE];
    let mut index = 0;
    while index < SQUARE {
        pairs[index] = [digits[index / digits.len()], digits[index % digits.len()]];
        index += 1;
    }
    pairs
}
