//! SPARX-64/128 over many blocks at once.
//!
//! The same words of [`LANES`] blocks lie side by side, so that each operation of the cipher is a loop over an array, of which the compiler makes a few
//! instructions over registers that hold 8, 16 or 32 words. For each kind of register there is a version, chosen when the program runs; without `std`, which finds out what the
//! processor has, there is the one that the target promises.
//!
//! Arrays of 32 words and plain nested loops are what it takes: of shorter arrays, or of a type with a method for each operation, the compiler makes
//! one instruction for each word.

use super::sparx::{BRANCHES, ROUNDS, STEPS, Subkey};

/// How many blocks are encrypted at once.
pub(super) const LANES: usize = 32;

/// The same word of many blocks.
type Words = [u16; LANES];

/// One round, on one branch of many blocks.
#[inline(always)]
fn round(x: &mut Words, y: &mut Words, key_x: u16, key_y: u16) {
    for (x, y) in x.iter_mut().zip(y) {
        let sum = (*x ^ key_x).rotate_left(9).wrapping_add(*y ^ key_y);
        *y = (*y ^ key_y).rotate_left(2) ^ sum;
        *x = sum;
    }
}

/// The step between rounds: one branch is mixed into the other, and they change places.
#[inline(always)]
fn mix(x0: &mut Words, x1: &mut Words, x2: &mut Words, x3: &mut Words) {
    for (((x0, x1), x2), x3) in x0.iter_mut().zip(x1).zip(x2).zip(x3) {
        let t = (*x0 ^ *x1).rotate_left(8);
        (*x0, *x1, *x2, *x3) = (*x2 ^ *x0 ^ t, *x3 ^ *x1 ^ t, *x0, *x1);
    }
}

/// Encrypts the blocks `first`, `first + 1`, …: their bytes are a little-endian number's, their words big-endian.
#[cfg_attr(
    feature = "std",
    rustversion::attr(
        since(1.89),
        multiversion::multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))
    ),
    // Rust has AVX-512 since 1.89.
    rustversion::attr(before(1.89), multiversion::multiversion(targets("x86_64+avx2")))
)]
#[expect(clippy::cast_possible_truncation, reason = "each word is 16 bits of the number")]
pub(super) fn encrypt_run(subkeys: &[Subkey; BRANCHES * STEPS + 1], first: i64, blocks: &mut [i64; LANES]) {
    let mut words = [[0; LANES]; 4];
    for (index, word) in words.iter_mut().enumerate() {
        for (lane, word) in word.iter_mut().enumerate() {
            *word = ((first.wrapping_add(lane as i64) >> (16 * index)) as u16).swap_bytes();
        }
    }
    let [x0, x1, x2, x3] = &mut words;
    for step in 0..STEPS {
        let (left, right) = (&subkeys[BRANCHES * step], &subkeys[BRANCHES * step + 1]);
        for index in 0..ROUNDS {
            round(x0, x1, left[2 * index], left[2 * index + 1]);
            round(x2, x3, right[2 * index], right[2 * index + 1]);
        }
        mix(x0, x1, x2, x3);
    }
    let last = &subkeys[BRANCHES * STEPS];
    for (index, (word, key)) in words.iter_mut().zip(last).enumerate() {
        for (block, word) in blocks.iter_mut().zip(word) {
            let part = i64::from((*word ^ key).swap_bytes()) << (16 * index);
            *block = if index == 0 { part } else { *block | part };
        }
    }
}
