//! The table of errors: each row has a variant of [`Error`], its kind, and its message in every
//! language.

use super::message::{Number, Numbers, Span};
use super::text::{self, TextFault, TextForm};
use super::{CursorFileProblem, ErrorKind, Excerpt, LayoutProblem, OptionProblem, StateProblem, Wide};
use core::fmt;

errors! {
    |f, m|

    // Clock and waits

    /// The clock is further behind the last ID than the longest allowed wait.
    ClockBackward { behind_ns: u64, max_wait_ns: u64 } => ErrorKind::ClockBackward, {
        write!(f, "the clock is {} behind the last ID and ", Span(behind_ns))?;
        match max_wait_ns {
            0 => f.write_str(
                "no wait is allowed: try again later, allow a wait (the policy hold, and max_wait), or see why the \
                 clock was set back",
            ),
            _ => write!(
                f,
                "the longest wait allowed is {}: try again later, allow a longer wait, or see why the clock was set \
                 back",
                Span(max_wait_ns)
            ),
        }
    };
    /// The clock is behind the last ID that this machine's processes issued for these nodes.
    ClockBehindMachine { behind_ns: u64, max_wait_ns: u64, path: &'static str } => ErrorKind::ClockBackward,
        "the clock is {} behind the last ID of these nodes, which {path} keeps, and the longest wait allowed is {}: \
         wait, allow a longer wait, use another node, or set the clock; if the last ID's time was wrong, and no \
         process uses the nodes, run `saiban nodes clear`",
        Span(behind_ns), Span(max_wait_ns);
    /// The last ID in this machine's cursor file is further ahead of the clock than `max_jump`
    /// allows.
    CursorFileAhead { ahead_ns: u64, max_jump_ns: u64, path: &'static str } => ErrorKind::ClockBackward,
        "the last ID of these nodes, which {path} keeps, is {} ahead of the clock, more than max_jump allows ({}): \
         wait, use another node, or set the clock; if the last ID's time was wrong, and no process uses the nodes, run \
         `saiban nodes clear`",
        Span(ahead_ns), Span(max_jump_ns);
    /// The clock jumped ahead by more than `max_jump` allows.
    ClockJumped { ahead_ns: u64, max_jump_ns: u64 } => ErrorKind::ClockJumped,
        "the clock has jumped {} ahead of the time since boot, and max_jump is {}: set the clock right and go on; if \
         it is right, make a new generator, or allow a larger max_jump",
        Span(ahead_ns), Span(max_jump_ns);
    /// The clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21.
    ClockUnavailable => ErrorKind::ClockUnavailable,
        "the clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21: set the clock";
    /// The thread of a `TickingClock` cannot be started.
    ClockThread => ErrorKind::ClockUnavailable,
        "the thread of a ticking clock cannot be started: allow the process more threads, or use SystemClock";
    /// A manual clock cannot show the time that it was set or moved to.
    ClockOutOfRange { timestamp_ms: i64 } => ErrorKind::ClockUnavailable, {
        let last = u64::MAX / 1_000_000;
        match m.number(&["delta_ms"], &timestamp_ms) {
            // The caller passed a step, not a time.
            step @ Number::Written(_) => {
                write!(f, "a clock cannot be moved by {step} ms: it shows Unix times of 0 to {last} ms")
            }
            Number::Held(_) => {
                let time = m.number(&["timestamp_ms"], &timestamp_ms);
                write!(f, "a clock cannot show {time} ms: give a Unix time of 0 to {last} ms")
            }
        }
    };
    /// The time is before the layout's epoch.
    TimestampBeforeEpoch { timestamp_ms: i64, epoch_ms: i64 } => ErrorKind::TimestampBeforeEpoch,
        "the time {} ms is before the epoch, {epoch_ms} ms (Unix): give a time from the epoch on, or choose an earlier \
         epoch",
        m.number(&["timestamp_ms", "end"], &timestamp_ms);
    /// The time is past the last time that the layout can hold.
    TimestampOverflow { timestamp_ms: i64, last_ms: i64 } => ErrorKind::TimestampOverflow,
        "the time {} ms is past the layout's last, {last_ms} ms (Unix): give a time up to it, or choose a later epoch \
         or more timestamp bits",
        m.number(&["timestamp_ms", "start"], &timestamp_ms);
    /// The next ID needs a longer wait than the caller allowed.
    WouldWait { wait_ns: u64, max_wait_ns: u64 } => ErrorKind::WouldWait,
        "the next ID is available in {} (the tick is used up, the clock is behind, or the window has not begun); the \
         longest wait allowed is {}: try again then, allow a longer wait, or use more nodes (a manual clock never \
         waits: advance it)",
        Span(wait_ns), Span(max_wait_ns);
    /// The first ID of a new generator needs a longer wait than the caller allowed.
    WouldWaitAtFirst { wait_ns: u64, max_wait_ns: u64 } => ErrorKind::WouldWait,
        "the first ID is available in {}: a new generator begins with the tick after the one in which it was built, \
         so that it repeats no ID of an earlier generator; the longest wait allowed is {}: give not_before, the time \
         of the last ID known (0 if there is none), or allow a longer wait (max_wait)",
        Span(wait_ns), Span(max_wait_ns);

    // Windows and leases

    /// The window or the lease of the generator has not begun.
    LeaseNotBegun { start_ms: i64, wait_ns: u64, max_wait_ns: u64 } => ErrorKind::LeaseNotBegun,
        "IDs may begin at {start_ms} ms (Unix), in {}, and the longest wait allowed is {}: try again then, allow a \
         longer wait (max_wait), or give a window that has begun; an earlier not_before only if it was given by \
         mistake",
        Span(wait_ns), Span(max_wait_ns);
    /// The window of the generator is over.
    LeaseExpired { end_ms: i64 } => ErrorKind::LeaseExpired,
        "the window ended at {end_ms} ms (Unix): make a new generator with a later window";
    /// The lease is over: its store did not extend it in time.
    LeaseNotRenewed { end_ms: i64 } => ErrorKind::LeaseExpired,
        "the lease ended at {end_ms} ms (Unix), and its store gave no more time before: IDs go on when it does; see \
         that it can be reached";
    /// The generator's lease was released or lost.
    LeaseClosed => ErrorKind::LeaseLost,
        "the lease of this generator was released or lost: nothing is issued under it any more; acquire a new one";
    /// The lease is for IDs of another scheme, layout or secret.
    LeaseOfOther {
        /// The name of the scheme that the lease is for.
        scheme: &'static str,
        /// The name of the generator's scheme.
        wanted: &'static str,
    } => ErrorKind::NamespaceMismatch,
        "the lease is for IDs of {scheme} of its own layout and secret, and these of {wanted} are others: acquire one \
         with this scheme, layout and secret, in a separate namespace";
    /// The window is empty, or reaches outside the times that the layout can hold. All times are in
    /// the window's unit.
    InvalidWindow {
        /// The start of the window.
        start: i64,
        /// The end of the window, not included.
        end: i64,
        /// The layout's first time.
        first: i64,
        /// The layout's last time.
        last: i64,
    } => ErrorKind::InvalidWindow,
        "the window [{}, {}) contains no time of this layout: give start < end, both from {first} to {last}, and a \
         not_before below the end, in the same unit",
        m.number(&["not_before", "the window's start"], &start), m.number(&["the window's end"], &end);

    // Intervals of time

    /// The interval is empty.
    RangeEmpty { start_ms: i64, end_ms: i64 } => ErrorKind::InvalidWindow,
        "the interval from {} ms to {} ms is empty: give an end after the start, Unix milliseconds",
        m.number(&["start"], &start_ms), m.number(&["end"], &end_ms);
    /// IDs become negative within the interval, so no single range of IDs covers the interval.
    RangeTurnsNegative { start_ms: i64, end_ms: i64, turn_ms: i64 } => ErrorKind::InvalidWindow,
        "IDs turn negative at {turn_ms} ms, between {start_ms} and {end_ms} ms, and sort before all others there: ask \
         for the times before and from {turn_ms} ms on one by one";
    /// IDs of this scheme do not sort by time, so no range of IDs belongs to an interval.
    NotTimeOrdered { scheme: &'static str } => ErrorKind::NotTimeOrdered,
        "IDs of {scheme} are not in the order of their times, so that no range of them belongs to an interval: store \
         the time beside the ID";

    // Nodes

    /// The scheme needs a node, and no node was given.
    NodeRequired { max: u64 } => ErrorKind::NodeRequired,
        "a generator needs a node that no other has: give node (0 to {max}) or a range of nodes";
    /// Both a node and a range of nodes were given.
    NodeTwice => ErrorKind::InvalidArgument, "both node and nodes are given: give one of them";
    /// The node does not fit the layout.
    NodeOutOfRange { node: i64, max: u64 } => ErrorKind::NodeOutOfRange, {
        write!(f, "node {} is out of range: ", m.number(&["node", "scalability"], &node))?;
        match max {
            0 => f.write_str("these IDs have none, as a stand-alone Ulid-Flake has no scalability id: leave it out"),
            _ => write!(f, "this layout has nodes 0 to {max}"),
        }
    };
    /// The range of nodes is empty, does not fit the layout, or has too many nodes for one
    /// generator.
    NodeRangeInvalid { first: i64, end: i64, max: u64, most: u64 } => ErrorKind::NodeOutOfRange,
        "nodes [{}, {}) are no range of this layout: give first < end, within 0 to {max}, and at most {most} nodes to \
         one generator",
        m.number(&["the first of nodes"], &first), m.number(&["the end of nodes"], &end);
    /// The generator has fewer nodes than shards, or the number of shards is not positive.
    ShardsOutOfRange { shards: i64, max: u64 } => ErrorKind::NodeOutOfRange,
        "{} shards cannot be made of the generator's nodes: give 1 to {max}, each has at least one node",
        m.number(&["shards"], &shards);
    /// A part of the node does not fit its field.
    NodePartOutOfRange { part: Excerpt, value: i64, bits: u32 } => ErrorKind::NodeOutOfRange,
        "{} is out of range for the node's part {part}: this layout has 0 to {}",
        m.number(&["a part of the node"], &value), u64::MAX.checked_shr(64 - bits).unwrap_or(0);
    /// A part of the node is missing.
    NodePartMissing { part: Excerpt } => ErrorKind::InvalidArgument,
        "the node's part {part} is missing: give every part of the node";
    /// A part of the node is given twice.
    NodePartTwice { part: Excerpt } => ErrorKind::InvalidArgument,
        "the node's part {part} is given twice: give it once";
    /// Another generator of this process has some of these nodes, but not the same range, layout,
    /// shards or state file.
    NodeInUse { first: u64, end: u64 } => ErrorKind::NodeInUse,
        "nodes [{first}, {end}) overlap with those of another generator of this process: use that generator, give \
         both the same layout, nodes, shards and state file, or give them different nodes";
    /// Another process of this machine has some of these nodes, but not the same range, layout or
    /// shards.
    NodeInUseByProcess { first: u64, end: u64, process: u32, path: &'static str } => ErrorKind::NodeInUse,
        "nodes [{first}, {end}) overlap with those of process {process} of this machine ({path}): give both the same \
         nodes, layout and shards, or give them different nodes";
    /// The nodes belong to the process that this one was forked from.
    NodeOfParent { first: u64, end: u64 } => ErrorKind::NodeInUse,
        "nodes [{first}, {end}) belong to the process that this one was forked from: give each process nodes of its \
         own (stand-alone Ulid-Flake: a scalability id, or allow_collisions), or make generators after the fork only";
    /// The generator was created before a fork, and belongs to the parent process.
    Forked => ErrorKind::Forked,
        "this generator was made before a fork and belongs to the parent process: make one in this process, and if it \
         takes a node with one of its own";

    // Parts of an ID

    /// The sequence does not fit the layout.
    SequenceOutOfRange { sequence: i64, max: u64 } => ErrorKind::SequenceOutOfRange,
        "sequence {} is out of range: this layout has 0 to {max}",
        m.number(&["sequence", "clock_sequence"], &sequence);
    /// The sequence, of up to 128 bits, does not fit the layout.
    SequenceOutOfRangeWide { sequence: Wide, max: Wide } => ErrorKind::SequenceOutOfRange,
        "sequence {} is out of range: this layout has 0 to {max}",
        m.number(&["sequence", "clock_sequence"], &sequence);
    /// The random part does not fit the layout.
    RandomOutOfRange { random: i64, max: u64 } => ErrorKind::RandomOutOfRange,
        "random part {} is out of range: this layout has 0 to {max}", m.number(&["random"], &random);
    /// The random part, of up to 128 bits, does not fit the layout.
    RandomOutOfRangeWide { random: Wide, max: Wide } => ErrorKind::RandomOutOfRange,
        "random part {} is out of range: this layout has 0 to {max}", m.number(&["random"], &random);
    /// The rollback value does not fit the layout's rollback bits.
    RollbackOutOfRange { rollback: i64, max: u64 } => ErrorKind::RollbackOutOfRange,
        "rollback {} is out of range: this layout has 0 to {max}", m.number(&["rollback"], &rollback);
    /// A part was given that IDs of the scheme do not have.
    PartNotTaken { scheme: &'static str, part: &'static str } => ErrorKind::InvalidArgument,
        "{part} is given, which IDs of {scheme} do not have: leave it out";
    /// A part is missing that IDs of the scheme have.
    PartMissing { scheme: &'static str, part: &'static str } => ErrorKind::InvalidArgument,
        "{part} is missing, which IDs of {scheme} have: give it";

    // Numbers that are not IDs

    /// The number is not an ID of this scheme.
    IdOutOfRange {
        scheme: &'static str,
        /// A description of the scheme's IDs.
        wanted: &'static str,
    } => ErrorKind::IdOutOfRange,
        "the number is not an ID of {scheme}: give {wanted}";
    /// The number has more bits than the IDs.
    IdTooWide {
        /// The number of bits of the number.
        needed: u32,
        bits: u32,
    } => ErrorKind::IdOutOfRange,
        "the number has {needed} bits, and the IDs have {bits}: give a number below 2^{bits}, or more bits";
    /// The number is negative, and numbers of `bits` bits are unsigned.
    IdUnsigned { bits: u32 } => ErrorKind::IdOutOfRange,
        "numbers of {bits} bits are unsigned (of 64, the default, signed): give 0 or more, below 2^{bits}";
    /// The UUID has another version than the generator's UUIDs.
    UuidOfVersion {
        version: u8,
        /// The version that the generator reads.
        wanted: u8,
    } => ErrorKind::IdOutOfRange, {
        match version {
            0 => f.write_str("the UUID is the nil UUID")?,
            15 => f.write_str("the UUID is the max UUID")?,
            _ => write!(f, "the UUID is of version {version}")?,
        }
        write!(f, ", and this generator reads version {wanted}: ask inspect, which reads UUIDs of every version")?;
        if matches!(version, 1 | 4 | 7) { write!(f, ", or a generator of version {version}") } else { Ok(()) }
    };
    /// IDs cannot have `length` bytes.
    IdBytes {
        /// The number of bytes that were given.
        length: usize,
    } => ErrorKind::InvalidArgument,
        "an ID does not have {length} bytes: give 8 (64 bits), 12 (96) or 16 (128), the highest first";
    /// IDs cannot have `bits` bits.
    BitsOutOfRange { bits: u32, min: u32, max: u32 } => ErrorKind::InvalidArgument,
        "IDs of {} bits are not possible: give {min} to {max}", m.number(&["bits"], &bits);

    // Options of generators

    /// An option was given that generators of the scheme do not take.
    OptionNotTaken { scheme: &'static str, option: &'static str, why: OptionProblem } => ErrorKind::InvalidArgument,
        "{scheme} takes no {option}: {why}";
    /// An option is missing that generators of the scheme need.
    OptionMissing { scheme: &'static str, option: &'static str } => ErrorKind::InvalidArgument, {
        write!(f, "a {scheme} needs a {option}: give {option}")?;
        match option {
            "layout" => f.write_str(", as \"unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12\""),
            _ => write!(f, " (the command: saiban {option})"),
        }
    };
    /// The prefix is not valid.
    InvalidPrefix { prefix: Excerpt } => ErrorKind::InvalidArgument,
        "the prefix {prefix} is invalid: give at most 63 characters, letters a to z with underscores between them";
    /// An argument is missing, impossible, or contradicts another argument.
    InvalidArgument { what: &'static str } => ErrorKind::InvalidArgument, "{what}";
    /// The secret has the wrong length.
    InvalidSecret {
        /// The number of bytes of the secret.
        length: usize,
    } => ErrorKind::InvalidSecret,
        "the secret has {length} bytes: give 16 random ones (the command: saiban secret)";
    /// The text of the secret is not 32 hexadecimal digits.
    InvalidSecretHex { length: usize } => ErrorKind::InvalidSecret,
        "the secret of {length} characters is no 32 hexadecimal digits: make one with the command: saiban secret";
    /// The layout is not valid, or the generator cannot use it.
    InvalidLayout { reason: LayoutProblem } => ErrorKind::InvalidLayout, {
        // A layout that is not a Snowflake's is valid: other generators can use it.
        if reason != LayoutProblem::NotASnowflake {
            f.write_str("the layout is not possible: ")?;
        }
        write!(f, "{reason}")
    };
    /// The entropy size of a Ulid-Flake is out of range.
    InvalidEntropySize { entropy_size: i64, max: u32 } => ErrorKind::InvalidEntropySize,
        "entropy_size {} is out of range: give 1 to {max} bytes", m.number(&["entropy_size"], &entropy_size);
    /// The operating system provides no random bytes.
    EntropyUnavailable => ErrorKind::EntropyUnavailable,
        "the operating system returned no random bytes: check why, and try again";

    // Text

    /// The text is too long or too short.
    TextLength { encoding: &'static str, length: usize, min: usize, max: usize } => ErrorKind::TextLength, {
        write!(f, "{encoding} text has {length} characters: give {min}")?;
        if min == max { Ok(()) } else { write!(f, " to {max}") }
    };
    /// The text has no digits.
    TextWithoutDigits { encoding: &'static str } => ErrorKind::TextLength,
        "{encoding} text has no digits: give at least one";
    /// The text has a character outside the alphabet.
    TextCharacter { encoding: &'static str, position: usize, character: char } => ErrorKind::TextCharacter,
        "{encoding} text has no character {character:?} (position {position}, counted from 0)";
    /// The text stands for a number that does not fit 64 bits.
    TextOverflow { encoding: &'static str } => ErrorKind::TextOverflow, {
        write!(f, "{encoding} text stands for a number that does not fit: ")?;
        match encoding {
            "decimal" => write!(f, "64-bit decimals are signed: give {} to {}", i64::MIN, i64::MAX),
            "tick-id" => write!(f, "its 19 digits are ticks of 100 ns: give {:019} to {}", 0, i64::MAX),
            _ => f.write_str("an ID has 64 bits"),
        }
    };
    /// The text stands for a number of more bits than the IDs have.
    WideTextOverflow { encoding: &'static str, bits: u32 } => ErrorKind::TextOverflow,
        "{encoding} text stands for a number that does not fit: the IDs have {bits} bits";
    /// The text is a valid number, but not the canonical text of that number.
    TextNotCanonical { encoding: &'static str, position: usize } => ErrorKind::TextNotCanonical,
        "{encoding} text is not canonical from position {position} (counted from 0) on: give the text as it was \
         encoded, its width if it has leading zeros, or ask for lenient decoding";
    /// The text does not begin with the prefix of the generator's IDs.
    TextPrefix { prefix: Excerpt } => ErrorKind::TextCharacter,
        "the text does not begin with {prefix} and an underscore: give an ID that does";
    /// No form of a UUID has `length` characters.
    UuidLength { length: usize } => ErrorKind::TextLength,
        "a UUID's text has no {length} characters: give 36 (hyphenated), 32 (simple), 38 (braced) or 45 (urn)";
    /// The text resembles an ID, but has a fault.
    TextNearly { form: TextForm, fault: TextFault } => fault.kind(), { text::nearly(form, fault, f) };
    /// The text resembles no ID.
    TextOfNoForm { length: usize, odd: Option<(usize, char)> }
        => if odd.is_some() { ErrorKind::TextCharacter } else { ErrorKind::TextLength },
        { text::no_form(length, odd, f) };
    /// The encoding has no text of this width.
    WidthOutOfRange { encoding: &'static str, width: i64, min: usize, max: usize } => ErrorKind::WidthOutOfRange, {
        write!(f, "{encoding} has no width {}: give {min}", m.number(&["width"], &width))?;
        if min == max { f.write_str(", the only one for so many bits") } else { write!(f, " to {max}") }
    };
    /// The number does not fit the width.
    WidthTooSmall {
        encoding: &'static str,
        width: usize,
        /// The number of characters that the number needs.
        needed: usize,
    } => ErrorKind::WidthOutOfRange,
        "the number needs {needed} characters of {encoding}, not {width}: give a larger width";
    /// A negative number has no text of a fixed width in this encoding.
    WidthNegative { encoding: &'static str } => ErrorKind::WidthOutOfRange,
        "a negative number has no fixed-width {encoding} text, which must sort: leave the width out, or use another \
         encoding";
    /// The buffer is too small.
    BufferTooSmall {
        /// The number of bytes of the buffer.
        length: usize,
        /// The number of bytes that are needed.
        needed: usize,
    } => ErrorKind::BufferTooSmall, "the buffer has {length} bytes: give {needed}";

    // Names

    /// No encoding has this name.
    UnknownEncoding { name: Excerpt } => ErrorKind::UnknownName,
        "no encoding is named {name}: give decimal, hex, binary, crockford, base32hex, base36, base58, base62, \
         base64url, or hyphenated, simple, braced or urn for the form of a UUID";
    /// No scheme has this name.
    UnknownScheme {
        name: Excerpt,
        // A thin pointer keeps `Error` small. With a wide pointer the variant does not fit beside a
        // tag of one word, and moving a `Result` takes six more instructions.
        known: &'static &'static str,
    } => ErrorKind::UnknownName,
        "no scheme is named {name}: give one of {known}";
    /// No layout has this name.
    UnknownLayout { name: Excerpt, known: &'static &'static str } => ErrorKind::UnknownName,
        "no layout is named {name}: give one of {known}";
    /// No kind of field has this name.
    UnknownField { name: Excerpt } => ErrorKind::UnknownName,
        "no field is named {name}: give unused, timestamp, node, sequence, random, rollback or constant";
    /// The layout's node has no part of this name.
    UnknownNodePart { name: Excerpt } => ErrorKind::UnknownName,
        "the layout's node has no part that is named {name}: give the names of its parts";
    /// No rollback policy has this name. The policy applies when the clock is set back.
    UnknownRollback { name: Excerpt } => ErrorKind::UnknownName,
        "no rollback policy is named {name}: give hold, error or bits";
    /// No scope has this name.
    UnknownScope { name: Excerpt } => ErrorKind::UnknownName,
        "no scope is named {name}: give process or machine";
    /// No form of a UUID has this name.
    UnknownUuidForm { name: Excerpt } => ErrorKind::UnknownName,
        "no form of a UUID is named {name}: give hyphenated, simple, braced or urn";
    /// No order of tick IDs has this name.
    UnknownTickOrder { name: Excerpt } => ErrorKind::UnknownName,
        "no order of tick IDs is named {name}: give ascending or descending";

    // State files and cursor files

    /// Another process, or another generator of this process, uses the state file.
    StateInUse { path: Excerpt } => ErrorKind::StateInUse,
        "the state file {path} is in use by another process, or by another generator of this one: give each a state \
         file and nodes of its own";
    /// The state file does not belong to this generator.
    StateMismatch { path: Excerpt, problem: StateProblem } => ErrorKind::StateMismatch,
        "the state file {path} is not this generator's: {problem}";
    /// The state file cannot be read or written.
    StateUnavailable { path: Excerpt, os_error: i32 } => ErrorKind::StateUnavailable, {
        write!(f, "the state file {path} cannot be read or written ")?;
        #[cfg(feature = "std")]
        {
            let error = std::io::Error::from_raw_os_error(os_error);
            write!(f, "({error}): give a file in a local folder that this user may write")
        }
        #[cfg(not(feature = "std"))]
        {
            write!(f, "(error {os_error})")
        }
    };
    /// The cursor file, the shared memory of machine scope, cannot be used.
    CursorFileUnavailable { path: &'static str, os_error: i32 } => ErrorKind::StateUnavailable,
        "the cursor file {path}, which the processes of this machine share, cannot be used (error \
         {os_error} of the operating system): repair that, name another folder in SAIBAN_RUN_DIR, or give scope \
         \"process\", in which other processes with the same node repeat IDs";
    /// Other users can access the folder of cursor files.
    CursorFolderNotPrivate { path: &'static str } => ErrorKind::StateUnavailable,
        "the folder {path} is not private to this user, so cursor files in it cannot be trusted: remove it, give it \
         to this user with mode 0700, or name another folder in SAIBAN_RUN_DIR";
    /// The cursor file is damaged, or belongs to another program or version of saiban.
    CursorFileMismatch { path: &'static str, problem: CursorFileProblem } => ErrorKind::StateMismatch, {
        write!(f, "the cursor file {path} is ")?;
        match problem {
            CursorFileProblem::OtherVersion { version } => write!(
                f,
                "of format {version}, which this version of saiban does not know: use one version of saiban on this \
                 machine, or end all programs that use the file and delete it"
            ),
            CursorFileProblem::Damaged => {
                f.write_str("damaged, or another program's: end all programs that use it and delete it")
            }
        }
    };
    /// Machine scope is not available for this generator.
    NoMachineScope => ErrorKind::StateUnavailable,
        "scope \"machine\" is not available for this generator: it needs Linux or macOS, the system's clock, nodes \
         that were given, or leased from a store that other processes use too, IDs whose time, node and sequence have \
         63 bits or fewer, and a generator that threads may share; give scope \"process\"";

    // Counters and remote generators

    /// A counter cannot start with this number.
    CounterStart { start: i64 } => ErrorKind::InvalidArgument,
        "a counter cannot start at {}: give a number of 0 to {}", m.number(&["start"], &start), i64::MAX;
    /// A counter cannot step by this number.
    CounterStep { step: i64 } => ErrorKind::InvalidArgument,
        "a counter cannot step by {}: give a number of 1 to {}", m.number(&["step"], &step), i64::MAX;
    /// The counter has no numbers left.
    CounterExhausted { step: i64 } => ErrorKind::CounterExhausted,
        "the counter has no number left: the next, {step} further, would be past {}. Begin another, for another column",
        i64::MAX;
    /// A remote generator received no IDs from the service. The generator keeps the service's
    /// message, which does not fit into this type.
    OfMaker { kind: ErrorKind } => kind, "the service could not issue IDs: {}", kind.meaning();
}
