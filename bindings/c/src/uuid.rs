//! UUID, versions 1, 4 and 7.

use crate::ffi::{Fill, Out, Slice, ffi};
use crate::generator::{Generator, Scheme};
use crate::options::{GivenOptions, given};
use saiban::encoding::{uuid_from_guid_bytes, uuid_to_guid_bytes};
use saiban::generator::UuidParts;
use saiban::{Error, PooledEntropy, Uuid};

ffi! {
    /// Makes a generator of UUIDs of RFC 9562. Give it back with saiban_generator_free.
    ///
    /// - version: 7, time and 74 random bits that grow by random steps within a millisecond; 4, random bits only; 1, ticks of
    ///   100 ns, a clock sequence and a node, both drawn.
    /// - options: window, max_wait_ms, clock, not_before, rollback (not …_BITS) and max_jump_s may be given, with version 4
    ///   only the clock, which it does not read; a node, shards, a scope and a state file may not.
    ///
    /// Errors: INVALID_ARGUMENT, also for another version; INVALID_WINDOW, INVALID_LAYOUT, UNKNOWN_NAME, CLOCK_UNAVAILABLE,
    /// ENTROPY_UNAVAILABLE.
    fn saiban_uuid_new(version: i32, options: GivenOptions, generator: Out<*mut Generator>) {
        let options = options.read()?;
        options.refuse_all("a UUID has no layout, secret, scalability, entropy_size or epoch")?;
        let ids = Uuid::build(version.into(), &options.common()?, options.clock(), PooledEntropy)?;
        generator.give(Generator(Scheme::Uuid(ids)));
    }

    /// Makes the UUID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of UUID; its version says which parts there must be, and no others.
    /// - timestamp_ms: of versions 7 and 1, Unix milliseconds; else SAIBAN_NOT_GIVEN.
    /// - submillisecond_ns: of versions 7 and 1, by how many nanoseconds the time is later, 0 to 999999, rounded down to the
    ///   tick, of version 1 100 ns; else SAIBAN_NOT_GIVEN.
    /// - random: of versions 7 (74 bits) and 4 (122 bits), SAIBAN_WIDE_ID_SIZE bytes, highest first; else NULL.
    /// - clock_sequence, node: of version 1, 14 and 48 bits; else SAIBAN_NOT_GIVEN.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, RANDOM_OUT_OF_RANGE, SEQUENCE_OUT_OF_RANGE, NODE_OUT_OF_RANGE;
    /// INVALID_ARGUMENT for a part too few or too many, and for a generator of another scheme.
    fn saiban_uuid_compose(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, random: Option<Slice<u8>>, clock_sequence: i64,
        node: i64, id: Fill<u8>,
    ) {
        let Scheme::Uuid(ids) = &generator.0 else {
            return Err(Error::InvalidArgument { what: "the generator makes no UUIDs" }.into());
        };
        let parts = UuidParts {
            timestamp_ms: given(timestamp_ms),
            submillisecond_ns: given(submillisecond_ns),
            random: random.map(Slice::wide).transpose()?,
            clock_sequence: given(clock_sequence),
            node: given(node),
        };
        id.set_wide(ids.compose(&parts)?)?;
    }

    /// Turns a UUID's bytes, highest first, into those that Microsoft's GUID has in memory: of the first three groups the
    /// lowest byte first.
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
}
