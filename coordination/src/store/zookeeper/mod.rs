//! Leases in ZooKeeper, on persistent nodes. Transactions check the versions that were read.
//!
//! The znode `ROOT/NAME` holds the namespace, and `ROOT/NAME/FIRST` one slot. FIRST is the slot's
//! first node in 20 digits. saiban does not rely on ephemeral znodes: a session may end while its
//! holder still makes IDs.
//!
//! ZooKeeper restarts a znode's versions when the znode is deleted and created again. So saiban
//! does not delete a slot that was joined with another one. It marks the znode, and the next slot
//! with this first node reuses it. Thus a version never comes back.
//!
//! **Time** is the timestamp that the cluster's leader gives a write, in milliseconds. Every call
//! first writes `ROOT/NAME/clock`. A read after it in the same session is at least as new as that
//! write, whichever server the session is with.
//!
//! A renewal or release takes two round trips and two writes. A call that reads several slots takes
//! two round trips more. A call without a change saves one round trip and one write.
//!
//! A namespace may have tens of thousands of slots. Their names come in one message, which
//! ZooKeeper's Java clients limit to 1 MiB: about 40,000 names.
//!
//! **The client** is in this folder. The crate `zookeeper-client` keeps its sockets and a thread in
//! a static. It does not work in a forked child whose parent has used it, because the child
//! lacks the thread.

mod link;
mod session;
mod wire;

use super::StoreUrl;
use super::endpoints::{Cluster, Form};
use super::errors::{corrupt, refused, unavailable};
use super::optimistic::{Act, Optimistic, Place, Records, Snapshot, Step, Version, Wanted};
use super::records::{read_namespace, read_slot, write_joined};
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
    text: "zookeeper://[user:password@]host[:port][,host[:port]…][/path], or zookeepers:// for TLS with ca= (a \
           file), and cert= and key= where the servers ask for them",
};

const CLOCK: &str = "clock";
/// The length of a slot's name: that of its first node, with leading zeros.
const NODE_DIGITS: usize = 20;

/// Opens the store at this URL. Opens no connection.
///
/// # Errors
/// `InvalidArgument` for a URL of another form, and for a file that cannot be read.
pub(super) fn open(url: &StoreUrl) -> Result<Optimistic<ZooKeeper>, Error> {
    let is_tls = url.kind() == "zookeepers";
    let cluster = Cluster::new(url, &Form { is_tls, ..FORM })?;
    let root = cluster.root().to_owned();
    if root.split('/').skip(1).any(|part| matches!(part, "" | "." | ".."))
        || root.split('/').nth(1) == Some("zookeeper")
    {
        let message = format!("{url}: {root:?} is not a path that ZooKeeper allows: give {}", FORM.text);
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

    /// Returns a znode's data and version, or `None` if the znode does not exist.
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

    /// Reads the wanted slots into the snapshot. The reads are not atomic, so a concurrent change
    /// may be included in part. Returns `None` if the session is over.
    async fn read_slots(&self, name: &str, wanted: Wanted, snapshot: &mut Snapshot) -> Result<Option<()>, Error> {
        // Reads in the session that wrote the clock: the server of another one may lag behind that
        // write.
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
            let digits = child.len() == NODE_DIGITS && child.bytes().all(|digit| digit.is_ascii_digit());
            let Some(first) = digits.then(|| child.parse().ok()).flatten() else {
                let place = place(&format!("{namespace}/{child}"));
                return Err(corrupt(&self.url, &place, "its name is not a node in 20 digits"));
            };
            firsts.push(first);
        }
        if let (Wanted::Sample { count, node, also }, Some((namespace, _))) = (wanted, &snapshot.namespace)
            && firsts.len() > count
        {
            firsts = sample(firsts, count, node.rem_euclid(namespace.nodes), also);
            snapshot.is_part = true;
        }
        let asked = firsts.iter().map(|first| wire::get_data(&self.path(name, Place::Slot(*first)))).collect();
        let Some(answers) = self.link.ask_in(session, asked).await else { return Ok(None) };
        for (first, answer) in firsts.into_iter().zip(answers) {
            // A znode is missing while the whole namespace is being deleted.
            if let Some(kept) = self.data(answer)? {
                self.take(name, first, kept, snapshot)?;
            }
        }
        Ok(Some(()))
    }

    /// Reads a namespace once. Returns `None` if the session ended, or if the namespace was created
    /// during the read: the caller reads again.
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
        let mut snapshot = Snapshot { namespace: None, slots: BTreeMap::new(), now_us: 0, session, is_part: false };
        snapshot.now_us = match (clock, &namespace) {
            (Ok(answer), _) => wire::written_ms(&answer).ok_or_else(|| self.odd())?.saturating_mul(1_000),
            (Err(Code::NO_NODE), None) => 0,
            (Err(Code::NO_NODE), Some(_)) => {
                // One transaction creates namespace and clock. If the clock exists now, that
                // happened between the write of the clock and the read of the namespace.
                let (answers, _) = self.link.ask(vec![wire::get_data(&self.clock(name))]).await?;
                if let Some(Err(Code::NO_NODE)) = answers.first() {
                    return Err(corrupt(&self.url, &place(&self.clock(name)), "it is not there"));
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
            // No slot begins with this node: find the one that contains it.
        }
        Ok(self.read_slots(name, wanted, &mut snapshot).await?.map(|()| snapshot))
    }

    /// Creates the parents of the namespaces' znodes.
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
        // ZooKeeper does not allow these names.
        let name = if matches!(name, "." | "..") { name.replace('.', "%2E") } else { name.to_owned() };
        match place {
            Place::Namespace => format!("{}/{name}", self.root),
            Place::Slot(first) => format!("{}/{name}/{first:0NODE_DIGITS$}", self.root),
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
        // Commits in the session that has read. A server that was restored from a backup has
        // another session, and its versions may stand for other records.
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

/// Returns up to `count` of the slots with these first nodes, from the slot with this node on, and
/// the one that is wanted too.
fn sample(mut firsts: Vec<i64>, count: usize, node: i64, also: Option<i64>) -> Vec<i64> {
    firsts.sort_unstable();
    let after = firsts.partition_point(|first| *first <= node);
    let from = after.saturating_sub(1);
    let mut index = 0..;
    firsts.retain(|first| {
        let is_near = index.next().is_some_and(|index| (from..from + count).contains(&index));
        is_near || also == Some(*first)
    });
    firsts
}

/// Returns a version in ZooKeeper's 32 bits, in which it was read.
fn version_of(version: i64) -> i32 {
    i32::try_from(version).unwrap_or(i32::MIN)
}

fn place(path: &str) -> String {
    format!("the node {path:?}")
}

#[cfg(test)]
mod tests {
    use super::sample;

    #[test]
    fn a_sample_begins_with_the_slot_that_has_the_node() {
        // Slots of two nodes each.
        let slots: Vec<_> = (0..200).rev().map(|slot| 2 * slot).collect();
        let firsts = |node, also| sample(slots.clone(), 16, node, also);
        let run = |from: i64, count: usize| -> Vec<i64> { (from..).step_by(2).take(count).collect() };
        for (node, from, count) in [(0, 0, 16), (1, 0, 16), (100, 100, 16), (399, 398, 1), (390, 390, 5)] {
            assert_eq!(firsts(node, None), run(from, count), "node {node}");
        }
        // The slot that is wanted too: in the run, beside it, and one that does not exist.
        assert_eq!(firsts(100, Some(102)), run(100, 16));
        assert_eq!(firsts(100, Some(4)), [vec![4], run(100, 16)].concat());
        assert_eq!(firsts(100, Some(5)), run(100, 16));
    }
}
