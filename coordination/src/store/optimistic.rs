//! Stores with optimistic concurrency control: read the records, decide, and commit if no record
//! that matters has changed; otherwise retry. etcd and ZooKeeper use it.
//!
//! A call reads and commits; it only reads if there is nothing to write. In a namespace with many
//! slots, a grant reads [`FIRST_SAMPLE`] of them, from a random node on. If none is free, it reads
//! twice as many, from another node on, and after several such samples all slots. So holders that
//! ask at the same time read little, and seldom try the same slot. The samples for a holder that
//! had a lease begin with the slot of that lease.
//!
//! After a conflict the caller waits for a random time, whose upper limit doubles with each try. It
//! then takes random nodes of a random slot. That divides the slot in three: the more callers ask
//! at the same time, the more slots they have to choose from. The worst case is a new namespace,
//! which has only one or two slots.

use super::calls::in_time;
use super::errors::{corrupt, unknown};
use super::records::{write_namespace, write_slot};
use super::{Listing, Store, StoreUrl, draw};
use crate::Error;
use crate::lease::protocol::{self, Acquire, Changes, Decision, Grant, Release, Renew, View};
use crate::lease::{Namespace, Slot, Terms};
use async_trait::async_trait;
use saiban::ErrorKind;
use std::collections::BTreeMap;
use std::time::Duration;

/// The maximum number of records in one commit. etcd allows 128 comparisons in a transaction, and a
/// commit needs two for each record.
const MAX_AT_ONCE: usize = 60;

/// The longest wait before the second try. It doubles with each further try, up to
/// [`LAST_PAUSE_MS`].
const FIRST_PAUSE_MS: u64 = 4;
const LAST_PAUSE_MS: u64 = 256;

/// Records under keys, which a server changes atomically.
#[async_trait]
pub(super) trait Records: Send + Sync {
    /// Returns the store's URL, for messages.
    fn url(&self) -> &StoreUrl;

    /// Returns the key or path of a record in the server.
    fn path(&self, name: &str, place: Place) -> String;

    /// Reads a namespace, and the server's time. The read is linearizable: it includes every change
    /// that was committed before the call.
    async fn read(&self, name: &str, wanted: Wanted) -> Result<Snapshot, Error>;

    /// Does all steps and returns true. Does none, and returns false, if a record is no longer as
    /// it was read.
    ///
    /// May also return false after it has done all steps, if the server's response was lost.
    async fn commit(&self, name: &str, session: u64, steps: &[Step]) -> Result<bool, Error>;
}

/// The number of slots that a grant reads first, in a namespace that has more.
const FIRST_SAMPLE: usize = 16;

/// After this many conflicts, or samples that are not enough, a grant reads all slots.
const MAX_CONFLICTS: u32 = 8;
const MAX_MISSES: u32 = 4;

/// The slots to read.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    All,
    /// All slots of a namespace with at most `count`; else as many, from a node's slot on.
    Sample {
        count: usize,
        /// The node: this number, modulo the number of nodes.
        node: i64,
        /// The first node of a slot that is read too, if it exists.
        also: Option<i64>,
    },
    /// The slot that contains this node.
    With(i64),
}

/// Identifies a record of a namespace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Namespace,
    /// The slot with this first node.
    Slot(i64),
}

/// One part of a commit.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) place: Place,
    /// The version that the record must have; `None` if the record must not exist.
    pub(super) before: Option<Version>,
    pub(super) act: Act,
}

/// The change of a record.
#[derive(Debug)]
pub(super) enum Act {
    /// No change. The commit still requires the version that was read.
    Keep,
    Put(String),
    Remove,
}

/// The version of a record, which shows whether the record was written since it was read. No
/// version number is used twice, unless the server loses data.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) number: i64,
    /// The record's text. A server that was restored from a backup may reuse a version number, but
    /// not with the text of another grant.
    pub(super) text: Vec<u8>,
}

/// The records that were read.
pub(super) struct Snapshot {
    pub(super) namespace: Option<(Namespace, Version)>,
    /// Slots by their first node. The slot is `None` where it was joined with another one, in
    /// servers that restart version numbers when a record is created again.
    pub(super) slots: BTreeMap<i64, (Option<Slot>, Version)>,
    /// The server's time, Unix µs. It may lag behind the true time.
    pub(super) now_us: i64,
    /// The session in which the records were read; 0 for servers without sessions. A commit in
    /// another session could reach a server that was restored from a backup.
    pub(super) session: u64,
    /// Whether slots were left out that the namespace has.
    pub(super) is_part: bool,
}

/// A store on such records.
pub(super) struct Optimistic<R>(pub(super) R);

/// The tries of a call so far.
#[derive(Default)]
struct Tries {
    /// The number of conflicts.
    lost: u32,
    /// The first node of the lease that the last one tried to take.
    last: Option<i64>,
    /// The number of times that a part of the slots was not enough.
    missed: u32,
}

impl<R: Records> Optimistic<R> {
    /// Reads, decides, and commits. After a conflict it reads and decides again. `decide` returns
    /// `None` if it needs more slots, or others.
    async fn decide<T>(
        &self,
        name: &str,
        wanted: impl Fn(&Tries) -> Result<Wanted, Error> + Sync,
        decide: impl Fn(&View<'_>, &Tries, bool) -> Result<Option<Decision<T>>, Error> + Sync,
    ) -> Result<T, Error> {
        let mut tries = Tries::default();
        in_time(self.0.url(), async {
            loop {
                let (snapshot, slots) = self.read(name, wanted(&tries)?).await?;
                let (namespace, _) = snapshot.namespace.as_ref().ok_or_else(|| unknown(name))?;
                let view = View { name, namespace, slots: &slots, now_us: snapshot.now_us };
                let Some(Decision { answer, changes }) = decide(&view, &tries, snapshot.is_part)? else {
                    tries.missed += 1;
                    continue;
                };
                if changes == Changes::default() {
                    return answer;
                }
                let mut steps = snapshot.steps(&changes);
                let is_too_much = steps.len() > MAX_AT_ONCE;
                if is_too_much {
                    // This happens only for a lease over many narrow slots. The first commits join
                    // slots, until the rest fits into one commit.
                    steps = snapshot.steps(&joined(&slots, changes.put[0].nodes.start));
                }
                // The next commit joins slots with the one that this commit joins.
                if is_too_much {
                    tries.missed = MAX_MISSES;
                }
                if !self.0.commit(name, snapshot.session, &steps).await? {
                    pause(tries.lost).await?;
                    let last = changes.put.first().map(|slot| slot.nodes.start);
                    tries = Tries { lost: tries.lost + 1, last, ..tries };
                } else if !is_too_much {
                    return answer;
                }
            }
        })
        .await
    }

    /// Reads a namespace, and returns its slots in the order of their nodes.
    ///
    /// # Errors
    /// `StoreCorrupt` if the slots do not cover the nodes without gap or overlap.
    async fn read(&self, name: &str, wanted: Wanted) -> Result<(Snapshot, Vec<Slot>), Error> {
        let mut flawed = None;
        loop {
            let snapshot = self.0.read(name, wanted).await?;
            let slots: Vec<Slot> = snapshot.slots.values().filter_map(|(slot, _)| slot.clone()).collect();
            let namespace = snapshot.namespace.as_ref().map(|(namespace, _)| namespace);
            let Some((place, what)) = flaw(namespace, &slots, wanted, snapshot.is_part) else {
                return Ok((snapshot, slots));
            };
            // A server without snapshot reads may return a slot that was being divided. In that
            // case a second read returns other versions.
            let versions = snapshot.versions();
            if flawed.as_ref() == Some(&versions) {
                return Err(corrupt(self.0.url(), &self.0.path(name, place), &what));
            }
            flawed = Some(versions);
        }
    }
}

impl Snapshot {
    fn versions(&self) -> Vec<i64> {
        let namespace = self.namespace.iter().map(|(_, version)| version.number);
        namespace.chain(self.slots.iter().flat_map(|(first, (_, version))| [*first, version.number])).collect()
    }

    /// Returns the steps that write these changes, on condition that every record concerned is
    /// unchanged.
    ///
    /// Other slots may have changed. The decision could then have chosen other nodes, but it is
    /// still valid. New slots lie within the nodes of slots that are written, so no other caller
    /// can have created them.
    fn steps(&self, changes: &Changes) -> Vec<Step> {
        let before = |first: &i64| self.slots.get(first).map(|(_, version)| version.clone());
        let namespace = self.namespace.as_ref().map(|(namespace, version)| Step {
            place: Place::Namespace,
            before: Some(version.clone()),
            act: match changes.quarantine_until_us {
                Some(quarantine_until_us) => {
                    Act::Put(write_namespace(&Namespace { quarantine_until_us, ..namespace.clone() }))
                }
                None => Act::Keep,
            },
        });
        let removed = changes.removed.iter().map(|first| (first, Act::Remove));
        let put = changes.put.iter().map(|slot| (&slot.nodes.start, Act::Put(write_slot(slot))));
        let slots = removed.chain(put);
        let slots = slots.map(|(first, act)| Step { place: Place::Slot(*first), before: before(first), act });
        namespace.into_iter().chain(slots).collect()
    }
}

/// Finds a contradiction between records that are each valid by themselves.
fn flaw(namespace: Option<&Namespace>, slots: &[Slot], wanted: Wanted, is_part: bool) -> Option<(Place, String)> {
    let Some(namespace) = namespace else {
        return (!slots.is_empty()).then(|| (Place::Namespace, "it does not exist, but its slots do".to_owned()));
    };
    let misses = |node: i64| Some((Place::Slot(node), format!("no slot has the node {node}, of {}", namespace.nodes)));
    let overlaps = |slot: &Slot, next: i64| {
        let what = format!(
            "its nodes are {:?}, where the slot before it ends at {next}, and all at {}",
            slot.nodes, namespace.nodes
        );
        Some((Place::Slot(slot.nodes.start), what))
    };
    let mut next = 0;
    match wanted {
        Wanted::With(node) if !(0..namespace.nodes).contains(&node) => None,
        Wanted::With(node) => match slots.iter().find(|slot| slot.nodes.contains(&node)) {
            None => misses(node),
            Some(slot) if slot.nodes.end > namespace.nodes => overlaps(slot, slot.nodes.start),
            Some(_) => None,
        },
        Wanted::All | Wanted::Sample { .. } => {
            for slot in slots {
                if slot.nodes.start > next && !is_part {
                    return misses(next);
                }
                if slot.nodes.start < next || slot.nodes.end > namespace.nodes {
                    return overlaps(slot, next);
                }
                next = slot.nodes.end;
            }
            if next == namespace.nodes || is_part { None } else { misses(next) }
        }
    }
}

/// Joins free slots from this node on, as many as fit into one commit. The new slot is not granted.
/// Its fence is higher than those of all slots in it.
fn joined(slots: &[Slot], first: i64) -> Changes {
    let taken: Vec<&Slot> = slots.iter().filter(|slot| slot.nodes.start >= first).take(MAX_AT_ONCE - 2).collect();
    let end = taken.last().map_or(first, |slot| slot.nodes.end);
    let slot = Slot {
        fence: taken.iter().map(|slot| slot.fence).max().unwrap_or(0) + 1,
        high_water_us: taken.iter().map(|slot| slot.high_water_us).max().unwrap_or(0),
        ..Slot::unused(first..end)
    };
    let removed = taken.iter().skip(1).map(|slot| slot.nodes.start).collect();
    Changes { removed, put: vec![slot], quarantine_until_us: None }
}

/// Waits for a random time up to the limit of this try, so that conflicting callers spread out.
async fn pause(lost: u32) -> Result<(), Error> {
    let most_us = (FIRST_PAUSE_MS << lost.min(10)).min(LAST_PAUSE_MS) * 1_000;
    let random = draw()?.unsigned_abs() % most_us;
    tokio::time::sleep(Duration::from_micros(random)).await;
    Ok(())
}

#[async_trait]
impl<R: Records> Store for Optimistic<R> {
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error> {
        let name = terms.name();
        let namespace = Namespace::of(terms, draw()?);
        let slots = protocol::first_slots(terms.nodes(), protocol::first_node(terms.nodes(), draw()?));
        in_time(self.0.url(), async {
            for lost in 0.. {
                let (snapshot, _) = self.read(name, Wanted::All).await?;
                if let Some((there, _)) = &snapshot.namespace {
                    there.check(name, terms.fingerprint())?;
                    return Ok(there.clone());
                }
                let changes = Changes { put: slots.clone(), ..Changes::default() };
                let act = Act::Put(write_namespace(&namespace));
                let mut steps = vec![Step { place: Place::Namespace, before: None, act }];
                steps.extend(snapshot.steps(&changes));
                if self.0.commit(name, snapshot.session, &steps).await? {
                    break;
                }
                pause(lost).await?;
            }
            Ok(namespace.clone())
        })
        .await
    }

    async fn acquire(&self, name: &str, fingerprint: &str, request: &Acquire) -> Result<Grant, Error> {
        let wanted = |tries: &Tries| {
            let seen = request.seen.as_ref().map(|seen| seen.key.nodes.start);
            if tries.missed >= MAX_MISSES || tries.lost > MAX_CONFLICTS {
                return Ok(Wanted::All);
            }
            let count = FIRST_SAMPLE << tries.missed;
            Ok(Wanted::Sample { count, node: seen.map_or_else(draw, Ok)?, also: tries.last })
        };
        let decide = |view: &View<'_>, tries: &Tries, is_part: bool| {
            // A commit may succeed although its response is lost. The token is random, so a slot
            // with it is ours.
            let mine = |slot: &&Slot| slot.token == request.token && slot.is_held(view.now_us);
            if tries.lost > 0
                && let Some(slot) = view.slots.iter().find(mine)
            {
                return Ok(Some(Decision { answer: Ok(grant(view, slot)), changes: Changes::default() }));
            }
            // The protocol needs the slot of the last lease, to judge whether it is lost.
            let is_seen = |node: i64| view.slots.iter().any(|slot| slot.nodes.contains(&node));
            if is_part && request.seen.as_ref().is_some_and(|seen| !is_seen(seen.key.nodes.start)) {
                return Ok(None);
            }
            let decision = if tries.lost == 0 {
                protocol::acquire(view, fingerprint, request)
            } else {
                protocol::acquire_anywhere(view, fingerprint, request, draw()?)
            };
            // Another slot may have nodes whose lease begins now.
            let is_late = match &decision.answer {
                Ok(grant) => grant.start_us > view.now_us,
                Err(error) => error.kind() == ErrorKind::NamespaceFull,
            };
            Ok((!is_part || !is_late).then_some(decision))
        };
        self.decide(name, wanted, decide).await
    }

    async fn renew(&self, name: &str, request: &Renew) -> Result<Grant, Error> {
        let wanted = Wanted::With(request.seen.key.nodes.start);
        self.decide(name, |_| Ok(wanted), |view, _, _| Ok(Some(protocol::renew(view, request)))).await
    }

    async fn release(&self, name: &str, request: &Release) -> Result<(), Error> {
        let wanted = Wanted::With(request.key.nodes.start);
        self.decide(name, |_| Ok(wanted), |view, _, _| Ok(Some(protocol::release(view, request)))).await
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        in_time(self.0.url(), async {
            let (snapshot, slots) = self.read(name, Wanted::All).await?;
            let (namespace, _) = snapshot.namespace.ok_or_else(|| unknown(name))?;
            Ok(Listing { namespace, slots, now_us: snapshot.now_us })
        })
        .await
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        self.decide(name, |_| Ok(Wanted::All), |view, _, _| Ok(Some(protocol::quarantine_by_hand(view)))).await
    }
}

fn grant(view: &View<'_>, slot: &Slot) -> Grant {
    Grant {
        incarnation: view.namespace.incarnation,
        key: slot.key(),
        start_us: slot.start_us,
        end_us: slot.end_us,
        now_us: view.now_us,
    }
}
