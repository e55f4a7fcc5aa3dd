//! ULID.

use crate::ffi::{Fill, Out, Slice, ffi};
use crate::generator::{Generator, Scheme};
use crate::options::GivenOptions;
use saiban::{Error, PooledEntropy, Ulid};

ffi! {
    /// Makes a generator of ULIDs: time and 80 random bits that grow by one within a millisecond. Their 16 bytes are a UUID's
    /// too, of no version. Give it back with saiban_generator_free.
    ///
    /// - options: window, max_wait_ms, clock, not_before, rollback (not …_BITS) and max_jump_s may be given; a node, shards,
    ///   a scope and a state file may not.
    ///
    /// Errors: INVALID_WINDOW, INVALID_LAYOUT, UNKNOWN_NAME, CLOCK_UNAVAILABLE, INVALID_ARGUMENT.
    fn saiban_ulid_new(options: GivenOptions, generator: Out<*mut Generator>) {
        let options = options.read()?;
        options.refuse_all("a ULID has no layout, secret, scalability, entropy_size or epoch")?;
        let ids = Ulid::build(&options.common()?, options.clock(), PooledEntropy)?;
        generator.give(Generator(Scheme::Ulid(ids)));
    }

    /// Makes the ULID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of ULID.
    /// - timestamp_ms: Unix milliseconds.
    /// - random: SAIBAN_WIDE_ID_SIZE bytes, highest first, of which 80 bits count.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, RANDOM_OUT_OF_RANGE; INVALID_ARGUMENT for a generator of another
    /// scheme.
    fn saiban_ulid_compose(generator: &Generator, timestamp_ms: i64, random: Slice<u8>, id: Fill<u8>) {
        let Scheme::Ulid(ids) = &generator.0 else {
            return Err(Error::InvalidArgument { what: "the generator makes no ULIDs" }.into());
        };
        id.set_wide(ids.compose(timestamp_ms, random.wide()?)?)?;
    }
}
