//! The JSON of leases over HTTP: writes and parses what the service and its clients exchange. Does
//! no I/O.
//!
//! Numbers that use all of their 63 bits (`token`, `incarnation`) are strings of digits, because
//! many programs read JSON numbers exactly up to 2^53 only. Other numbers are strings above that
//! limit, and may be strings below it. Times are Unix microseconds. Node ranges are half-open:
//! `first..end`.
//!
//! An unknown member of a request is rejected, because it may be misspelt. An unknown member of a
//! response is ignored, so that a newer service may add members.

use crate::Error;
use crate::lease::protocol::{Acquire, Grant, LastSeen, Release, Renew};
use crate::lease::{DEFAULT_MAX_TTL_S, Namespace, Slot, SlotKey, Terms};
use crate::store::values::MAX_VALUE;
use crate::store::{Listing, draw};
use saiban::{Clock, ErrorKind, SystemClock};
use serde_json::{Map, Value, json};
use std::ops::{Range, RangeInclusive};

/// The maximum length of a holder's name, in characters.
pub const LONGEST_HOLDER: usize = 120;

/// The maximum length of a fingerprint, or of a scheme's name, in characters.
const LONGEST_TEXT: usize = 4_096;

/// The largest number that every program reads exactly from JSON.
const EXACT: i64 = (1 << 53) - 1;

/// The maximum length of a value in messages, in characters.
const SHOWN: usize = 60;

/// Checks that a namespace can have this name.
///
/// # Errors
/// `InvalidArgument`.
pub fn check_name(name: &str) -> Result<(), Error> {
    crate::lease::check_name("a namespace", name)
}

/// The IDs that an acquire request is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdsOf {
    /// The IDs with this fingerprint.
    Fingerprint(String),
    /// The IDs of the scheme that the service's configuration has under this name.
    Scheme(String),
}

/// The body of an acquire request. Unlike [`Acquire`] it is convenient for programs that do not
/// embed saiban: most members are optional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcquireBody {
    /// The IDs that the nodes are for.
    pub ids_of: IdsOf,
    /// The number of adjacent nodes; 1 by default.
    pub nodes: i64,
    /// The ttl of the lease, µs.
    pub ttl_us: i64,
    /// The name of the holder, for people to read.
    pub holder: String,
    /// A random number that identifies the request; `None` to have one generated.
    pub token: Option<i64>,
    /// The time by the holder's clock, Unix µs; `None` to skip the check of the clock.
    pub clock_us: Option<i64>,
    /// The allowed difference between `clock_us` and the store's time, µs; 10 s by default.
    pub max_clock_skew_us: i64,
    /// The newest lease that the holder knows.
    pub seen: Option<LastSeen>,
}

impl AcquireBody {
    /// Converts the body to the request that stores process. Generates a random token if there is
    /// none. Without a time, the request passes the check of the clock.
    ///
    /// # Errors
    /// `EntropyUnavailable`, `ClockUnavailable`.
    pub fn into_request(self) -> Result<(IdsOf, Acquire), Error> {
        let AcquireBody { ids_of, nodes, ttl_us, holder, token, clock_us, max_clock_skew_us, seen } = self;
        let (clock_us, max_clock_skew_us) = match clock_us {
            Some(clock_us) => (clock_us, max_clock_skew_us),
            None => (i64::try_from(SystemClock.now_ns()? / 1_000).unwrap_or(MAX_VALUE), MAX_VALUE),
        };
        let token = token.map_or_else(draw, Ok)?;
        Ok((ids_of, Acquire { nodes, ttl_us, holder, token, clock_us, max_clock_skew_us, seen }))
    }
}

/// Returns the body of an acquire request for IDs of this fingerprint.
#[must_use]
pub fn write_acquire(fingerprint: &str, request: &Acquire) -> Value {
    json!({
        "fingerprint": fingerprint,
        "nodes": number(request.nodes),
        "ttl_us": number(request.ttl_us),
        "holder": request.holder,
        "token": digits(request.token),
        "clock_us": number(request.clock_us),
        "max_clock_skew_us": number(request.max_clock_skew_us),
        "seen": request.seen.as_ref().map(write_seen),
    })
}

/// Parses the body of an acquire request.
///
/// # Errors
/// `InvalidArgument`.
pub fn read_acquire(body: &[u8]) -> Result<AcquireBody, Error> {
    let names =
        ["fingerprint", "scheme", "nodes", "ttl_us", "holder", "token", "clock_us", "max_clock_skew_us", "seen"];
    let body = Members::asked("the body of acquire", body, &names)?;
    let ids_of = match (body.text("fingerprint", LONGEST_TEXT)?, body.text("scheme", LONGEST_TEXT)?) {
        (Some(fingerprint), None) => IdsOf::Fingerprint(fingerprint),
        (None, Some(scheme)) => IdsOf::Scheme(scheme),
        (Some(_), Some(_)) => return Err(body.invalid("both fingerprint and scheme", "give one of them")),
        (None, None) => {
            let remedy = "give the text of scheme and layout as fingerprint, or a scheme that the service has";
            return Err(body.invalid("neither fingerprint nor scheme", remedy));
        }
    };
    let holder = body.text("holder", LONGEST_HOLDER)?.unwrap_or_default();
    if holder.contains(char::is_control) {
        return Err(
            body.invalid(&format!("holder {}", excerpt(&json!(holder))), "give a text without control characters")
        );
    }
    Ok(AcquireBody {
        ids_of,
        nodes: body.number("nodes", ANY)?.unwrap_or(1),
        ttl_us: body.needed("ttl_us", body.number("ttl_us", ANY)?)?,
        holder,
        token: body.digits("token")?,
        clock_us: body.number("clock_us", NATURAL)?,
        max_clock_skew_us: body.number("max_clock_skew_us", NATURAL)?.unwrap_or(10_000_000),
        seen: match body.get("seen") {
            None => None,
            Some(seen) => Some(read_seen(&Members::asked_of("seen", seen, &SEEN)?)?),
        },
    })
}

/// Returns the body of a renew request.
#[must_use]
pub fn write_renew(request: &Renew) -> Value {
    let mut body = write_seen(&request.seen);
    body["ttl_us"] = number(request.ttl_us);
    body
}

/// Parses the body of a renew request.
///
/// # Errors
/// `InvalidArgument`.
pub fn read_renew(body: &[u8]) -> Result<Renew, Error> {
    let names = [SEEN.as_slice(), &["ttl_us"]].concat();
    let body = Members::asked("the body of renew", body, &names)?;
    Ok(Renew { seen: read_seen(&body)?, ttl_us: body.needed("ttl_us", body.number("ttl_us", ANY)?)? })
}

/// Returns the body of a release request.
#[must_use]
pub fn write_release(request: &Release) -> Value {
    let mut body = write_key(&request.key);
    body["high_water_us"] = number(request.high_water_us);
    body
}

/// Parses the body of a release request.
///
/// # Errors
/// `InvalidArgument`.
pub fn read_release(body: &[u8]) -> Result<Release, Error> {
    let body = Members::asked("the body of release", body, &["first", "end", "fence", "token", "high_water_us"])?;
    let high_water_us = body.number("high_water_us", NATURAL)?;
    Ok(Release { key: read_key(&body)?, high_water_us: body.needed("high_water_us", high_water_us)? })
}

/// Returns the body of a `PUT` request, which creates a namespace.
#[must_use]
pub fn write_terms(terms: &Terms) -> Value {
    json!({
        "fingerprint": terms.fingerprint(),
        "nodes": number(terms.nodes()),
        "max_ttl_us": number(terms.max_ttl_us()),
    })
}

/// Parses the body of a `PUT` request: the terms of the namespace of this name. By default the
/// nodes are all that the layout has, and the longest ttl is one hour.
///
/// # Errors
/// `InvalidArgument` for another body, and those of [`terms`].
pub fn read_terms(name: &str, body: &[u8]) -> Result<Terms, Error> {
    let body = Members::asked("the body of a new namespace", body, &["fingerprint", "nodes", "max_ttl_us"])?;
    let fingerprint = body.needed("fingerprint", body.text("fingerprint", LONGEST_TEXT)?)?;
    let max_ttl_us = body.number("max_ttl_us", ANY)?.unwrap_or(DEFAULT_MAX_TTL_S * 1_000_000);
    terms(name, &fingerprint, body.number("nodes", ANY)?, max_ttl_us)
}

/// Returns the terms of a namespace for the IDs of this fingerprint. `nodes`, if given, must be the
/// number of nodes that the layout has.
///
/// # Errors
/// `InvalidArgument` for a name, a fingerprint, nodes or a longest ttl (µs) that no namespace of
/// saiban can have.
pub fn terms(name: &str, fingerprint: &str, nodes: Option<i64>, max_ttl_us: i64) -> Result<Terms, Error> {
    if max_ttl_us % 1_000_000 != 0 {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("max_ttl_us is {max_ttl_us}: give whole seconds, a multiple of 1000000"),
        ));
    }
    let terms = Terms::of_fingerprint(name, fingerprint, max_ttl_us / 1_000_000)?;
    match nodes.filter(|nodes| *nodes != terms.nodes()) {
        None => Ok(terms),
        Some(nodes) => Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("nodes is {nodes}: IDs of {fingerprint:?} have {}; give that, or leave it out", terms.nodes()),
        )),
    }
}

/// Returns the response to an acquire or renew request.
#[must_use]
pub fn write_grant(grant: &Grant) -> Value {
    let mut answer = write_key(&grant.key);
    answer["incarnation"] = digits(grant.incarnation);
    answer["start_us"] = number(grant.start_us);
    answer["end_us"] = number(grant.end_us);
    answer["now_us"] = number(grant.now_us);
    answer
}

/// Parses the response to an acquire or renew request.
///
/// # Errors
/// `InvalidArgument`.
pub fn read_grant(answer: &[u8]) -> Result<Grant, Error> {
    let answer = Members::answered("a grant", answer)?;
    Ok(Grant {
        incarnation: answer.needed("incarnation", answer.digits("incarnation")?)?,
        key: read_key(&answer)?,
        start_us: answer.time("start_us")?,
        end_us: answer.time("end_us")?,
        now_us: answer.time("now_us")?,
    })
}

/// Returns the response to a `PUT` request.
#[must_use]
pub fn write_namespace(namespace: &Namespace) -> Value {
    json!({
        "fingerprint": namespace.fingerprint,
        "nodes": number(namespace.nodes),
        "max_ttl_us": number(namespace.max_ttl_us),
        "incarnation": digits(namespace.incarnation),
        "quarantine_until_us": number(namespace.quarantine_until_us),
    })
}

/// Parses the response to a `PUT` request.
///
/// # Errors
/// `InvalidArgument`.
pub fn read_namespace(answer: &[u8]) -> Result<Namespace, Error> {
    namespace(&Members::answered("a namespace", answer)?)
}

/// Returns the response that lists a namespace. Without `with_tokens` all tokens are 0, because
/// anyone with a lease's token could renew or release the lease.
#[must_use]
pub fn write_listing(listing: &Listing, with_tokens: bool) -> Value {
    let slot = |slot: &Slot| {
        let token = if with_tokens { slot.token } else { 0 };
        let mut answer = write_key(&SlotKey { token, ..slot.key() });
        answer["start_us"] = number(slot.start_us);
        answer["end_us"] = number(slot.end_us);
        answer["high_water_us"] = number(slot.high_water_us);
        answer["holder"] = json!(slot.holder);
        answer
    };
    json!({
        "namespace": write_namespace(&listing.namespace),
        "slots": listing.slots.iter().map(slot).collect::<Vec<_>>(),
        "now_us": number(listing.now_us),
    })
}

/// Parses the response that lists a namespace.
///
/// # Errors
/// `InvalidArgument`.
pub fn read_listing(answer: &[u8]) -> Result<Listing, Error> {
    let answer = Members::answered("a listing", answer)?;
    let slot = |slot: &Value| {
        let slot = Members::answered_of("a slot", slot)?;
        let SlotKey { nodes, fence, token } = read_key(&slot)?;
        Ok(Slot {
            nodes,
            fence,
            token,
            start_us: slot.time("start_us")?,
            end_us: slot.time("end_us")?,
            high_water_us: slot.time("high_water_us")?,
            holder: slot.needed("holder", slot.text("holder", LONGEST_TEXT)?)?,
        })
    };
    let slots = answer.get("slots").and_then(Value::as_array);
    Ok(Listing {
        namespace: namespace(&Members::answered_of("its namespace", answer.get("namespace").unwrap_or(&Value::Null))?)?,
        slots: answer.needed("slots", slots)?.iter().map(slot).collect::<Result<_, Error>>()?,
        now_us: answer.time("now_us")?,
    })
}

/// Returns the response to a quarantine request: the end of the quarantine, Unix µs.
#[must_use]
pub fn write_quarantine(until_us: i64) -> Value {
    json!({ "quarantine_until_us": number(until_us) })
}

/// Parses the response to a quarantine request: the end of the quarantine, Unix µs.
///
/// # Errors
/// `InvalidArgument`.
pub fn read_quarantine(answer: &[u8]) -> Result<i64, Error> {
    Members::answered("a quarantine", answer)?.time("quarantine_until_us")
}

/// Writes a number, as a string if some programs would not read it exactly.
fn number(number: i64) -> Value {
    if number.unsigned_abs() <= EXACT.unsigned_abs() { number.into() } else { digits(number) }
}

fn digits(number: i64) -> Value {
    number.to_string().into()
}

fn write_key(key: &SlotKey) -> Value {
    json!({
        "first": number(key.nodes.start),
        "end": number(key.nodes.end),
        "fence": number(key.fence),
        "token": digits(key.token),
    })
}

fn read_key(body: &Members<'_>) -> Result<SlotKey, Error> {
    let nodes = body.nodes()?;
    let fence = body.needed("fence", body.number("fence", NATURAL)?)?;
    Ok(SlotKey { nodes, fence, token: body.needed("token", body.digits("token")?)? })
}

/// The members of the newest lease that a holder knows.
const SEEN: [&str; 6] = ["incarnation", "first", "end", "fence", "token", "end_us"];

fn write_seen(seen: &LastSeen) -> Value {
    let mut body = write_key(&seen.key);
    body["incarnation"] = digits(seen.incarnation);
    body["end_us"] = number(seen.end_us);
    body
}

fn read_seen(body: &Members<'_>) -> Result<LastSeen, Error> {
    Ok(LastSeen {
        incarnation: body.needed("incarnation", body.digits("incarnation")?)?,
        key: read_key(body)?,
        end_us: body.needed("end_us", body.number("end_us", NATURAL)?)?,
    })
}

fn namespace(answer: &Members<'_>) -> Result<Namespace, Error> {
    Ok(Namespace {
        fingerprint: answer.needed("fingerprint", answer.text("fingerprint", LONGEST_TEXT)?)?,
        nodes: answer.needed("nodes", answer.number("nodes", 1..=i64::MAX)?)?,
        max_ttl_us: answer.needed("max_ttl_us", answer.number("max_ttl_us", 1..=MAX_VALUE)?)?,
        incarnation: answer.needed("incarnation", answer.digits("incarnation")?)?,
        quarantine_until_us: answer.time("quarantine_until_us")?,
    })
}

/// For numbers that the protocol checks itself, with better messages than a range here would give.
const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;

const NATURAL: RangeInclusive<i64> = 0..=i64::MAX;

/// A JSON object that is being parsed.
struct Members<'a> {
    what: &'a str,
    members: Map<String, Value>,
}

impl<'a> Members<'a> {
    /// Parses a request, whose members must all be in `names`.
    fn asked(what: &'a str, text: &[u8], names: &[&str]) -> Result<Self, Error> {
        Self::answered(what, text)?.only(names)
    }

    fn asked_of(what: &'a str, value: &Value, names: &[&str]) -> Result<Self, Error> {
        Self::answered_of(what, value)?.only(names)
    }

    fn answered(what: &'a str, text: &[u8]) -> Result<Self, Error> {
        let value = serde_json::from_slice(text).map_err(|error| {
            Error::new(ErrorKind::InvalidArgument, format!("{what} is not JSON ({error}): give an object, in UTF-8"))
        })?;
        Self::answered_of(what, &value)
    }

    fn answered_of(what: &'a str, value: &Value) -> Result<Self, Error> {
        match value {
            Value::Object(members) => Ok(Members { what, members: members.clone() }),
            other => {
                Err(Error::new(ErrorKind::InvalidArgument, format!("{what} is {}: give a JSON object", excerpt(other))))
            }
        }
    }

    fn only(self, names: &[&str]) -> Result<Self, Error> {
        match self.members.keys().find(|name| !names.contains(&name.as_str())) {
            None => Ok(self),
            Some(name) => {
                let unknown = format!("a member {}, which is not known", excerpt(&json!(name)));
                Err(self.invalid(&unknown, &format!("it may have {}", names.join(", "))))
            }
        }
    }

    fn invalid(&self, problem: &str, remedy: &str) -> Error {
        Error::new(ErrorKind::InvalidArgument, format!("{} has {problem}: {remedy}", self.what))
    }

    /// Returns a member that exists and is not null.
    fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    fn needed<T>(&self, name: &str, member: Option<T>) -> Result<T, Error> {
        member.ok_or_else(|| self.invalid(&format!("no {name}"), "give it"))
    }

    fn text(&self, name: &str, longest: usize) -> Result<Option<String>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let text = value.as_str().filter(|text| text.chars().count() <= longest);
        let odd = || {
            self.invalid(&format!("{name} {}", excerpt(value)), &format!("give a text of at most {longest} characters"))
        };
        text.map(|text| Some(text.to_owned())).ok_or_else(odd)
    }

    fn number(&self, name: &str, allowed: RangeInclusive<i64>) -> Result<Option<i64>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_i64().or_else(|| value.as_str().and_then(read_digits));
        let odd = || {
            let remedy =
                format!("give a whole number from {} to {}, or its digits as text", allowed.start(), allowed.end());
            self.invalid(&format!("{name} {}", excerpt(value)), &remedy)
        };
        number.filter(|number| allowed.contains(number)).map(Some).ok_or_else(odd)
    }

    /// Returns a number from 0 to 2^63 - 1 that is written as a string.
    fn digits(&self, name: &str) -> Result<Option<i64>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_str().and_then(read_digits).filter(|number| *number >= 0);
        let odd = || {
            let remedy = format!("give the digits of a number from 0 to {}, as text, so that none is lost", i64::MAX);
            self.invalid(&format!("{name} {}", excerpt(value)), &remedy)
        };
        number.map(Some).ok_or_else(odd)
    }

    /// Returns a time in a response: a number from 0 to [`MAX_VALUE`].
    fn time(&self, name: &str) -> Result<i64, Error> {
        self.needed(name, self.number(name, 0..=MAX_VALUE)?)
    }

    fn nodes(&self) -> Result<Range<i64>, Error> {
        let first = self.needed("first", self.number("first", NATURAL)?)?;
        let end = self.needed("end", self.number("end", NATURAL)?)?;
        if first < end {
            return Ok(first..end);
        }
        Err(self.invalid(&format!("the nodes {first}..{end}"), "give an end that is greater than first"))
    }
}

/// Parses a decimal number in canonical form: without a plus sign or leading zeros.
fn read_digits(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Returns the beginning of a value, for messages.
fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests;
