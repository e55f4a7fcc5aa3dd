//! Randflake.

use crate::ffi::{Chars, Fill, Out, ffi};
use crate::generator::{Generator, Scheme};
use crate::options::GivenOptions;
use saiban::{Error, Randflake, Secret};
use saiban_coordination::Issuer;

/// How many bytes a secret has.
pub const SAIBAN_SECRET_SIZE: usize = 16;

ffi! {
    /// Makes a generator of Randflake IDs: time, node and sequence, encrypted. Give it back with saiban_generator_free.
    ///
    /// - options: secret with secret_len 16, and node, nodes or lease must be given; window and not_before (seconds), max_wait_ms,
    ///   clock, state, rollback (not …_BITS), shards, scope and max_jump_s may be.
    ///
    /// Errors: INVALID_SECRET, NODE_REQUIRED, NODE_OUT_OF_RANGE (also for shards), NODE_IN_USE, INVALID_WINDOW, INVALID_LAYOUT,
    /// UNKNOWN_NAME, STATE_IN_USE, STATE_MISMATCH, STATE_UNAVAILABLE, INVALID_ARGUMENT; CLOCK_BACKWARD where the clock is more
    /// than max_jump_s behind the last ID of this machine.
    fn saiban_randflake_new(options: GivenOptions, generator: Out<*mut Generator>) {
        let options = options.read()?;
        options.refuse_layout("a Randflake has no layout to choose")?;
        options.refuse_ulid_flake("a Randflake has no scalability, entropy_size or epoch")?;
        let (secret, clock) = (options.secret()?, options.clock());
        let ids = Issuer::new(options.lease(), options.common()?, move |common| {
            Randflake::build(&secret, common, clock.clone())
        })?;
        generator.give(Generator(Scheme::Randflake(ids)));
    }

    /// Makes the Randflake ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of Randflake; its secret counts, its node does not.
    /// - timestamp_ms: Unix milliseconds, rounded down to the second.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE, SEQUENCE_OUT_OF_RANGE; INVALID_ARGUMENT for a
    /// generator of another scheme.
    fn saiban_randflake_compose(
        generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, id: Out<i64>,
    ) {
        let Scheme::Randflake(ids) = &generator.0 else {
            return Err(Error::InvalidArgument { what: "the generator makes no Randflake IDs" }.into());
        };
        id.set(ids.reader().compose(timestamp_ms, node, sequence)?);
    }

    /// Reads a secret from 32 hexadecimal digits.
    ///
    /// - text, text_len: the digits and their number, or SAIBAN_NUL_TERMINATED.
    /// - secret: SAIBAN_SECRET_SIZE bytes, to be wiped by who asked for them.
    ///
    /// Errors: INVALID_SECRET for any other text.
    fn saiban_secret_from_hex(text: Chars, text_len: usize, secret: Fill<u8>) {
        let read = Secret::from_hex(&text.get(text_len)?)?;
        for (place, byte) in secret.get(SAIBAN_SECRET_SIZE)?.iter_mut().zip(read.expose()) {
            place.write(*byte);
        }
    }
}
