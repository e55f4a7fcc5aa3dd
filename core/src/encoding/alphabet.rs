//! The alphabets, and the tables that read them, made of them at compile time.

/// What each ASCII character stands for: a digit, one of the marks below, or nothing.
pub(super) type Table = [Char; 128];

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

pub(super) const DECIMAL: &[u8] = b"0123456789";
pub(super) const HEX: &[u8] = b"0123456789abcdef";
pub(super) const BINARY: &[u8] = b"01";
pub(super) const CROCKFORD: &[u8] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
pub(super) const BASE32HEX: &[u8] = b"0123456789abcdefghijklmnopqrstuv";
pub(super) const BASE36: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
pub(super) const BASE58: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
pub(super) const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(super) const BASE64URL: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(super) static DECIMAL_TABLE: Table = table(DECIMAL, false);
pub(super) static HEX_TABLE: Table = table(HEX, true);
pub(super) static BINARY_TABLE: Table = table(BINARY, false);
pub(super) static CROCKFORD_TABLE: Table = crockford();
pub(super) static BASE32HEX_TABLE: Table = table(BASE32HEX, true);
pub(super) static BASE36_TABLE: Table = table(BASE36, true);
pub(super) static BASE58_TABLE: Table = table(BASE58, false);
pub(super) static BASE62_TABLE: Table = table(BASE62, false);
pub(super) static BASE64URL_TABLE: Table = table(BASE64URL, false);

const fn table(alphabet: &[u8], any_case: bool) -> Table {
    let mut table = [Char::None; 128];
    let mut digit = 0;
    while digit < alphabet.len() {
        let character = alphabet[digit];
        table[character as usize] = Char::Digit(digit as u8);
        if any_case && character.is_ascii_alphabetic() {
            table[(character ^ 0x20) as usize] = Char::OtherCase(digit as u8);
        }
        digit += 1;
    }
    table
}

/// Crockford's own aliases: i and l for 1, o for 0.
const fn crockford() -> Table {
    let mut table = table(CROCKFORD, true);
    let aliases = [(b'I', 1), (b'i', 1), (b'L', 1), (b'l', 1), (b'O', 0), (b'o', 0)];
    let mut index = 0;
    while index < aliases.len() {
        table[aliases[index].0 as usize] = Char::LooksLike(aliases[index].1);
        index += 1;
    }
    table
}
