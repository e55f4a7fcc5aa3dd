//! Leases in etcd, on plain keys. Transactions compare the revisions that were read.
//!
//! The key `ROOT/NAME/namespace` holds the namespace, and `ROOT/NAME/slots/FIRST` one slot. FIRST
//! is the slot's first node in 20 digits, so that keys sort by node. saiban attaches no key to an
//! etcd lease: those depend on the cluster's clocks and elections, and may end early.
//!
//! **Time.** etcd's only time is the `Date` header of its HTTP responses. It is that of the
//! responding member, truncated to seconds, so it is up to one second late. A lease therefore ends
//! up to one second before its ttl has passed. Its nodes become free up to one second after its
//! end.
//!
//! Rectangles do not overlap, whatever the clocks show. A new one begins at or after its slot's
//! high-water mark, and the transaction fails if the slot has changed. If the members' clocks
//! differ, grants are delayed, and the order of IDs suffers, as with a wrong clock of a holder.

mod gateway;

use super::StoreUrl;
use super::endpoints::{Cluster, Form};
use super::errors::{corrupt, unavailable};
use super::optimistic::{Act, Optimistic, Place, Records, Snapshot, Step, Version, Wanted};
use super::records::{read_namespace, read_slot};
use crate::Error;
use async_trait::async_trait;
use base64::{Engine, prelude::BASE64_STANDARD};
use gateway::{Gateway, number};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const FORM: Form = Form {
    port: 2_379,
    is_tls: false,
    has_token: false,
    text: "etcd://[user:password@]host[:port][,host[:port]…][/prefix], or etcds:// for TLS with ca=, cert= and key= \
           (files)",
};

/// The maximum number of slots in one response.
const PAGE: usize = 2_000;

/// Opens the store at this URL. Opens no connection.
///
/// # Errors
/// `InvalidArgument` for a URL of another form, and for a file that cannot be read.
pub(super) fn open(url: &StoreUrl) -> Result<Optimistic<Etcd>, Error> {
    let is_tls = url.kind() == "etcds";
    let cluster = Cluster::new(url, &Form { is_tls, ..FORM })?;
    let root = cluster.root().to_owned();
    Ok(Optimistic(Etcd { url: url.clone(), root, gateway: Gateway::new(url.clone(), &cluster, is_tls)? }))
}

/// A key-value pair, decoded.
struct Key {
    path: String,
    value: Vec<u8>,
    revision: i64,
}

/// Leases in etcd.
pub(super) struct Etcd {
    url: StoreUrl,
    root: String,
    gateway: Gateway,
}

impl Etcd {
    fn key(&self, name: &str, place: Place) -> String {
        BASE64_STANDARD.encode(self.path(name, place))
    }

    fn slots(&self, name: &str) -> String {
        format!("{}/{name}/slots/", self.root)
    }

    /// Returns the range request for as many slots, from this key on.
    fn range(&self, name: &str, from: &str, limit: usize) -> Value {
        // The end of all keys with the prefix `slots/`: the character after the slash is 0.
        let end = format!("{}/{name}/slots0", self.root);
        json!({ "key": BASE64_STANDARD.encode(from), "range_end": BASE64_STANDARD.encode(end), "limit": limit })
    }

    /// Returns the range request for the slot with the highest first node that is at most this one.
    fn last(&self, name: &str, node: i64) -> Value {
        let from = BASE64_STANDARD.encode(self.slots(name));
        let end = BASE64_STANDARD.encode(self.after(name, node));
        json!({ "key": from, "range_end": end, "limit": 1, "sort_order": "DESCEND", "sort_target": "KEY" })
    }

    /// Returns the first key after the slot with this first node.
    fn after(&self, name: &str, node: i64) -> String {
        format!("{}\0", self.path(name, Place::Slot(node)))
    }

    fn odd(&self, answer: &Value) -> Error {
        let text: String = answer.to_string().chars().take(200).collect();
        unavailable(&self.url, &format!("its answer is not one of etcd's: {text}"))
    }

    /// Decodes the keys of a range response. The flag shows whether there are more.
    fn keys(&self, range: &Value) -> Result<(Vec<Key>, bool), Error> {
        let odd = || self.odd(range);
        let bytes = |member: &Value| BASE64_STANDARD.decode(member.as_str().unwrap_or_default()).map_err(|_| odd());
        let mut keys = Vec::new();
        // etcd omits members that are empty or false.
        for kept in range["kvs"].as_array().map(Vec::as_slice).unwrap_or_default() {
            let path = String::from_utf8(bytes(&kept["key"])?).map_err(|_| odd())?;
            keys.push(Key {
                path,
                value: bytes(&kept["value"])?,
                revision: number(&kept["mod_revision"]).ok_or_else(odd)?,
            });
        }
        Ok((keys, range["more"] == true))
    }

    fn take(&self, name: &str, snapshot: &mut Snapshot, keys: Vec<Key>) -> Result<(), Error> {
        for Key { path, value, revision } in keys {
            let version = |text| Version { number: revision, text };
            if path == self.path(name, Place::Namespace) {
                let namespace = read_namespace(&self.url, &self.place(&path), &value)?;
                snapshot.namespace = Some((namespace, version(value)));
                continue;
            }
            let digits = path.rsplit('/').next().unwrap_or_default();
            let first = digits.parse().unwrap_or(-1);
            if path != self.path(name, Place::Slot(first)) {
                return Err(corrupt(&self.url, &self.place(&path), "its last part is not a node in 20 digits"));
            }
            let slot = read_slot(&self.url, &self.place(&path), first, &value)?;
            snapshot.slots.insert(first, (slot, version(value)));
        }
        Ok(())
    }

    /// Adds the slots of a range response to the snapshot. If there are more, returns the key after
    /// the last one.
    fn take_range(&self, name: &str, snapshot: &mut Snapshot, range: &Value) -> Result<Option<String>, Error> {
        let (keys, is_more) = self.keys(range)?;
        let last = keys.last().filter(|_| is_more).map(|key| format!("{}\0", key.path));
        self.take(name, snapshot, keys)?;
        Ok(last)
    }

    /// Reads the namespace and the slots of these ranges, at one revision. Of two ranges `either`,
    /// reads the first, or the second if the first, a single key, does not exist.
    ///
    /// A read-only transaction is linearizable.
    async fn read_ranges(&self, name: &str, either: Option<(&Value, &Value)>, ranges: &[Value]) -> Result<Read, Error> {
        let namespace = json!({ "key": self.key(name, Place::Namespace) });
        let ask = |range: &Value| json!({ "request_range": range });
        let all = |first: Option<&Value>| -> Vec<Value> {
            std::iter::once(&namespace).chain(first).chain(ranges).map(ask).collect()
        };
        let exists =
            |range: &Value| json!({ "key": range["key"], "target": "VERSION", "result": "GREATER", "version": "0" });
        let transaction = json!({
            "compare": either.iter().map(|(first, _)| exists(first)).collect::<Vec<_>>(),
            "success": all(either.map(|(first, _)| first)),
            "failure": if either.is_some() { all(either.map(|(_, second)| second)) } else { Vec::new() },
        });
        let (answer, now_us) = self.gateway.ask("/v3/kv/txn", &transaction).await?;
        let odd = || self.odd(&answer);
        let responses = answer["responses"].as_array().ok_or_else(odd)?;
        if responses.len() != 1 + usize::from(either.is_some()) + ranges.len() {
            return Err(odd());
        }
        let mut snapshot = Snapshot { namespace: None, slots: BTreeMap::new(), now_us, session: 0, is_part: false };
        let mut more = None;
        for response in responses {
            more = self.take_range(name, &mut snapshot, &response["response_range"])?;
        }
        Ok(Read { snapshot, more, revision: answer["header"]["revision"].clone() })
    }

    fn place(&self, path: &str) -> String {
        format!("the key {path:?}")
    }
}

/// The slots that a transaction read.
struct Read {
    snapshot: Snapshot,
    /// The key after the last one, if there are more in the last range.
    more: Option<String>,
    revision: Value,
}

#[async_trait]
impl Records for Etcd {
    fn url(&self) -> &StoreUrl {
        &self.url
    }

    fn path(&self, name: &str, place: Place) -> String {
        match place {
            Place::Namespace => format!("{}/{name}/namespace", self.root),
            Place::Slot(first) => format!("{}{first:020}", self.slots(name)),
        }
    }

    async fn read(&self, name: &str, wanted: Wanted) -> Result<Snapshot, Error> {
        let slots = self.slots(name);
        match wanted {
            Wanted::All => {
                let mut read = self.read_ranges(name, None, &[self.range(name, &slots, PAGE)]).await?;
                while let Some(last) = read.more.take() {
                    let mut next = self.range(name, &last, PAGE);
                    next["revision"] = read.revision.clone();
                    let (answer, _) = self.gateway.ask("/v3/kv/range", &next).await?;
                    read.more = self.take_range(name, &mut read.snapshot, &answer)?;
                }
                Ok(read.snapshot)
            }
            Wanted::With(node) => {
                // The second range runs only if no slot begins with this node, because etcd sorts
                // all keys in it.
                let key = json!({ "key": self.key(name, Place::Slot(node)) });
                let read = self.read_ranges(name, Some((&key, &self.last(name, node))), &[]).await?;
                Ok(read.snapshot)
            }
            Wanted::Sample { count, node, also } => {
                let few = self.read_ranges(name, None, &[self.range(name, &slots, count)]).await?;
                let (Some(_), Some((namespace, _))) = (&few.more, &few.snapshot.namespace) else {
                    return Ok(few.snapshot);
                };
                let node = node.rem_euclid(namespace.nodes);
                let mut ranges = vec![self.last(name, node), self.range(name, &self.after(name, node), count - 1)];
                ranges.extend(also.map(|first| json!({ "key": self.key(name, Place::Slot(first)) })));
                let read = self.read_ranges(name, None, &ranges).await?;
                Ok(Snapshot { is_part: true, ..read.snapshot })
            }
        }
    }

    async fn commit(&self, name: &str, _session: u64, steps: &[Step]) -> Result<bool, Error> {
        let compare = steps.iter().flat_map(|step| {
            let key = self.key(name, step.place);
            // Revision 0 stands for a key that does not exist.
            let revision = step.before.as_ref().map_or(0, |before| before.number).to_string();
            let text = step.before.as_ref().map(|before| BASE64_STANDARD.encode(&before.text));
            let text = text.map(|text| json!({ "key": key, "target": "VALUE", "result": "EQUAL", "value": text }));
            let revision = json!({ "key": key, "target": "MOD", "result": "EQUAL", "mod_revision": revision });
            [Some(revision), text].into_iter().flatten()
        });
        let success = steps.iter().filter_map(|step| {
            let key = self.key(name, step.place);
            match &step.act {
                Act::Keep => None,
                Act::Put(text) => Some(json!({ "request_put": { "key": key, "value": BASE64_STANDARD.encode(text) } })),
                Act::Remove => Some(json!({ "request_delete_range": { "key": key } })),
            }
        });
        let ask = json!({ "compare": compare.collect::<Vec<_>>(), "success": success.collect::<Vec<_>>() });
        let (answer, _) = self.gateway.ask("/v3/kv/txn", &ask).await?;
        Ok(answer["succeeded"] == true)
    }
}
