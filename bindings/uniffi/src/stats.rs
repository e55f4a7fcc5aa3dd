//! Statistics of a generator.

use crate::scope::Scope;

/// Statistics of a generator. They do not slow the generator down.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Stats {
    /// The number of IDs issued for its nodes, by all generators that share their cursor (see
    /// `scope`). While other generators issue IDs, it may lag by the IDs of one tick.
    pub issued: i64,
    /// How often `generate`, `generate_many` or `fill` of this generator waited.
    pub waits: i64,
    /// The number of times that this generator found the clock behind its last ID, counted once
    /// until the clock has returned.
    pub rollbacks: i64,
    /// How long IDs can be issued still, milliseconds: to the end of the window or, without one, of
    /// the format. 0 when it is over.
    pub time_left_ms: i64,
    /// What its IDs promise.
    pub guarantee: Guarantee,
    /// Which generators share its cursor.
    pub scope: Scope,
}

/// What the IDs of a generator promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, uniffi::Enum)]
pub enum Guarantee {
    /// No ID comes twice, as long as no other generator has the same node at the same time.
    Unique,
    /// No ID comes twice within the scope, this process or this machine; another process or machine
    /// can make equal IDs.
    UniqueInProcess,
    /// IDs can come twice: collisions were allowed.
    Probable,
}

impl From<saiban::Stats> for Stats {
    fn from(stats: saiban::Stats) -> Self {
        // None of these numbers exceeds 63 bits in practice.
        let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        Stats {
            issued: signed(stats.issued),
            waits: signed(stats.waits),
            rollbacks: signed(stats.rollbacks),
            time_left_ms: signed(stats.time_left_ms),
            guarantee: stats.guarantee.into(),
            scope: stats.scope.into(),
        }
    }
}

impl From<saiban::Guarantee> for Guarantee {
    fn from(guarantee: saiban::Guarantee) -> Self {
        match guarantee {
            saiban::Guarantee::Unique => Guarantee::Unique,
            saiban::Guarantee::UniqueInProcess => Guarantee::UniqueInProcess,
            // An unknown guarantee becomes the weakest one.
            _ => Guarantee::Probable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guarantee_of_core_has_a_case() {
        let ours = [Guarantee::Unique, Guarantee::UniqueInProcess, Guarantee::Probable];
        assert_eq!(saiban::Guarantee::ALL.map(Guarantee::from), ours);
    }
}
