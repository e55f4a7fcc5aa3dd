//! Layouts: how the 64 bits of an ID are divided.

use crate::error::{SaibanError, guard};
use saiban::LayoutSpec;
use saiban::layout::{Field as CoreField, FieldKind};
use std::fmt;

/// One field of a layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Field {
    /// `unused`, `timestamp`, `node`, `sequence`, `random` or `rollback` (1 to 4 bits: see `with_rollback_bits`).
    pub name: String,
    /// The width, 1 to 64 bits.
    pub bits: i32,
}

/// How the 64 bits of an ID are divided, and what its time is counted in. Checked once, when it is made.
///
/// Known ones are `Layout.TWITTER`, `DISCORD`, `INSTAGRAM`, `SONYFLAKE` and `SONYFLAKE_V2` (Swift: `Layout.twitter` and so on).
///
/// ```kotlin
/// Layout("unused" to 1, "timestamp" to 41, "node" to 6, "sequence" to 16, epochMs = 1_577_836_800_000)
/// ```
/// ```swift
/// try Layout(("unused", 1), ("timestamp", 41), ("node", 6), ("sequence", 16), epochMs: 1_577_836_800_000)
/// ```
#[derive(Clone, PartialEq, Eq, Hash, uniffi::Object)]
#[uniffi::export(Debug, Eq, Hash)]
pub struct Layout(saiban::Layout);

#[uniffi::export]
impl Layout {
    /// A layout of these fields, from the highest bit to the lowest; their widths add up to 64. The epoch is the time of
    /// tick 0, Unix milliseconds; a tick is so many microseconds long.
    ///
    /// Errors: `InvalidLayout` with the reason; `UnknownName` for a field of another name.
    #[uniffi::constructor(default(epoch_ms = 0, tick_us = 1000))]
    pub fn new(fields: Vec<Field>, epoch_ms: i64, tick_us: i64) -> Result<Self, SaibanError> {
        guard(|| {
            // What does not fit becomes what core refuses: no width, no tick.
            let mut spec = LayoutSpec::new().epoch_ms(epoch_ms).tick_us(u64::try_from(tick_us).unwrap_or(0));
            for Field { name, bits } in &fields {
                let kind = FieldKind::from_name(name)?;
                spec = spec.field(CoreField::new(kind, u32::try_from(*bits).unwrap_or(0)));
            }
            Ok(Layout(spec.check()?))
        })
    }

    /// The known layout of this name: `twitter`, `discord`, `instagram`, `sonyflake` or `sonyflake_v2`.
    ///
    /// Errors: `UnknownName`.
    #[uniffi::constructor]
    pub fn preset(name: String) -> Result<Self, SaibanError> {
        guard(|| Ok(Layout(saiban::Layout::preset(&name)?)))
    }

    /// The name, when this is a known layout.
    pub fn name(&self) -> Option<String> {
        self.0.name().map(Into::into)
    }

    /// The fields, from the highest bit to the lowest.
    pub fn fields(&self) -> Vec<Field> {
        let fields = self.0.spec().fields().into_iter();
        fields.map(|field| Field { name: field.kind.name().into(), bits: field.bits as i32 }).collect()
    }

    /// The time of tick 0, Unix milliseconds.
    pub fn epoch_ms(&self) -> i64 {
        self.0.epoch_ms()
    }

    /// The length of a tick, microseconds.
    pub fn tick_us(&self) -> i64 {
        i64::try_from(self.0.tick_us()).unwrap_or(i64::MAX)
    }

    /// The last time that it can hold, Unix milliseconds.
    pub fn last_ms(&self) -> i64 {
        self.0.last_ms()
    }

    /// The largest node id, 0 without a node field.
    pub fn max_node(&self) -> i64 {
        i64::try_from(self.0.max_node()).unwrap_or(i64::MAX)
    }

    /// The largest sequence number, or random part.
    pub fn max_sequence(&self) -> i64 {
        i64::try_from(self.0.max_counter()).unwrap_or(i64::MAX)
    }

    /// The largest number of the clock's steps back that an ID can tell, 0 without a rollback field.
    pub fn max_rollback(&self) -> i64 {
        i64::try_from(self.0.max_rollback()).unwrap_or(i64::MAX)
    }

    /// The same layout with bits for the times that the clock has stepped back, 1 to 4, taken from the low end of the node
    /// field: 10 node bits become 8 and 2. Each value of them is a node of its own, so that a generator goes on when the
    /// clock steps back.
    ///
    /// Errors: `InvalidLayout` for other than 1 to 4 bits, for a node field that is not wider, and where there is a rollback
    /// field.
    pub fn with_rollback_bits(&self, bits: i32) -> Result<Self, SaibanError> {
        // What does not fit becomes what core refuses: no width.
        guard(|| Ok(Layout(self.0.with_rollback_bits(u32::try_from(bits).unwrap_or(0))?)))
    }
}

impl Layout {
    pub(crate) fn to_core(&self) -> saiban::Layout {
        self.0
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.0.name() {
            return write!(f, "Layout({name})");
        }
        f.write_str("Layout(")?;
        for field in self.0.spec().fields() {
            write!(f, "{} {}, ", field.kind.name(), field.bits)?;
        }
        write!(f, "epoch_ms {}, tick_us {})", self.0.epoch_ms(), self.0.tick_us())
    }
}
