//! An ID taken apart.

use super::{AnyId, Scheme};
use crate::encoding::Text;
use crate::error::Error;
#[cfg(target_has_atomic = "64")]
use crate::generator::{TickOrder, tick_id_text};

/// The parts of an ID. What a scheme does not have is `None`.
///
/// ```
/// use saiban::{Generator, Scheme, Snowflake};
/// let parts = Snowflake::new(0)?.inspect(1_741_610_183_685_074_945)?;
/// assert_eq!((parts.scheme, parts.layout), (Scheme::Snowflake, Some("twitter")));
/// assert_eq!((parts.timestamp_ms, parts.node, parts.sequence), (Some(1_704_067_200_000), Some(7), Some(1)));
/// assert_eq!((parts.submillisecond_ns, parts.random), (None, None));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Parts {
    /// The family.
    pub scheme: Scheme,
    /// The layout's name, where it is a preset: `twitter`, `discord`, …; of a UUID that is of no scheme of ours the version: `v6`, `nil`, …;
    /// of a tick ID the order.
    pub layout: Option<&'static str>,
    /// The ID itself.
    pub id: AnyId,
    /// When its tick began, Unix milliseconds, rounded down; `None` where the scheme has no time (UUID v4).
    pub timestamp_ms: Option<i64>,
    /// By how many nanoseconds its tick began later than `timestamp_ms`: 0 to 999,999; of a UUID v1 or v6 and of a tick ID a number of hundreds.
    /// `None` where ticks are whole milliseconds, and where the scheme has no time.
    pub submillisecond_ns: Option<u32>,
    /// The node; of a scalable Ulid-Flake the scalability id, of a UUID v1 its 48 bits.
    pub node: Option<u64>,
    /// The sequence number within the tick; of an ObjectId the counter, of a UUID v1 the clock sequence.
    pub sequence: Option<u64>,
    /// The random part; where a layout has one that grows and one that is drawn afresh, the first with the second below it.
    pub random: Option<u128>,
    /// How often the clock had stepped back, where the layout has bits for it.
    pub rollback: Option<u64>,
    /// Under which of an inspector's secrets this is what the ID holds, counted from 0 in the order in which they were given; `None` where
    /// there was none, or only one.
    pub secret_index: Option<u64>,
}

impl Parts {
    /// The ID's canonical text: what its scheme writes; for a layout of your own, the decimal number.
    ///
    /// ```
    /// use saiban::{Generator, Inspector, Uuid};
    /// let id = 0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f;
    /// assert_eq!(Uuid::v7()?.inspect(id)?.text()?, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    /// let found = Inspector::at(1_763_700_000_000).inspect_wide(id, 128);
    /// assert!(found.iter().any(|parts| parts.text().is_ok_and(|text| text == "01FWHE4YDGFK1SHH6W1G60EECF")));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `IdOutOfRange` and `WidthOutOfRange` when `id` is not an ID of `scheme`: parts that saiban made are
    /// right, and your program can have changed them.
    pub fn text(&self) -> Result<Text, Error> {
        #[cfg(target_has_atomic = "64")]
        if let (Scheme::TickId, Some(Ok(order))) = (self.scheme, self.layout.map(TickOrder::from_name)) {
            return tick_id_text(order, self.id.value());
        }
        self.id.encode_as(self.scheme.encoding(), self.scheme.text_width())
    }

    /// An ID of which nothing is known but the scheme.
    pub(crate) const fn of(scheme: Scheme, id: AnyId) -> Self {
        Parts {
            scheme,
            layout: None,
            id,
            timestamp_ms: None,
            submillisecond_ns: None,
            node: None,
            sequence: None,
            random: None,
            rollback: None,
            secret_index: None,
        }
    }
}
