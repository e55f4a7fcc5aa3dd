//! The cursors of this process, one for each range of nodes: two generators of the same nodes must
//! not repeat each other's IDs.
//!
//! Entries, each a key and its words, are kept for the life of the process. A generator that is
//! made for a node later continues where the earlier one stopped.
//!
//! A forked process has a copy of its parent's entries, which remain the parent's. The child
//! may not use nodes that the parent uses, because it could only repeat the parent's IDs.

use super::Position;
use super::beginning::Beginning;
use super::key::{CursorKey, Sharing, state_at};
use super::machine::{Hold, NotOpened, Wanted};
use super::shared::{Home, SharedWords};
use super::tenure::Tenure;
use super::words::Words;
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
    /// Has a second reference while a [`Claim`] exists, whose owner counts in words of its own.
    claimed: Arc<()>,
    /// The state past all positions that other entries of this process had issued when this one was
    /// last opened.
    past_others: u128,
    /// The state with which the entry began, as long as it has issued nothing.
    began: u128,
    /// The state file of the generators that use the entry, or last used it.
    state_file: Option<usize>,
    /// The lease of the entry.
    tenure: Option<Arc<Tenure>>,
    /// Whether the entry records how far the cursor of a closed lease had come.
    is_left: bool,
    /// Whether that lease used machine-scope words, which remember this for the next lease.
    is_left_of_machine: bool,
    /// Whether the words are the process's because machine scope was not available, or was not
    /// needed because collisions are allowed.
    is_fallback: bool,
    /// The generation of the process that made the entry.
    generation: u32,
}

/// Where an entry's words are. Machine-scope words are open only while a generator uses them.
#[derive(Debug)]
enum EntryHome {
    Process(Arc<Words>),
    Machine {
        hold: Weak<Hold>,
        /// The state of the words when they were closed.
        left: Arc<core::sync::atomic::AtomicU64>,
    },
}

/// Returns whether a value besides the entry's holds the `Arc`. If not, this thread sees all
/// changes that the earlier holders made to the words.
fn is_held<T>(shared: &Arc<T>) -> bool {
    let held = Arc::strong_count(shared) > 1;
    if !held {
        // Pairs with the release when the last holder is dropped. The relaxed load of the count
        // alone does not.
        fence(Ordering::Acquire);
    }
    held
}

impl Entry {
    /// Returns whether a generator uses the entry's words now.
    fn is_live(&self) -> bool {
        match &self.home {
            EntryHome::Process(words) => is_held(words),
            // `left`, not `hold`: dropping the last `hold` first stores the word's state in `left`.
            EntryHome::Machine { left, .. } => is_held(left),
        }
    }

    /// Returns whether a generator uses the entry's words, or has used them.
    fn was_opened(&self) -> bool {
        self.is_live() || self.state() > 0
    }

    fn is_of_machine(&self) -> bool {
        matches!(self.home, EntryHome::Machine { .. })
    }

    fn is_claimed(&self) -> bool {
        is_held(&self.claimed)
    }

    /// Raises the entry to where its opener begins, and records the opener's state file.
    fn begin(&mut self, beginning: &Beginning<'_>) -> Result<(), Error> {
        if self.state_file != beginning.state_file && self.is_live() {
            return Err(in_use(self));
        }
        self.state_file = beginning.state_file;
        // A machine-scope word is raised to the state file's tick when it is opened.
        if !self.is_of_machine() {
            self.raise(state_at(beginning.of_any, &self.key));
        }
        Ok(())
    }

    /// Raises the entry past what other entries issued. If no generator uses the entry, also raises
    /// it to where a new entry begins, because another process may have used the nodes meanwhile.
    /// An entry that this process used in the current tick needs no raise: no other process can
    /// have begun in between. While a generator waits for the entry's first tick, that tick does
    /// not move.
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

    /// Raises the state to at least this one.
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

    /// Returns the state. For machine-scope words that are closed, returns the state when this
    /// process closed them.
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

    /// Returns whether this is the entry for an opener of this key, sharing and lease.
    fn is_of(&self, key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> bool {
        // An opener that asks for other words joins generators in this process that use the nodes
        // already.
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

    /// Returns whether the entry's IDs and those of this key can be equal.
    ///
    /// The IDs of two leases cannot, if the leases have different times, as a store ensures, or
    /// different namespaces. Nodes that were assigned by hand are in no store. Beside a lease they
    /// count as nodes of another column. If they were not, other processes might use them, too, and
    /// no check in this process would help.
    fn meets(&self, key: &CursorKey, beginning: &Beginning<'_>) -> bool {
        let are_apart = match (&self.tenure, &beginning.tenure) {
            (Some(ours), Some(theirs)) => !ours.meets(theirs),
            // What a closed lease has issued counts against the next one, unless the machine's
            // words remember it.
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

/// The exclusive right to issue IDs of some nodes.
#[derive(Debug)]
pub(super) struct Claim {
    key: CursorKey,
    words: Arc<Words>,
    _claimed: Arc<()>,
}

impl Claim {
    /// Returns the state, and the number of IDs that the state does not count.
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

/// Locked only while no thread can fork, so in a child the mutex is free and the list complete.
static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

fn entries() -> MutexGuard<'static, Vec<Entry>> {
    // A panic leaves nothing half changed, so a poisoned mutex is harmless.
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_machine(sharing: Sharing) -> bool {
    matches!(sharing, Sharing::Machine { .. })
}

/// Returns the sharing of a word that cannot be in machine scope.
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

/// Returns whether opening must fail if machine-scope words are refused. Under a lease, the store
/// already keeps processes apart, so there an unusable file is no error.
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
                        // A lease issues nothing before its first tick, so its new word need not
                        // begin there.
                        new_from_tick: if tenure.is_some() { 0 } else { beginning.of_any },
                        is_known: beginning.is_known,
                        has_state_file: beginning.state_file.is_some(),
                        max_jump_ns: beginning.max_jump_ns,
                    };
                    let clock = beginning.clock.unwrap_or(&SystemClock);
                    let lock = beginning.lock_file.get();
                    let open = Arc::new(Hold::open(wanted, Arc::clone(left), lock, clock)?);
                    // Already set if this generator has opened another part before.
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

/// Finds or adds the entry of exactly these nodes. A new entry begins after all positions that were
/// issued for any of them.
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
    // The store knows which nodes the parent leases, and until when: the leases of parent and child
    // never overlap.
    let are_leases = |entry: &Entry| (entry.tenure.is_some() || entry.is_left) && beginning.tenure.is_some();
    let others = || {
        let entries =
            entries.iter().filter(|entry| !entry.is_of(key, sharing, beginning) && entry.meets(key, beginning));
        entries.filter(|entry| entry.generation == generation || !are_leases(entry))
    };
    // With machine-scope words, a child shares its parent's word. What a closed lease has issued is
    // final.
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
    // Entries of other ranges divide a tick differently. So only the tick after theirs is certain
    // to be free.
    let mut first_free_tick = 0;
    for entry in others() {
        let tick = entry.state().div_ceil(1 << entry.key.bits);
        first_free_tick = first_free_tick.max(u64::from_u128(tick));
    }
    // A layout of other widths may have come further than this layout lasts; `state_at` limits the
    // tick.
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
        // Raises the entry past what this process counted in words of its own. The rest is in the
        // machine's word.
        entry.past_others = state;
        entry.raise(state);
    } else {
        entry.lift(state, state_at(beginning.of_new, key));
    }
    Ok(entry)
}

impl Tenure {
    /// Moves the end of the lease to a later tick. An earlier tick changes nothing.
    pub fn extend(&self, end_tick: u64) {
        // A copy of the process must not change its parent's lease.
        if !self.is_copy() {
            extend(self, end_tick);
        }
    }

    /// Closes every cursor under the lease for good: none of them issues IDs any more.
    ///
    /// Returns the first tick without issued IDs; further calls return that tick again. In a copy
    /// of the process it changes nothing and returns `None`, because the copy's cursors are not
    /// those of the lease's process.
    pub fn close(&self) -> Option<u64> {
        if self.is_copy() {
            return None;
        }
        close(self);
        Some(self.free_tick())
    }
}

/// Moves the end of a lease to a later tick. The machine's other processes get it first, so that
/// none takes the nodes for free before that end.
fn extend(tenure: &Tenure, end_tick: u64) {
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
    // Still while the entries are locked: a thread that opens another cursor of the lease reads the
    // end under this lock.
    tenure.move_end(end_tick);
}

/// Closes all cursors under a lease, and records in the lease how far they had come. First it marks
/// the lease, so that no more cursors open. All of this happens under one lock, so a second call
/// finds the record.
fn close(tenure: &Tenure) {
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
    // A generator without a lease that uses these nodes next in this process continues from there.
    // Not under loom: its atomics end with each run, but the entries would not.
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
