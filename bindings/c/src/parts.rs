//! The parts of an ID, and the numbers of the schemes.

use crate::layout;
use crate::versioned::{Versioned, unknown_size};
use saiban::{Error, Scheme};
use std::ffi::c_char;

/// Any scheme, where a scheme is a filter.
pub const SAIBAN_SCHEME_ANY: i32 = 0;

/// Returns the SAIBAN_SCHEME_… of a scheme (`schemes`): its place in core's registry, from 1 on.
pub(crate) fn scheme_number(scheme: Scheme) -> i32 {
    let place = Scheme::ALL.iter().position(|known| *known == scheme);
    place.map_or(SAIBAN_SCHEME_ANY, |place| place as i32 + 1)
}

/// Returns the scheme of a SAIBAN_SCHEME_…, or `None` for SAIBAN_SCHEME_ANY.
pub(crate) fn scheme(wanted: i32) -> Result<Option<Scheme>, Error> {
    if wanted == SAIBAN_SCHEME_ANY {
        return Ok(None);
    }
    let known = Scheme::ALL.into_iter().find(|known| scheme_number(*known) == wanted);
    // Core returns the error for an unknown number.
    known.map_or_else(|| Scheme::from_name(&wanted.to_string()), Ok).map(Some)
}

/// An ID of up to 64 bits taken apart. What a scheme does not have is 0, and its has_… is false.
// The struct has no padding, because the program could read remains of the stack in its bytes.
#[repr(C)]
pub struct Parts {
    /// The ID itself.
    pub id: i64,
    /// When its tick began, Unix milliseconds, rounded down.
    pub timestamp_ms: i64,
    /// The node; of a scalable Ulid-Flake the scalability id.
    pub node: u64,
    /// The sequence number within the tick.
    pub sequence: u64,
    /// The random part.
    pub random: u64,
    /// How often the clock had stepped back.
    pub rollback: u64,
    /// Which of saiban_inspect's secrets this is what the ID holds under: 0 for `secret`, 1 and up
    /// for the old ones.
    pub secret_index: u64,
    /// The layout's name, where it is a preset, else NULL. Constant: not to be freed.
    pub layout: *const c_char,
    /// One of SAIBAN_SCHEME_….
    pub scheme: i32,
    /// By how many nanoseconds its tick began later than timestamp_ms: 0 to 999999.
    pub submillisecond_ns: u32,
    /// Whether ticks begin within milliseconds: those of some layouts of one's own do.
    pub has_submillisecond: bool,
    /// Whether the ID has a node.
    pub has_node: bool,
    /// Whether the ID has a sequence number.
    pub has_sequence: bool,
    /// Whether the ID has a random part.
    pub has_random: bool,
    /// Whether the layout has bits for the clock's steps back.
    pub has_rollback: bool,
    /// Whether there was a choice of secrets.
    pub has_secret_index: bool,
    /// 0.
    pub reserved: [u8; 2],
}

impl From<saiban::Parts> for Parts {
    fn from(parts: saiban::Parts) -> Self {
        Parts {
            // Only IDs of up to 64 bits are converted to this struct, and all of them have a time.
            id: parts.id.as_i64().unwrap_or(0),
            timestamp_ms: parts.timestamp_ms.unwrap_or(0),
            node: parts.node.unwrap_or(0),
            sequence: parts.sequence.unwrap_or(0),
            random: parts.random.unwrap_or(0) as u64,
            rollback: parts.rollback.unwrap_or(0),
            secret_index: parts.secret_index.unwrap_or(0),
            layout: layout::name(parts.layout),
            scheme: scheme_number(parts.scheme),
            submillisecond_ns: parts.submillisecond_ns.unwrap_or(0),
            has_submillisecond: parts.submillisecond_ns.is_some(),
            has_node: parts.node.is_some(),
            has_sequence: parts.sequence.is_some(),
            has_random: parts.random.is_some(),
            has_rollback: parts.rollback.is_some(),
            has_secret_index: parts.secret_index.is_some(),
            reserved: [0; 2],
        }
    }
}

/// An ID of any width taken apart: see saiban_generator_inspect_wide. What a scheme does not have
/// is 0, and its has_… is false.
// The struct has no padding. A new member goes to the end, and the new size into `SIZES`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WideParts {
    /// The ID itself, highest byte first.
    pub id: [u8; 16],
    /// The random part, highest byte first.
    pub random: [u8; 16],
    /// When its tick began, Unix milliseconds, rounded down.
    pub timestamp_ms: i64,
    /// The node; of a scalable Ulid-Flake the scalability id, of an ObjectId its 40 bits, of a UUID
    /// v1 its 48. Of a node with named parts see saiban_layout_node_parts.
    pub node: u64,
    /// The sequence number within the tick; of an ObjectId the counter, of a UUID v1 the clock
    /// sequence.
    pub sequence: u64,
    /// How often the clock had stepped back.
    pub rollback: u64,
    /// As in saiban_parts.
    pub secret_index: u64,
    /// The layout's name, where it is a preset; of a UUID of SAIBAN_SCHEME_UUID its version ("v6"),
    /// of a tick ID its order; else NULL. Constant: not to be freed.
    pub layout: *const c_char,
    /// One of SAIBAN_SCHEME_….
    pub scheme: i32,
    /// How many bits the ID's format has.
    pub bits: u32,
    /// By how many nanoseconds its tick began later than timestamp_ms: 0 to 999999; of a UUID v1 or
    /// v6 and of a tick ID a number of hundreds.
    pub submillisecond_ns: u32,
    /// Whether the ID has a time. UUID v4 has none.
    pub has_timestamp: bool,
    /// Whether its ticks begin within milliseconds: those of a UUID v1 or v6, of a tick ID, and of
    /// some layouts of one's own.
    pub has_submillisecond: bool,
    /// Whether the ID has a node.
    pub has_node: bool,
    /// Whether the ID has a sequence number.
    pub has_sequence: bool,
    /// Whether the ID has a random part.
    pub has_random: bool,
    /// Whether the layout has bits for the clock's steps back.
    pub has_rollback: bool,
    /// Whether there was a choice of secrets.
    pub has_secret_index: bool,
    /// 0.
    pub reserved: [u8; 5],
}

impl Versioned for WideParts {
    const UNKNOWN_SIZE: &'static str = unknown_size!(sizeof "saiban_wide_parts");
}

impl From<saiban::Parts> for WideParts {
    fn from(parts: saiban::Parts) -> Self {
        WideParts {
            id: parts.id.value().to_be_bytes(),
            random: parts.random.unwrap_or(0).to_be_bytes(),
            timestamp_ms: parts.timestamp_ms.unwrap_or(0),
            node: parts.node.unwrap_or(0),
            sequence: parts.sequence.unwrap_or(0),
            rollback: parts.rollback.unwrap_or(0),
            secret_index: parts.secret_index.unwrap_or(0),
            layout: layout::name(parts.layout),
            scheme: scheme_number(parts.scheme),
            bits: parts.id.bits(),
            submillisecond_ns: parts.submillisecond_ns.unwrap_or(0),
            has_timestamp: parts.timestamp_ms.is_some(),
            has_submillisecond: parts.submillisecond_ns.is_some(),
            has_node: parts.node.is_some(),
            has_sequence: parts.sequence.is_some(),
            has_random: parts.random.is_some(),
            has_rollback: parts.rollback.is_some(),
            has_secret_index: parts.secret_index.is_some(),
            reserved: [0; 5],
        }
    }
}
