//! The answers of the script for leases: texts, in which numbers have 19 digits.

use crate::lease::protocol::Grant;
use crate::lease::{Namespace, Slot, SlotKey};
use crate::store::values::MAX_VALUE;
use redis::Value;

/// An answer: the outcome, the store's time, the namespace, and further texts that depend on the
/// outcome. Parsing errors are descriptions as text.
pub(super) struct Answer {
    pub(super) what: String,
    pub(super) now_us: i64,
    /// `None` if the records are missing or invalid.
    pub(super) namespace: Option<Namespace>,
    pub(super) rest: Vec<String>,
}

impl Answer {
    pub(super) fn of(value: Value) -> Result<Self, String> {
        let Value::Array(values) = value else { return Err(format!("{value:?}")) };
        let mut texts = values.into_iter().map(|value| match value {
            Value::BulkString(bytes) => String::from_utf8(bytes).map_err(|error| format!("{:?}", error.as_bytes())),
            other => Err(format!("{other:?}")),
        });
        let mut next = || texts.next().unwrap_or_else(|| Err("it ends too early".into()));
        let what = next()?;
        if matches!(what.as_str(), "unknown" | "corrupt" | "version") {
            return Ok(Answer { what, now_us: 0, namespace: None, rest: texts.collect::<Result<_, _>>()? });
        }
        let now_us = number(&next()?)?;
        let namespace = Namespace {
            fingerprint: next()?,
            nodes: number(&next()?)?,
            max_ttl_us: number(&next()?)?,
            incarnation: number(&next()?)?,
            quarantine_until_us: number(&next()?)?,
        };
        Ok(Answer { what, now_us, namespace: Some(namespace), rest: texts.collect::<Result<_, _>>()? })
    }

    /// Returns the rectangle that was granted.
    pub(super) fn grant(&self, incarnation: i64) -> Result<Grant, String> {
        let numbers: Vec<i64> = self.rest.iter().map(|text| number(text)).collect::<Result<_, _>>()?;
        let [first, past, fence, token, start_us, end_us] = numbers[..] else {
            return Err(format!("it has {} numbers for a grant", numbers.len()));
        };
        let key = SlotKey { nodes: first..past, fence, token };
        Ok(Grant { incarnation, key, start_us, end_us, now_us: self.now_us })
    }

    /// Returns when the first slot that is cooling down becomes free, Unix µs, if no nodes were
    /// found.
    pub(super) fn cooling_until_us(&self) -> Result<Option<i64>, String> {
        self.rest.first().map(|text| number(text)).transpose()
    }

    /// Returns all slots.
    ///
    /// # Errors
    /// A description, if the slots do not cover this many nodes without gap or overlap.
    pub(super) fn slots(&self, nodes: i64) -> Result<Vec<Slot>, String> {
        let mut next = 0;
        let mut slots = Vec::with_capacity(self.rest.len() / 2);
        for pair in self.rest.chunks_exact(2) {
            let slot = slot(&pair[0], &pair[1])?;
            if slot.nodes.start != next || slot.nodes.is_empty() {
                return Err(format!("after node {next} comes the slot of {} to {}", slot.nodes.start, slot.nodes.end));
            }
            next = slot.nodes.end;
            slots.push(slot);
        }
        if next == nodes { Ok(slots) } else { Err(format!("its slots end at {next} of {nodes} nodes")) }
    }
}

/// Parses a slot: its first node, six numbers, and the holder.
fn slot(first: &str, text: &str) -> Result<Slot, String> {
    let mut parts = text.splitn(7, ' ');
    let mut next = || parts.next().ok_or_else(|| format!("the slot of node {first} is {text:?}"));
    let nodes = number(first)?..number(next()?)?;
    let [fence, token, start_us, end_us, high_water_us] =
        [number(next()?)?, number(next()?)?, number(next()?)?, number(next()?)?, number(next()?)?];
    let holder = next()?.to_owned();
    if [fence, start_us, high_water_us].iter().any(|number| *number > MAX_VALUE) || start_us > high_water_us {
        return Err(format!(
            "the slot of node {first} has the fence {fence}, the start {start_us} and the high-water mark \
             {high_water_us}: {MAX_VALUE} is the maximum, and the start is never after the high-water mark"
        ));
    }
    if end_us != 0 && end_us != high_water_us {
        return Err(format!("the slot of node {first} ends at {end_us}, its high-water mark is {high_water_us}"));
    }
    Ok(Slot { nodes, fence, token, start_us, end_us, high_water_us, holder })
}

fn number(text: &str) -> Result<i64, String> {
    let is_plain = text.len() == 19 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain).ok_or_else(|| format!("{text:?} is not a number of 19 digits"))
}
