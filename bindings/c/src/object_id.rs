//! ObjectId, MongoDB's.

use crate::ffi::{Fill, Out, ffi};
use crate::generator::{Generator, Scheme};
use crate::options::GivenOptions;
use saiban::{Error, ObjectId, PooledEntropy};

/// How many bytes an ObjectId has: the last ones of SAIBAN_WIDE_ID_SIZE, which begin at id + 4.
pub const SAIBAN_OBJECT_ID_SIZE: usize = 12;

ffi! {
    /// Makes a generator of ObjectIds: seconds, 40 bits that the generator draws for itself, and a counter, at most 2^24 IDs a
    /// second. Give it back with saiban_generator_free.
    ///
    /// - options: window and not_before (seconds), max_wait_ms, clock, rollback (not …_BITS) and max_jump_s may be given; a
    ///   node, shards, a scope and a state file may not.
    ///
    /// Errors: INVALID_WINDOW, INVALID_LAYOUT, UNKNOWN_NAME, CLOCK_UNAVAILABLE, ENTROPY_UNAVAILABLE, INVALID_ARGUMENT.
    fn saiban_object_id_new(options: GivenOptions, generator: Out<*mut Generator>) {
        let options = options.read()?;
        options.refuse_all("an ObjectId has no layout, secret, scalability, entropy_size or epoch")?;
        let ids = ObjectId::build(&options.common()?, options.clock(), PooledEntropy)?;
        generator.give(Generator(Scheme::ObjectId(ids)));
    }

    /// Makes the ObjectId of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of ObjectId; what it has drawn does not count.
    /// - timestamp_ms: Unix milliseconds, rounded down to the second.
    /// - node, sequence: the 40 bits of a generator, and the 24 of the counter.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes, of which the last SAIBAN_OBJECT_ID_SIZE are the ObjectId's.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE, SEQUENCE_OUT_OF_RANGE; INVALID_ARGUMENT for a
    /// generator of another scheme.
    fn saiban_object_id_compose(generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, id: Fill<u8>) {
        let Scheme::ObjectId(ids) = &generator.0 else {
            return Err(Error::InvalidArgument { what: "the generator makes no ObjectIds" }.into());
        };
        id.set_wide(ids.compose(timestamp_ms, node, sequence)?)?;
    }
}
