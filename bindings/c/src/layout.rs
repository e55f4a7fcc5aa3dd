//! Layouts: presets, and those put together of fields.

use crate::ffi::{Chars, Nothing, Out, Slice, ffi};
use crate::names::names;
use saiban::layout::FieldKind;
use saiban::{Error, LayoutSpec};
use std::ffi::c_char;

/// Bits that are always 0.
pub const SAIBAN_FIELD_UNUSED: i32 = 1;
/// Ticks since the layout's epoch.
pub const SAIBAN_FIELD_TIMESTAMP: i32 = 2;
/// The node, machine, shard or scalability id.
pub const SAIBAN_FIELD_NODE: i32 = 3;
/// Counts from 0 within a tick.
pub const SAIBAN_FIELD_SEQUENCE: i32 = 4;
/// Drawn anew each tick; grows by a random step within it.
pub const SAIBAN_FIELD_RANDOM: i32 = 5;
/// How often the clock has stepped back, 1 to 4 bits: each value is a node of its own (see SAIBAN_ROLLBACK_BITS).
pub const SAIBAN_FIELD_ROLLBACK: i32 = 6;
/// Always the same number.
pub const SAIBAN_FIELD_CONSTANT: i32 = 7;

/// One field of a layout.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Field {
    /// SAIBAN_FIELD_UNUSED, …_TIMESTAMP, …_NODE, …_SEQUENCE, …_RANDOM or …_ROLLBACK.
    pub kind: i32,
    /// The width, 1 to 64 bits.
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
    match KINDS.iter().find(|(known, _)| *known == number) {
        Some((_, kind)) => Ok(*kind),
        // No field has a number for a name: core says so.
        None => FieldKind::from_name(&number.to_string()),
    }
}

fn number_of(kind: FieldKind) -> i32 {
    KINDS.iter().find(|(_, known)| *known == kind).map_or(0, |(number, _)| *number)
}

/// A division of the 64 bits of an ID that has been checked. It never changes; any thread may use it.
pub struct Layout {
    pub(crate) core: saiban::Layout,
}

/// What a layout can hold.
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
    /// The largest sequence number or random part.
    pub max_counter: u64,
    /// The largest number of steps back that an ID can tell, 0 where there is no rollback field.
    pub max_rollback: u64,
    /// The preset's name, NULL for a layout of one's own. Constant: not to be freed.
    pub name: *const c_char,
}

const fn preset_name(preset: &(&'static str, saiban::Layout)) -> &'static str {
    preset.0
}

names!(PRESET_NAMES: 16 = preset_name, saiban::Layout::PRESETS);

/// C's text of a preset's name; NULL for none.
pub(crate) fn name(name: Option<&str>) -> *const c_char {
    let index = saiban::Layout::PRESETS.iter().position(|(preset, _)| Some(*preset) == name);
    index.map_or(std::ptr::null(), |index| PRESET_NAMES[index].as_ptr())
}

ffi! {
    /// Makes the layout of this name: twitter, discord, instagram, sonyflake or sonyflake_v2. Give it back with
    /// saiban_layout_free, at any time: generators keep what they need.
    ///
    /// Errors: UNKNOWN_NAME.
    fn saiban_layout_preset(name: Chars, name_len: usize, layout: Out<*mut Layout>) {
        layout.give(Layout { core: saiban::Layout::preset(&name.get(name_len)?)? });
    }

    /// Makes a layout of one's own. Give it back with saiban_layout_free, at any time: generators keep what they need.
    ///
    /// - fields, count: at most 8 fields, from the highest bit to the lowest; their widths add up to 64.
    /// - epoch_ms: the time of tick 0, Unix milliseconds.
    /// - tick_us: the length of a tick, microseconds (1000 is a millisecond).
    ///
    /// Errors: INVALID_LAYOUT with the reason; UNKNOWN_NAME for a field that is none of SAIBAN_FIELD_….
    fn saiban_layout_new(fields: Slice<Field>, count: usize, epoch_ms: i64, tick_us: u64, layout: Out<*mut Layout>) {
        let mut spec = LayoutSpec::new().epoch_ms(epoch_ms).tick_us(tick_us);
        for field in fields.get(count)? {
            spec = spec.field(saiban::layout::Field::new(kind_of(field.kind)?, field.bits));
        }
        layout.give(Layout { core: spec.check()? });
    }

    /// Makes the same layout with bits for the times that the clock has stepped back, taken from the low end of the node field:
    /// 10 node bits become 8 and 2. Give it back with saiban_layout_free, at any time: generators keep what they need.
    ///
    /// - bits: 1 to 4, fewer than the node field has.
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

    /// Gives the layout back. NULL is fine.
    fn saiban_layout_free(layout: Option<Box<Layout>>) -> Nothing {
        drop(layout);
        Nothing
    }

    /// Finds the SAIBAN_FIELD_… of this name: unused, timestamp, node, sequence, random or rollback.
    ///
    /// Errors: UNKNOWN_NAME.
    fn saiban_field_from_name(name: Chars, name_len: usize, field: Out<i32>) {
        let kind = FieldKind::from_name(&name.get(name_len)?)?;
        field.set(number_of(kind));
    }
}
