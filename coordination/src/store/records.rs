//! The JSON of namespaces and slots, for stores that keep texts under keys: etcd and ZooKeeper.
//! Each text has a format version.
//!
//! Numbers have up to 63 bits and must be JSON integers. A number that a program has rewritten as a
//! floating-point number is rejected.

use super::StoreUrl;
use super::errors::{corrupt, newer};
use super::values::MAX_VALUE;
use crate::Error;
use crate::lease::{Namespace, Slot};
use serde_json::{Value, json};

/// The version of the format.
const VERSION: i64 = 1;

/// Returns a namespace as JSON.
pub(super) fn write_namespace(namespace: &Namespace) -> String {
    json!({
        "version": VERSION,
        "fingerprint": namespace.fingerprint,
        "nodes": namespace.nodes,
        "max_ttl_us": namespace.max_ttl_us,
        "incarnation": namespace.incarnation,
        "quarantine_until_us": namespace.quarantine_until_us,
    })
    .to_string()
}

/// Returns a slot as JSON.
pub(super) fn write_slot(slot: &Slot) -> String {
    json!({
        "version": VERSION,
        "first_node": slot.nodes.start,
        "end_node": slot.nodes.end,
        "fence": slot.fence,
        "token": slot.token,
        "start_us": slot.start_us,
        "end_us": slot.end_us,
        "high_water_us": slot.high_water_us,
        "holder": slot.holder,
    })
    .to_string()
}

/// Returns the JSON that replaces a slot which was joined with another one, in servers where saiban
/// removes no keys.
pub(super) fn write_joined() -> String {
    json!({ "version": VERSION, "joined": true }).to_string()
}

/// Parses the namespace that is stored at `place`.
///
/// # Errors
/// `StoreCorrupt`, `StoreUnsupported`.
pub(super) fn read_namespace(url: &StoreUrl, place: &str, text: &[u8]) -> Result<Namespace, Error> {
    let record = Record::new(url, place, text)?;
    let namespace = Namespace {
        fingerprint: record.text("fingerprint")?,
        nodes: record.number("nodes")?,
        max_ttl_us: record.bounded("max_ttl_us")?,
        incarnation: record.number("incarnation")?,
        quarantine_until_us: record.bounded("quarantine_until_us")?,
    };
    if namespace.nodes == 0 || namespace.max_ttl_us == 0 {
        return Err(record.corrupt("its nodes or its longest lease are 0"));
    }
    Ok(namespace)
}

/// Parses the slot that is stored at `place` for this first node. Returns `None` if it was joined
/// with another one.
///
/// # Errors
/// `StoreCorrupt`, `StoreUnsupported`.
pub(super) fn read_slot(url: &StoreUrl, place: &str, first_node: i64, text: &[u8]) -> Result<Option<Slot>, Error> {
    let record = Record::new(url, place, text)?;
    if record.value["joined"] == Value::Bool(true) {
        return Ok(None);
    }
    let slot = Slot {
        nodes: record.number("first_node")?..record.number("end_node")?,
        fence: record.bounded("fence")?,
        token: record.number("token")?,
        start_us: record.bounded("start_us")?,
        end_us: record.bounded("end_us")?,
        high_water_us: record.bounded("high_water_us")?,
        holder: record.text("holder")?,
    };
    if slot.nodes.start != first_node || slot.nodes.is_empty() {
        return Err(record.corrupt(&format!("it has the nodes {:?}, from {first_node} on", slot.nodes)));
    }
    // The holder may use every time before the slot's end, so the next lease must begin at or after
    // it.
    if slot.high_water_us < slot.end_us.max(slot.start_us) {
        return Err(record.corrupt("its high_water_us is before its start_us or its end_us"));
    }
    Ok(Some(slot))
}

/// A record that is being parsed.
struct Record<'a> {
    url: &'a StoreUrl,
    place: &'a str,
    value: Value,
}

impl<'a> Record<'a> {
    fn new(url: &'a StoreUrl, place: &'a str, text: &[u8]) -> Result<Self, Error> {
        let value = serde_json::from_slice(text).map_err(|error| corrupt(url, place, &format!("no JSON ({error})")))?;
        let record = Record { url, place, value };
        match record.number("version")? {
            0 => Err(record.corrupt("its version is 0")),
            VERSION => Ok(record),
            version => Err(newer(url, place, &version.to_string(), VERSION)),
        }
    }

    fn number(&self, name: &str) -> Result<i64, Error> {
        self.up_to(i64::MAX, name)
    }

    /// Returns a time, a duration or a fence: a number from 0 to [`MAX_VALUE`].
    fn bounded(&self, name: &str) -> Result<i64, Error> {
        self.up_to(MAX_VALUE, name)
    }

    fn up_to(&self, most: i64, name: &str) -> Result<i64, Error> {
        let member = &self.value[name];
        let number = member.as_i64().filter(|number| (0..=most).contains(number));
        number.ok_or_else(|| self.corrupt(&format!("its {name} is {member}, not a number from 0 to {most}")))
    }

    fn text(&self, name: &str) -> Result<String, Error> {
        let member = &self.value[name];
        member.as_str().map(str::to_owned).ok_or_else(|| self.corrupt(&format!("its {name} is {member}, not text")))
    }

    fn corrupt(&self, what: &str) -> Error {
        corrupt(self.url, self.place, what)
    }
}
