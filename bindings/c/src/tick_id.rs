//! Tick IDs: time as text that sorts.

use crate::ffi::{Fill, Out, ffi};
use crate::generator::{Generator, Scheme};
use crate::options::GivenOptions;
use saiban::{Error, PooledEntropy, TickId, TickOrder};

/// Tick IDs of which the oldest comes first.
pub const SAIBAN_TICK_ORDER_ASCENDING: i32 = 1;
/// Tick IDs of which the newest comes first.
pub const SAIBAN_TICK_ORDER_DESCENDING: i32 = 2;

fn order_of(number: i32) -> Result<TickOrder, Error> {
    match number {
        SAIBAN_TICK_ORDER_ASCENDING => Ok(TickOrder::Ascending),
        SAIBAN_TICK_ORDER_DESCENDING => Ok(TickOrder::Descending),
        // No order has a number for a name: core says so.
        _ => TickOrder::from_name(&number.to_string()),
    }
}

ffi! {
    /// Makes a generator of tick IDs, text that sorts by time: 19 digits of 100 ns since the year 1, "_", and 4 random digits;
    /// or counted down, with 3 (saiban_generate_text). Two processes may make equal ones: the store must keep them unique.
    /// Give it back with saiban_generator_free.
    ///
    /// - order: SAIBAN_TICK_ORDER_ASCENDING or …_DESCENDING.
    /// - options: window, max_wait_ms, clock, not_before, rollback (not …_BITS) and max_jump_s may be given; a node, shards,
    ///   a scope and a state file may not.
    ///
    /// As bytes (saiban_generate_wide) an ID is the number that all its digits make, which sorts as the text does.
    ///
    /// Errors: UNKNOWN_NAME, also for another order; INVALID_WINDOW, INVALID_LAYOUT, CLOCK_UNAVAILABLE, INVALID_ARGUMENT.
    fn saiban_tick_id_new(order: i32, options: GivenOptions, generator: Out<*mut Generator>) {
        let options = options.read()?;
        options.refuse_all("a tick ID has no layout, secret, scalability, entropy_size or epoch")?;
        let ids = TickId::build(order_of(order)?, &options.common()?, options.clock(), PooledEntropy)?;
        generator.give(Generator(Scheme::TickId(ids)));
    }

    /// Makes the tick ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// - generator: one of tick IDs; it says in which order.
    /// - timestamp_ms: Unix milliseconds.
    /// - submillisecond_ns: by how many nanoseconds the time is later, 0 to 999999, rounded down to 100.
    /// - random: 4 decimal digits, descending 3.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes, for saiban_to_text_wide.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, RANDOM_OUT_OF_RANGE; INVALID_ARGUMENT for a generator of another
    /// scheme, and for nanoseconds that are none of a millisecond.
    fn saiban_tick_id_compose(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, random: i64, id: Fill<u8>,
    ) {
        let Scheme::TickId(ids) = &generator.0 else {
            return Err(Error::InvalidArgument { what: "the generator makes no tick IDs" }.into());
        };
        id.set_wide(ids.compose_ns(timestamp_ms, submillisecond_ns, random)?)?;
    }
}
