//! Layouts: presets and custom ones.

use crate::ffi::{Buffer, Chars, Nothing, Out, Slice, ffi};
use crate::names::{self, name_of, names, value_of};
use saiban::layout::FieldKind;
use saiban::{Error, LayoutSpec};
use std::ffi::{CStr, c_char};

/// Bits that are always 0.
pub const SAIBAN_FIELD_UNUSED: i32 = 1;
/// Ticks since the layout's epoch.
pub const SAIBAN_FIELD_TIMESTAMP: i32 = 2;
/// The node, machine, shard or scalability id. May be made of parts with names, which are
/// neighbours.
pub const SAIBAN_FIELD_NODE: i32 = 3;
/// Counts within a tick, from 0, or from a number drawn in the lower half of its range.
pub const SAIBAN_FIELD_SEQUENCE: i32 = 4;
/// Random for each ID; or, with a step, random at each new tick, and grows by 1 to the step within
/// the tick.
pub const SAIBAN_FIELD_RANDOM: i32 = 5;
/// How often the clock has stepped back, 1 to 4 bits: each value is a node of its own (see
/// SAIBAN_ROLLBACK_BITS).
pub const SAIBAN_FIELD_ROLLBACK: i32 = 6;
/// Always the same number.
pub const SAIBAN_FIELD_CONSTANT: i32 = 7;

/// A buffer of this many bytes holds the text of any layout, with its NUL.
pub const SAIBAN_LAYOUT_TEXT_CAPACITY: usize = 1024;
/// A buffer of this many bytes holds the JSON of any layout, with its NUL.
pub const SAIBAN_LAYOUT_JSON_CAPACITY: usize = 2048;
/// A buffer of this many bytes holds the script of any layout, with its NUL.
pub const SAIBAN_SCRIPT_CAPACITY: usize = 16384;

/// One field of a layout: its kind and width. The layout's text has the rest.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Field {
    /// SAIBAN_FIELD_UNUSED, …_TIMESTAMP, …_NODE, …_SEQUENCE, …_RANDOM, …_ROLLBACK or …_CONSTANT
    /// (which is 0 here).
    pub kind: i32,
    /// The width: 1 to 63 bits for timestamp and node, 1 to 4 for rollback, 1 to 127 for others.
    pub bits: u32,
}

const KINDS: [(i32, FieldKind); FieldKind::ALL.len()] = [
    (SAIBAN_FIELD_UNUSED, FieldKind::Unused),
    (SAIBAN_FIELD_TIMESTAMP, FieldKind::Timestamp),
    (SAIBAN_FIELD_NODE, FieldKind::Node),
    (SAIBAN_FIELD_SEQUENCE, FieldKind::Sequence),
    (SAIBAN_FIELD_RANDOM, FieldKind::Random),
    (SAIBAN_FIELD_ROLLBACK, FieldKind::Rollback),
    (SAIBAN_FIELD_CONSTANT, FieldKind::Constant),
];

fn kind_of(number: i32) -> Result<FieldKind, Error> {
    // Core returns the error for an unknown number.
    value_of(&KINDS, number.into()).map_or_else(|| FieldKind::from_name(&number.to_string()), Ok)
}

pub(crate) fn number_of(kind: FieldKind) -> i32 {
    names::number_of(&KINDS, &kind).unwrap_or(0)
}

/// A division of the 16 to 128 bits of an ID that has been checked. It never changes; any thread
/// may use it.
pub struct Layout {
    pub(crate) core: saiban::Layout,
}

/// What a layout can hold; the rest is in saiban_properties.
#[repr(C)]
pub struct LayoutLimits {
    /// The time of tick 0, Unix milliseconds.
    pub epoch_ms: i64,
    /// The last time, Unix milliseconds.
    pub last_ms: i64,
    /// The length of a tick, microseconds.
    pub tick_us: u64,
    /// The largest node, 0 where there is no node field.
    pub max_node: u64,
    /// The largest sequence number or growing random part, at most 2^64 - 1.
    pub max_counter: u64,
    /// The largest number of clock steps back that an ID can hold; 0 without a rollback field.
    pub max_rollback: u64,
    /// The preset's name, NULL for a layout of one's own. Constant: not to be freed.
    pub name: *const c_char,
}

names!(KIND_NAMES: 16 = |row| row.1.name(), KINDS);
names!(PRESET_NAMES: 16 = |row| row.0, saiban::Layout::PRESETS);

/// Names that core returns instead of a preset's name: for a UUID and a tick ID.
const OTHER_NAMES: [(&str, &CStr); 9] = [
    ("nil", c"nil"),
    ("max", c"max"),
    ("v2", c"v2"),
    ("v3", c"v3"),
    ("v5", c"v5"),
    ("v6", c"v6"),
    ("v8", c"v8"),
    ("ascending", c"ascending"),
    ("descending", c"descending"),
];

/// Returns C's text of a preset's name, or of one of `OTHER_NAMES`; NULL for no name.
pub(crate) fn name(name: Option<&str>) -> *const c_char {
    let index = saiban::Layout::PRESETS.iter().position(|(preset, _)| Some(*preset) == name);
    let other = OTHER_NAMES.iter().find(|(other, _)| Some(*other) == name);
    match (index, other) {
        (Some(index), _) => PRESET_NAMES[index].as_ptr(),
        (None, Some((_, text))) => text.as_ptr(),
        (None, None) => std::ptr::null(),
    }
}

ffi! {
    /// Makes the layout of this name, such as twitter, discord or sonyflake. Give it back with
    /// saiban_layout_free, at any time: generators keep what they need.
    ///
    /// Errors: UNKNOWN_NAME, whose message lists all names.
    fn saiban_layout_preset(name: Chars, name_len: usize, layout: Out<*mut Layout>) {
        layout.give(Layout { core: saiban::Layout::preset(&name.get(name_len)?)? });
    }

    /// Makes a layout of one's own, of fields without options: see saiban_layout_from_text for all
    /// others. Give it back with saiban_layout_free, at any time: generators keep what they need.
    ///
    /// - fields, count: at most SAIBAN_FIELDS_MAX fields, from the highest bit to the lowest; their
    ///   widths add up to 16 to 128.
    /// - epoch_ms: the time of tick 0, Unix milliseconds.
    /// - tick_us: the length of a tick, microseconds (1000 is a millisecond).
    ///
    /// Errors: INVALID_LAYOUT with the reason; UNKNOWN_NAME for a field that is not one of
    /// SAIBAN_FIELD_….
    fn saiban_layout_new(fields: Slice<Field>, count: usize, epoch_ms: i64, tick_us: u64, layout: Out<*mut Layout>) {
        let mut spec = LayoutSpec::new().epoch_ms(epoch_ms).tick_us(tick_us);
        for field in fields.get(count)? {
            spec = spec.field(saiban::layout::Field::new(kind_of(field.kind)?, field.bits));
        }
        layout.give(Layout { core: spec.check()? });
    }

    /// Makes the layout of this text: its fields from the highest bit to the lowest, with spaces
    /// between them, or a preset's name. Give it back with saiban_layout_free, at any time:
    /// generators keep what they need.
    ///
    ///     unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12
    ///     timestamp:48 node.region:4 node.host:12 sequence:16,start=random random:46 constant:2,value=3
    ///
    /// Kinds: unused:B; constant:B,value=V; timestamp:B@UNIT,epoch=E (once; a unit like ms, 10ms,
    /// s, min, h, d; a date, a date and time in UTC, or Unix milliseconds); node:B, or its parts
    /// with names; sequence:B, with start=random if it is not to begin with 0; random:B, drawn for
    /// each ID, or with step=N growing by 1 to N within a tick; rollback:B.
    ///
    /// Errors: INVALID_LAYOUT with the part at fault (see saiban_last_error_position), its limits
    /// and what to do; UNKNOWN_NAME for a single word that no preset has for a name.
    fn saiban_layout_from_text(text: Chars, text_len: usize, layout: Out<*mut Layout>) {
        layout.give(Layout { core: saiban::Layout::from_text(&text.get(text_len)?)? });
    }

    /// Writes a layout as its canonical text.
    ///
    /// - buffer, capacity: where the text goes, and how many bytes there are, with the NUL;
    ///   SAIBAN_LAYOUT_TEXT_CAPACITY is always enough.
    /// - len: how many bytes were written, without the NUL. May be NULL.
    ///
    /// Errors: BUFFER_TOO_SMALL.
    fn saiban_layout_to_text(layout: &Layout, buffer: Buffer, capacity: usize, len: Option<Out<usize>>) {
        buffer.write_len(capacity, &layout.core.to_string(), len)?;
    }

    /// Makes the layout of this JSON: an object with "fields", a list of objects with "kind",
    /// "bits" and what else the kind has, "epoch_ms" (0 where it is missing) and "tick_us" (1000).
    /// Give it back with saiban_layout_free, at any time: generators keep what they need.
    ///
    /// Errors: INVALID_LAYOUT with the item at fault, or line and column of text that is no JSON.
    fn saiban_layout_from_json(json: Chars, json_len: usize, layout: Out<*mut Layout>) {
        layout.give(Layout { core: saiban::Layout::from_json(&json.get(json_len)?)? });
    }

    /// Writes a layout as JSON; numbers that may pass 2^53 are text in it.
    ///
    /// - buffer, capacity, len: as for saiban_layout_to_text; SAIBAN_LAYOUT_JSON_CAPACITY is always
    ///   enough.
    ///
    /// Errors: BUFFER_TOO_SMALL.
    fn saiban_layout_to_json(layout: &Layout, buffer: Buffer, capacity: usize, len: Option<Out<usize>>) {
        buffer.write_len(capacity, &layout.core.to_json(), len)?;
    }

    /// Writes a script for Redis that makes IDs of this layout: for EVAL with any client. KEYS[1]
    /// is a hash whose field node is the node of the IDs, ARGV[1] the number of IDs, at most 4096.
    /// The script returns a list of texts, or the error SAIBAN_WAIT with the microseconds to wait.
    ///
    /// - buffer, capacity, len: as for saiban_layout_to_text; SAIBAN_SCRIPT_CAPACITY is always
    ///   enough.
    ///
    /// Errors: INVALID_ARGUMENT for a layout that is not made of time, node and sequence, of at
    /// most 64 bits; BUFFER_TOO_SMALL.
    fn saiban_layout_redis_script(layout: &Layout, buffer: Buffer, capacity: usize, len: Option<Out<usize>>) {
        buffer.write_len(capacity, &layout.core.redis_script()?, len)?;
    }

    /// Writes the script as a library of functions, for FUNCTION LOAD (Redis 7): FCALL name 1 key
    /// count.
    ///
    /// - name, name_len: the function's name, of 1 to 48 small letters, digits and "_".
    /// - buffer, capacity, len: as for saiban_layout_redis_script.
    ///
    /// Errors: as saiban_layout_redis_script; INVALID_ARGUMENT for the name.
    fn saiban_layout_redis_library(
        layout: &Layout, name: Chars, name_len: usize, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        buffer.write_len(capacity, &layout.core.redis_library(&name.get(name_len)?)?, len)?;
    }

    /// Writes SQL that makes a function of this name in PostgreSQL (12 and later), which makes IDs
    /// of this layout and node: for DEFAULT name() of a column.
    ///
    /// - name, name_len: as for saiban_layout_redis_library.
    /// - buffer, capacity, len: as for saiban_layout_redis_script.
    ///
    /// Errors: as saiban_layout_redis_library; NODE_OUT_OF_RANGE.
    fn saiban_layout_postgres_function(
        layout: &Layout, name: Chars, name_len: usize, node: i64, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        buffer.write_len(capacity, &layout.core.postgres_function(&name.get(name_len)?, node)?, len)?;
    }

    /// Makes the same layout with bits for the times that the clock has stepped back, taken from
    /// the low end of the node field: 10 node bits become 8 and 2. Without a node field they are
    /// taken from the high end of the sequence, or of the random part that grows. Give it back with
    /// saiban_layout_free, at any time: generators keep what they need.
    ///
    /// - bits: 1 to 4, fewer than the field has that gives them up.
    ///
    /// Errors: INVALID_LAYOUT with the reason, also where there is a rollback field already.
    fn saiban_layout_with_rollback_bits(layout: &Layout, bits: u32, changed: Out<*mut Layout>) {
        changed.give(Layout { core: layout.core.with_rollback_bits(bits)? });
    }

    /// Reads what a layout can hold.
    fn saiban_layout_limits(layout: &Layout, limits: Out<LayoutLimits>) {
        let core = &layout.core;
        limits.set(LayoutLimits {
            epoch_ms: core.epoch_ms(),
            last_ms: core.last_ms(),
            tick_us: core.tick_us(),
            max_node: core.max_node(),
            max_counter: core.max_counter(),
            max_rollback: core.max_rollback(),
            name: name(core.name()),
        });
    }

    /// Gives the layout back. NULL is allowed.
    fn saiban_layout_free(layout: Option<Box<Layout>>) -> Nothing {
        drop(layout);
        Nothing
    }

    /// The name of a SAIBAN_FIELD_…: unused, timestamp, node, sequence, random, rollback or
    /// constant; "" for another number.
    /// Constant: not to be freed.
    fn saiban_field_name(field: i32) -> *const c_char {
        name_of(&KINDS, &KIND_NAMES, field)
    }

    /// Finds the SAIBAN_FIELD_… of this name.
    ///
    /// Errors: UNKNOWN_NAME.
    fn saiban_field_from_name(name: Chars, name_len: usize, field: Out<i32>) {
        let kind = FieldKind::from_name(&name.get(name_len)?)?;
        field.set(number_of(kind));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saiban::layout::{Name, Place};
    use saiban::{ComposeParts, Generator, OsEntropy, TickIdGenerator, TickOrder};

    /// Returns the layouts with the longest texts: the most parts, with the longest names and
    /// numbers.
    fn long_layouts() -> Vec<saiban::Layout> {
        let base = || LayoutSpec::new().epoch_ms(-62_135_596_799_999).tick_us(u64::MAX / 1_000 - 1).timestamp(1);
        let mut all = Vec::new();
        for parts in 0..=8 {
            let mut spec = base().sequence_from_random(8);
            for part in 0..parts {
                let name = Name::new(&format!("sixteen_letters{part}")).expect("a name");
                spec = spec.field(saiban::layout::Field::node_part(name, 7));
            }
            // Constants fill the remaining places.
            let (left, places) = (128 - 9 - 7 * parts, 14 - parts);
            for place in 0..places {
                let bits = left / places + u32::from(place < left % places);
                spec = spec.constant(bits, u128::MAX >> (128 - bits));
            }
            all.push(spec.check().expect("a layout"));
            all.push(base().constant(63, u128::MAX >> 65).random_step(64, u64::MAX).check().expect("a layout"));
        }
        all
    }

    #[test]
    fn any_layout_fits_the_capacities_that_the_header_promises() {
        for layout in long_layouts() {
            assert!(layout.to_string().len() < SAIBAN_LAYOUT_TEXT_CAPACITY, "{layout}");
            assert!(layout.to_json().len() < SAIBAN_LAYOUT_JSON_CAPACITY, "{layout}");
        }
    }

    #[test]
    fn the_script_of_any_layout_fits_the_capacity_that_the_header_promises() {
        let base = || LayoutSpec::new().epoch_ms(-62_135_596_799_999).tick_us(u64::MAX / 1_000 - 1).timestamp(1);
        for parts in 1..=8 {
            let mut spec = base().sequence(8);
            for part in 0..parts {
                let name = Name::new(&format!("sixteen_letters{part}")).expect("a name");
                spec = spec.field(saiban::layout::Field::node_part(name, 3));
            }
            // Constants fill the remaining places.
            let (left, places) = (64 - 9 - 3 * parts, 14 - parts);
            for place in 0..places {
                let bits = left / places + u32::from(place < left % places);
                spec = spec.constant(bits, u128::MAX >> (128 - bits));
            }
            let layout = spec.check().expect("a layout");
            let name = "n".repeat(48);
            for script in [layout.redis_script(), layout.redis_library(&name), layout.postgres_function(&name, 0)] {
                assert!(script.expect("a script").len() < SAIBAN_SCRIPT_CAPACITY, "{layout}");
            }
        }
    }

    #[test]
    fn every_kind_has_a_number() {
        for kind in FieldKind::ALL {
            assert_eq!(kind_of(number_of(kind)), Ok(kind), "{}", kind.name());
        }
        assert!(saiban::Layout::TWITTER.places().all(|Place { field, .. }| number_of(field.kind) != 0));
    }

    #[test]
    fn every_order_of_tick_ids_has_a_layout_name_in_c() {
        for order in TickOrder::ALL {
            let ids = TickIdGenerator::build(order, &saiban::Options::default(), saiban::AnyClock::System, OsEntropy)
                .expect("IDs");
            let id = ids.compose(&ComposeParts::at_ms(0).random(0)).expect("an ID");
            let parts = ids.inspect(id).expect("parts");
            assert!(parts.layout.is_some() && !name(parts.layout).is_null());
        }
    }
}
