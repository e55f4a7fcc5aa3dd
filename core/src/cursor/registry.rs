//! One process, one cursor per node: generators made twice for the same nodes must not repeat each other.
//!
//! Entries are kept for the life of the process, a word and a key each: who makes a generator for a node again, after
//! the first is gone, goes on where that one stopped.
//!
//! A process made by fork has a copy of its parent's entries. They are the parent's still: nodes that the parent counts for are
//! refused to the child, which could only repeat it.

use super::machine::{Hold, NotOpened, Wanted};
use super::shared::{Home, SharedWords};
use super::word::{Words, state_at};
use super::{Beginning, CursorKey, Position, Sharing, Tenure};
use crate::bits::low_64;
use crate::clock::SystemClock;
use crate::error::{Error, ErrorKind};
use crate::process;
use alloc::vec::Vec;
use core::sync::atomic::{Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

#[derive(Debug)]
struct Entry {
    key: CursorKey,
    home: EntryHome,
    /// Held by a single owner, who counts in words of its own.
    claimed: Arc<()>,
    /// The state past what other entries of this process had issued when it was opened last.
    past_others: u128,
    /// The state with which it began, as long as nobody has counted with it.
    began: u128,
    /// The state file of who counts with it, or did last.
    state_file: Option<usize>,
    /// The lease under which it counts.
    tenure: Option<Arc<Tenure>>,
    /// Whether it is what a lease that is over has left: how far its cursor had come.
    is_left: bool,
    /// Whether that lease counted with the machine's words, which remember it for the next one.
    is_left_of_machine: bool,
    /// Whether its words are the process's because the machine's could not be had, or were not needed as collisions are allowed.
    is_fallback: bool,
    /// The process that made the entry.
    generation: u32,
}

/// Where an entry's words are. The machine's are open only as long as a generator counts with them.
#[derive(Debug)]
enum EntryHome {
    Process(Arc<Words>),
    Machine {
        hold: Weak<Hold>,
        /// How far they had come when they were closed.
        left: Arc<core::sync::atomic::AtomicU64>,
    },
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
        match &self.home {
            EntryHome::Process(words) => is_held(words),
            // `left`, not `hold`: dropping the last `hold` stores the word's state in `left` first.
            EntryHome::Machine { left, .. } => is_held(left),
        }
    }

    /// Whether a generator has counted with it, or does.
    fn was_opened(&self) -> bool {
        self.is_live() || self.state() > 0
    }

    fn is_of_machine(&self) -> bool {
        matches!(self.home, EntryHome::Machine { .. })
    }

    fn is_claimed(&self) -> bool {
        is_held(&self.claimed)
    }

    /// Lifts the entry to where its opener begins, with the opener's state file.
    fn begin(&mut self, beginning: &Beginning<'_>) -> Result<(), Error> {
        if self.state_file != beginning.state_file && self.is_live() {
            return Err(in_use(self));
        }
        self.state_file = beginning.state_file;
        // What a state file knows is put into the machine's word when that is opened.
        if !self.is_of_machine() {
            self.raise(state_at(beginning.of_any, &self.key));
        }
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

    /// Lifts the state to this one.
    fn raise(&self, state: u128) {
        match &self.home {
            EntryHome::Process(words) => words.raise_any(&self.key, state),
            EntryHome::Machine { hold, .. } => {
                if let Some(hold) = hold.upgrade() {
                    hold.words().raise_any(&self.key, state);
                }
            }
        }
    }

    /// The state; of the machine's, which other processes count with, as this process left it.
    fn state(&self) -> u128 {
        match &self.home {
            EntryHome::Process(words) => words.state_any(self.key.is_wide),
            EntryHome::Machine { hold, left } => match hold.upgrade() {
                Some(hold) => hold.words().state_any(false),
                None => left.load(Ordering::Relaxed).into(),
            },
        }
    }

    fn tenure_id(&self) -> Option<u64> {
        self.tenure.as_ref().map(|tenure| tenure.id())
    }

    /// Whether it is the very one that this opener wants.
    fn is_of(&self, key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> bool {
        // Who would have other words joins a generator that counts for the nodes already, in this process.
        let stands_in = self.is_live()
            && match sharing {
                Sharing::Machine { is_required: false } => self.is_fallback,
                Sharing::ProcessAndForks => self.is_of_machine(),
                _ => false,
            };
        self.key == *key
            && (self.is_of_machine() == is_machine(sharing) || stands_in)
            && self.tenure_id() == beginning.tenure.as_ref().map(|tenure| tenure.id())
    }

    /// Whether its IDs and those of this key can be equal. Under two leases they cannot, as long as these are of different times, which is
    /// what a lease is for, or of two name spaces. Nodes that somebody was
    /// given are in no store: beside a lease they are for another column, or else they may be any process's.
    fn meets(&self, key: &CursorKey, beginning: &Beginning<'_>) -> bool {
        let are_apart = match (&self.tenure, &beginning.tenure) {
            (Some(ours), Some(theirs)) => !ours.meets(theirs),
            // What a lease has left is remembered for the next one.
            (None, Some(theirs)) => {
                let is_remembered = self.is_left_of_machine && theirs.space_of_machine().is_some();
                theirs.has_space() && (!self.is_left || is_remembered)
            }
            (Some(ours), None) => ours.has_space(),
            (None, None) => false,
        };
        !are_apart && self.overlaps(key)
    }

    fn overlaps(&self, key: &CursorKey) -> bool {
        self.key.space() == key.space() && self.key.ids().overlaps(&key.ids())
    }
}

impl Words {
    fn state_any(&self, is_wide: bool) -> u128 {
        if is_wide { self.wide.load() } else { self.state.load(Ordering::Relaxed).into() }
    }

    /// Puts the state after the layout's last tick in place of this one, and returns what it was.
    fn close(&self, key: &CursorKey) -> u128 {
        if key.is_wide {
            return self.wide.change(|_| Some(state_at(u64::MAX, key)));
        }
        // Who sees it sees that the lease was closed, and says so.
        self.state.swap(state_at(u64::MAX, key), Ordering::Release).into()
    }

    /// Raises the state to this one. What was issued from the tick that is left so counts still.
    fn raise_any(&self, key: &CursorKey, state: u128) {
        if !key.is_wide {
            return self.raise(key, u64::from_u128(state));
        }
        let before = self.wide.change(|before| (before < state).then_some(state));
        if before < state && key.layout.counts_from_0() {
            self.issued.fetch_add(low_64(before & ((1 << key.bits) - 1)), Ordering::Relaxed);
        }
    }
}

/// The sole right to count for some nodes.
#[derive(Debug)]
pub(super) struct Claim {
    key: CursorKey,
    words: Arc<Words>,
    _claimed: Arc<()>,
}

impl Claim {
    /// The state, and the number of IDs issued.
    pub(super) fn words(&self) -> (u128, u64) {
        (self.words.state_any(self.key.is_wide), self.words.issued.load(Ordering::Relaxed))
    }

    pub(super) fn give_back(&self, state: u128, issued: u64) {
        if self.key.is_wide {
            self.words.wide.change(|before| (before < state).then_some(state));
        } else {
            self.words.state.fetch_max(u64::from_u128(state), Ordering::Relaxed);
        }
        self.words.issued.fetch_max(issued, Ordering::Relaxed);
    }
}

/// Locked only while no thread can fork: in a child it is free, and whole.
static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

fn entries() -> MutexGuard<'static, Vec<Entry>> {
    // Nothing in here can be left half done, so a panic elsewhere does no harm.
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_machine(sharing: Sharing) -> bool {
    matches!(sharing, Sharing::Machine { .. })
}

/// For a word that cannot be the machine's.
pub(super) fn without_machine(sharing: Sharing) -> Result<Sharing, Error> {
    match sharing {
        Sharing::Machine { is_required: true } => Err(Error::NoMachineScope),
        Sharing::Machine { is_required: false } => Ok(Sharing::Process),
        other => Ok(other),
    }
}

pub(super) fn open_shared(key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> Result<SharedWords, Error> {
    let opened = Hold::wait_while_busy(|| {
        let _no_fork = process::no_fork();
        open_once(key, sharing, beginning)
    });
    match opened {
        Err(refusal) if !is_needed(refusal, sharing, beginning) => {
            let sharing = without_machine(sharing)?;
            let _no_fork = process::no_fork();
            let opened = open_once(key, sharing, beginning).map_err(NotOpened::into_error)?;
            let mut entries = entries();
            entries
                .iter_mut()
                .filter(|entry| entry.is_of(key, sharing, beginning))
                .for_each(|entry| entry.is_fallback = true);
            Ok(opened)
        }
        opened => opened.map_err(NotOpened::into_error),
    }
}

/// Whether a word that is the machine's must be had. Under a lease the store keeps processes apart already: a file that cannot be used stops nobody
/// there.
fn is_needed(refusal: NotOpened, sharing: Sharing, beginning: &Beginning<'_>) -> bool {
    match refusal {
        NotOpened::Nowhere => false,
        _ if sharing == Sharing::Machine { is_required: true } => true,
        refusal => {
            let kind = refusal.into_error().kind();
            let is_of_file = matches!(kind, ErrorKind::StateUnavailable | ErrorKind::StateMismatch);
            !(is_of_file && beginning.tenure.is_some())
        }
    }
}

fn open_once(key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> Result<SharedWords, NotOpened> {
    let mut entries = entries();
    let entry = find_or_add(&mut entries, key, sharing, beginning)?;
    if entry.is_claimed() {
        return Err(in_use(entry).into());
    }
    entry.begin(beginning)?;
    entry.is_fallback |= sharing == Sharing::ProcessAndForks;
    match &mut entry.home {
        EntryHome::Process(words) => Ok(Home::Process(Arc::clone(words)).into()),
        EntryHome::Machine { hold, left } => {
            let open = match hold.upgrade() {
                Some(open) => open,
                None => {
                    let tenure = entry.tenure.as_ref();
                    let wanted = Wanted {
                        key: *key,
                        namespace: tenure.and_then(|tenure| tenure.space_of_machine()).unwrap_or(0),
                        first_tick: tenure.map_or(0, |tenure| tenure.first_tick()),
                        end_tick: tenure.map_or(u64::MAX, |tenure| tenure.end_tick()),
                        from_tick: u64::from_u128(entry.past_others.div_ceil(1 << key.bits)),
                        // A lease that begins later has used nothing before it does.
                        new_from_tick: if tenure.is_some() { 0 } else { beginning.of_any },
                        is_known: beginning.is_known,
                        has_state_file: beginning.state_file.is_some(),
                        max_jump_ns: beginning.max_jump_ns,
                    };
                    let clock = beginning.clock.unwrap_or(&SystemClock);
                    let lock = beginning.lock_file.get();
                    let open = Arc::new(Hold::open(wanted, Arc::clone(left), lock, clock)?);
                    // Filled already where it has opened the parts before.
                    let _ = beginning.lock_file.set(open.lock_file());
                    *hold = Arc::downgrade(&open);
                    open
                }
            };
            Ok(Home::Machine(open).into())
        }
    }
}

pub(super) fn claim(key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> Result<Claim, Error> {
    let _no_fork = process::no_fork();
    let mut entries = entries();
    let entry = find_or_add(&mut entries, key, sharing, beginning)?;
    if entry.is_live() {
        return Err(in_use(entry));
    }
    entry.begin(beginning)?;
    let EntryHome::Process(words) = &entry.home else { return Err(in_use(entry)) };
    Ok(Claim { key: *key, words: Arc::clone(words), _claimed: Arc::clone(&entry.claimed) })
}

/// The entry of exactly these nodes; a new one begins after all that was issued for any of them.
fn find_or_add<'a>(
    entries: &'a mut Vec<Entry>,
    key: &CursorKey,
    sharing: Sharing,
    beginning: &Beginning<'_>,
) -> Result<&'a mut Entry, Error> {
    if beginning.tenure.as_ref().is_some_and(|tenure| tenure.is_closed()) {
        return Err(Error::LeaseClosed);
    }
    let generation = process::watched_generation();
    // What the parent leases, and until when, its store knows: leases of copies never meet.
    let are_leases = |entry: &Entry| (entry.tenure.is_some() || entry.is_left) && beginning.tenure.is_some();
    let others = || {
        let entries =
            entries.iter().filter(|entry| !entry.is_of(key, sharing, beginning) && entry.meets(key, beginning));
        entries.filter(|entry| entry.generation == generation || !are_leases(entry))
    };
    // With the machine's words a child counts where its parent does, and what a closed lease has left is final.
    let goes_on = |entry: &Entry| {
        if is_machine(sharing) {
            entry.is_of_machine() || entry.is_left
        } else {
            entry.is_of_machine() && !entry.was_opened()
        }
    };
    let mut parents = entries.iter().filter(|entry| {
        entry.generation != generation && !are_leases(entry) && !goes_on(entry) && entry.meets(key, beginning)
    });
    if let (Sharing::Process | Sharing::Machine { .. }, Some(Entry { key, .. })) = (sharing, parents.next()) {
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
    let index = match entries.iter().position(|entry| entry.is_of(key, sharing, beginning)) {
        Some(index) => index,
        None => {
            entries.push(Entry {
                key: *key,
                home: if is_machine(sharing) {
                    EntryHome::Machine { hold: Weak::new(), left: Arc::default() }
                } else {
                    EntryHome::Process(Arc::default())
                },
                past_others: 0,
                claimed: Arc::default(),
                began: 0,
                state_file: beginning.state_file,
                tenure: beginning.tenure.clone(),
                is_left: false,
                is_left_of_machine: false,
                is_fallback: false,
                generation,
            });
            entries.len() - 1
        }
    };
    let entry = &mut entries[index];
    entry.is_left = false;
    if entry.is_of_machine() {
        // What was counted before in this process, with words of its own; the rest is in the machine's.
        entry.past_others = state;
        entry.raise(state);
    } else {
        entry.lift(state, state_at(beginning.of_new, key));
    }
    Ok(entry)
}

/// Moves the end of a lease on: first for the machine's other processes, so that none takes its nodes for free before that.
pub(super) fn extend(tenure: &Tenure, end_tick: u64) {
    if tenure.space_of_machine().is_none() {
        return tenure.move_end(end_tick);
    }
    let _no_fork = process::no_fork();
    let entries = entries();
    for entry in entries.iter().filter(|entry| entry.tenure_id() == Some(tenure.id())) {
        if let EntryHome::Machine { hold, .. } = &entry.home {
            hold.upgrade().iter().for_each(|hold| hold.extend(end_tick));
        }
    }
    // While the entries are locked: who opens another one of its cursors reads the end behind this lock.
    tenure.move_end(end_tick);
}

/// Closes all cursors under a lease, after it has said so to who would open another, and notes in it how far they had come. All while
/// nobody else does: who closes it a second time finds that noted.
pub(super) fn close(tenure: &Tenure) {
    let _no_fork = process::no_fork();
    let mut entries = entries();
    tenure.mark();
    let mut left = Vec::new();
    entries.retain(|entry| {
        if entry.tenure_id() != Some(tenure.id()) {
            return true;
        }
        let state = match &entry.home {
            EntryHome::Process(words) => words.close(&entry.key),
            EntryHome::Machine { hold, left } => match hold.upgrade() {
                Some(hold) => hold.close(&SystemClock).into(),
                None => left.load(Ordering::Relaxed).into(),
            },
        };
        tenure.note_free(u64::from_u128(state.div_ceil(1 << entry.key.bits)));
        left.push((entry.key, state, entry.is_of_machine()));
        false
    });
    // Who counts for these nodes next in this process, without a lease, goes on from there. Under loom there is no next: its atomics end with
    // each run, and what is remembered would not.
    for (key, state, is_of_machine) in left {
        if cfg!(not(loom)) {
            remember(&mut entries, key, state, is_of_machine);
        }
    }
}

fn remember(entries: &mut Vec<Entry>, key: CursorKey, state: u128, is_of_machine: bool) {
    let generation = process::watched_generation();
    let known = entries.iter_mut().find(|entry| {
        entry.key == key && entry.tenure.is_none() && entry.generation == generation && !entry.is_of_machine()
    });
    if let Some(entry) = known {
        entry.is_left_of_machine &= is_of_machine;
        return entry.raise(state);
    }
    let words = Words::default();
    words.raise_any(&key, state);
    entries.push(Entry {
        key,
        home: EntryHome::Process(Arc::new(words)),
        past_others: 0,
        claimed: Arc::default(),
        began: 0,
        state_file: None,
        tenure: None,
        is_left: true,
        is_left_of_machine: is_of_machine,
        is_fallback: false,
        generation,
    });
}

fn in_use(entry: &Entry) -> Error {
    Error::NodeInUse { first: entry.key.first_node, end: entry.key.end_node }
}
