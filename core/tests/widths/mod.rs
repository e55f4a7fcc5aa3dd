//! Encodings, widths and numbers for the tests of wide text.

use crate::dice::Dice;
use saiban::{Encoding, Leniency};

/// The alphabets, written a second time to detect a mistake in the library's, and the full widths
/// of 64, 96 and 128 bits.
pub const ENCODINGS: [(&str, &str, [usize; 3]); 9] = [
    ("decimal", "0123456789", [20, 29, 39]),
    ("hex", "0123456789abcdef", [16, 24, 32]),
    ("binary", "01", [64, 96, 128]),
    ("crockford", "0123456789ABCDEFGHJKMNPQRSTVWXYZ", [13, 20, 26]),
    ("base32hex", "0123456789abcdefghijklmnopqrstuv", [13, 20, 26]),
    ("base36", "0123456789abcdefghijklmnopqrstuvwxyz", [13, 19, 25]),
    ("base58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", [11, 17, 22]),
    ("base62", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", [11, 17, 22]),
    ("base64url", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", [11, 16, 22]),
];

pub const BITS: [u32; 11] = [16, 17, 24, 32, 63, 64, 65, 80, 96, 127, 128];

pub const LENIENCIES: [Leniency; 3] = [Leniency::Strict, Leniency::AnyCase, Leniency::Lenient];

pub fn encodings() -> impl Iterator<Item = (Encoding, &'static str)> {
    ENCODINGS.into_iter().map(|(name, digits, _)| (Encoding::from_name(name).expect("an encoding"), digits))
}

pub fn max(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// Returns limits, powers of every base with their neighbours, and numbers of every size, all of at
/// most this many bits.
pub fn values(bits: u32) -> Vec<u128> {
    let mut all = vec![0, u128::MAX, u128::MAX - 1];
    for base in [2_u128, 10, 32, 36, 58, 62, 64] {
        let powers = std::iter::successors(Some(1_u128), |power| power.checked_mul(base));
        all.extend(powers.flat_map(|power| [power - 1, power, power + 1]));
    }
    let mut dice = Dice::new(bits.into());
    all.extend((0..500).map(|_| (u128::from(dice.next()) << 64 | u128::from(dice.next())) >> dice.below(128)));
    all.iter_mut().for_each(|value| *value &= max(bits));
    all.sort_unstable();
    all.dedup();
    all
}
