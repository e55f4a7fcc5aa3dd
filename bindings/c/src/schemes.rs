//! The schemes: their numbers, and the functions that open generators and compose IDs. Core checks
//! the options of each scheme. A new scheme needs no other file of this crate.

use crate::error::Failure;
use crate::ffi::{Chars, Fill, Out, Slice, ffi};
use crate::generator::Generator;
use crate::given::given;
use crate::names::{name_of, names, value_of};
use crate::options::Options;
use crate::parts::scheme_number;
use crate::versioned::Given;
use saiban::encoding::{uuid_from_guid_bytes, uuid_to_guid_bytes};
use saiban::{ComposeParts, Error, ErrorKind, Scheme, Secret, TickOrder, UuidVersion};
use std::ffi::c_char;

/// Time, node, sequence.
pub const SAIBAN_SCHEME_SNOWFLAKE: i32 = 1;
/// Time, node, sequence, encrypted.
pub const SAIBAN_SCHEME_RANDFLAKE: i32 = 2;
/// Time and a random part that grows.
pub const SAIBAN_SCHEME_ULID_FLAKE: i32 = 3;
/// A layout of one's own.
pub const SAIBAN_SCHEME_FLAKE: i32 = 4;
/// Time and 80 random bits.
pub const SAIBAN_SCHEME_ULID: i32 = 5;
/// A UUID of a version other than those below; see `layout` of the parts.
pub const SAIBAN_SCHEME_UUID: i32 = 6;
/// A UUID of time, clock sequence and node.
pub const SAIBAN_SCHEME_UUID_V1: i32 = 7;
/// A UUID of random bits.
pub const SAIBAN_SCHEME_UUID_V4: i32 = 8;
/// A UUID of time and random bits.
pub const SAIBAN_SCHEME_UUID_V7: i32 = 9;
/// MongoDB's: seconds, random bits, a counter.
pub const SAIBAN_SCHEME_OBJECT_ID: i32 = 10;
/// Time as text that sorts, and random digits.
pub const SAIBAN_SCHEME_TICK_ID: i32 = 11;
/// Time, node, sequence; text of 13 characters that sorts.
pub const SAIBAN_SCHEME_TSID: i32 = 12;
/// An ObjectId's bits, with text of 20 characters.
pub const SAIBAN_SCHEME_XID: i32 = 13;

/// How many bytes a secret has.
pub const SAIBAN_SECRET_SIZE: usize = 16;
/// How many bytes an ObjectId has: the last ones of SAIBAN_WIDE_ID_SIZE, which begin at id + 4.
pub const SAIBAN_OBJECT_ID_SIZE: usize = 12;
/// How many bytes an XID has: the last ones of SAIBAN_WIDE_ID_SIZE, which begin at id + 4.
pub const SAIBAN_XID_SIZE: usize = 12;
/// Tick IDs of which the oldest comes first.
pub const SAIBAN_TICK_ORDER_ASCENDING: i32 = 1;
/// Tick IDs of which the newest comes first.
pub const SAIBAN_TICK_ORDER_DESCENDING: i32 = 2;

const NUMBERS: [(i32, Scheme); Scheme::ALL.len()] = [
    (SAIBAN_SCHEME_SNOWFLAKE, Scheme::Snowflake),
    (SAIBAN_SCHEME_RANDFLAKE, Scheme::Randflake),
    (SAIBAN_SCHEME_ULID_FLAKE, Scheme::UlidFlake),
    (SAIBAN_SCHEME_FLAKE, Scheme::Flake),
    (SAIBAN_SCHEME_ULID, Scheme::Ulid),
    (SAIBAN_SCHEME_UUID, Scheme::Uuid),
    (SAIBAN_SCHEME_UUID_V1, Scheme::UuidV1),
    (SAIBAN_SCHEME_UUID_V4, Scheme::UuidV4),
    (SAIBAN_SCHEME_UUID_V7, Scheme::UuidV7),
    (SAIBAN_SCHEME_OBJECT_ID, Scheme::ObjectId),
    (SAIBAN_SCHEME_TICK_ID, Scheme::TickId),
    (SAIBAN_SCHEME_TSID, Scheme::Tsid),
    (SAIBAN_SCHEME_XID, Scheme::Xid),
];

names!(NAMES: 16 = |row| row.1.name(), NUMBERS);

const ORDERS: [(i32, TickOrder); TickOrder::ALL.len()] =
    [(SAIBAN_TICK_ORDER_ASCENDING, TickOrder::Ascending), (SAIBAN_TICK_ORDER_DESCENDING, TickOrder::Descending)];

fn order_of(number: i32) -> Result<TickOrder, Error> {
    // Core returns the error for an unknown number.
    value_of(&ORDERS, number.into()).map_or_else(|| TickOrder::from_name(&number.to_string()), Ok)
}

/// Opens a generator of this scheme.
fn open(scheme: Scheme, order: Option<TickOrder>, options: Given<Options>) -> Result<Generator, Failure> {
    let options = options.read()?;
    let mut spec = options.spec(scheme)?;
    spec.order = order;
    Ok(Generator::new(options.open(&spec)?))
}

/// Composes an ID of up to 64 bits with a generator of one of these schemes.
fn compose(generator: &Generator, schemes: &[Scheme], parts: &ComposeParts) -> Result<i64, Failure> {
    check_scheme(generator, schemes)?;
    Ok(generator.narrow()?.compose(parts)?)
}

/// Composes an ID of more than 64 bits with a generator of one of these schemes.
fn compose_wide(generator: &Generator, schemes: &[Scheme], parts: &ComposeParts) -> Result<u128, Failure> {
    check_scheme(generator, schemes)?;
    Ok(generator.wide()?.compose(parts)?)
}

fn check_scheme(generator: &Generator, schemes: &[Scheme]) -> Result<(), saiban_coordination::Error> {
    let scheme = generator.scheme();
    if schemes.contains(&scheme) {
        return Ok(());
    }
    let wanted = schemes.iter().map(|wanted| wanted.name()).collect::<Vec<_>>().join(", ");
    let message = format!("the generator makes IDs of {scheme}: give one that makes IDs of {wanted}");
    Err(saiban_coordination::Error::new(ErrorKind::InvalidArgument, message))
}

ffi! {
    /// Makes a generator of Snowflake IDs: time, node, sequence. Give it back with
    /// saiban_generator_free.
    ///
    /// - options: node, nodes, lease or store must be given; name_space with a store; layout,
    ///   window, max_wait_ms, clock, not_before, state, rollback, shards, scope, max_jump_s and
    ///   prefix may be.
    ///
    /// Errors: NODE_REQUIRED, NODE_OUT_OF_RANGE (also for shards), NODE_IN_USE, INVALID_WINDOW,
    /// INVALID_LAYOUT, UNKNOWN_NAME, STATE_IN_USE, STATE_MISMATCH, STATE_UNAVAILABLE,
    /// INVALID_ARGUMENT; CLOCK_BACKWARD where the clock is more than max_jump_s behind the last ID
    /// of this machine; with a store those of saiban_lease_acquire.
    fn saiban_snowflake_new(options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(Scheme::Snowflake, None, options)?);
    }

    /// Makes the Snowflake ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of Snowflake; its layout counts, its node does not.
    /// - timestamp_ms: Unix milliseconds, rounded down to the tick.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE,
    /// SEQUENCE_OUT_OF_RANGE; INVALID_ARGUMENT for a generator of another scheme.
    fn saiban_snowflake_compose(
        generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, id: Out<i64>,
    ) {
        let parts = ComposeParts::at_ms(timestamp_ms).node(node).sequence(sequence);
        id.set(compose(generator, &[Scheme::Snowflake], &parts)?);
    }

    /// As saiban_snowflake_compose, with the number of times that the clock had stepped back, which
    /// is 0 there.
    ///
    /// - generator: a Snowflake generator whose layout has a rollback field; without one only 0 is
    ///   allowed.
    ///
    /// Errors: as saiban_snowflake_compose; ROLLBACK_OUT_OF_RANGE.
    fn saiban_snowflake_compose_rollback(
        generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, rollback: i64, id: Out<i64>,
    ) {
        let parts = ComposeParts::at_ms(timestamp_ms).node(node).sequence(sequence).rollback(rollback);
        id.set(compose(generator, &[Scheme::Snowflake], &parts)?);
    }

    /// As saiban_snowflake_compose_rollback, for a layout whose ticks begin within milliseconds.
    ///
    /// - submillisecond_ns: by how many nanoseconds the time is later than timestamp_ms, 0 to
    ///   999999; all is rounded down to the tick.
    ///
    /// Errors: as saiban_snowflake_compose_rollback; INVALID_ARGUMENT for nanoseconds that do not
    /// fit a millisecond.
    fn saiban_snowflake_compose_ns(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, node: i64, sequence: i64, rollback: i64,
        id: Out<i64>,
    ) {
        let parts = ComposeParts::at_ms(timestamp_ms).submillisecond_ns(submillisecond_ns);
        let parts = parts.node(node).sequence(sequence).rollback(rollback);
        id.set(compose(generator, &[Scheme::Snowflake], &parts)?);
    }

    /// Makes a generator of Randflake IDs: time, node and sequence, encrypted. Give it back with
    /// saiban_generator_free.
    ///
    /// - options: secret with secret_len 16, and node, nodes, lease or store must be given;
    ///   name_space with a store; window and not_before (seconds), max_wait_ms, clock, state,
    ///   rollback (not …_BITS), shards, scope, max_jump_s and prefix may be.
    ///
    /// Errors: INVALID_SECRET, NODE_REQUIRED, NODE_OUT_OF_RANGE (also for shards), NODE_IN_USE,
    /// INVALID_WINDOW, INVALID_LAYOUT, UNKNOWN_NAME, STATE_IN_USE, STATE_MISMATCH,
    /// STATE_UNAVAILABLE, INVALID_ARGUMENT; CLOCK_BACKWARD where the clock is more than max_jump_s
    /// behind the last ID of this machine; with a store those of saiban_lease_acquire.
    fn saiban_randflake_new(options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(Scheme::Randflake, None, options)?);
    }

    /// Makes the Randflake ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of Randflake; its secret counts, its node does not.
    /// - timestamp_ms: Unix milliseconds, rounded down to the second.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE,
    /// SEQUENCE_OUT_OF_RANGE; INVALID_ARGUMENT for a generator of another scheme.
    fn saiban_randflake_compose(
        generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, id: Out<i64>,
    ) {
        let parts = ComposeParts::at_ms(timestamp_ms).node(node).sequence(sequence);
        id.set(compose(generator, &[Scheme::Randflake], &parts)?);
    }

    /// Reads a secret from 32 hexadecimal digits.
    ///
    /// - text, text_len: the digits and their number, or SAIBAN_NUL_TERMINATED.
    /// - secret: SAIBAN_SECRET_SIZE bytes, which the caller must wipe.
    ///
    /// Errors: INVALID_SECRET for any other text.
    fn saiban_secret_from_hex(text: Chars, text_len: usize, secret: Fill<u8>) {
        let read = Secret::from_hex(&text.get(text_len)?)?;
        for (place, byte) in secret.get(SAIBAN_SECRET_SIZE)?.iter_mut().zip(read.expose()) {
            place.write(*byte);
        }
    }

    /// Makes a generator of Ulid-Flake IDs: time and a random part that grows. Stand-alone ones are
    /// unique within the scope, scalable ones also between scalability ids. Give it back with
    /// saiban_generator_free.
    ///
    /// - options: scalability, lease or store, name_space with a store, entropy_size, epoch_ms,
    ///   allow_collisions, window, max_wait_ms, clock, not_before, state, rollback (not …_BITS),
    ///   scope, max_jump_s and prefix may be given; a node and shards may not.
    ///
    /// Errors: NODE_OUT_OF_RANGE for a scalability id above 31, NODE_IN_USE, INVALID_ENTROPY_SIZE,
    /// INVALID_WINDOW, INVALID_LAYOUT for an epoch too far in the future, UNKNOWN_NAME,
    /// STATE_IN_USE, STATE_MISMATCH, STATE_UNAVAILABLE, INVALID_ARGUMENT; CLOCK_BACKWARD where the
    /// clock is more than max_jump_s behind the last ID of this machine; with a store those of
    /// saiban_lease_acquire.
    fn saiban_ulid_flake_new(options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(Scheme::UlidFlake, None, options)?);
    }

    /// Makes the Ulid-Flake ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: a Ulid-Flake generator; it decides whether the ID is scalable, and the epoch.
    /// - timestamp_ms: Unix milliseconds.
    /// - scalability: of a scalable ID; SAIBAN_NOT_GIVEN for the generator's own, or for a
    ///   stand-alone ID.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE, RANDOM_OUT_OF_RANGE;
    /// INVALID_ARGUMENT for a generator of another scheme.
    fn saiban_ulid_flake_compose(
        generator: &Generator, timestamp_ms: i64, random: i64, scalability: i64, id: Out<i64>,
    ) {
        let mut parts = ComposeParts::at_ms(timestamp_ms).random(random);
        parts.node = given(scalability);
        id.set(compose(generator, &[Scheme::UlidFlake], &parts)?);
    }

    /// Makes a generator of IDs of a layout of one's own, 16 to 128 bits. Those of up to 64 bits
    /// are an int64_t (saiban_generate), wider ones bytes (saiban_generate_wide). Give it back with
    /// saiban_generator_free.
    ///
    /// - options: layout must be given, and node, nodes, lease or store where it has a node field;
    ///   name_space with a store; window, max_wait_ms, clock, not_before, state, rollback, shards,
    ///   scope, max_jump_s and prefix may be.
    ///
    /// What IDs promise depends on the layout (saiban_generator_stats): with a node, and a sequence
    /// or a random part that grows, they are unique; without a node within the scope; with only a
    /// random part see saiban_layout_collision_odds.
    ///
    /// Errors: NODE_REQUIRED, NODE_OUT_OF_RANGE (also for shards), NODE_IN_USE, INVALID_WINDOW,
    /// INVALID_LAYOUT, UNKNOWN_NAME, STATE_IN_USE, STATE_MISMATCH, STATE_UNAVAILABLE;
    /// INVALID_ARGUMENT without a layout, and for a node of a layout without; CLOCK_BACKWARD where
    /// the clock is more than max_jump_s behind the last ID of this machine; with a store those of
    /// saiban_lease_acquire.
    fn saiban_flake_new(options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(Scheme::Flake, None, options)?);
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. A part
    /// that the layout has not must be 0.
    ///
    /// - generator: one of Flake, with a layout of up to 64 bits; its layout counts, its node does
    ///   not.
    /// - timestamp_ms: Unix milliseconds.
    /// - submillisecond_ns: by how many nanoseconds the time is later, 0 to 999999; all is rounded
    ///   down to the tick.
    /// - node: of a node with named parts see saiban_layout_node_of_parts.
    /// - random: the random part, whether it grows or is drawn for each ID.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE,
    /// SEQUENCE_OUT_OF_RANGE, RANDOM_OUT_OF_RANGE, ROLLBACK_OUT_OF_RANGE; INVALID_ARGUMENT for a
    /// generator of another scheme or of wider IDs, and for nanoseconds that do not fit a
    /// millisecond.
    fn saiban_flake_compose(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, node: i64, sequence: u64, random: u64, rollback: i64,
        id: Out<i64>,
    ) {
        let parts = ComposeParts::at_ms(timestamp_ms).submillisecond_ns(submillisecond_ns).node(node);
        let parts = parts.sequence(sequence).random(random).rollback(rollback);
        id.set(compose(generator, &[Scheme::Flake], &parts)?);
    }

    /// As above, for a layout of more than 64 bits.
    ///
    /// - random: SAIBAN_WIDE_ID_SIZE bytes, highest first; NULL for 0.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    ///
    /// Errors: as saiban_flake_compose.
    fn saiban_flake_compose_wide(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, node: i64, sequence: u64,
        random: Option<Slice<u8>>, rollback: i64, id: Fill<u8>,
    ) {
        let random = random.map(Slice::wide).transpose()?.unwrap_or(0);
        let parts = ComposeParts::at_ms(timestamp_ms).submillisecond_ns(submillisecond_ns).node(node);
        let parts = parts.sequence(sequence).random(random).rollback(rollback);
        id.set_wide(compose_wide(generator, &[Scheme::Flake], &parts)?)?;
    }

    /// Makes a generator of ULIDs: time and 80 random bits that grow by one within a millisecond.
    /// Their 16 bytes are a UUID's too, of no version. Give it back with saiban_generator_free.
    ///
    /// - options: window, max_wait_ms, clock, not_before, rollback (not …_BITS), max_jump_s and
    ///   prefix may be given; a node, shards, a scope and a state file may not.
    ///
    /// Errors: INVALID_WINDOW, INVALID_LAYOUT, UNKNOWN_NAME, CLOCK_UNAVAILABLE, INVALID_ARGUMENT.
    fn saiban_ulid_new(options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(Scheme::Ulid, None, options)?);
    }

    /// Makes the ULID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of ULID.
    /// - timestamp_ms: Unix milliseconds.
    /// - random: SAIBAN_WIDE_ID_SIZE bytes, highest first, of which 80 bits count.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, RANDOM_OUT_OF_RANGE; INVALID_ARGUMENT
    /// for a generator of another scheme.
    fn saiban_ulid_compose(generator: &Generator, timestamp_ms: i64, random: Slice<u8>, id: Fill<u8>) {
        let parts = ComposeParts::at_ms(timestamp_ms).random(random.wide()?);
        id.set_wide(compose_wide(generator, &[Scheme::Ulid], &parts)?)?;
    }

    /// Makes a generator of UUIDs of RFC 9562. Give it back with saiban_generator_free.
    ///
    /// - version: 7, time and 74 random bits that grow by random steps within a millisecond; 4,
    ///   random bits only; 1, ticks of 100 ns, a clock sequence and a node, both drawn.
    /// - options: window, max_wait_ms, clock, not_before, rollback (not …_BITS), max_jump_s and
    ///   prefix may be given, with version 4 only the prefix, and the clock, which it does not
    ///   read; a node, shards, a scope and a state file may not.
    ///
    /// Errors: INVALID_ARGUMENT, also for another version; INVALID_WINDOW, INVALID_LAYOUT,
    /// UNKNOWN_NAME, CLOCK_UNAVAILABLE, ENTROPY_UNAVAILABLE.
    fn saiban_uuid_new(version: i32, options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(UuidVersion::from_number(version.into())?.scheme(), None, options)?);
    }

    /// Makes the UUID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: a UUID generator; its version decides which parts are required, and no others
    ///   are allowed.
    /// - timestamp_ms: of versions 7 and 1, Unix milliseconds; else SAIBAN_NOT_GIVEN.
    /// - submillisecond_ns: of versions 7 and 1, by how many nanoseconds the time is later, 0 to
    ///   999999, rounded down to the tick, of version 1 100 ns; else SAIBAN_NOT_GIVEN.
    /// - random: of versions 7 (74 bits) and 4 (122 bits), SAIBAN_WIDE_ID_SIZE bytes, highest
    ///   first; else NULL.
    /// - clock_sequence, node: of version 1, 14 and 48 bits; else SAIBAN_NOT_GIVEN.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, RANDOM_OUT_OF_RANGE,
    /// SEQUENCE_OUT_OF_RANGE, NODE_OUT_OF_RANGE; INVALID_ARGUMENT for a part too few or too many,
    /// and for a generator of another scheme.
    fn saiban_uuid_compose(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, random: Option<Slice<u8>>, clock_sequence: i64,
        node: i64, id: Fill<u8>,
    ) {
        let mut parts = ComposeParts::default();
        if let Some(random) = random {
            parts = parts.random(random.wide()?);
        }
        parts.timestamp_ms = given(timestamp_ms);
        parts.submillisecond_ns = given(submillisecond_ns);
        parts.sequence = given(clock_sequence).map(i128::from);
        parts.node = given(node);
        id.set_wide(compose_wide(generator, &UuidVersion::ALL.map(UuidVersion::scheme), &parts)?)?;
    }

    /// Turns a UUID's bytes, highest first, into those that Microsoft's GUID has in memory: of the
    /// first three groups the lowest byte first.
    ///
    /// - id, guid: 16 bytes each.
    fn saiban_uuid_to_guid_bytes(id: Slice<u8>, guid: Fill<u8>) {
        guid.set_wide(u128::from_be_bytes(uuid_to_guid_bytes(id.wide()?)))?;
    }

    /// Turns the bytes of Microsoft's GUID in memory into the UUID's, highest first.
    ///
    /// - guid, id: 16 bytes each.
    fn saiban_uuid_from_guid_bytes(guid: Slice<u8>, id: Fill<u8>) {
        id.set_wide(uuid_from_guid_bytes(guid.wide()?.to_be_bytes()))?;
    }

    /// Makes a generator of ObjectIds: seconds, 40 bits that the generator draws for itself, and a
    /// counter, at most 2^24 IDs a second. Give it back with saiban_generator_free.
    ///
    /// - options: window and not_before (seconds), max_wait_ms, clock, rollback (not …_BITS),
    ///   max_jump_s and prefix may be given; a node, shards, a scope and a state file may not.
    ///
    /// Errors: INVALID_WINDOW, INVALID_LAYOUT, UNKNOWN_NAME, CLOCK_UNAVAILABLE,
    /// ENTROPY_UNAVAILABLE, INVALID_ARGUMENT.
    fn saiban_object_id_new(options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(Scheme::ObjectId, None, options)?);
    }

    /// Makes the ObjectId of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of ObjectId; what it has drawn does not count.
    /// - timestamp_ms: Unix milliseconds, rounded down to the second.
    /// - node, sequence: the 40 bits of a generator, and the 24 of the counter.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes, of which the last SAIBAN_OBJECT_ID_SIZE are the ObjectId's.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE,
    /// SEQUENCE_OUT_OF_RANGE; INVALID_ARGUMENT for a generator of another scheme.
    fn saiban_object_id_compose(generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, id: Fill<u8>) {
        let parts = ComposeParts::at_ms(timestamp_ms).node(node).sequence(sequence);
        id.set_wide(compose_wide(generator, &[Scheme::ObjectId], &parts)?)?;
    }

    /// Makes a generator of tick IDs, text that sorts by time: 19 digits of 100 ns since the year
    /// 1, "_", and 4 random digits; or counted down, with 3 (saiban_generate_text). Two processes
    /// may make equal ones: the store must keep them unique. Give it back with
    /// saiban_generator_free.
    ///
    /// - order: SAIBAN_TICK_ORDER_ASCENDING or …_DESCENDING.
    /// - options: window, max_wait_ms, clock, not_before, rollback (not …_BITS), max_jump_s and
    ///   prefix may be given; a node, shards, a scope and a state file may not.
    ///
    /// As bytes (saiban_generate_wide) an ID is the number that all its digits make, which sorts as
    /// the text does.
    ///
    /// Errors: UNKNOWN_NAME, also for another order; INVALID_WINDOW, INVALID_LAYOUT,
    /// CLOCK_UNAVAILABLE, INVALID_ARGUMENT.
    fn saiban_tick_id_new(order: i32, options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(Scheme::TickId, Some(order_of(order)?), options)?);
    }

    /// Makes the tick ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: a tick ID generator; it decides the order.
    /// - timestamp_ms: Unix milliseconds.
    /// - submillisecond_ns: by how many nanoseconds the time is later, 0 to 999999, rounded down to
    ///   100.
    /// - random: 4 decimal digits, descending 3.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes, for saiban_to_text_wide.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, RANDOM_OUT_OF_RANGE; INVALID_ARGUMENT
    /// for a generator of another scheme, and for nanoseconds that do not fit a millisecond.
    fn saiban_tick_id_compose(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, random: i64, id: Fill<u8>,
    ) {
        let parts = ComposeParts::at_ms(timestamp_ms).submillisecond_ns(submillisecond_ns).random(random);
        id.set_wide(compose_wide(generator, &[Scheme::TickId], &parts)?)?;
    }

    /// Makes a generator of TSIDs: time, node, sequence, as in a Snowflake, without an unused bit.
    /// Text is 13 characters of Crockford's base32, which sort as the IDs do until 2089-09-06, when
    /// IDs become negative. Give it back with saiban_generator_free.
    ///
    /// - options: node, nodes, lease or store must be given; name_space with a store; layout,
    ///   window, max_wait_ms, clock, not_before, state, rollback, shards, scope, max_jump_s and
    ///   prefix may be. The layout is tsid-1024 by default, with nodes 0 to 1023;
    ///   saiban_layout_preset has tsid-256 and tsid-4096 too.
    ///
    /// Source: github.com/f4b6a3/tsid-creator.
    ///
    ///     saiban_options options = SAIBAN_OPTIONS_INIT;
    ///     saiban_generator *ids = NULL;
    ///     char text[SAIBAN_TEXT_CAPACITY];
    ///     options.node = 7;
    ///     if (saiban_tsid_new(&options, &ids) == SAIBAN_OK &&
    ///         saiban_generate_text(ids, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL) == SAIBAN_OK) {
    ///         puts(text); // 0NMCKTX000W00
    ///     }
    ///     saiban_generator_free(ids);
    ///
    /// Errors: NODE_REQUIRED, NODE_OUT_OF_RANGE (also for shards), NODE_IN_USE, INVALID_WINDOW,
    /// INVALID_LAYOUT, UNKNOWN_NAME, STATE_IN_USE, STATE_MISMATCH, STATE_UNAVAILABLE,
    /// INVALID_ARGUMENT; CLOCK_BACKWARD where the clock is more than max_jump_s behind the last ID
    /// of this machine; with a store those of saiban_lease_acquire.
    fn saiban_tsid_new(options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(Scheme::Tsid, None, options)?);
    }

    /// Makes the TSID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of TSID; its layout counts, its node does not.
    /// - timestamp_ms: Unix milliseconds, rounded down to the tick.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE,
    /// SEQUENCE_OUT_OF_RANGE; INVALID_ARGUMENT for a generator of another scheme.
    fn saiban_tsid_compose(generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, id: Out<i64>) {
        let parts = ComposeParts::at_ms(timestamp_ms).node(node).sequence(sequence);
        id.set(compose(generator, &[Scheme::Tsid], &parts)?);
    }

    /// As saiban_tsid_compose, for a layout with a rollback field or whose ticks begin within
    /// milliseconds.
    ///
    /// - submillisecond_ns: by how many nanoseconds the time is later than timestamp_ms, 0 to
    ///   999999; all is rounded down to the tick.
    /// - rollback: the number of times that the clock had stepped back; 0 for a layout without a
    ///   rollback field.
    ///
    /// Errors: as saiban_tsid_compose; ROLLBACK_OUT_OF_RANGE; INVALID_ARGUMENT for nanoseconds
    /// outside 0 to 999999.
    fn saiban_tsid_compose_ns(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, node: i64, sequence: i64, rollback: i64,
        id: Out<i64>,
    ) {
        let parts = ComposeParts::at_ms(timestamp_ms).submillisecond_ns(submillisecond_ns);
        let parts = parts.node(node).sequence(sequence).rollback(rollback);
        id.set(compose(generator, &[Scheme::Tsid], &parts)?);
    }

    /// Makes a generator of XIDs: an ObjectId's 96 bits (seconds, 40 bits that the generator draws
    /// for itself, and a counter), in text of 20 characters of base32hex, lower case. It makes at
    /// most 2^24 IDs a second. Give it back with saiban_generator_free.
    ///
    /// - options: window and not_before (seconds), max_wait_ms, clock, rollback (not …_BITS),
    ///   max_jump_s and prefix may be given; a node, shards, a scope and a state file may not.
    ///
    /// Source: github.com/rs/xid.
    ///
    ///     saiban_options options = SAIBAN_OPTIONS_INIT;
    ///     saiban_generator *ids = NULL;
    ///     char text[SAIBAN_TEXT_CAPACITY];
    ///     if (saiban_xid_new(&options, &ids) == SAIBAN_OK &&
    ///         saiban_generate_text(ids, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL) == SAIBAN_OK) {
    ///         puts(text); // 9m4e2mr0ui3e8a215n4g
    ///     }
    ///     saiban_generator_free(ids);
    ///
    /// Errors: INVALID_WINDOW, INVALID_LAYOUT, UNKNOWN_NAME, CLOCK_UNAVAILABLE,
    /// ENTROPY_UNAVAILABLE, INVALID_ARGUMENT.
    fn saiban_xid_new(options: Given<Options>, generator: Out<*mut Generator>) {
        generator.give(open(Scheme::Xid, None, options)?);
    }

    /// Makes the XID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of XID; the bits that it has drawn do not count.
    /// - timestamp_ms: Unix milliseconds, rounded down to the second.
    /// - node, sequence: the 40 bits of a generator, and the 24 of the counter.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes, of which the last SAIBAN_XID_SIZE are the XID's.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE,
    /// SEQUENCE_OUT_OF_RANGE; INVALID_ARGUMENT for a generator of another scheme.
    fn saiban_xid_compose(generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, id: Fill<u8>) {
        let parts = ComposeParts::at_ms(timestamp_ms).node(node).sequence(sequence);
        id.set_wide(compose_wide(generator, &[Scheme::Xid], &parts)?)?;
    }

    /// The name of a SAIBAN_SCHEME_…: snowflake, randflake, ulid-flake, flake, ulid, uuid, uuid-v1,
    /// uuid-v4, uuid-v7, objectid, tick-id, tsid or xid; "" for another number. Constant: not to be
    /// freed.
    fn saiban_scheme_name(scheme: i32) -> *const c_char {
        name_of(&NUMBERS, &NAMES, scheme)
    }

    /// Finds the SAIBAN_SCHEME_… of this name.
    ///
    /// Errors: UNKNOWN_NAME.
    fn saiban_scheme_from_name(name: Chars, name_len: usize, scheme: Out<i32>) {
        scheme.set(scheme_number(Scheme::from_name(&name.get(name_len)?)?));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::scheme;

    #[test]
    fn every_scheme_has_the_number_of_the_header() {
        assert_eq!(NUMBERS.map(|(_, known)| known), Scheme::ALL);
        for (number, known) in NUMBERS {
            assert_eq!((scheme_number(known), scheme(number)), (number, Ok(Some(known))), "{known}");
        }
    }
}
