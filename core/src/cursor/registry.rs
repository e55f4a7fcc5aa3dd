//! One process, one cursor per node: generators made twice for the same nodes must not repeat each other.
//!
//! Entries are kept for the life of the process, a word and a key each: who makes a generator for a node again, after
//! the first is gone, goes on where that one stopped.
//!
//! A process made by fork has a copy of its parent's entries. They are the parent's still: nodes that the parent counts for are
//! refused to the child, which could only repeat it.

use super::{CursorKey, Sharing};
use crate::error::Error;
use crate::process;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
struct Entry {
    key: CursorKey,
    word: Arc<AtomicU64>,
    /// Held by a single owner, who counts in a word of its own.
    claimed: Arc<AtomicU64>,
    /// The process that made the entry.
    generation: u32,
}

/// Whether somebody besides the entry holds it. If nobody does, all that they did to the word is visible here.
fn is_held(word: &Arc<AtomicU64>) -> bool {
    let held = Arc::strong_count(word) > 1;
    if !held {
        // Pairs with the release of the last holder's drop, which the count alone, a relaxed load, does not.
        fence(Ordering::Acquire);
    }
    held
}

impl Entry {
    /// Whether a generator of today still uses the entry's word.
    fn is_live(&self) -> bool {
        is_held(&self.word)
    }

    fn is_claimed(&self) -> bool {
        is_held(&self.claimed)
    }

    fn overlaps(&self, key: &CursorKey) -> bool {
        self.key.format == key.format
            && self.key.layout.makes_equal_ids(&key.layout)
            && self.key.first_node < key.end_node
            && key.first_node < self.key.end_node
    }
}

/// A word that every generator of the same nodes shares.
#[derive(Debug)]
pub(super) struct SharedWord(Arc<AtomicU64>);

impl SharedWord {
    #[inline]
    pub(super) fn word(&self) -> &AtomicU64 {
        &self.0
    }
}

/// The sole right to count for some nodes.
#[derive(Debug)]
pub(super) struct Claim {
    word: Arc<AtomicU64>,
    _claimed: Arc<AtomicU64>,
}

impl Claim {
    pub(super) fn state(&self) -> u64 {
        self.word.load(Ordering::Relaxed)
    }

    pub(super) fn give_back(&self, state: u64) {
        self.word.fetch_max(state, Ordering::Relaxed);
    }
}

/// Locked only while no thread can fork: in a child it is free, and whole.
static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

fn entries() -> MutexGuard<'static, Vec<Entry>> {
    // Nothing in here can be left half done, so a panic elsewhere does no harm.
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn open_shared(key: &CursorKey, sharing: Sharing) -> Result<SharedWord, Error> {
    let _no_fork = process::no_fork();
    let mut entries = entries();
    let index = find_or_add(&mut entries, key, sharing)?;
    if entries[index].is_claimed() {
        return Err(in_use(&entries[index]));
    }
    Ok(SharedWord(Arc::clone(&entries[index].word)))
}

pub(super) fn claim(key: &CursorKey, sharing: Sharing) -> Result<Claim, Error> {
    let _no_fork = process::no_fork();
    let mut entries = entries();
    let index = find_or_add(&mut entries, key, sharing)?;
    if entries[index].is_live() {
        return Err(in_use(&entries[index]));
    }
    Ok(Claim { word: Arc::clone(&entries[index].word), _claimed: Arc::clone(&entries[index].claimed) })
}

/// The entry of exactly these nodes; a new one begins after all that was issued for any of them.
fn find_or_add(entries: &mut Vec<Entry>, key: &CursorKey, sharing: Sharing) -> Result<usize, Error> {
    let generation = process::watched_generation();
    let mut parents = entries.iter().filter(|entry| entry.overlaps(key) && entry.generation != generation);
    if let (Sharing::Process, Some(Entry { key, .. })) = (sharing, parents.next()) {
        return Err(Error::NodeOfParent { first: key.first_node, end: key.end_node });
    }
    if let Some(other) = entries.iter().find(|entry| entry.overlaps(key) && entry.key != *key && entry.is_live()) {
        return Err(in_use(other));
    }
    // Entries of other ranges divide a tick differently: only the tick after theirs is surely free.
    let mut first_free_tick = 0;
    for entry in entries.iter().filter(|entry| entry.overlaps(key) && entry.key != *key) {
        let state = entry.word.load(Ordering::Relaxed);
        first_free_tick = first_free_tick.max(state.div_ceil(1 << entry.key.bits));
    }
    // A layout of other widths may have come further than this one lasts.
    let state = first_free_tick.min(key.layout.ticks()) << key.bits;
    if let Some(index) = entries.iter().position(|entry| entry.key == *key) {
        entries[index].word.fetch_max(state, Ordering::Relaxed);
        return Ok(index);
    }
    entries.push(Entry { key: *key, word: Arc::new(AtomicU64::new(state)), claimed: Arc::default(), generation });
    Ok(entries.len() - 1)
}

fn in_use(entry: &Entry) -> Error {
    Error::NodeInUse { first: entry.key.first_node, end: entry.key.end_node }
}
