//! Encrypts many blocks at once with SPARX-64/128.
//!
//! Each array holds one word of [`LANES`] blocks, so each operation of the cipher is a loop over
//! arrays. The compiler turns such a loop into SIMD instructions on 8, 16 or 32 words. With the
//! feature `simd`, there is a version for each SIMD instruction set, chosen at run time. Without
//! the feature, there is one version, for the instructions that the target guarantees.
//!
//! Keep the arrays of 32 words and the plain nested loops. With shorter arrays, or with a type that
//! has a method for each operation, the compiler emits one instruction for each word.

use super::schedule::{BRANCHES, ROUNDS, STEPS, Subkeys};

/// The number of blocks that are encrypted at once.
pub(super) const LANES: usize = 32;

/// One word of each block.
type Words = [u16; LANES];

/// Applies one round to one branch of all blocks.
#[inline(always)]
fn round(x: &mut Words, y: &mut Words, key_x: u16, key_y: u16) {
    for (x, y) in x.iter_mut().zip(y) {
        let sum = (*x ^ key_x).rotate_left(9).wrapping_add(*y ^ key_y);
        *y = (*y ^ key_y).rotate_left(2) ^ sum;
        *x = sum;
    }
}

/// Applies the linear layer after the rounds of a step: mixes one branch into the other, and swaps
/// the branches.
#[inline(always)]
fn mix(x0: &mut Words, x1: &mut Words, x2: &mut Words, x3: &mut Words) {
    for (((x0, x1), x2), x3) in x0.iter_mut().zip(x1).zip(x2).zip(x3) {
        let t = (*x0 ^ *x1).rotate_left(8);
        (*x0, *x1, *x2, *x3) = (*x2 ^ *x0 ^ t, *x3 ^ *x1 ^ t, *x0, *x1);
    }
}

/// Encrypts the blocks `first`, `first + 1`, …. A block is the little-endian bytes of a number,
/// read as big-endian words.
#[cfg_attr(
    feature = "simd",
    rustversion::attr(
        since(1.89),
        multiversion::multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))
    ),
    // AVX-512 target features are stable since Rust 1.89.
    rustversion::attr(before(1.89), multiversion::multiversion(targets("x86_64+avx2")))
)]
#[expect(clippy::cast_possible_truncation, reason = "each word is 16 bits of the number")]
pub(super) fn encrypt_run(subkeys: &Subkeys, first: i64, blocks: &mut [i64; LANES]) {
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
