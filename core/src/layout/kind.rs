//! The kinds of fields: [`FieldKind`] is what the bits of a field hold. It is public.

named_enum! {
    /// The kind of a field: what its bits hold.
    ///
    /// ```
    /// use saiban::{Layout, layout::FieldKind};
    /// let kinds: Vec<FieldKind> = Layout::TWITTER.places().map(|place| place.field.kind).collect();
    /// assert_eq!(kinds, [FieldKind::Unused, FieldKind::Timestamp, FieldKind::Node, FieldKind::Sequence]);
    /// ```
    #[non_exhaustive]
    pub enum FieldKind else UnknownField {
        /// Bits that are always 0. As the highest bit, an unused bit keeps IDs positive.
        Unused "unused",
        /// The number of ticks since the layout's epoch.
        Timestamp "timestamp",
        /// The node, machine, shard or scalability id. It may consist of adjacent parts with names.
        Node "node",
        /// A number that counts within a tick, from 0 or from a random number in the lower half of
        /// its range.
        Sequence "sequence",
        /// A random number. Without a step, it is new for each ID. With a step, it starts each tick
        /// at a random number and grows by 1 to the step for each ID.
        Random "random",
        /// The number of times that the clock has stepped back, 1 to 4 bits.
        ///
        /// Each value acts as a separate node, so that a generator continues at once after the
        /// clock steps back (see [`crate::Rollback::Bits`]).
        Rollback "rollback",
        /// A constant: bits with the same value in every ID.
        Constant "constant",
    }
}

impl FieldKind {
    /// Returns the largest width of a field of this kind, in bits.
    #[must_use]
    pub const fn max_bits(self) -> u32 {
        match self {
            // A `u64` counts ticks, and must also hold the tick after the last. Most languages pass
            // nodes as signed 64-bit numbers.
            FieldKind::Timestamp | FieldKind::Node => 63,
            // `Parts::sequence` is a `u64`.
            FieldKind::Sequence => 64,
            // Each value of the rollback field needs its own cursor.
            FieldKind::Rollback => 4,
            FieldKind::Unused | FieldKind::Constant | FieldKind::Random => 127,
        }
    }
}
