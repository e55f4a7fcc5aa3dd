//! The parts of an ID: its scheme, time, node, sequence and random part.
//!
//! Generators and inspectors return [`Parts`]; any module may use it.

use super::AnyId;
use crate::encoding::{Text, TickOrder, tick_id_text};
use crate::error::Error;
use crate::scheme::{GeneratorOption, Scheme};

/// The parts of an ID. A part that the scheme does not have is `None`.
///
/// ```
/// use saiban::{Generator, Scheme, SnowflakeGenerator};
/// let parts = SnowflakeGenerator::new(0)?.inspect(1_741_610_183_685_074_945)?;
/// assert_eq!((parts.scheme, parts.layout), (Scheme::Snowflake, Some("twitter")));
/// assert_eq!((parts.timestamp_ms, parts.node, parts.sequence), (Some(1_704_067_200_000), Some(7), Some(1)));
/// assert_eq!((parts.submillisecond_ns, parts.random), (None, None));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Parts {
    /// The scheme.
    pub scheme: Scheme,
    /// The name of the layout or form.
    ///
    /// A layout that is a preset has its name: `twitter`, `discord`, …. A UUID of a version that is
    /// not a scheme of saiban has the name of the version: `v6`, `nil`, …. A tick ID has the name
    /// of its order.
    pub layout: Option<&'static str>,
    /// The ID itself.
    pub id: AnyId,
    /// The start of the ID's tick, in Unix milliseconds, rounded down. `None` if the scheme has no
    /// time (UUID v4).
    pub timestamp_ms: Option<i64>,
    /// The nanoseconds between `timestamp_ms` and the start of the ID's tick: 0 to 999,999.
    ///
    /// For a UUID v1 or v6 and for a tick ID it is a multiple of 100. `None` if ticks are whole
    /// milliseconds, or if the scheme has no time.
    pub submillisecond_ns: Option<u32>,
    /// The node. For a scalable Ulid-Flake it is the scalability id, for a UUID v1 its 48-bit node.
    pub node: Option<u64>,
    /// The sequence number within the tick. For an ObjectId it is the counter, for a UUID v1 the
    /// clock sequence.
    pub sequence: Option<u64>,
    /// The random part.
    ///
    /// A layout may have both a growing random part and one that is new for each ID. Then this is
    /// the growing part, with the other in the bits below it.
    pub random: Option<u128>,
    /// The number of times that the clock had stepped back, if the layout has rollback bits.
    pub rollback: Option<u64>,
    /// The index, counted from 0, of the inspector's secret that decrypts the ID to these parts.
    /// `None` if the inspector has fewer than two secrets.
    pub secret_index: Option<u64>,
}

impl Parts {
    /// Returns the canonical text of the ID: its scheme's text, or the decimal number for a layout
    /// of your own.
    ///
    /// ```
    /// use saiban::{Generator, Inspector, UuidGenerator};
    /// let id = 0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f;
    /// assert_eq!(UuidGenerator::v7()?.inspect(id)?.text()?, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    /// let found = Inspector::at(1_763_700_000_000).inspect_wide(id, 128);
    /// assert!(found.iter().any(|parts| parts.text().is_ok_and(|text| text == "01FWHE4YDGFK1SHH6W1G60EECF")));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `IdOutOfRange` or `WidthOutOfRange` if `id` is not an ID of `scheme`. Parts that saiban
    /// returns never fail; parts that your program changed may.
    pub fn text(&self) -> Result<Text, Error> {
        if let (Scheme::TickId, Some(Ok(order))) = (self.scheme, self.layout.map(TickOrder::from_name)) {
            return tick_id_text(order, self.id.value());
        }
        self.id.encode_as(self.scheme.encoding(), self.scheme.text_width())
    }

    /// Returns the form of the ID within its scheme: `layout`, or for a Ulid-Flake `scalable` or
    /// `stand-alone`.
    #[must_use]
    pub fn form(&self) -> Option<&'static str> {
        let has_forms = self.scheme.takes(GeneratorOption::Scalability);
        let of_own = || if self.node.is_some() { "scalable" } else { "stand-alone" };
        self.layout.or_else(|| has_forms.then(of_own))
    }

    /// Creates parts that have only a scheme and an ID. All others are `None`.
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
