//! What IDs promise.

use super::Layout;
use core::fmt;

/// What the IDs of a generator promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Guarantee {
    /// No ID comes twice, as long as no generator outside the scope ([`Stats::scope`](crate::Stats::scope)) has the same node at the same time.
    Unique,
    /// No ID comes twice within the scope: there is no node by which another machine, or in process scope another process, could differ.
    UniqueInProcess,
    /// IDs can come twice: collisions were allowed.
    Probable,
}

impl Guarantee {
    /// Every guarantee.
    pub const ALL: [Guarantee; 3] = [Guarantee::Unique, Guarantee::UniqueInProcess, Guarantee::Probable];

    /// The name in every language: `unique`, `unique_in_process`, `probable`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Guarantee::Unique => "unique",
            Guarantee::UniqueInProcess => "unique_in_process",
            Guarantee::Probable => "probable",
        }
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Layout {
    /// What the IDs of generators of this layout promise.
    ///
    /// ```
    /// use saiban::{Guarantee, Layout};
    /// assert_eq!(Layout::TWITTER.guarantee(), Guarantee::Unique);
    /// assert_eq!(Layout::from_text("timestamp:48 random:80")?.guarantee(), Guarantee::Probable);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub const fn guarantee(&self) -> Guarantee {
        match (self.is_unique(), self.has_node()) {
            (false, _) => Guarantee::Probable,
            (true, true) => Guarantee::Unique,
            (true, false) => Guarantee::UniqueInProcess,
        }
    }
}
