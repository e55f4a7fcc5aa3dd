//! A generator on a clock that is told what to show.

use crate::cell::Made;
use crate::plan::Trace;

/// Goes through the readings and asks for an ID as often as they say: `ask(now_ms)`, `None` where it is refused. A reading
/// is left at its first refusal: the same clock would refuse again.
pub fn follow<T: Ord>(trace: &Trace, mut ask: impl FnMut(u64) -> Option<T>) -> Made<T> {
    let mut made = Made::new();
    let mut part = |readings: &[(u64, u64)]| {
        let mut ids = Vec::new();
        for &(now_ms, count) in readings {
            for _ in 0..count {
                match ask(now_ms) {
                    Some(id) => ids.push(id),
                    None => {
                        made.refused += 1;
                        break;
                    }
                }
            }
        }
        ids
    };
    let (before, after) = (part(&trace.before), part(&trace.after));
    made.before = before;
    made.after = after;
    made
}
