//! Statistics of a generator.

use crate::integer::at_most_safe;
use napi_derive::napi;

/// Statistics of a generator; node/src/stats.ts freezes the object.
#[napi(object, object_from_js = false)]
pub struct Stats {
    /// The number of IDs issued.
    pub issued: f64,
    /// How often the generator waited.
    pub waits: f64,
    /// How often the generator found the clock set back.
    pub rollbacks: f64,
    /// How long IDs can be issued still, in milliseconds.
    pub time_left_ms: f64,
    /// What the IDs promise: `unique`, `unique_in_process` or `probable`.
    pub guarantee: &'static str,
    /// Which generators of the same nodes share its cursor: `machine` or `process`.
    pub scope: &'static str,
}

impl From<saiban::Stats> for Stats {
    fn from(stats: saiban::Stats) -> Self {
        Stats {
            issued: at_most_safe(stats.issued),
            waits: at_most_safe(stats.waits),
            rollbacks: at_most_safe(stats.rollbacks),
            time_left_ms: at_most_safe(stats.time_left_ms),
            guarantee: stats.guarantee.name(),
            scope: stats.scope.name(),
        }
    }
}
