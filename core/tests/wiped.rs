//! Secrets are wiped when they are released: an allocator checks every block that is freed.
//!
//! The test sees only the heap. Copies that moves leave on the stack cannot be wiped.

#![allow(unsafe_code, reason = "an allocator has no safe form")]

use saiban::cipher::Sparx64;
use saiban::{Generator, Inspector, ManualClock, Options, RandflakeGenerator, Secret};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

const BYTES: [u8; 16] = *b"\xabSECRET-OF-OURS\xef";

/// The bytes as the cipher stores them: words of 16 bits, each with the first byte in its high
/// half.
const WORDS: [u8; 16] = {
    let mut words = BYTES;
    let mut index = 0;
    while index < 16 {
        let word = u16::from_be_bytes([BYTES[index], BYTES[index + 1]]).to_ne_bytes();
        words[index] = word[0];
        words[index + 1] = word[1];
        index += 2;
    }
    words
};

/// The number of blocks that were freed with a part of the secret in them.
static LEFT: AtomicUsize = AtomicUsize::new(0);

struct Watching;

#[global_allocator]
static WATCHING: Watching = Watching;

// SAFETY: the system's allocator does all the work. Blocks begin zeroed, so all of their bytes may
// be read.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller owns the block until it is freed, and gives it up.
        let bytes = unsafe { std::slice::from_raw_parts(block, layout.size()) };
        // The cipher's first subkeys are the secret's own words; later ones are mixed.
        let is_part =
            |bytes: &[u8]| [BYTES, WORDS].iter().any(|secret| bytes == &secret[..4] || bytes == &secret[8..12]);
        if bytes.windows(4).any(is_part) {
            LEFT.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) };
    }
}

/// Returns how many blocks with a part of the secret `body` frees.
fn left_by(body: impl FnOnce()) -> usize {
    let before = LEFT.load(Ordering::Relaxed);
    body();
    LEFT.load(Ordering::Relaxed) - before
}

#[test]
fn no_freed_memory_holds_a_secret() {
    let secret = Secret::new(BYTES);
    let clock = ManualClock::new(1_763_700_000_000).expect("a time");
    assert_eq!(left_by(|| drop(Box::new(secret.clone()))), 0, "a secret");
    assert_eq!(left_by(|| drop(Box::new(Sparx64::new(&secret)))), 0, "a cipher");
    let generate = || {
        let ids = RandflakeGenerator::build(&secret, &Options::node(1), &clock).expect("a generator");
        let ids: Box<dyn Generator<Id = i64> + '_> = Box::new(ids);
        ids.generate().expect("an ID");
    };
    assert_eq!(left_by(generate), 0, "a generator");
    let inspect = || {
        let inspector = Box::new(Inspector::at(1_763_700_000_000).secret(&secret).expect("one secret"));
        assert!(!inspector.inspect(1).is_empty());
    };
    assert_eq!(left_by(inspect), 0, "an inspector");
    let refused = || {
        let mut node = Options::default();
        node.node = Some(-1);
        assert!(RandflakeGenerator::build(&secret, &node, &clock).is_err());
    };
    assert_eq!(left_by(refused), 0, "a generator that was refused");
    // The check detects a secret that is not wiped.
    assert_eq!(left_by(|| drop(Vec::from(BYTES))), 1);
    assert_eq!(left_by(|| drop(Vec::from(WORDS))), 1);
}
