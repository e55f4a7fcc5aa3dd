//! One process, one cursor per node: generators made twice for the same nodes must not repeat each other.
//!
//! Entries are kept for the life of the process, a word and a key each: who makes a generator for a node again, after
//! the first is gone, goes on where that one stopped.
//!
//! A process made by fork has a copy of its parent's entries. They are the parent's still: nodes that the parent counts for are
//! refused to the child, which could only repeat it.

use super::word::{Words, state_at};
use super::{Beginning, CursorKey, Position, Sharing, Tenure};
use crate::bits::low_64;
use crate::error::Error;
use crate::process;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
struct Entry {
    key: CursorKey,
    words: Arc<Words>,
    /// Held by a single owner, who counts in words of its own.
    claimed: Arc<()>,
    /// The state with which it began, as long as nobody has counted with it.
    began: u128,
    /// The state file of who counts with it, or did last.
    state_file: Option<usize>,
    /// The lease under which it counts.
    tenure: Option<Arc<Tenure>>,
    /// Whether it is what a lease that is over has left: how far its cursor had come.
    is_left: bool,
    /// The process that made the entry.
    generation: u32,
}

/// Whether somebody besides the entry holds it. If nobody does, all that they did to the words is visible here.
fn is_held<T>(shared: &Arc<T>) -> bool {
    let held = Arc::strong_count(shared) > 1;
    if !held {
        // Pairs with the release of the last holder's drop, which the count alone, a relaxed load, does not.
        fence(Ordering::Acquire);
    }
    held
}

impl Entry {
    /// Whether a generator of today still uses the entry's word.
    fn is_live(&self) -> bool {
        is_held(&self.words)
    }

    fn is_claimed(&self) -> bool {
        is_held(&self.claimed)
    }

    /// Lifts the entry to where its opener begins, with the opener's state file.
    fn begin(&mut self, beginning: &Beginning) -> Result<(), Error> {
        if self.state_file != beginning.state_file && self.is_live() {
            return Err(in_use(self));
        }
        self.state_file = beginning.state_file;
        self.raise(state_at(beginning.of_any, &self.key));
        Ok(())
    }

    /// Lifts the entry past what others issued, and one that nobody counts with to where a new one begins: another process may have had
    /// the nodes meanwhile, unless we were in this very tick ourselves, before which it can't have begun. Who waits for its beginning is
    /// not made to wait for another.
    fn lift(&mut self, past_others: u128, of_new: u128) {
        let state = self.state();
        let is_unused = state == self.began;
        let was_in_this_tick = !is_unused && state > of_new.saturating_sub(1 << self.key.bits);
        let begins_anew = if self.is_live() { is_unused && state == 0 } else { !was_in_this_tick };
        let begin = if begins_anew { past_others.max(of_new) } else { past_others };
        self.raise(begin);
        if is_unused {
            self.began = state.max(begin);
        }
    }

    /// Lifts the state to this one. What was issued from the tick that is left so counts still.
    fn raise(&self, state: u128) {
        let before = self.words.raise(self.key.is_wide, state);
        if before < state && self.key.layout.counts_from_0() {
            let low = before & ((1 << self.key.bits) - 1);
            self.words.issued.fetch_add(low_64(low), Ordering::Relaxed);
        }
    }

    fn state(&self) -> u128 {
        self.words.state(self.key.is_wide)
    }

    fn tenure_id(&self) -> Option<u64> {
        self.tenure.as_ref().map(|tenure| tenure.id())
    }

    /// Whether it is the very one that this opener wants.
    fn is_of(&self, key: &CursorKey, beginning: &Beginning) -> bool {
        self.key == *key && self.tenure_id() == beginning.tenure.as_ref().map(|tenure| tenure.id())
    }

    /// Whether its IDs and those of this key can be equal. Under two leases they cannot, as long as these are of different times, which is
    /// what a lease is for, or of two name spaces. Nodes that somebody was
    /// given are in no store: beside a lease they are for another column, or else they may be any process's.
    fn meets(&self, key: &CursorKey, beginning: &Beginning) -> bool {
        let are_apart = match (&self.tenure, &beginning.tenure) {
            (Some(ours), Some(theirs)) => !ours.meets(theirs),
            // What a lease has left is remembered for the next one.
            (None, Some(theirs)) => theirs.has_space() && !self.is_left,
            (Some(ours), None) => ours.has_space(),
            (None, None) => false,
        };
        !are_apart && self.overlaps(key)
    }

    fn overlaps(&self, key: &CursorKey) -> bool {
        if self.key.format != key.format || !self.key.layout.makes_equal_ids(&key.layout) {
            return false;
        }
        let (ours, theirs) = (self.key.first_node..self.key.end_node, key.first_node..key.end_node);
        let meet = |ours: Range<u64>, theirs: Range<u64>| ours.start < theirs.end && theirs.start < ours.end;
        if self.key.layout.has_owner_of(&key.layout) {
            self.key.rollback == key.rollback && meet(ours, theirs)
        } else if self.key.layout.has_owner_bits_of(&key.layout) {
            meet(self.key.layout.nodes_with_rollbacks(ours), key.layout.nodes_with_rollbacks(theirs))
        } else {
            // A constant of one stands where the other has nodes, say.
            let (our_mask, our_bits) = self.key.layout.known_bits(&ours, self.key.rollback);
            let (their_mask, their_bits) = key.layout.known_bits(&theirs, key.rollback);
            (our_bits ^ their_bits) & our_mask & their_mask == 0
        }
    }
}

impl Words {
    fn state(&self, is_wide: bool) -> u128 {
        if is_wide { self.wide.load() } else { self.state.load(Ordering::Relaxed).into() }
    }

    /// Puts the state after the layout's last tick in place of this one, and answers what it was.
    fn close(&self, key: &CursorKey) -> u128 {
        if key.is_wide {
            return self.wide.change(|_| Some(state_at(u64::MAX, key)));
        }
        // Who sees it sees that the lease was closed, and says so.
        self.state.swap(state_at(u64::MAX, key), Ordering::Release).into()
    }

    /// Raises the state to this one, and answers what it was.
    fn raise(&self, is_wide: bool, state: u128) -> u128 {
        if is_wide {
            self.wide.change(|before| (before < state).then_some(state))
        } else {
            self.state.fetch_max(u64::from_u128(state), Ordering::Relaxed).into()
        }
    }
}

/// The words that every generator of the same nodes shares.
#[derive(Debug)]
pub(super) struct SharedWords(Arc<Words>);

impl From<Words> for SharedWords {
    fn from(words: Words) -> Self {
        SharedWords(Arc::new(words))
    }
}

impl SharedWords {
    #[inline]
    pub(super) fn words(&self) -> &Words {
        &self.0
    }
}

/// The sole right to count for some nodes.
#[derive(Debug)]
pub(super) struct Claim {
    is_wide: bool,
    words: Arc<Words>,
    _claimed: Arc<()>,
}

impl Claim {
    /// The state, and the number of IDs issued.
    pub(super) fn words(&self) -> (u128, u64) {
        (self.words.state(self.is_wide), self.words.issued.load(Ordering::Relaxed))
    }

    pub(super) fn give_back(&self, state: u128, issued: u64) {
        self.words.raise(self.is_wide, state);
        self.words.issued.fetch_max(issued, Ordering::Relaxed);
    }
}

/// Locked only while no thread can fork: in a child it is free, and whole.
static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

fn entries() -> MutexGuard<'static, Vec<Entry>> {
    // Nothing in here can be left half done, so a panic elsewhere does no harm.
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn open_shared(key: &CursorKey, sharing: Sharing, beginning: &Beginning) -> Result<SharedWords, Error> {
    let _no_fork = process::no_fork();
    let mut entries = entries();
    let entry = find_or_add(&mut entries, key, sharing, beginning)?;
    if entry.is_claimed() {
        return Err(in_use(entry));
    }
    entry.begin(beginning)?;
    Ok(SharedWords(Arc::clone(&entry.words)))
}

pub(super) fn claim(key: &CursorKey, sharing: Sharing, beginning: &Beginning) -> Result<Claim, Error> {
    let _no_fork = process::no_fork();
    let mut entries = entries();
    let entry = find_or_add(&mut entries, key, sharing, beginning)?;
    if entry.is_live() {
        return Err(in_use(entry));
    }
    entry.begin(beginning)?;
    Ok(Claim { is_wide: key.is_wide, words: Arc::clone(&entry.words), _claimed: Arc::clone(&entry.claimed) })
}

/// The entry of exactly these nodes; a new one begins after all that was issued for any of them.
fn find_or_add<'a>(
    entries: &'a mut Vec<Entry>,
    key: &CursorKey,
    sharing: Sharing,
    beginning: &Beginning,
) -> Result<&'a mut Entry, Error> {
    if beginning.tenure.as_ref().is_some_and(|tenure| tenure.is_closed()) {
        return Err(Error::LeaseClosed);
    }
    let generation = process::watched_generation();
    // What the parent leases, and until when, its store knows: leases of copies never meet.
    let are_leases = |entry: &Entry| (entry.tenure.is_some() || entry.is_left) && beginning.tenure.is_some();
    let others = || {
        let entries = entries.iter().filter(|entry| !entry.is_of(key, beginning) && entry.meets(key, beginning));
        entries.filter(|entry| entry.generation == generation || !are_leases(entry))
    };
    let mut parents = entries
        .iter()
        .filter(|entry| entry.generation != generation && !are_leases(entry) && entry.meets(key, beginning));
    if let (Sharing::Process, Some(Entry { key, .. })) = (sharing, parents.next()) {
        return Err(Error::NodeOfParent { first: key.first_node, end: key.end_node });
    }
    if let Some(other) = others().find(|entry| entry.is_live()) {
        return Err(in_use(other));
    }
    // Entries of other ranges divide a tick differently: only the tick after theirs is surely free.
    let mut first_free_tick = 0;
    for entry in others() {
        let tick = entry.state().div_ceil(1 << entry.key.bits);
        first_free_tick = first_free_tick.max(u64::from_u128(tick));
    }
    // A layout of other widths may have come further than this one lasts.
    let state = state_at(first_free_tick, key);
    let index = match entries.iter().position(|entry| entry.is_of(key, beginning)) {
        Some(index) => index,
        None => {
            entries.push(Entry {
                key: *key,
                words: Arc::default(),
                claimed: Arc::default(),
                began: 0,
                state_file: beginning.state_file,
                tenure: beginning.tenure.clone(),
                is_left: false,
                generation,
            });
            entries.len() - 1
        }
    };
    entries[index].is_left = false;
    entries[index].lift(state, state_at(beginning.of_new, key));
    Ok(&mut entries[index])
}

/// Closes all cursors under a lease, after it has said so to who would open another, and notes in it how far they had come. All while
/// nobody else does: who closes it a second time finds that noted.
pub(super) fn close(tenure: &Tenure) {
    let _no_fork = process::no_fork();
    let mut entries = entries();
    tenure.mark();
    let mut left = Vec::new();
    entries.retain(|entry| {
        let is_under_it = entry.tenure_id() == Some(tenure.id());
        if is_under_it {
            let state = entry.words.close(&entry.key);
            tenure.note_free(u64::from_u128(state.div_ceil(1 << entry.key.bits)));
            left.push((entry.key, state));
        }
        !is_under_it
    });
    // Who counts for these nodes next in this process, without a lease, goes on from there. Under loom there is no next: its atomics end with
    // each run, and what is remembered would not.
    for (key, state) in left {
        if cfg!(not(loom)) {
            remember(&mut entries, key, state);
        }
    }
}

fn remember(entries: &mut Vec<Entry>, key: CursorKey, state: u128) {
    let generation = process::watched_generation();
    let known =
        entries.iter().find(|entry| entry.key == key && entry.tenure.is_none() && entry.generation == generation);
    if let Some(entry) = known {
        return entry.raise(state);
    }
    let words = Words::default();
    words.raise(key.is_wide, state);
    entries.push(Entry {
        key,
        words: Arc::new(words),
        claimed: Arc::default(),
        began: 0,
        state_file: None,
        tenure: None,
        is_left: true,
        generation,
    });
}

fn in_use(entry: &Entry) -> Error {
    Error::NodeInUse { first: entry.key.first_node, end: entry.key.end_node }
}
