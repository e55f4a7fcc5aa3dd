//! Snowflake.

use crate::ffi::{Out, ffi};
use crate::generator::{Generator, Scheme};
use crate::options::GivenOptions;
use saiban::{AnyClock, Error, Snowflake};
use saiban_coordination::Issuer;

fn snowflake(generator: &Generator) -> Result<&Snowflake<AnyClock>, Error> {
    match &generator.0 {
        Scheme::Snowflake(ids) => Ok(ids.reader()),
        _ => Err(Error::InvalidArgument { what: "the generator makes no Snowflake IDs" }),
    }
}

ffi! {
    /// Makes a generator of Snowflake IDs: time, node, sequence. Give it back with saiban_generator_free.
    ///
    /// - options: node, nodes or lease must be given; layout, window, max_wait_ms, clock, not_before, state, rollback, shards, scope
    ///   and max_jump_s may be.
    ///
    /// Errors: NODE_REQUIRED, NODE_OUT_OF_RANGE (also for shards), NODE_IN_USE, INVALID_WINDOW, INVALID_LAYOUT, UNKNOWN_NAME,
    /// STATE_IN_USE, STATE_MISMATCH, STATE_UNAVAILABLE, INVALID_ARGUMENT; CLOCK_BACKWARD where the clock is more than max_jump_s
    /// behind the last ID of this machine.
    fn saiban_snowflake_new(options: GivenOptions, generator: Out<*mut Generator>) {
        let options = options.read()?;
        options.refuse_secret("a Snowflake has no secret")?;
        options.refuse_ulid_flake("a Snowflake has no scalability and no entropy_size; its epoch is the layout's")?;
        let (layout, clock) = (options.layout(), options.clock());
        let ids = Issuer::new(options.lease(), options.common()?, move |common| {
            Snowflake::build(layout, common, clock.clone())
        })?;
        generator.give(Generator(Scheme::Snowflake(ids)));
    }

    /// Makes the Snowflake ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of Snowflake; its layout counts, its node does not.
    /// - timestamp_ms: Unix milliseconds, rounded down to the tick.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE, SEQUENCE_OUT_OF_RANGE; INVALID_ARGUMENT for a
    /// generator of another scheme.
    fn saiban_snowflake_compose(
        generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, id: Out<i64>,
    ) {
        id.set(snowflake(generator)?.compose(timestamp_ms, node, sequence)?);
    }

    /// As saiban_snowflake_compose, with the number of times that the clock had stepped back, which is 0 there.
    ///
    /// - generator: one of Snowflake, whose layout has a rollback field; without one only 0 fits.
    ///
    /// Errors: as saiban_snowflake_compose; ROLLBACK_OUT_OF_RANGE.
    fn saiban_snowflake_compose_rollback(
        generator: &Generator, timestamp_ms: i64, node: i64, sequence: i64, rollback: i64, id: Out<i64>,
    ) {
        id.set(snowflake(generator)?.compose_rollback(timestamp_ms, node, sequence, rollback)?);
    }

    /// As saiban_snowflake_compose_rollback, for a layout whose ticks begin within milliseconds.
    ///
    /// - submillisecond_ns: by how many nanoseconds the time is later than timestamp_ms, 0 to 999999; all is rounded down to
    ///   the tick.
    ///
    /// Errors: as saiban_snowflake_compose_rollback; INVALID_ARGUMENT for nanoseconds that are none of a millisecond.
    fn saiban_snowflake_compose_ns(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, node: i64, sequence: i64, rollback: i64,
        id: Out<i64>,
    ) {
        id.set(snowflake(generator)?.compose_ns(timestamp_ms, submillisecond_ns, node, sequence, rollback)?);
    }
}
