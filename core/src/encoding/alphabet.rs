//! The alphabets, with what reads them and what divides by their base, all made at compile time.

/// The widest ID.
pub(super) const MOST_BITS: u32 = 128;

/// What each ASCII character stands for: a digit, one of the marks below, or nothing.
type Table = [Char; 128];

/// What a character stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Char {
    /// Nothing: outside the alphabet.
    None,
    /// A digit of the alphabet.
    Digit(u8),
    /// A digit in the other case.
    OtherCase(u8),
    /// A character that people mistake for this digit.
    LooksLike(u8),
}

/// The digits of a base, at most 64 of them.
pub(super) struct Alphabet {
    /// Those past the base are never used; there are 64, so that six bits are always the place of one.
    digits: [u8; 64],
    pub(super) base: u64,
    table: Table,
    /// The value of each byte that is a digit, and [`NO_DIGIT`] of all others.
    values: [u8; 256],
    /// How many digits hold any number of so many bits.
    widths: [u8; MOST_BITS as usize + 1],
    /// How many digits one word of 64 bits always holds, and the base to that power: wider numbers are written and read in such
    /// pieces, so that almost all of the arithmetic is a word's.
    pub(super) piece_width: usize,
    piece: u64,
    /// The least number of 64 bits that takes as many digits as any does.
    pub(super) least_whole: u64,
    /// Two digits at a time, where that is of use: of all numbers up to the base squared.
    pairs: &'static [[u8; 2]],
}

/// More than any digit's value: a bit that those have not.
pub(super) const NO_DIGIT: u8 = 0x80;

/// Two digits at a time.
type Pairs<const SQUARE: usize> = [[u8; 2]; SQUARE];

static PAIRS_10: Pairs<100> = pairs(DECIMAL_DIGITS);
static PAIRS_CROCKFORD: Pairs<1024> = pairs(CROCKFORD_DIGITS);
static PAIRS_32HEX: Pairs<1024> = pairs(BASE32HEX_DIGITS);
static PAIRS_58: Pairs<3364> = pairs(BASE58_DIGITS);
static PAIRS_62: Pairs<3844> = pairs(BASE62_DIGITS);

const DECIMAL_DIGITS: &[u8] = b"0123456789";
const CROCKFORD_DIGITS: &[u8] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE32HEX_DIGITS: &[u8] = b"0123456789abcdefghijklmnopqrstuv";
const BASE58_DIGITS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE62_DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

pub(super) static DECIMAL: Alphabet = Alphabet::new(DECIMAL_DIGITS, false).by_pairs(&PAIRS_10);
pub(super) static HEX: Alphabet = Alphabet::new(b"0123456789abcdef", true);
pub(super) static BINARY: Alphabet = Alphabet::new(b"01", false);
/// Crockford's own aliases: i and l for 1, o for 0.
pub(super) static CROCKFORD: Alphabet =
    Alphabet::new(CROCKFORD_DIGITS, true).also(b"IiLl", 1).also(b"Oo", 0).by_pairs(&PAIRS_CROCKFORD);
pub(super) static BASE32HEX: Alphabet = Alphabet::new(BASE32HEX_DIGITS, true).by_pairs(&PAIRS_32HEX);
pub(super) static BASE36: Alphabet = Alphabet::new(b"0123456789abcdefghijklmnopqrstuvwxyz", true);
pub(super) static BASE58: Alphabet = Alphabet::new(BASE58_DIGITS, false).by_pairs(&PAIRS_58);
pub(super) static BASE62: Alphabet = Alphabet::new(BASE62_DIGITS, false).by_pairs(&PAIRS_62);
pub(super) static BASE64URL: Alphabet =
    Alphabet::new(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", false);

impl Alphabet {
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
        let least_whole = base.pow(widths[u64::BITS as usize] as u32 - 1);
        Alphabet { digits: padded, base, table, values, widths, piece_width, piece, least_whole, pairs: &[] }
    }

    const fn by_pairs(mut self, pairs: &'static [[u8; 2]]) -> Self {
        self.pairs = pairs;
        self
    }

    /// The same, where these characters are mistaken for a digit.
    const fn also(mut self, characters: &[u8], digit: u8) -> Self {
        let mut index = 0;
        while index < characters.len() {
            self.table[characters[index] as usize] = Char::LooksLike(digit);
            index += 1;
        }
        self
    }

    /// The digit for 0.
    pub(super) const fn zero(&self) -> u8 {
        self.digits[0]
    }

    /// How many digits hold any number of so many bits, at most 128.
    pub(super) const fn width_of(&self, bits: u32) -> usize {
        self.widths[bits as usize] as usize
    }

    /// What a byte of text stands for.
    #[inline]
    pub(super) fn meaning(&self, byte: u8) -> Char {
        self.table.get(usize::from(byte)).copied().unwrap_or(Char::None)
    }

    /// The value of a byte that is a digit, or [`NO_DIGIT`].
    #[inline]
    pub(super) fn value(&self, byte: u8) -> u8 {
        self.values[usize::from(byte)]
    }

    /// The digit of this value.
    pub(super) fn digit(&self, value: u64) -> u8 {
        self.digits[(value & 63) as usize]
    }

    /// Writes all the digits that numbers of 64 bits can take, zeros in front, one after the other, where there is a way of its own for so many: no
    /// digit waits for all the others. `text` has room for as many. Answers whether there is.
    #[inline]
    pub(super) fn write_whole(&self, numbers: &[i64], text: &mut [u8]) -> bool {
        match self.base {
            32 => write_all::<13, 1024>(self.pairs, numbers, text, write_13),
            58 => write_all::<11, 3364>(self.pairs, numbers, text, write_11::<58, 3364>),
            62 => write_all::<11, 3844>(self.pairs, numbers, text, write_11::<62, 3844>),
            _ => None,
        }
        .is_some()
    }

    /// Reads as many digits as a number of 64 bits can take, in a way of its own; `None` where there is none, and says nothing then.
    #[inline]
    pub(super) fn read_whole(&self, text: &[u8]) -> Option<u64> {
        match self.base {
            32 => read_13(&self.values, text.try_into().ok()?),
            58 => read_11::<58>(&self.values, text.try_into().ok()?),
            62 => read_11::<62>(&self.values, text.try_into().ok()?),
            _ => None,
        }
    }

    /// Writes a number so that it ends before `end`, with zeros in front up to `least` digits; answers where it begins.
    #[inline]
    pub(super) fn write(&self, number: u64, out: &mut [u8], end: usize, least: usize) -> usize {
        let whole = self.width_of(u64::BITS);
        if least == whole || number >= self.least_whole && least < whole {
            if let Some(text) = end.checked_sub(whole).and_then(|start| out.get_mut(start..end)) {
                if self.write_whole(&[number as i64], text) {
                    return end - whole;
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

    /// The same for a number of up to 128 bits.
    pub(super) fn write_wide(&self, mut number: u128, out: &mut [u8], end: usize, least: usize) -> usize {
        let mut start = end;
        while number > u128::from(u64::MAX) {
            let low = if self.base.is_power_of_two() {
                let low = number as u64 & (self.piece - 1);
                number >>= self.piece.trailing_zeros();
                low
            } else {
                let high = number / u128::from(self.piece);
                let low = (number - high * u128::from(self.piece)) as u64;
                number = high;
                low
            };
            start = self.write(low, out, start, self.piece_width);
        }
        self.write(number as u64, out, start, least.saturating_sub(end - start))
    }

    /// Puts zeros in front, from `wanted` on.
    pub(super) fn pad(&self, out: &mut [u8], start: usize, wanted: usize) -> usize {
        if wanted < start {
            out[wanted..start].fill(self.zero());
        }
        start.min(wanted)
    }
}

/// Writes a number's digits of so many bits each so that they end before `end`, at least so many of them; answers where they begin.
#[inline]
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
    // Of a number of digits that the compiler knows none waits for another.
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

/// Writes a number's digits so that they end before `end`, none for 0; answers where they begin. Dividing by a base that the compiler
/// knows is many times faster.
#[inline]
fn divide<const BASE: u64>(digits: &[u8; 64], mut rest: u64, out: &mut [u8], end: usize) -> usize {
    let mut start = end;
    while rest > 0 {
        start -= 1;
        out[start] = digits[(rest % BASE) as usize & 63];
        rest /= BASE;
    }
    start
}

/// The same, two digits at a time: half as many divisions, each of which waits for the one before.
#[inline]
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
        // Of a number below the base the first of two is a zero.
        if first != pairs[0][0] {
            start -= 1;
            out[start] = first;
        }
    }
    start
}

/// Writes so many digits of each number.
#[inline]
fn write_all<const WIDTH: usize, const SQUARE: usize>(
    pairs: &[[u8; 2]],
    numbers: &[i64],
    text: &mut [u8],
    write: impl Fn(&Pairs<SQUARE>, u64, &mut [u8; WIDTH]),
) -> Option<()> {
    let pairs = pairs.try_into().ok()?;
    for (number, text) in numbers.iter().zip(text.chunks_exact_mut(WIDTH)) {
        write(pairs, *number as u64, text.try_into().ok()?);
    }
    Some(())
}

/// 13 digits of base 32, of which two have ten bits.
#[inline]
fn write_13(pairs: &Pairs<1024>, number: u64, text: &mut [u8; 13]) {
    text[0] = pairs[(number >> 60) as usize][1];
    for (index, place) in text[1..].chunks_exact_mut(2).enumerate() {
        place.copy_from_slice(&pairs[(number >> (50 - 10 * index) & 1023) as usize]);
    }
}

/// 11 digits: a number of six and one of five, each divided by itself.
#[inline]
fn write_11<const BASE: u64, const SQUARE: usize>(pairs: &Pairs<SQUARE>, number: u64, text: &mut [u8; 11]) {
    let square = SQUARE as u64;
    let (high, low) = (number / BASE.pow(6), number % BASE.pow(6));
    let (first, four) = (high / BASE.pow(4), high % BASE.pow(4));
    let (middle, last) = (low / BASE.pow(4), low % BASE.pow(4));
    text[0] = pairs[first as usize][1];
    text[1..3].copy_from_slice(&pairs[(four / square) as usize]);
    text[3..5].copy_from_slice(&pairs[(four % square) as usize]);
    text[5..7].copy_from_slice(&pairs[middle as usize]);
    text[7..9].copy_from_slice(&pairs[(last / square) as usize]);
    text[9..11].copy_from_slice(&pairs[(last % square) as usize]);
}

/// Reads 13 digits of base 32. `None` where one is no digit, or the number has more than 64 bits.
#[inline]
fn read_13(values: &[u8; 256], text: &[u8; 13]) -> Option<u64> {
    let (mut number, mut seen) = (0, 0);
    for (index, byte) in text.iter().enumerate() {
        let value = values[usize::from(*byte)];
        seen |= value;
        number |= u64::from(value) << (5 * (12 - index));
    }
    let fits = values[usize::from(text[0])] < 16;
    (fits && seen & NO_DIGIT == 0).then_some(number)
}

/// Reads 11 digits: five, and six.
#[inline]
fn read_11<const BASE: u64>(values: &[u8; 256], text: &[u8; 11]) -> Option<u64> {
    let mut seen = 0;
    let mut read = |digits: &[u8]| {
        digits.iter().fold(0, |number, byte| {
            let value = values[usize::from(*byte)];
            seen |= value;
            number * BASE + u64::from(value)
        })
    };
    let (high, low) = (read(&text[..5]), read(&text[5..]));
    let number = high.checked_mul(BASE.pow(6))?.checked_add(low)?;
    (seen & NO_DIGIT == 0).then_some(number)
}

const fn pairs<const SQUARE: usize>(digits: &[u8]) -> Pairs<SQUARE> {
    let mut pairs = [[0; 2]; SQUARE];
    let mut index = 0;
    while index < SQUARE {
        pairs[index] = [digits[index / digits.len()], digits[index % digits.len()]];
        index += 1;
    }
    pairs
}

const fn widths(base: u128) -> [u8; MOST_BITS as usize + 1] {
    let mut widths = [1; MOST_BITS as usize + 1];
    let mut bits = 1;
    while bits <= MOST_BITS {
        let mut rest = (u128::MAX >> (MOST_BITS - bits)) / base;
        while rest > 0 {
            rest /= base;
            widths[bits as usize] += 1;
        }
        bits += 1;
    }
    widths
}
