//! Writes a layout as text, in the format that [`Layout::from_text`] parses.
//!
//! Equal layouts have equal text.

use super::{Field, FieldKind, Layout, date};
use core::fmt;

/// The units of a tick in microseconds, largest first.
pub(super) const UNITS: [(&str, u64); 6] =
    [("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];

/// Writes the canonical text: fields from the highest bit to the lowest, separated by spaces.
///
/// Defaults are left out. A tick is written in the largest unit that divides it, and the epoch as a
/// date if it is midnight in UTC.
///
/// ```
/// use saiban::Layout;
/// let text = "unused:1 timestamp:41@10ms,epoch=2020-02-02 node.datacenter:4 node.worker:6 sequence:12";
/// assert_eq!(Layout::from_text(text)?.to_string(), text);
/// assert_eq!(Layout::TWITTER.to_string(), "unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12");
/// # Ok::<(), saiban::Error>(())
/// ```
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, field) in self.spec.fields().into_iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            self.write_field(f, &field)?;
        }
        Ok(())
    }
}

impl Layout {
    fn write_field(&self, f: &mut fmt::Formatter<'_>, field: &Field) -> fmt::Result {
        let Field { kind, bits, name, value, step, random_start } = field;
        f.write_str(kind.name())?;
        if !name.is_empty() {
            write!(f, ".{name}")?;
        }
        write!(f, ":{bits}")?;
        match kind {
            FieldKind::Timestamp => {
                write_tick(f, self.tick_us())?;
                if self.epoch_ms() != 0 {
                    f.write_str(",epoch=")?;
                    date::write(f, self.epoch_ms())?;
                }
            }
            FieldKind::Constant => write!(f, ",value={value}")?,
            FieldKind::Random if *step > 0 => write!(f, ",step={step}")?,
            FieldKind::Sequence if *random_start => f.write_str(",start=random")?,
            _ => {}
        }
        Ok(())
    }
}

fn write_tick(f: &mut fmt::Formatter<'_>, tick_us: u64) -> fmt::Result {
    if tick_us == 1_000 {
        return Ok(());
    }
    // A layout with text has ticks of whole microseconds, at least 1. Then `us` always divides.
    let Some((unit, us)) = UNITS.iter().find(|(_, us)| tick_us % us == 0) else {
        return Ok(());
    };
    match tick_us / us {
        1 => write!(f, "@{unit}"),
        count => write!(f, "@{count}{unit}"),
    }
}
