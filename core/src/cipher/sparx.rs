//! The block cipher SPARX-64/128.
//!
//! A block of 64 bits consists of four 16-bit words in two branches: `x0 x1 | x2 x3`. The cipher
//! has eight steps of three rounds:
//!
//! ```text
//! round    x ^= subkey;  A: x0 = (x0 <<< 9) + x1;  x1 = (x1 <<< 2) ^ x0       on each branch
//! step     three rounds, then L: t = (x0 ^ x1) <<< 8;  x2 ^= x0 ^ t;  x3 ^= x1 ^ t;  swap the branches
//! end      x ^= the 17th subkey
//! ```
//!
//! Source: Dinu, Perrin, Udovenko, Velichkov, Großschädl, Biryukov, "Design Strategies for ARX with
//! Provable Bounds: SPARX and LAX", ASIACRYPT 2016, section 4 and appendix. The cipher has 24
//! rounds; published attacks reach 18 rounds.

use super::Secret;
use super::many::{LANES, encrypt_run};
use super::schedule::{BRANCHES, ROUNDS, STEPS, Subkey, Subkeys};
use core::fmt;
use zeroize::Zeroize;

/// The number of blocks from which encrypting them at once is faster than one by one.
const FEW: usize = 5;
/// A SPARX-64/128 cipher with its key schedule, which is wiped on drop.
///
/// ```
/// use saiban::{Secret, cipher::Sparx64};
/// let cipher = Sparx64::new(&Secret::from_hex("00112233445566778899aabbccddeeff")?);
/// assert_eq!(cipher.encrypt([0x0123, 0x4567, 0x89ab, 0xcdef]), [0x2bbe, 0xf152, 0x01f5, 0x5f98]);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone)]
pub struct Sparx64 {
    subkeys: Subkeys,
}

impl Secret {
    /// Returns a 32-bit number that identifies this secret, and reveals nothing else about it.
    ///
    /// The number is the first half of the encryption of a block of zeros. Stores of leases keep
    /// it, so that a namespace has nodes for IDs of one secret only. Two secrets have equal numbers
    /// with a probability of 2^-32.
    ///
    /// ```
    /// use saiban::Secret;
    /// let secret = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5")?;
    /// assert_ne!(secret.key_id(), Secret::new([0; 16]).key_id());
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub fn key_id(&self) -> u32 {
        let [high, low, ..] = Sparx64::new(self).encrypt([0; 4]);
        u32::from(high) << 16 | u32::from(low)
    }
}

impl Sparx64 {
    /// Creates a cipher, and expands its key. The 16 bytes of the secret are eight big-endian
    /// words.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a key has a few subkeys")]
    pub fn new(secret: &Secret) -> Self {
        let mut key = [0_u16; 8];
        for (word, pair) in key.iter_mut().zip(secret.expose().chunks_exact(2)) {
            *word = u16::from_be_bytes([pair[0], pair[1]]);
        }
        let mut subkeys = [[0; 2 * ROUNDS]; BRANCHES * STEPS + 1];
        for (index, subkey) in subkeys.iter_mut().enumerate() {
            subkey.copy_from_slice(&key[..2 * ROUNDS]);
            permute_key(&mut key, index as u16 + 1);
        }
        key.zeroize();
        Sparx64 { subkeys }
    }

    /// Encrypts a block of four words.
    #[must_use]
    #[inline]
    pub fn encrypt(&self, block: [u16; 4]) -> [u16; 4] {
        let [mut x0, mut x1, mut x2, mut x3] = block;
        for step in 0..STEPS {
            (x0, x1) = rounds(x0, x1, &self.subkeys[BRANCHES * step]);
            (x2, x3) = rounds(x2, x3, &self.subkeys[BRANCHES * step + 1]);
            let t = (x0 ^ x1).rotate_left(8);
            (x0, x1, x2, x3) = (x2 ^ x0 ^ t, x3 ^ x1 ^ t, x0, x1);
        }
        let last = &self.subkeys[BRANCHES * STEPS];
        [x0 ^ last[0], x1 ^ last[1], x2 ^ last[2], x3 ^ last[3]]
    }

    /// Encrypts a number. Its little-endian bytes, read as big-endian words, are the block.
    #[inline]
    pub(crate) fn encrypt_number(&self, number: i64) -> i64 {
        through(number, |block| self.encrypt(block))
    }

    /// Decrypts a number that [`encrypt_number`](Self::encrypt_number) encrypted.
    pub(crate) fn decrypt_number(&self, number: i64) -> i64 {
        through(number, |block| self.decrypt(block))
    }

    /// Encrypts the numbers `first`, `first + 1`, …, until `encrypted` is full.
    pub(crate) fn encrypt_run(&self, first: i64, encrypted: &mut [i64]) {
        let mut first = first;
        for chunk in encrypted.chunks_mut(LANES) {
            let count = chunk.len();
            if let Ok(blocks) = <&mut [i64; LANES]>::try_from(&mut *chunk) {
                encrypt_run(&self.subkeys, first, blocks);
            } else if count < FEW {
                for (number, index) in chunk.iter_mut().zip(0..) {
                    *number = self.encrypt_number(first.wrapping_add(index));
                }
            } else {
                let mut blocks = [0; LANES];
                encrypt_run(&self.subkeys, first, &mut blocks);
                chunk.copy_from_slice(&blocks[..count]);
            }
            first = first.wrapping_add(LANES as i64);
        }
    }

    /// Decrypts a block of four words.
    #[must_use]
    #[inline]
    pub fn decrypt(&self, block: [u16; 4]) -> [u16; 4] {
        let last = &self.subkeys[BRANCHES * STEPS];
        let [mut x0, mut x1, mut x2, mut x3] =
            [block[0] ^ last[0], block[1] ^ last[1], block[2] ^ last[2], block[3] ^ last[3]];
        for step in (0..STEPS).rev() {
            let t = (x2 ^ x3).rotate_left(8);
            (x0, x1, x2, x3) = (x2, x3, x0 ^ x2 ^ t, x1 ^ x3 ^ t);
            (x0, x1) = rounds_back(x0, x1, &self.subkeys[BRANCHES * step]);
            (x2, x3) = rounds_back(x2, x3, &self.subkeys[BRANCHES * step + 1]);
        }
        [x0, x1, x2, x3]
    }
}

/// Applies a permutation of blocks to a number: its little-endian bytes are read as big-endian
/// words.
#[inline]
fn through(number: i64, permute: impl Fn([u16; 4]) -> [u16; 4]) -> i64 {
    let [a, b, c, d, e, f, g, h] = number.to_le_bytes();
    let words = [[a, b], [c, d], [e, f], [g, h]].map(u16::from_be_bytes);
    let [[a, b], [c, d], [e, f], [g, h]] = permute(words).map(u16::to_be_bytes);
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}

#[inline]
fn arx(x: u16, y: u16) -> (u16, u16) {
    let x = x.rotate_left(9).wrapping_add(y);
    (x, y.rotate_left(2) ^ x)
}

#[inline]
fn arx_back(x: u16, y: u16) -> (u16, u16) {
    let y = (y ^ x).rotate_right(2);
    (x.wrapping_sub(y).rotate_right(9), y)
}

#[inline]
fn rounds(mut x: u16, mut y: u16, subkey: &Subkey) -> (u16, u16) {
    for round in 0..ROUNDS {
        (x, y) = arx(x ^ subkey[2 * round], y ^ subkey[2 * round + 1]);
    }
    (x, y)
}

#[inline]
fn rounds_back(mut x: u16, mut y: u16, subkey: &Subkey) -> (u16, u16) {
    for round in (0..ROUNDS).rev() {
        (x, y) = arx_back(x, y);
        (x, y) = (x ^ subkey[2 * round], y ^ subkey[2 * round + 1]);
    }
    (x, y)
}

fn permute_key(key: &mut [u16; 8], counter: u16) {
    (key[0], key[1]) = arx(key[0], key[1]);
    key[2] = key[2].wrapping_add(key[0]);
    key[3] = key[3].wrapping_add(key[1]);
    key[7] = key[7].wrapping_add(counter);
    key.rotate_right(2);
}

impl Drop for Sparx64 {
    fn drop(&mut self) {
        self.subkeys.zeroize();
    }
}

impl fmt::Debug for Sparx64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sparx64(keyed)")
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::bits::low_8;

    #[test]
    fn many_at_once_are_encrypted_like_each_alone() {
        let cipher = Sparx64::new(&Secret::new(core::array::from_fn(|index| low_8(index).wrapping_mul(29))));
        for first in [0, 1, -1, -20, i64::MAX - 40, i64::MIN, 0x0123_4567_89ab_cdef] {
            for count in [0, 1, FEW - 1, FEW, LANES - 1, LANES, LANES + 1, LANES + FEW, 3 * LANES, 100] {
                let mut encrypted = std::vec![0; count];
                cipher.encrypt_run(first, &mut encrypted);
                for (index, number) in encrypted.iter().enumerate() {
                    let alone = cipher.encrypt_number(first.wrapping_add(index as i64));
                    assert_eq!(*number, alone, "{index} of {count} from {first}");
                    assert_eq!(cipher.decrypt_number(alone), first.wrapping_add(index as i64));
                }
            }
        }
    }
}
