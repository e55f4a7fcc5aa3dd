//! Flake: IDs of any layout.

use crate::ffi::{Fill, Out, Slice, ffi};
use crate::generator::{Generator, Scheme};
use crate::options::GivenOptions;
use saiban::{Error, Flake, PooledEntropy, WideFlake};
use saiban_coordination::Issuer;

ffi! {
    /// Makes a generator of IDs of a layout of one's own, 16 to 128 bits. Those of up to 64 bits are an int64_t
    /// (saiban_generate), wider ones bytes (saiban_generate_wide). Give it back with saiban_generator_free.
    ///
    /// - options: layout must be given, and node, nodes or lease where it has a node field; window, max_wait_ms, clock, not_before,
    ///   state, rollback, shards, scope and max_jump_s may be.
    ///
    /// What IDs promise depends on the layout (saiban_generator_stats): with a node, and a sequence or a random part that
    /// grows, they are unique; without a node within the scope; with a random part only saiban_layout_collision_odds tells.
    ///
    /// Errors: NODE_REQUIRED, NODE_OUT_OF_RANGE (also for shards), NODE_IN_USE, INVALID_WINDOW, INVALID_LAYOUT, UNKNOWN_NAME,
    /// STATE_IN_USE, STATE_MISMATCH, STATE_UNAVAILABLE; INVALID_ARGUMENT without a layout, and for a node of a layout without;
    /// CLOCK_BACKWARD where the clock is more than max_jump_s behind the last ID of this machine.
    fn saiban_flake_new(options: GivenOptions, generator: Out<*mut Generator>) {
        let options = options.read()?;
        let layout = options.own_layout()?;
        options.refuse_secret("a Flake has no secret")?;
        options.refuse_ulid_flake("a Flake has no scalability and no entropy_size; its epoch is the layout's")?;
        let (common, clock) = (options.common()?, options.clock());
        let ids = if layout.is_wide() {
            Scheme::WideFlake(Issuer::new(options.lease(), common, move |common| {
                WideFlake::build(layout, common, clock.clone(), PooledEntropy)
            })?)
        } else {
            Scheme::Flake(Issuer::new(options.lease(), common, move |common| {
                Flake::build(layout, common, clock.clone(), PooledEntropy)
            })?)
        };
        generator.give(Generator(ids));
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. A part that the layout has not must
    /// be 0.
    ///
    /// - generator: one of Flake, with a layout of up to 64 bits; its layout counts, its node does not.
    /// - timestamp_ms: Unix milliseconds.
    /// - submillisecond_ns: by how many nanoseconds the time is later, 0 to 999999; all is rounded down to the tick.
    /// - node: of a node with named parts see saiban_layout_node_of_parts.
    /// - random: the random part, whether it grows or is drawn for each ID.
    ///
    /// Errors: TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, NODE_OUT_OF_RANGE, SEQUENCE_OUT_OF_RANGE, RANDOM_OUT_OF_RANGE,
    /// ROLLBACK_OUT_OF_RANGE; INVALID_ARGUMENT for a generator of another scheme or of wider IDs, and for nanoseconds that are
    /// none of a millisecond.
    fn saiban_flake_compose(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, node: i64, sequence: u64, random: u64, rollback: i64,
        id: Out<i64>,
    ) {
        let Scheme::Flake(ids) = &generator.0 else {
            return Err(Error::InvalidArgument { what: "the generator makes no Flake IDs of up to 64 bits" }.into());
        };
        let ids = ids.reader();
        let (counter, random) = ids.layout().counter_and_random(sequence.into(), random.into())?;
        id.set(ids.compose_ns(timestamp_ms, submillisecond_ns, node, counter, rollback, random)?);
    }

    /// The same for a layout of more than 64 bits.
    ///
    /// - random: SAIBAN_WIDE_ID_SIZE bytes, highest first; NULL for 0.
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    ///
    /// Errors: as saiban_flake_compose.
    fn saiban_flake_compose_wide(
        generator: &Generator, timestamp_ms: i64, submillisecond_ns: i64, node: i64, sequence: u64,
        random: Option<Slice<u8>>, rollback: i64, id: Fill<u8>,
    ) {
        let Scheme::WideFlake(ids) = &generator.0 else {
            return Err(Error::InvalidArgument { what: "the generator makes no Flake IDs of more than 64 bits" }.into());
        };
        let random = random.map(Slice::wide).transpose()?.unwrap_or(0);
        let ids = ids.reader();
        let (counter, random) = ids.layout().counter_and_random(sequence.into(), random)?;
        id.set_wide(ids.compose_ns(timestamp_ms, submillisecond_ns, node, counter, rollback, random)?)?;
    }
}
