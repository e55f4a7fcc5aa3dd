//! The uniqueness guarantee of IDs, which depends on the layout and on options of the generator.
//!
//! [`Guarantee`] is public; generators return it in their statistics.

use super::Layout;
use core::fmt;

named_enum! {
    /// The uniqueness guarantee of a generator's IDs.
    #[non_exhaustive]
    pub enum Guarantee {
        /// IDs are unique, if no generator outside the scope
        /// ([`Stats::scope`](crate::Stats::scope)) uses one of the nodes at the same time.
        Unique "unique",
        /// IDs are unique within the scope. They have no node that distinguishes other machines, or
        /// other processes in process scope.
        UniqueInProcess "unique_in_process",
        /// IDs may repeat: only random bits distinguish them, or collisions are allowed.
        Probable "probable",
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Layout {
    /// Returns the guarantee for generators of this layout.
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
