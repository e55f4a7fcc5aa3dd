//! The digits of the alphabets that more than one file uses, in the order of their values.

pub(super) const DECIMAL_DIGITS: &[u8] = b"0123456789";
pub(super) const HEX_DIGITS: &[u8] = b"0123456789abcdef";
pub(super) const CROCKFORD_DIGITS: &[u8] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
pub(super) const BASE32HEX_DIGITS: &[u8] = b"0123456789abcdefghijklmnopqrstuv";
pub(super) const BASE58_DIGITS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
pub(super) const BASE62_DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
