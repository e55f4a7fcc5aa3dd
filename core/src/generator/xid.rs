//! XID: an ObjectId with a shorter text.
//!
//! ```text
//!  95                        64 63                              24 23                 0
//! +----------------------------+----------------------------------+--------------------+
//! | timestamp: Unix s, 32 bits | machine and process, 40, drawn   | counter, 24        |
//! +----------------------------+----------------------------------+--------------------+
//! ```
//!
//! The bits are those of an ObjectId, and are made by an [`ObjectIdGenerator`]. rs/xid takes 24 of
//! the 40 bits from the machine's name and 16 from the process id; here all 40 bits are random for
//! each generator. The text has 20 characters: the 12 bytes in RFC 4648's base32hex, lower case,
//! without padding. The last character holds one bit of the ID, so it is `0` or `g`. Strict readers
//! reject upper case, as rs/xid does.
//!
//! Source: github.com/rs/xid, README and `id_test.go` (1.5).

use super::object_id::{self, ObjectIdGenerator};
use super::{Generator, Options};
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::encoding::Leniency;
use crate::entropy::{DefaultEntropy, Entropy};
use crate::error::Error;
use crate::id::{IdValue, Parts};
use crate::scheme::Scheme;

/// A generator of XIDs.
///
/// ```
/// use saiban::{Generator, XidGenerator};
/// let ids = XidGenerator::new()?;
/// let id = ids.generate()?;
/// assert_eq!(ids.to_text(id)?.len(), 20);
/// assert_eq!(ids.from_text("9m4e2mr0ui3e8a215n4g")?, 0x4d88_e15b_60f4_86e4_2841_2dc9);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct XidGenerator<C = crate::clock::SystemClock, E = DefaultEntropy> {
    ids: ObjectIdGenerator<C, E>,
}

#[cfg(feature = "std")]
impl XidGenerator<SystemClock> {
    /// Returns a generator on the system's clock and randomness.
    ///
    /// # Errors
    /// `EntropyUnavailable`, `ClockUnavailable`.
    pub fn new() -> Result<Self, Error> {
        Self::build(&Options::default(), SystemClock, DefaultEntropy::default())
    }
}

impl<C: Clock, E: Entropy> XidGenerator<C, E> {
    /// Returns a generator with these options. The unit of `window` is Unix seconds.
    ///
    /// # Errors
    /// As [`ObjectIdGenerator::build`].
    pub fn build(options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        ObjectIdGenerator::of_scheme(Scheme::Xid, options, clock, entropy).map(|ids| XidGenerator { ids })
    }
}

/// Splits an XID into its parts. Any 96 bits are an XID.
pub(crate) fn inspect(id: u128) -> Result<Parts, Error> {
    let parts = object_id::inspect(id).map_err(|_| Scheme::Xid.not_an_id())?;
    Ok(Parts { scheme: Scheme::Xid, ..parts })
}

impl<C: Clock, E: Entropy> Generator for XidGenerator<C, E> {
    type Id = u128;

    fn scheme(&self) -> Scheme {
        Scheme::Xid
    }

    fn bits(&self) -> u32 {
        object_id::BITS
    }

    crate::forward_generator! {
        |this| this.ids; try_generate try_generate_within generate fill stats range compose
    }

    fn inspect(&self, id: u128) -> Result<Parts, Error> {
        inspect(id)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<u128, Error> {
        // A lenient reader also accepts upper case, but requires the full width: a lost or doubled
        // digit would give another ID.
        u128::decode(self.encoding(), text, object_id::BITS, None, leniency.min(Leniency::AnyCase))
    }
}
