//! ZooKeeper: persistent nodes, and transactions that ask for the versions that were read.
//!
//! `ROOT/NAME` has the name space, `ROOT/NAME/FIRST` each slot (its first node in 20 digits). No ephemeral node decides anything:
//! a session may end while its holder still makes IDs. Versions begin anew where a node is made anew, so a slot that was joined
//! with another is not removed: its node stays, marked, for the next slot that begins there. Thus no version that was read ever
//! comes back.
//!
//! **Time** is what the cluster's leader stamps on a write, to the millisecond: every call writes `ROOT/NAME/clock` first. What
//! is read after it on the same session is as new as that write, on whichever server. A call is two round trips and two writes,
//! one without a change.
//!
//! A name space may have tens of thousands of slots: their names come in one message, and the server's Java clients take 1 MiB,
//! which is 40,000.
//!
//! **The client** is in this folder, because the crate `zookeeper-client` is of no use in a child whose parent has used it before
//! the fork: it keeps its sockets and a thread in a static, and the child has the static without the thread.

mod link;
mod session;
mod wire;

use super::endpoints::{Cluster, Form};
use super::optimistic::{Act, Optimistic, Place, Records, Snapshot, Step, Version, Wanted};
use super::records::{read_namespace, read_slot, write_joined};
use super::{StoreUrl, refused, unavailable};
use crate::Error;
use async_trait::async_trait;
use link::Link;
use saiban::ErrorKind;
use std::collections::BTreeMap;
use wire::{Code, Request};

const FORM: Form = Form {
    port: 2_181,
    is_tls: false,
    has_token: false,
    text: "zookeeper://[user:password@]host[:port][,host[:port]…][/path], or zookeepers:// for TLS with ca= (a file), and cert= and key= where \
           the servers ask for them",
};

const CLOCK: &str = "clock";

/// Opens the store at this URL.
///
/// # Errors
/// `InvalidArgument` for what cannot be read.
pub(super) fn open(url: &StoreUrl) -> Result<Optimistic<ZooKeeper>, Error> {
    let is_tls = url.kind() == "zookeepers";
    let cluster = Cluster::new(url, &Form { is_tls, ..FORM })?;
    let root = cluster.root().to_owned();
    if root.split('/').skip(1).any(|part| matches!(part, "" | "." | ".."))
        || root.split('/').nth(1) == Some("zookeeper")
    {
        let message = format!("{url}: {root:?} is no path that ZooKeeper allows: give {}", FORM.text);
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    Ok(Optimistic(ZooKeeper { root, link: Link::new(url.clone(), cluster, is_tls, FORM.text)?, url: url.clone() }))
}

/// Leases in ZooKeeper.
pub(super) struct ZooKeeper {
    url: StoreUrl,
    root: String,
    link: Link,
}

impl ZooKeeper {
    fn odd(&self) -> Error {
        unavailable(&self.url, "its answer is not one of ZooKeeper's")
    }

    fn refused(&self, code: Code) -> Error {
        let why = format!("it refuses: {}", code.name());
        if code == Code::NO_AUTH { refused(&self.url, &why) } else { unavailable(&self.url, &why) }
    }

    fn clock(&self, name: &str) -> String {
        format!("{}/{CLOCK}", self.path(name, Place::Namespace))
    }

    /// A node's data and version, where it is there.
    fn data(&self, answer: Result<Vec<u8>, Code>) -> Result<Option<Version>, Error> {
        match answer {
            Ok(answer) => {
                let (text, version) = wire::data(&answer).ok_or_else(|| self.odd())?;
                Ok(Some(Version { number: version.into(), text }))
            }
            Err(Code::NO_NODE) => Ok(None),
            Err(code) => Err(self.refused(code)),
        }
    }

    fn take(&self, name: &str, first: i64, version: Version, into: &mut Snapshot) -> Result<(), Error> {
        let slot = read_slot(&self.url, &place(&self.path(name, Place::Slot(first))), first, &version.text)?;
        into.slots.insert(first, (slot, version));
        Ok(())
    }

    /// All slots, one after the other: what is written meanwhile may be half seen. None when the session is over.
    async fn read_slots(&self, name: &str, snapshot: &mut Snapshot) -> Result<Option<()>, Error> {
        // In the session that wrote the clock: another may be with a server that has not heard of that yet.
        let session = snapshot.session;
        let namespace = self.path(name, Place::Namespace);
        let mut firsts = Vec::new();
        let Some(mut answers) = self.link.ask_in(session, vec![wire::get_children(&namespace)]).await else {
            return Ok(None);
        };
        let names = match answers.remove(0) {
            Ok(answer) => wire::children(&answer).ok_or_else(|| self.odd())?,
            Err(Code::NO_NODE) => Vec::new(),
            Err(code) => return Err(self.refused(code)),
        };
        for child in names.into_iter().filter(|child| child != CLOCK) {
            let first = child.parse().unwrap_or(-1);
            let path = self.path(name, Place::Slot(first));
            if path != format!("{namespace}/{child}") {
                let place = place(&format!("{namespace}/{child}"));
                return Err(super::corrupt(&self.url, &place, "its name is no node in 20 digits"));
            }
            firsts.push((first, path));
        }
        let asked = firsts.iter().map(|(_, path)| wire::get_data(path)).collect();
        let Some(answers) = self.link.ask_in(session, asked).await else { return Ok(None) };
        for ((first, _), answer) in firsts.into_iter().zip(answers) {
            // None is there where the whole name space is being removed.
            if let Some(kept) = self.data(answer)? {
                self.take(name, first, kept, snapshot)?;
            }
        }
        Ok(Some(()))
    }

    /// What there is. None when the session is over before all is read, or the name space was made meanwhile.
    async fn read_once(&self, name: &str, wanted: Wanted) -> Result<Option<Snapshot>, Error> {
        let path = self.path(name, Place::Namespace);
        let mut asked = vec![wire::set_data(&self.clock(name), &[], wire::ANY), wire::get_data(&path)];
        if let Wanted::With(node) = wanted {
            asked.push(wire::get_data(&self.path(name, Place::Slot(node))));
        }
        let (answers, session) = self.link.ask(asked).await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().ok_or_else(|| self.odd());
        let (clock, namespace) = (next()?, self.data(next()?)?);
        let mut snapshot = Snapshot { namespace: None, slots: BTreeMap::new(), now_us: 0, session };
        snapshot.now_us = match (clock, &namespace) {
            (Ok(answer), _) => wire::written_ms(&answer).ok_or_else(|| self.odd())?.saturating_mul(1_000),
            (Err(Code::NO_NODE), None) => 0,
            (Err(Code::NO_NODE), Some(_)) => {
                // They are made together: after the one was written, and before the other was read, if the clock is there now.
                let (answers, _) = self.link.ask(vec![wire::get_data(&self.clock(name))]).await?;
                if let Some(Err(Code::NO_NODE)) = answers.first() {
                    return Err(super::corrupt(&self.url, &place(&self.clock(name)), "it is not there"));
                }
                return Ok(None);
            }
            (Err(code), _) => return Err(self.refused(code)),
        };
        let Some(version) = namespace else { return Ok(Some(snapshot)) };
        snapshot.namespace = Some((read_namespace(&self.url, &place(&path), &version.text)?, version));
        if let Wanted::With(node) = wanted {
            if let Some(kept) = self.data(next()?)? {
                self.take(name, node, kept, &mut snapshot)?;
            }
            if snapshot.slots.values().any(|(slot, _)| slot.is_some()) {
                return Ok(Some(snapshot));
            }
            // No slot begins with this node now.
        }
        Ok(self.read_slots(name, &mut snapshot).await?.map(|()| snapshot))
    }

    /// Makes the nodes above the name spaces.
    async fn make_root(&self) -> Result<(), Error> {
        let ends = self.root.match_indices('/').map(|(index, _)| index).skip(1).chain([self.root.len()]);
        let make = ends.map(|end| wire::create(&self.root[..end], &[], false)).collect();
        for answer in self.link.ask(make).await?.0 {
            if let Err(code) = answer
                && code != Code::NODE_EXISTS
            {
                return Err(self.refused(code));
            }
        }
        Ok(())
    }

    fn operations(&self, name: &str, step: &Step) -> Vec<Request> {
        let path = self.path(name, step.place);
        let is_own = self.link.has_login();
        let joined = write_joined();
        let text = match &step.act {
            Act::Keep => None,
            Act::Put(text) => Some(text),
            Act::Remove => Some(&joined),
        };
        match (text, step.before.as_ref().map(|before| before.number)) {
            (None, version) => vec![wire::check(&path, version_of(version.unwrap_or(0)))],
            (Some(text), Some(version)) => vec![wire::set_data(&path, text.as_bytes(), version_of(version))],
            (Some(text), None) => {
                let mut made = vec![wire::create(&path, text.as_bytes(), is_own)];
                if step.place == Place::Namespace {
                    made.push(wire::create(&self.clock(name), &[], is_own));
                }
                made
            }
        }
    }
}

#[async_trait]
impl Records for ZooKeeper {
    fn url(&self) -> &StoreUrl {
        &self.url
    }

    fn path(&self, name: &str, place: Place) -> String {
        // Nodes cannot be called so.
        let name = if matches!(name, "." | "..") { name.replace('.', "%2E") } else { name.to_owned() };
        match place {
            Place::Namespace => format!("{}/{name}", self.root),
            Place::Slot(first) => format!("{}/{name}/{first:020}", self.root),
        }
    }

    async fn read(&self, name: &str, wanted: Wanted) -> Result<Snapshot, Error> {
        loop {
            if let Some(snapshot) = self.read_once(name, wanted).await? {
                return Ok(snapshot);
            }
        }
    }

    async fn commit(&self, name: &str, session: u64, steps: &[Step]) -> Result<bool, Error> {
        let parts: Vec<Request> = steps.iter().flat_map(|step| self.operations(name, step)).collect();
        let is_new = steps.iter().any(|step| step.place == Place::Namespace && step.before.is_none());
        if is_new {
            self.make_root().await?;
        }
        // In the session that has read: a server that was put back from a copy meanwhile has another, and may have other records
        // under the same versions.
        let Some(mut answers) = self.link.ask_in(session, vec![wire::multi(&parts)]).await else { return Ok(false) };
        let failure = match answers.remove(0) {
            Ok(answer) => wire::multi_failure(&answer).ok_or_else(|| self.odd())?,
            Err(code) => Some(code),
        };
        match failure {
            None => Ok(true),
            Some(Code::BAD_VERSION | Code::NODE_EXISTS | Code::NO_NODE) => Ok(false),
            Some(code) => Err(self.refused(code)),
        }
    }
}

/// A version as it was read: the server has 32 bits for it.
fn version_of(version: i64) -> i32 {
    i32::try_from(version).unwrap_or(i32::MIN)
}

fn place(path: &str) -> String {
    format!("the node {path:?}")
}
