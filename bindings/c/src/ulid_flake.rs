//! Ulid-Flake.

use crate::ffi::{Out, ffi};
use crate::generator::{Generator, Scheme};
use crate::options::{GivenOptions, given};
use saiban::{Error, PooledEntropy, UlidFlake, UlidFlakeFormat};
use saiban_coordination::Issuer;

ffi! {
    /// Makes a generator of Ulid-Flake IDs: time and a random part that grows. Stand-alone ones are unique within the scope, scalable
    /// ones also between scalability ids. Give it back with saiban_generator_free.
    ///
    /// - options: scalability, entropy_size, epoch_ms, allow_collisions, window, max_wait_ms, clock, not_before, state,
    ///   rollback (not …_BITS), scope and max_jump_s may be given; a node and shards may not.
    ///
    /// Errors: NODE_OUT_OF_RANGE for a scalability id above 31, NODE_IN_USE, INVALID_ENTROPY_SIZE, INVALID_WINDOW,
    /// INVALID_LAYOUT for an epoch too far in the future, UNKNOWN_NAME, STATE_IN_USE, STATE_MISMATCH, STATE_UNAVAILABLE,
    /// INVALID_ARGUMENT; CLOCK_BACKWARD where the clock is more than max_jump_s behind the last ID of this machine.
    fn saiban_ulid_flake_new(options: GivenOptions, generator: Out<*mut Generator>) {
        let options = options.read()?;
        options.refuse_layout("a Ulid-Flake has no layout to choose")?;
        options.refuse_secret("a Ulid-Flake has no secret")?;
        options.refuse_shards("a Ulid-Flake has no shards: it has one node at most")?;
        let default = UlidFlakeFormat::default();
        let format = UlidFlakeFormat {
            scalability: given(options.scalability),
            entropy_size: given(options.entropy_size).unwrap_or(default.entropy_size),
            epoch_ms: given(options.epoch_ms).unwrap_or(default.epoch_ms),
            allow_collisions: options.allow_collisions()?,
        };
        let clock = options.clock();
        let ids = Issuer::new(options.lease(), options.common()?, move |common| {
            UlidFlake::build(format, common, clock.clone(), PooledEntropy)
        })?;
        generator.give(Generator(Scheme::UlidFlake(ids)));
    }

    /// Makes the Ulid-Flake ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of Ulid-Flake; it says whether the ID is scalable, and the epoch.
    /// - timestamp_ms: Unix milliseconds.
    /// - scalability: of a scalable ID; SAIBAN_NOT_GIVEN for the generator's own, or where there is none.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE, RANDOM_OUT_OF_RANGE; INVALID_ARGUMENT for a
    /// generator of another scheme.
    fn saiban_ulid_flake_compose(
        generator: &Generator, timestamp_ms: i64, random: i64, scalability: i64, id: Out<i64>,
    ) {
        let Scheme::UlidFlake(ids) = &generator.0 else {
            return Err(Error::InvalidArgument { what: "the generator makes no Ulid-Flake IDs" }.into());
        };
        id.set(ids.reader().compose(timestamp_ms, random, given(scalability))?);
    }
}
