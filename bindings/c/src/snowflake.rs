//! Snowflake.

use crate::ffi::{Out, ffi};
use crate::generator::{Generator, Scheme};
use crate::options::GivenOptions;
use saiban::{Error, Snowflake};

ffi! {
    /// Makes a generator of Snowflake IDs: time, node, sequence. Give it back with saiban_generator_free.
    ///
    /// - options: node or nodes must be given; layout, window, max_wait_ms and clock may be.
    ///
    /// Errors: NODE_REQUIRED, NODE_OUT_OF_RANGE, NODE_IN_USE, INVALID_WINDOW, INVALID_LAYOUT, INVALID_ARGUMENT.
    fn saiban_snowflake_new(options: GivenOptions, generator: Out<*mut Generator>) {
        let options = options.read()?;
        options.refuse_secret("a Snowflake has no secret")?;
        options.refuse_ulid_flake("a Snowflake has no scalability and no entropy_size; its epoch is the layout's")?;
        let ids = Snowflake::build(options.layout(), &options.common()?, options.clock())?;
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
        let Scheme::Snowflake(ids) = &generator.0 else {
            return Err(Error::InvalidArgument { what: "the generator makes no Snowflake IDs" });
        };
        id.set(ids.compose(timestamp_ms, node, sequence)?);
    }
}
