//! The messages that people read, in every language.

use super::written::Number;
use super::{CursorFileProblem, Error, LayoutProblem, Message, StateProblem, text};
use core::fmt;

/// Nanoseconds, shown in the unit that reads best.
struct Span(u64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ns if ns >= 10_000_000_000 => write!(f, "{} s", ns / 1_000_000_000),
            ns if ns >= 1_000_000 => write!(f, "{} ms", ns / 1_000_000),
            ns if ns >= 1_000 => write!(f, "{} µs", ns / 1_000),
            ns => write!(f, "{ns} ns"),
        }
    }
}

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.error {
            Error::ClockBackward { behind_ns, max_wait_ns: 0 } => write!(
                f,
                "the clock is {} behind the last ID and no wait is allowed: \
                 try again later, allow a wait (the policy hold, and max_wait), or see why the clock was set back",
                Span(behind_ns)
            ),
            Error::ClockBackward { behind_ns, max_wait_ns } => write!(
                f,
                "the clock is {} behind the last ID and the longest wait allowed is {}: \
                 try again later, allow a longer wait, or see why the clock was set back",
                Span(behind_ns),
                Span(max_wait_ns)
            ),
            Error::ClockBehindMachine { behind_ns, max_wait_ns, path } => write!(
                f,
                "the clock is {} behind the last ID of these nodes, which {path} keeps, and the longest wait allowed is {}: wait, allow \
                 a longer wait, use another node, or set the clock; if the last ID's time was wrong, and no process uses the nodes, \
                 run `saiban nodes clear`",
                Span(behind_ns),
                Span(max_wait_ns)
            ),
            Error::CursorFileAhead { ahead_ns, max_jump_ns, path } => write!(
                f,
                "the last ID of these nodes, which {path} keeps, is {} ahead of the clock, more than max_jump allows ({}): wait, use \
                 another node, or set the clock; if the last ID's time was wrong, and no process uses the nodes, run `saiban nodes \
                 clear`",
                Span(ahead_ns),
                Span(max_jump_ns)
            ),
            Error::CursorFileUnavailable { path, os_error } => write!(
                f,
                "the cursor file {path}, in which the processes of this machine share their nodes, cannot be used (error {os_error} of \
                 the operating system): repair that, name another folder in SAIBAN_RUN_DIR, or give scope \"process\", in which other \
                 processes with the same node repeat IDs"
            ),
            Error::CursorFolderNotPrivate { path } => write!(
                f,
                "{path} is no folder of this user alone, so cursor files in it cannot be trusted: remove it, make it this user's with \
                 mode 0700, or name another folder in SAIBAN_RUN_DIR"
            ),
            Error::CursorFileMismatch { path, problem: CursorFileProblem::OtherVersion { version } } => write!(
                f,
                "the cursor file {path} is of format {version}, which this version of saiban does not know: use one version of saiban on \
                 this machine, or end all programs that use the file and delete it"
            ),
            Error::CursorFileMismatch { path, problem: CursorFileProblem::Damaged } => write!(
                f,
                "the cursor file {path} is damaged, or another program's: end all programs that use it and delete it"
            ),
            Error::NoMachineScope => f.write_str(
                "scope \"machine\" is not available for this generator: it needs Linux or macOS, the system's clock, nodes that were given, or \
                 leased from a store that other processes use too, IDs whose time, node and sequence have 63 bits or fewer, and a \
                 generator that threads may share; give scope \"process\"",
            ),
            Error::ClockUnavailable => {
                f.write_str("the clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21: set the clock")
            }
            Error::ClockOutOfRange { timestamp_ms } => {
                let last = u64::MAX / 1_000_000;
                match self.number(&["delta_ms"], &timestamp_ms) {
                    // What was written is the step, and no time.
                    step @ Number::Written(_) => {
                        write!(f, "a clock cannot be moved by {step} ms: it shows Unix times of 0 to {last} ms")
                    }
                    Number::Held(_) => {
                        let time = self.number(&["timestamp_ms"], &timestamp_ms);
                        write!(f, "a clock cannot show {time} ms: give a Unix time of 0 to {last} ms")
                    }
                }
            }
            Error::TimestampBeforeEpoch { timestamp_ms, epoch_ms } => write!(
                f,
                "the time {} ms is before the epoch, {epoch_ms} ms (Unix): \
                 give a time from the epoch on, or choose an earlier epoch",
                self.number(&["timestamp_ms", "end"], &timestamp_ms)
            ),
            Error::TimestampOverflow { timestamp_ms, last_ms } => write!(
                f,
                "the time {} ms is past the layout's last, {last_ms} ms (Unix): \
                 give a time up to it, or choose a later epoch or more timestamp bits",
                self.number(&["timestamp_ms", "start"], &timestamp_ms)
            ),
            Error::WouldWait { wait_ns, max_wait_ns } => write!(
                f,
                "the next ID can be had in {} (the tick is used up, the clock is behind, or the window has not begun); \
                 the longest wait allowed is {}: try again then, allow a longer wait, or use more nodes \
                 (a manual clock never waits: advance it)",
                Span(wait_ns),
                Span(max_wait_ns)
            ),
            Error::WouldWaitAtFirst { wait_ns, max_wait_ns } => write!(
                f,
                "the first ID can be had in {}: a new generator begins with the tick after the one in which it was built, so as not to \
                 repeat what a generator before it made; the longest wait allowed is {}: give not_before, the time of the last ID \
                 known (0 if there is none), or allow a longer wait (max_wait)",
                Span(wait_ns),
                Span(max_wait_ns)
            ),
            Error::LeaseNotBegun { start_ms, wait_ns, max_wait_ns } => write!(
                f,
                "IDs may begin at {start_ms} ms (Unix), in {}, and the longest wait allowed is {}: try again then, allow a longer wait \
                 (max_wait), or give a window that has begun; an earlier not_before only if it was given by mistake",
                Span(wait_ns),
                Span(max_wait_ns)
            ),
            Error::LeaseExpired { end_ms } => {
                write!(f, "the window ended at {end_ms} ms (Unix): make a new generator with a later window")
            }
            Error::LeaseNotRenewed { end_ms } => write!(
                f,
                "the lease ended at {end_ms} ms (Unix), and its store gave no more time before: IDs go on when it does; see that it can be \
                 reached"
            ),
            Error::LeaseClosed => f.write_str(
                "the lease of this generator was given back, or lost: nothing is issued under it any more; acquire a new one",
            ),
            Error::LeaseOfOther { scheme, wanted } => write!(
                f,
                "the lease is for IDs of {scheme} of its own layout and secret, and these of {wanted} are others: acquire one with this \
                 scheme, layout and secret, in a name space of their own"
            ),
            Error::RangeEmpty { start_ms, end_ms } => write!(
                f,
                "no time lies from {} ms to before {} ms: give an end after the start, Unix milliseconds",
                self.number(&["start"], &start_ms),
                self.number(&["end"], &end_ms)
            ),
            Error::RangeTurnsNegative { start_ms, end_ms, turn_ms } => write!(
                f,
                "IDs turn negative at {turn_ms} ms, between {start_ms} and {end_ms} ms, and sort before all others there: ask for the \
                 times before and from {turn_ms} ms on one by one"
            ),
            Error::NotTimeOrdered { scheme } => write!(
                f,
                "IDs of {scheme} are not in the order of their times, so that no range of them belongs to an interval: store the \
                 time beside the ID"
            ),
            Error::InvalidWindow { start, end, first, last } => write!(
                f,
                "the window [{}, {}) holds no time of this layout: \
                 give start < end, both from {first} to {last}, and a not_before below the end, in the same unit",
                self.number(&["not_before", "the window's start"], &start),
                self.number(&["the window's end"], &end)
            ),
            Error::NodeRequired { max } => {
                write!(f, "a generator needs a node that no other has: give node (0 to {max}) or a range of nodes")
            }
            Error::NodeTwice => f.write_str("both node and nodes are given: give one of them"),
            Error::NodeOutOfRange { node, max: 0 } => {
                let node = self.number(&["node", "scalability"], &node);
                write!(
                    f,
                    "node {node} is out of range: these IDs have none, as a stand-alone Ulid-Flake has no scalability id: leave it out"
                )
            }
            Error::NodeOutOfRange { node, max } => {
                let node = self.number(&["node", "scalability"], &node);
                write!(f, "node {node} is out of range: this layout has nodes 0 to {max}")
            }
            Error::NodePartOutOfRange { part, value, bits } => {
                let max = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
                let value = self.number(&["a part of the node"], &value);
                write!(f, "{value} is out of range for the node's part {part}: this layout has 0 to {max}")
            }
            Error::NodePartMissing { part } => {
                write!(f, "the node's part {part} is missing: give every part of the node")
            }
            Error::NodePartTwice { part } => write!(f, "the node's part {part} is given twice: give it once"),
            Error::NodeRangeInvalid { first, end, max, most } => write!(
                f,
                "nodes [{}, {}) are no range of this layout: \
                 give first < end, within 0 to {max}, and at most {most} nodes to one generator",
                self.number(&["the first of nodes"], &first),
                self.number(&["the end of nodes"], &end)
            ),
            Error::ShardsOutOfRange { shards, max } => {
                let shards = self.number(&["shards"], &shards);
                write!(
                    f,
                    "{shards} shards cannot be made of the generator's nodes: give 1 to {max}, each has at least one node"
                )
            }
            Error::NodeInUse { first, end } => write!(
                f,
                "nodes [{first}, {end}) overlap, which another generator of this process has: \
                 use that one, give the same layout, nodes, shards and state file to both, or give nodes apart"
            ),
            Error::NodeInUseByProcess { first, end, process, path } => write!(
                f,
                "nodes [{first}, {end}) overlap, which process {process} of this machine has ({path}): give the same nodes, layout and \
                 shards to both, or give nodes apart"
            ),
            Error::NodeOfParent { first, end } => write!(
                f,
                "nodes [{first}, {end}) belong to the process that this one was forked from: \
                 give each process nodes of its own (stand-alone Ulid-Flake: a scalability id, or allow_collisions), \
                 or make generators after the fork only"
            ),
            Error::Forked => f.write_str(
                "this generator was made before a fork and belongs to the parent process: \
                 make one in this process, and if it takes a node with one of its own",
            ),
            Error::SequenceOutOfRange { sequence, max } => {
                let sequence = self.number(&["sequence", "clock_sequence"], &sequence);
                write!(f, "sequence {sequence} is out of range: this layout has 0 to {max}")
            }
            Error::RandomOutOfRange { random, max } => {
                let random = self.number(&["random"], &random);
                write!(f, "random part {random} is out of range: this layout has 0 to {max}")
            }
            Error::SequenceOutOfRangeWide { sequence, max } => {
                let sequence = self.number(&["sequence", "clock_sequence"], &sequence);
                write!(f, "sequence {sequence} is out of range: this layout has 0 to {max}")
            }
            Error::RandomOutOfRangeWide { random, max } => {
                let random = self.number(&["random"], &random);
                write!(f, "random part {random} is out of range: this layout has 0 to {max}")
            }
            Error::RollbackOutOfRange { rollback, max } => {
                let rollback = self.number(&["rollback"], &rollback);
                write!(f, "rollback {rollback} is out of range: this layout has 0 to {max}")
            }
            Error::IdOutOfRange { scheme } => write!(f, "the number is not an ID of {scheme}: give {}", wanted(scheme)),
            Error::IdBytes { length } => {
                write!(
                    f,
                    "an ID does not have {length} bytes: give 8 (64 bits), 12 (96) or 16 (128), the highest first"
                )
            }
            Error::UuidOfVersion { version, wanted } => {
                match version {
                    0 => f.write_str("the UUID is the nil UUID")?,
                    15 => f.write_str("the UUID is the max UUID")?,
                    _ => write!(f, "the UUID is of version {version}")?,
                }
                write!(
                    f,
                    ", and this generator reads version {wanted}: ask inspect, which reads UUIDs of every version"
                )?;
                if matches!(version, 1 | 4 | 7) { write!(f, ", or a generator of version {version}") } else { Ok(()) }
            }
            Error::InvalidSecret { length } => {
                write!(f, "the secret has {length} bytes: give 16 random ones (the command: saiban secret)")
            }
            Error::InvalidSecretHex { length } => write!(
                f,
                "the secret of {length} characters is no 32 hexadecimal digits: make one with the command: saiban secret"
            ),
            // It is possible, as any that was checked before.
            Error::InvalidLayout { reason: reason @ LayoutProblem::NotASnowflake } => write!(f, "{reason}"),
            Error::InvalidLayout { reason } => write!(f, "the layout is not possible: {reason}"),
            Error::InvalidEntropySize { entropy_size, max } => {
                let entropy_size = self.number(&["entropy_size"], &entropy_size);
                write!(f, "entropy_size {entropy_size} is out of range: give 1 to {max} bytes")
            }
            Error::EntropyUnavailable => {
                f.write_str("the operating system gives no randomness: see why, and try again")
            }
            Error::TextWithoutDigits { encoding } => {
                write!(f, "{encoding} text has no digits: give at least one")
            }
            Error::TextLength { encoding, length, min, max } if min == max => {
                write!(f, "{encoding} text has {length} characters: give {min}")
            }
            Error::TextLength { encoding, length, min, max } => {
                write!(f, "{encoding} text has {length} characters: give {min} to {max}")
            }
            Error::TextCharacter { encoding, position, character } => {
                write!(f, "{encoding} text has no character {character:?} (position {position}, counted from 0)")
            }
            Error::TextOverflow { encoding: "decimal" } => write!(
                f,
                "decimal text stands for a number that does not fit: 64-bit decimals are signed: give {} to {}",
                i64::MIN,
                i64::MAX
            ),
            Error::TextOverflow { encoding: "tick-id" } => write!(
                f,
                "tick-id text stands for a number that does not fit: its 19 digits are ticks of 100 ns: give {:019} to {}",
                0,
                i64::MAX
            ),
            Error::TextOverflow { encoding } => {
                write!(f, "{encoding} text stands for a number that does not fit: an ID has 64 bits")
            }
            Error::TextNotCanonical { encoding, position } => write!(
                f,
                "{encoding} text is not canonical from position {position} (counted from 0) on: \
                 give the text as it was encoded, its width if it has leading zeros, or ask for lenient decoding"
            ),
            Error::TextNearly { form, fault } => text::nearly(form, fault, f),
            Error::TextOfNoForm { length, odd } => text::no_form(length, odd, f),
            Error::WidthOutOfRange { encoding, width, min, max } if min == max => {
                let width = self.number(&["width"], &width);
                write!(f, "{encoding} has no width {width}: give {max}, the only one for so many bits")
            }
            Error::WidthOutOfRange { encoding, width, min, max } => {
                let width = self.number(&["width"], &width);
                write!(f, "{encoding} has no width {width}: give {min} to {max}")
            }
            Error::WidthTooSmall { encoding, width, needed } => {
                write!(f, "the number needs {needed} characters of {encoding}, not {width}: give a larger width")
            }
            Error::WidthNegative { encoding } => write!(
                f,
                "a negative number has no fixed-width {encoding} text, which must sort: \
                 leave the width out, or use another encoding"
            ),
            Error::UnknownEncoding { name } => write!(
                f,
                "no encoding is named {name}: \
                 give decimal, hex, binary, crockford, base32hex, base36, base58, base62, base64url, or hyphenated, simple, braced or \
                 urn for the form of a UUID"
            ),
            Error::UnknownScheme { name } => {
                write!(
                    f,
                    "no scheme is named {name}: give snowflake, randflake, ulid-flake, flake, ulid, uuid, uuid-v1, uuid-v4, uuid-v7, \
                     objectid or tick-id"
                )
            }
            Error::UnknownLayout { name } => {
                write!(
                    f,
                    "no layout is named {name}: give twitter (or bwmarrin), discord, instagram, sonyflake, sonyflake_v2, \
                     mastodon, baidu, ulid-flake or ulid-flake-scalable"
                )
            }
            Error::UnknownField { name } => {
                write!(
                    f,
                    "no field is named {name}: give unused, timestamp, node, sequence, random, rollback or constant"
                )
            }
            Error::UnknownNodePart { name } => {
                write!(f, "the layout's node has no part that is named {name}: give the names of its parts")
            }
            Error::UnknownRollback { name } => {
                write!(f, "no rollback policy is named {name}: give hold, error or bits")
            }
            Error::UnknownScope { name } => write!(f, "no scope is named {name}: give process or machine"),
            Error::BufferTooSmall { length, needed } => {
                write!(f, "the buffer has {length} bytes: give {needed}")
            }
            Error::ClockJumped { ahead_ns, max_jump_ns } => write!(
                f,
                "the clock has jumped {} ahead of the time since boot, and max_jump is {}: set the clock right and go on; \
                 if it is right, make a new generator, or allow a larger max_jump",
                Span(ahead_ns),
                Span(max_jump_ns)
            ),
            Error::StateInUse { path } => write!(
                f,
                "the state file {path} is in use by another process, or by another generator of this one: \
                 give each a state file and nodes of its own"
            ),
            Error::StateMismatch { path, problem } => {
                write!(f, "the state file {path} is not this generator's: {problem}")
            }
            #[cfg(feature = "std")]
            Error::StateUnavailable { path, os_error } => write!(
                f,
                "the state file {path} cannot be read or written ({}): give a file in a local folder that this user may write",
                std::io::Error::from_raw_os_error(os_error)
            ),
            #[cfg(not(feature = "std"))]
            Error::StateUnavailable { path, os_error } => {
                write!(f, "the state file {path} cannot be read or written (error {os_error})")
            }
            Error::InvalidArgument { what } => f.write_str(what),
            Error::CounterStart { start } => {
                let start = self.number(&["start"], &start);
                write!(f, "a counter cannot start at {start}: give a number of 0 to {}", i64::MAX)
            }
            Error::CounterStep { step } => {
                let step = self.number(&["step"], &step);
                write!(f, "a counter cannot step by {step}: give a number of 1 to {}", i64::MAX)
            }
            Error::OfMaker { kind } => write!(f, "who makes the IDs has none to give: {}", kind.meaning()),
            Error::CounterExhausted { step } => write!(
                f,
                "the counter has no number left: the next, {step} further, would be past {}. Begin another, for another column",
                i64::MAX
            ),
            Error::BitsOutOfRange { bits, min, max } => {
                let bits = self.number(&["bits"], &bits);
                write!(f, "IDs of {bits} bits are not possible: give {min} to {max}")
            }
            Error::IdUnsigned { bits } => {
                write!(
                    f,
                    "numbers of {bits} bits are unsigned (of 64, the default, signed): give 0 or more, below 2^{bits}"
                )
            }
            Error::IdTooWide { needed, bits } => {
                write!(
                    f,
                    "the number has {needed} bits, and the IDs have {bits}: give a number below 2^{bits}, or more bits"
                )
            }
            Error::WideTextOverflow { encoding, bits } => {
                write!(f, "{encoding} text stands for a number that does not fit: the IDs have {bits} bits")
            }
            Error::UuidLength { length } => write!(
                f,
                "a UUID's text has no {length} characters: \
                 give 36 (hyphenated), 32 (simple), 38 (braced) or 45 (urn)"
            ),
            Error::UnknownTickOrder { name } => {
                write!(f, "no order of tick IDs is named {name}: give ascending or descending")
            }
            Error::UnknownUuidForm { name } => {
                write!(f, "no form of a UUID is named {name}: give hyphenated, simple, braced or urn")
            }
        }
    }
}

/// What an ID of this scheme is.
fn wanted(scheme: &str) -> &'static str {
    match scheme {
        "flake" | "this layout" => {
            "one of as many bits as the layout has, whose unused bits are 0 and whose constants are the layout's"
        }
        "any scheme" => "a signed 64-bit integer, or tell how many bits, up to 128, an unsigned one has",
        "ulid" => "an unsigned integer of 128 bits",
        "objectid" => "an unsigned integer of 96 bits",
        "tick-id" => "what a tick ID's 19 digits of time and its 3 or 4 random digits make, 77 bits",
        "uuid" | "uuid-v1" | "uuid-v4" | "uuid-v7" => {
            "one of RFC 9562, of 128 bits: with 10 as the two bits of its variant, and a version of 1 to 8"
        }
        _ => "a signed 64-bit integer whose unused bits are 0",
    }
}

impl fmt::Display for StateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateProblem::Damaged => f.write_str(
                "it is damaged, or no state file at all: if it is one, give a new file and not_before, \
                 the time of the last ID that you know of",
            ),
            StateProblem::Empty => f.write_str(
                "it is empty, and saiban never leaves an empty one: it was cut off, or made by another program. If no \
                 ID was ever made with it, delete it; else give a new file and not_before, the time of the last ID \
                 that you know of",
            ),
            StateProblem::OtherFormat => {
                f.write_str("it was made for another scheme, layout or epoch: give each its own file")
            }
            StateProblem::OtherNodes { first } => {
                write!(f, "it was made for another range of nodes, from {first} on: give that one, or another file")
            }
        }
    }
}
