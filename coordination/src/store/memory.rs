//! An in-memory store for one process. It is also the simplest complete implementation of a store.

use super::{Listing, Numbers, Store, draw, errors};
use crate::Error;
use crate::counter::protocol::{Take, Taken};
use crate::counter::{CounterRecord, CounterTerms, protocol as counting};
use crate::lease::protocol::{self, Acquire, Changes, Decision, Grant, Release, Renew, View};
use crate::lease::{Namespace, Slot, Terms};
use crate::per_process::PerProcess;
use async_trait::async_trait;
use saiban::{Clock, SystemClock};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A store in the memory of this process: for tests, and for single-process programs that use
/// leases.
#[derive(Debug)]
pub struct MemoryStore<C> {
    clock: C,
    spaces: Mutex<BTreeMap<String, Space>>,
    counters: Mutex<BTreeMap<String, Counted>>,
}

/// A counter, and the next number of each day.
#[derive(Clone, Debug)]
struct Counted {
    record: CounterRecord,
    days: BTreeMap<i32, i64>,
}

type Named = BTreeMap<String, Arc<MemoryStore<SystemClock>>>;

/// The stores that `memory:` URLs name.
static NAMED: PerProcess<Named> = PerProcess::new(BTreeMap::new());

/// Returns this process's store of this name, which exists until the process ends.
///
/// A child process made by fork has its own stores, which begin empty. It can therefore grant what
/// its parent has granted: do not mix IDs of the two.
pub(super) fn named(name: &str) -> Arc<MemoryStore<SystemClock>> {
    NAMED.with(|named| Arc::clone(named.entry(name.into()).or_insert_with(|| Arc::new(MemoryStore::new(SystemClock)))))
}

#[derive(Clone, Debug)]
struct Space {
    namespace: Namespace,
    slots: BTreeMap<i64, Slot>,
}

impl<C: Clock> MemoryStore<C> {
    /// Makes an empty store with this clock.
    pub fn new(clock: C) -> Self {
        MemoryStore { clock, spaces: Mutex::default(), counters: Mutex::default() }
    }

    fn now_us(&self) -> Result<i64, Error> {
        Ok(i64::try_from(self.clock.now_ns()? / 1_000).unwrap_or(i64::MAX))
    }

    /// Decides on the current records and writes the changes, all under one lock.
    fn decide<T>(&self, name: &str, decide: impl FnOnce(&View<'_>) -> Decision<T>) -> Result<T, Error> {
        let now_us = self.now_us()?;
        let mut spaces = self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        let space = spaces.get_mut(name).ok_or_else(|| errors::unknown(name))?;
        let slots: Vec<Slot> = space.slots.values().cloned().collect();
        let Decision { answer, changes } = decide(&View { name, namespace: &space.namespace, slots: &slots, now_us });
        space.write(changes);
        answer
    }
}

impl Counted {
    /// Returns the counter's record, with the next number of this day.
    fn of(&self, day: Option<i32>) -> CounterRecord {
        let next = day.and_then(|day| self.days.get(&day)).copied().unwrap_or(self.record.next);
        CounterRecord { next, ..self.record.clone() }
    }

    fn put(&mut self, day: Option<i32>, next: i64) {
        match day {
            Some(day) => drop(self.days.insert(day, next)),
            None => self.record.next = next,
        }
    }
}

impl Space {
    fn write(&mut self, Changes { removed, put, quarantine_until_us }: Changes) {
        for node in removed {
            self.slots.remove(&node);
        }
        self.slots.extend(put.into_iter().map(|slot| (slot.nodes.start, slot)));
        if let Some(until_us) = quarantine_until_us {
            self.namespace.quarantine_until_us = until_us;
        }
    }
}

#[async_trait]
impl<C: Clock + Send + Sync> Store for MemoryStore<C> {
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error> {
        let mut spaces = self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(space) = spaces.get(terms.name()) {
            space.namespace.check(terms.name(), terms.fingerprint())?;
            return Ok(space.namespace.clone());
        }
        let namespace = Namespace::of(terms, draw()?);
        let first = protocol::first_node(terms.nodes(), draw()?);
        let slots = protocol::first_slots(terms.nodes(), first);
        let slots = slots.into_iter().map(|slot| (slot.nodes.start, slot)).collect();
        spaces.insert(terms.name().into(), Space { namespace: namespace.clone(), slots });
        Ok(namespace)
    }

    async fn acquire(&self, name: &str, fingerprint: &str, request: &Acquire) -> Result<Grant, Error> {
        self.decide(name, |view| protocol::acquire(view, fingerprint, request))
    }

    async fn renew(&self, name: &str, request: &Renew) -> Result<Grant, Error> {
        self.decide(name, |view| protocol::renew(view, request))
    }

    async fn release(&self, name: &str, request: &Release) -> Result<(), Error> {
        self.decide(name, |view| protocol::release(view, request))
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        let now_us = self.now_us()?;
        let spaces = self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        let Space { namespace, slots } = spaces.get(name).cloned().ok_or_else(|| errors::unknown(name))?;
        Ok(Listing { namespace, slots: slots.into_values().collect(), now_us })
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        self.decide(name, protocol::quarantine_by_hand)
    }

    fn numbers(&self) -> Option<&dyn Numbers> {
        Some(self)
    }
}

#[async_trait]
impl<C: Clock + Send + Sync> Numbers for MemoryStore<C> {
    async fn create_counter(&self, terms: &CounterTerms, next: i64) -> Result<CounterRecord, Error> {
        counting::check_next(terms, next)?;
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(there) = counters.get(terms.name()) {
            there.record.check(terms)?;
            return Ok(there.record.clone());
        }
        let record = CounterRecord { fingerprint: terms.fingerprint().into(), incarnation: draw()?, next };
        counters.insert(terms.name().into(), Counted { record: record.clone(), days: BTreeMap::new() });
        Ok(record)
    }

    async fn take(&self, terms: &CounterTerms, request: &Take) -> Result<Taken, Error> {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = counters.get_mut(terms.name()).ok_or_else(|| counting::unknown(terms.name()))?;
        let taken = counting::take(&counted.of(request.day), terms, request)?;
        counted.put(request.day, taken.next);
        Ok(taken)
    }

    async fn raise(&self, name: &str, day: Option<i32>, next: i64) -> Result<CounterRecord, Error> {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = counters.get_mut(name).ok_or_else(|| counting::unknown(name))?;
        let raised = counting::raise(&counted.of(day), name, day, next)?;
        counted.put(day, raised.next);
        Ok(raised)
    }

    async fn counter(&self, name: &str) -> Result<Option<CounterRecord>, Error> {
        let counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(counters.get(name).map(|counted| counted.record.clone()))
    }

    async fn counters(&self) -> Result<Vec<(String, CounterRecord)>, Error> {
        let counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(counters.iter().map(|(name, counted)| (name.clone(), counted.record.clone())).collect())
    }
}
