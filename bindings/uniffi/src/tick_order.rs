//! Which tick IDs come first.

/// Which tick IDs come first in a store that sorts by text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, uniffi::Enum)]
pub enum TickOrder {
    /// The oldest.
    Ascending,
    /// The newest.
    Descending,
}

impl From<TickOrder> for saiban::TickOrder {
    fn from(order: TickOrder) -> Self {
        match order {
            TickOrder::Ascending => saiban::TickOrder::Ascending,
            TickOrder::Descending => saiban::TickOrder::Descending,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_core_has_a_case() {
        let ours = [TickOrder::Ascending, TickOrder::Descending];
        assert_eq!(ours.map(saiban::TickOrder::from), saiban::TickOrder::ALL);
    }
}
