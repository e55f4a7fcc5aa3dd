//! Stores that read, decide, and write if nothing has changed meanwhile; else they begin again.
//!
//! A call is two round trips, one where nothing is to be written; a grant reads all slots of its name space. Who meets others
//! waits for a part of a time that doubles, and then chooses at random among the slots that would do. The worst is a new name
//! space, whose one or two slots all want: 64 who asked at once made 380 to 460 tries, none more than 12, in one to two seconds
//! on two busy cores; 150, where as many slots were free.

use super::records::{write_namespace, write_slot};
use super::{Listing, Store, StoreUrl, corrupt, draw, in_time};
use crate::Error;
use crate::lease::protocol::{self, Acquire, Changes, Decision, Grant, Release, Renew, View};
use crate::lease::{Namespace, Slot, Terms};
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::time::Duration;

/// The most records that one commit touches: etcd takes 128 questions, and is asked two about each.
const MOST_AT_ONCE: usize = 60;

/// How long to wait at most before the second try; each further one may wait twice as long, up to the last.
const FIRST_PAUSE_MS: u64 = 4;
const LAST_PAUSE_MS: u64 = 256;

/// Records under keys, which a server changes all or none.
#[async_trait]
pub(super) trait Records: Send + Sync {
    /// The URL, for messages.
    fn url(&self) -> &StoreUrl;

    /// What a record is called in the server.
    fn path(&self, name: &str, place: Place) -> String;

    /// What the server has of a name space, and its time. It is as new as the call: what any process was told before is in it.
    async fn read(&self, name: &str, wanted: Wanted) -> Result<Snapshot, Error>;

    /// Does all these steps, unless a record is not what was read any more: then none, and the answer is false. It may be false
    /// also when all were done, and an answer was lost.
    async fn commit(&self, name: &str, session: u64, steps: &[Step]) -> Result<bool, Error>;
}

/// Which slots are read.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    All,
    /// The one that has this node.
    With(i64),
}

/// A record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Namespace,
    /// By its first node.
    Slot(i64),
}

/// One part of a commit.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) place: Place,
    /// What the record must be; none where there must not be one.
    pub(super) before: Option<Version>,
    pub(super) act: Act,
}

/// What is done to a record.
#[derive(Debug)]
pub(super) enum Act {
    /// Nothing: it must be as it was.
    Keep,
    Put(String),
    Remove,
}

/// What tells whether a record was written since it was read: its number never comes back, as long as the server forgets nothing.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) number: i64,
    /// What was read. A server that was put back from a copy may give a number twice, but not to the same text for another grant.
    pub(super) text: Vec<u8>,
}

/// What was read.
pub(super) struct Snapshot {
    pub(super) namespace: Option<(Namespace, Version)>,
    /// By first node. None stands where a slot was joined with another, in servers where versions begin anew when a record is
    /// made.
    pub(super) slots: BTreeMap<i64, (Option<Slot>, Version)>,
    /// The server's time, Unix µs, or somewhat before.
    pub(super) now_us: i64,
    /// With which session it was read, where the server has such: what it is asked in another may be on a copy that was put back.
    pub(super) session: u64,
}

/// A store of such records.
pub(super) struct Optimistic<R>(pub(super) R);

impl<R: Records> Optimistic<R> {
    /// Decides on what is there, and writes. The decision is asked for again, with the number of tries before, while others
    /// change what it is about.
    async fn decide<T>(
        &self,
        name: &str,
        wanted: Wanted,
        decide: impl Fn(&View<'_>, u32) -> Result<Decision<T>, Error> + Sync,
    ) -> Result<T, Error> {
        let mut lost = 0;
        in_time(self.0.url(), async {
            loop {
                let (snapshot, slots) = self.read(name, wanted).await?;
                let (namespace, _) = snapshot.namespace.as_ref().ok_or_else(|| super::unknown(name))?;
                let view = View { name, namespace, slots: &slots, now_us: snapshot.now_us };
                let Decision { answer, changes } = decide(&view, lost)?;
                if changes == Changes::default() {
                    return answer;
                }
                let mut steps = snapshot.steps(&changes);
                let is_too_much = steps.len() > MOST_AT_ONCE;
                if is_too_much {
                    // Only a wide lease over many narrow slots is: they are made fewer first.
                    steps = snapshot.steps(&joined(&slots, changes.put[0].nodes.start));
                }
                if !self.0.commit(name, snapshot.session, &steps).await? {
                    pause(lost).await?;
                    lost += 1;
                } else if !is_too_much {
                    return answer;
                }
            }
        })
        .await
    }

    /// What the store has, and its slots in the order of their nodes, which must be as saiban leaves them.
    async fn read(&self, name: &str, wanted: Wanted) -> Result<(Snapshot, Vec<Slot>), Error> {
        let mut flawed = None;
        loop {
            let snapshot = self.0.read(name, wanted).await?;
            let slots: Vec<Slot> = snapshot.slots.values().filter_map(|(slot, _)| slot.clone()).collect();
            let Some((place, what)) = flaw(snapshot.namespace.as_ref().map(|(namespace, _)| namespace), &slots, wanted)
            else {
                return Ok((snapshot, slots));
            };
            // Where records are read one after the other a slot may have been divided meanwhile: then the next look differs.
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

    /// What writes these changes, if all that they are about is still as it was read.
    ///
    /// Other slots may have changed: a grant would have fallen on other nodes then, and it is right on these too. New slots are
    /// made within the nodes of those that are written, so nobody else can have made them.
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

/// What is wrong with records that can each be read.
fn flaw(namespace: Option<&Namespace>, slots: &[Slot], wanted: Wanted) -> Option<(Place, String)> {
    let Some(namespace) = namespace else {
        return (!slots.is_empty()).then(|| (Place::Namespace, "it is not there, and its slots are".to_owned()));
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
        Wanted::All => {
            for slot in slots {
                if slot.nodes.start > next {
                    return misses(next);
                }
                if slot.nodes.start < next || slot.nodes.end > namespace.nodes {
                    return overlaps(slot, next);
                }
                next = slot.nodes.end;
            }
            if next == namespace.nodes { None } else { misses(next) }
        }
    }
}

/// Free slots from this node on made one, as many as a commit can take. Nobody is granted it, so that its fence is one that
/// nobody has seen.
fn joined(slots: &[Slot], first: i64) -> Changes {
    let taken: Vec<&Slot> = slots.iter().filter(|slot| slot.nodes.start >= first).take(MOST_AT_ONCE - 2).collect();
    let end = taken.last().map_or(first, |slot| slot.nodes.end);
    let slot = Slot {
        fence: taken.iter().map(|slot| slot.fence).max().unwrap_or(0) + 1,
        high_water_us: taken.iter().map(|slot| slot.high_water_us).max().unwrap_or(0),
        ..Slot::unused(first..end)
    };
    let removed = taken.iter().skip(1).map(|slot| slot.nodes.start).collect();
    Changes { removed, put: vec![slot], quarantine_until_us: None }
}

/// The slots without most of those that a new lease could get at once, so that not all who ask at the same time try the same.
fn spread(view: &View<'_>, wish: &Acquire, drawn: i64) -> Vec<Slot> {
    let is_choice =
        |slot: &Slot| !slot.is_held(view.now_us) && slot.high_water_us <= view.now_us && slot.width() >= wish.nodes;
    let choices = view.slots.iter().filter(|slot| is_choice(slot)).count();
    let Ok(choices @ 1..) = i64::try_from(choices) else { return view.slots.to_vec() };
    let mut left = drawn % choices;
    let mut is_chosen = || {
        left -= 1;
        left == -1
    };
    // What the holder has seen is judged by the slot that has its first node.
    let is_seen = |slot: &Slot| wish.seen.as_ref().is_some_and(|seen| slot.nodes.contains(&seen.key.nodes.start));
    view.slots.iter().filter(|slot| !is_choice(slot) || is_chosen() || is_seen(slot)).cloned().collect()
}

/// Waits for a part of the time that was drawn, so that those who met do not meet again.
async fn pause(lost: u32) -> Result<(), Error> {
    let most_us = (FIRST_PAUSE_MS << lost.min(10)).min(LAST_PAUSE_MS) * 1_000;
    let drawn = draw()?.unsigned_abs() % most_us;
    tokio::time::sleep(Duration::from_micros(drawn)).await;
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

    async fn acquire(&self, name: &str, fingerprint: &str, wish: &Acquire) -> Result<Grant, Error> {
        self.decide(name, Wanted::All, |view, lost| {
            if lost == 0 {
                return Ok(protocol::acquire(view, fingerprint, wish));
            }
            // A commit may have been made although its answer was lost. Nobody else has drawn this token.
            let mine = |slot: &&Slot| slot.token == wish.token && slot.is_held(view.now_us);
            if let Some(slot) = view.slots.iter().find(mine) {
                return Ok(Decision { answer: Ok(grant(view, slot)), changes: Changes::default() });
            }
            let slots = spread(view, wish, draw()?);
            Ok(protocol::acquire(&View { slots: &slots, ..view.clone() }, fingerprint, wish))
        })
        .await
    }

    async fn renew(&self, name: &str, wish: &Renew) -> Result<Grant, Error> {
        let wanted = Wanted::With(wish.seen.key.nodes.start);
        self.decide(name, wanted, |view, _| Ok(protocol::renew(view, wish))).await
    }

    async fn release(&self, name: &str, wish: &Release) -> Result<(), Error> {
        let wanted = Wanted::With(wish.key.nodes.start);
        self.decide(name, wanted, |view, _| Ok(protocol::release(view, wish))).await
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        in_time(self.0.url(), async {
            let (snapshot, slots) = self.read(name, Wanted::All).await?;
            let (namespace, _) = snapshot.namespace.ok_or_else(|| super::unknown(name))?;
            Ok(Listing { namespace, slots, now_us: snapshot.now_us })
        })
        .await
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        self.decide(name, Wanted::All, |view, _| Ok(protocol::quarantine_by_hand(view))).await
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
