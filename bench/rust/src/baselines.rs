//! The costs that no generator can avoid: reading a clock, changing an atomic word, random bits.

use crate::rounds::{Case, case};
use chacha20::rand_core::{Rng, SeedableRng};
use chacha20::{ChaCha12Rng, ChaCha20Rng};
use saiban::cipher::Sparx64;
use saiban::{Clock, Secret, SystemClock};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub const SECRET: [u8; 16] = *b"a benchmark's 16";

pub fn cases() -> Vec<Case> {
    let (swapped, added, cell, word) = (AtomicU64::new(0), AtomicU64::new(0), Cell::new(0_u64), AtomicU64::new(0));
    let cipher = Sparx64::new(&Secret::new(SECRET));
    let other = sparx::sparx64::key_schedule_encrypt(&SECRET);
    let mut block = [1_u16, 2, 3, 4];
    let mut theirs = [1_u8; 8];
    vec![
        case("rust.clock", "baseline: std's SystemTime::now", 1, || SystemTime::now().duration_since(UNIX_EPOCH)),
        case("rust.clock.coarse", "baseline: a coarse clock", 1, || SystemClock.coarse_ns()),
        case("rust.cycles", "baseline: the processor's counter", 1, || SystemClock.cycles()),
        case("rust.cas", "baseline: a compare-and-swap", 1, move || {
            let seen = swapped.load(Ordering::Relaxed);
            swapped.compare_exchange_weak(seen, seen + 1, Ordering::Relaxed, Ordering::Relaxed)
        }),
        case("rust.fetch_add", "baseline: an atomic addition", 1, move || added.fetch_add(1, Ordering::Relaxed)),
        case("rust.cell", "baseline: a word of one owner", 1, move || cell.replace(cell.get() + 1)),
        case("rust.word", "baseline: a word of one owner, in memory", 1, move || {
            let seen = word.load(Ordering::Relaxed);
            word.store(seen + 1, Ordering::Relaxed);
            seen
        }),
        // The bits of 512 UUIDs, as many as saiban makes from one key.
        case("rust.stream", "baseline: 16 bytes of ChaCha12", 512, stream::<ChaCha12Rng>()),
        case("rust.stream", "baseline: 16 bytes of ChaCha20", 512, stream::<ChaCha20Rng>()),
        case("rust.sparx.block", "saiban", 1, move || {
            block = cipher.encrypt(block);
            block
        }),
        case("rust.sparx.block", "sparx", 1, move || {
            sparx::sparx64::encrypt_block(&mut theirs, &other);
            theirs
        }),
    ]
}

/// Returns a turn that fills 8 KiB with the stream of a key.
fn stream<R: Rng + SeedableRng<Seed = [u8; 32]>>() -> impl FnMut() -> u8 + 'static {
    let mut bytes = [0; 16 * 512];
    move || {
        R::from_seed(black_box([7; 32])).fill_bytes(&mut bytes);
        black_box(&bytes)[0]
    }
}
