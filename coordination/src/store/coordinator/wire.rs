//! How leases are asked for over HTTP: the JSON that the service and its clients exchange, written and read. Nothing here asks anybody.
//!
//! Numbers that use all of their 63 bits (token, incarnation) are the text of their digits, because JSON numbers of many programs are exact up to
//! 2^53 only; so are all others beyond that, and each may be. Times are Unix microseconds, nodes half-open: `first..end`.
//!
//! Who asks must be understood wholly: a member that is not known, and may be misspelt, is refused. In answers it is passed over, so that a newer
//! service may say more.

use super::super::{Listing, MOST, draw};
use crate::Error;
use crate::lease::protocol::{Acquire, Grant, Release, Renew, Seen};
use crate::lease::{DEFAULT_MAX_TTL_S, Namespace, Slot, SlotKey, Terms};
use saiban::{Clock, ErrorKind, SystemClock};
use serde_json::{Map, Value, json};
use std::ops::{Range, RangeInclusive};

/// The longest name of a holder, characters.
pub const LONGEST_HOLDER: usize = 120;

/// The longest fingerprint, or name of a scheme, characters.
const LONGEST_TEXT: usize = 4_096;

/// Up to here every program's JSON numbers are exact.
const EXACT: i64 = (1 << 53) - 1;

/// How much of a value a message shows, characters.
const SHOWN: usize = 60;

/// Whether there can be a name space of this name.
///
/// # Errors
/// `InvalidArgument`.
pub fn check_name(name: &str) -> Result<(), Error> {
    crate::lease::check_name("a name space", name)
}

/// For which IDs nodes are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdsOf {
    /// Those of this fingerprint.
    Fingerprint(String),
    /// Those of the scheme that the service has under this name.
    Scheme(String),
}

/// A wish for nodes, as programs write it that may not be saiban.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcquireBody {
    /// For which IDs.
    pub ids_of: IdsOf,
    /// How many nodes, next to each other; by default 1.
    pub nodes: i64,
    /// For how long, µs.
    pub ttl_us: i64,
    /// Who asks, for people.
    pub holder: String,
    /// What the holder has drawn.
    pub token: Option<i64>,
    /// The time by the holder's clock, Unix µs, where it is to be compared.
    pub clock_us: Option<i64>,
    /// How far that may be from the store's time, µs; by default 10 s.
    pub max_clock_skew_us: i64,
    /// The newest lease that the holder knows of.
    pub seen: Option<Seen>,
}

impl AcquireBody {
    /// The wish as stores take it: with a token that is drawn where none was given, and a clock that is never too far away where none was.
    ///
    /// # Errors
    /// `EntropyUnavailable`, `ClockUnavailable`.
    pub fn into_wish(self) -> Result<(IdsOf, Acquire), Error> {
        let AcquireBody { ids_of, nodes, ttl_us, holder, token, clock_us, max_clock_skew_us, seen } = self;
        let (clock_us, max_clock_skew_us) = match clock_us {
            Some(clock_us) => (clock_us, max_clock_skew_us),
            None => (i64::try_from(SystemClock.now_ns()? / 1_000).unwrap_or(MOST), MOST),
        };
        let token = token.map_or_else(draw, Ok)?;
        Ok((ids_of, Acquire { nodes, ttl_us, holder, token, clock_us, max_clock_skew_us, seen }))
    }
}

/// Asks for nodes, for IDs of this fingerprint: what `acquire` is sent.
#[must_use]
pub fn write_acquire(fingerprint: &str, wish: &Acquire) -> Value {
    json!({
        "fingerprint": fingerprint,
        "nodes": number(wish.nodes),
        "ttl_us": number(wish.ttl_us),
        "holder": wish.holder,
        "token": digits(wish.token),
        "clock_us": number(wish.clock_us),
        "max_clock_skew_us": number(wish.max_clock_skew_us),
        "seen": wish.seen.as_ref().map(write_seen),
    })
}

/// What `acquire` is sent, read.
///
/// # Errors
/// `InvalidArgument` for what is no such body.
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

/// Asks for more time: what `renew` is sent.
#[must_use]
pub fn write_renew(wish: &Renew) -> Value {
    let mut body = write_seen(&wish.seen);
    body["ttl_us"] = number(wish.ttl_us);
    body
}

/// What `renew` is sent, read.
///
/// # Errors
/// `InvalidArgument` for what is no such body.
pub fn read_renew(body: &[u8]) -> Result<Renew, Error> {
    let names = [SEEN.as_slice(), &["ttl_us"]].concat();
    let body = Members::asked("the body of renew", body, &names)?;
    Ok(Renew { seen: read_seen(&body)?, ttl_us: body.needed("ttl_us", body.number("ttl_us", ANY)?)? })
}

/// Gives a lease back: what `release` is sent.
#[must_use]
pub fn write_release(wish: &Release) -> Value {
    let mut body = write_key(&wish.key);
    body["high_water_us"] = number(wish.high_water_us);
    body
}

/// What `release` is sent, read.
///
/// # Errors
/// `InvalidArgument` for what is no such body.
pub fn read_release(body: &[u8]) -> Result<Release, Error> {
    let body = Members::asked("the body of release", body, &["first", "end", "fence", "token", "high_water_us"])?;
    let high_water_us = body.number("high_water_us", NATURAL)?;
    Ok(Release { key: read_key(&body)?, high_water_us: body.needed("high_water_us", high_water_us)? })
}

/// Makes a name space: what `PUT` is sent.
#[must_use]
pub fn write_terms(terms: &Terms) -> Value {
    json!({
        "fingerprint": terms.fingerprint(),
        "nodes": number(terms.nodes()),
        "max_ttl_us": number(terms.max_ttl_us()),
    })
}

/// What `PUT` is sent, read: the terms of the name space of this name. Left out, the nodes are all that the layout has, and the longest lease
/// an hour.
///
/// # Errors
/// `InvalidArgument` for what is no such body; as [`terms`].
pub fn read_terms(name: &str, body: &[u8]) -> Result<Terms, Error> {
    let body = Members::asked("the body of a new name space", body, &["fingerprint", "nodes", "max_ttl_us"])?;
    let fingerprint = body.needed("fingerprint", body.text("fingerprint", LONGEST_TEXT)?)?;
    let max_ttl_us = body.number("max_ttl_us", ANY)?.unwrap_or(DEFAULT_MAX_TTL_S * 1_000_000);
    terms(name, &fingerprint, body.number("nodes", ANY)?, max_ttl_us)
}

/// The terms of a name space for the IDs of this fingerprint, which must be one that saiban writes; nodes, where they are given, those of its
/// layout.
///
/// # Errors
/// `InvalidArgument` for a name, a fingerprint, nodes or a longest lease (µs) that no name space of saiban's has.
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

/// Answers a lease.
#[must_use]
pub fn write_grant(grant: &Grant) -> Value {
    let mut answer = write_key(&grant.key);
    answer["incarnation"] = digits(grant.incarnation);
    answer["start_us"] = number(grant.start_us);
    answer["end_us"] = number(grant.end_us);
    answer["now_us"] = number(grant.now_us);
    answer
}

/// A lease that was answered.
///
/// # Errors
/// `InvalidArgument` for what is none.
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

/// Answers a name space.
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

/// A name space that was answered.
///
/// # Errors
/// `InvalidArgument` for what is none.
pub fn read_namespace(answer: &[u8]) -> Result<Namespace, Error> {
    namespace(&Members::answered("a name space", answer)?)
}

/// Answers what the store has of a name space. Who knows a lease's token can renew it and give it back: without `with_tokens` they are 0.
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

/// What the store has of a name space, as it was answered.
///
/// # Errors
/// `InvalidArgument` for what is none.
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

/// Answers until when a name space is in quarantine, Unix µs.
#[must_use]
pub fn write_quarantine(until_us: i64) -> Value {
    json!({ "quarantine_until_us": number(until_us) })
}

/// Until when a name space is in quarantine, Unix µs, as it was answered.
///
/// # Errors
/// `InvalidArgument` for what is no such answer.
pub fn read_quarantine(answer: &[u8]) -> Result<i64, Error> {
    Members::answered("a quarantine", answer)?.time("quarantine_until_us")
}

/// A number, as text where not every program would read it exactly.
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

/// The members of a lease that a holder has seen.
const SEEN: [&str; 6] = ["incarnation", "first", "end", "fence", "token", "end_us"];

fn write_seen(seen: &Seen) -> Value {
    let mut body = write_key(&seen.key);
    body["incarnation"] = digits(seen.incarnation);
    body["end_us"] = number(seen.end_us);
    body
}

fn read_seen(body: &Members<'_>) -> Result<Seen, Error> {
    Ok(Seen {
        incarnation: body.needed("incarnation", body.digits("incarnation")?)?,
        key: read_key(body)?,
        end_us: body.needed("end_us", body.number("end_us", NATURAL)?)?,
    })
}

fn namespace(answer: &Members<'_>) -> Result<Namespace, Error> {
    Ok(Namespace {
        fingerprint: answer.needed("fingerprint", answer.text("fingerprint", LONGEST_TEXT)?)?,
        nodes: answer.needed("nodes", answer.number("nodes", 1..=i64::MAX)?)?,
        max_ttl_us: answer.needed("max_ttl_us", answer.number("max_ttl_us", 1..=MOST)?)?,
        incarnation: answer.needed("incarnation", answer.digits("incarnation")?)?,
        quarantine_until_us: answer.time("quarantine_until_us")?,
    })
}

/// What the protocol judges, which says more of it than this could.
const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;

const NATURAL: RangeInclusive<i64> = 0..=i64::MAX;

/// An object that is being read.
struct Members<'a> {
    what: &'a str,
    members: Map<String, Value>,
}

impl<'a> Members<'a> {
    /// What somebody asks, whose members must all be known.
    fn asked(what: &'a str, text: &[u8], names: &[&str]) -> Result<Self, Error> {
        Self::answered(what, text)?.only(names)
    }

    fn asked_of(what: &'a str, value: &Value, names: &[&str]) -> Result<Self, Error> {
        Self::answered_of(what, value)?.only(names)
    }

    fn answered(what: &'a str, text: &[u8]) -> Result<Self, Error> {
        let value = serde_json::from_slice(text).map_err(|error| {
            Error::new(ErrorKind::InvalidArgument, format!("{what} is no JSON ({error}): give an object, in UTF-8"))
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

    /// A member that is there, and not null.
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

    /// A number of 63 bits, which is text.
    fn digits(&self, name: &str) -> Result<Option<i64>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_str().and_then(read_digits).filter(|number| *number >= 0);
        let odd = || {
            let remedy = format!("give the digits of a number from 0 to {}, as text, so that none is lost", i64::MAX);
            self.invalid(&format!("{name} {}", excerpt(value)), &remedy)
        };
        number.map(Some).ok_or_else(odd)
    }

    /// A time that is answered.
    fn time(&self, name: &str) -> Result<i64, Error> {
        self.needed(name, self.number(name, 0..=MOST)?)
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

/// The number that these are the digits of, in the one way of writing it.
fn read_digits(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// The beginning of a value, for messages.
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
