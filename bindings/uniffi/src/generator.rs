//! What all generators do. Written once, and given to each by `generator!`.

use crate::error::SaibanError;
use crate::{IdRange, Ids, Parts, Stats};

/// What every generator of IDs of up to 64 bits does, whatever its scheme: the interface is called `Generator` in both languages. IDs are
/// signed 64-bit integers. It can be used from many threads at once.
///
/// A call from Kotlin takes 10 to 50 microseconds, whatever it does: who needs many IDs asks for many at a time.
#[uniffi::export]
#[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
pub trait AnyGenerator: Send + Sync {
    /// Makes an ID, waiting for at most `max_wait_ms`.
    ///
    /// With scope `Process`, and on the system's clock, the first ID waits for the tick after the one in which the generator was made, a
    /// second at most with Randflake; with scope `Machine` only the first generator of a layout since the machine was started waits, that
    /// long or 2 ms. A manual clock and `not_before` turn that off.
    ///
    /// Errors: `WouldWait` where the next ID needs a longer wait, or any with a manual clock; `ClockBackward` where the clock is
    /// further behind the last ID, and with the policy `Error` where it is behind at all; `ClockJumped`, `ClockUnavailable`,
    /// `TimestampBeforeEpoch`, `TimestampOverflow`; `LeaseNotBegun`, `LeaseExpired`, `LeaseLost`, which tell why there is no lease;
    /// `Forked`; `StateUnavailable` where the state file cannot be written, or the file of scope `Machine` be used; `EntropyUnavailable`. Under a lease, in a copy of the process
    /// made by fork, also as `Lease.acquire`.
    fn generate(&self) -> Result<i64, SaibanError>;

    /// Makes an ID if that needs no wait; else answers nothing, as long as `generate` would wait for the first one too.
    ///
    /// Errors: as `generate`, but no `WouldWait`.
    fn try_generate(&self) -> Result<Option<i64>, SaibanError>;

    /// Makes this many IDs, 0 to 10 million, waiting before each as `generate` does.
    ///
    /// Errors: as `generate`; `InvalidArgument` for another number of them.
    fn generate_many(&self, count: i64) -> Result<Ids, SaibanError>;

    /// Makes up to this many IDs (10 million at the most), waiting before each as `generate` does. Answers fewer, without
    /// an error, where no more can be had but some were made. `fill` writes them into a buffer.
    ///
    /// Errors: as `generate`, when not one could be had; `InvalidArgument` for a negative number.
    fn generate_up_to(&self, count: i64) -> Result<Ids, SaibanError>;

    /// Makes an ID and writes it as text: canonical text of the scheme, or in this encoding's customary form.
    ///
    /// Errors: as `generate`; `UnknownName`.
    fn generate_text(&self, encoding: Option<String>) -> Result<String, SaibanError>;

    /// Writes an ID as text: canonical text of the scheme, or in this encoding's customary form.
    ///
    /// Errors: `IdOutOfRange` when it is not an ID of this scheme and layout; `UnknownName`.
    fn to_text(&self, id: i64, encoding: Option<String>) -> Result<String, SaibanError>;

    /// Reads an ID from its canonical text; when lenient from what people make of it, too. Of a Ulid-Flake ID any case is
    /// read in both ways, as its specification says; else each ID has one text.
    ///
    /// Errors: `TextLength`, `TextCharacter`, `TextOverflow`, `TextNotCanonical`; `IdOutOfRange` when the number is not an
    /// ID of this scheme and layout.
    fn from_text(&self, text: String, lenient: bool) -> Result<i64, SaibanError>;

    /// Takes an ID apart.
    ///
    /// Errors: `IdOutOfRange` when it is not one of this scheme and layout.
    fn inspect(&self, id: i64) -> Result<Parts, SaibanError>;

    /// The smallest and the largest ID that can have been made in this half-open interval, Unix milliseconds: for asking a
    /// database by its primary key (`BETWEEN`, both included). Ticks that lie partly in the interval count; what lies outside
    /// the format's time is left out.
    ///
    /// Errors: `NotTimeOrdered` where IDs are not in the order of their times (Randflake); `InvalidWindow` for an empty interval,
    /// and one in which IDs turn negative; `TimestampBeforeEpoch`, `TimestampOverflow` for one outside the format's time.
    fn range(&self, start_ms: i64, end_ms: i64) -> Result<IdRange, SaibanError>;

    /// What the generator tells of itself: how many IDs were issued, how often it waited and found the clock set back, how long
    /// it lasts, and what its IDs promise.
    ///
    /// Errors: `ClockUnavailable`.
    fn stats(&self) -> Result<Stats, SaibanError>;
}

/// Makes a newtype around an `Issuer` of a generator of core, or around one that says what its errors mean as that does, an `AnyGenerator`.
macro_rules! generator {
    ($name:ident) => {
        $crate::generator::generator! {
            $name,
            /// Makes an ID, waiting for at most `max_wait_ms`.
            generate,
            /// Makes an ID if that needs no wait; else answers nothing.
            try_generate
        }
    };
    ($name:ident, $(#[$generate:meta])* generate, $(#[$try_generate:meta])* try_generate) => {
        #[uniffi::export]
        impl $crate::AnyGenerator for $name {
            $(#[$generate])*
            fn generate(&self) -> Result<i64, $crate::SaibanError> {
                $crate::error::guard(
                    || Ok(saiban::Generator::generate(&self.0).map_err(|error| self.0.explain(error))?),
                )
            }

            $(#[$try_generate])*
            fn try_generate(&self) -> Result<Option<i64>, $crate::SaibanError> {
                $crate::error::guard(|| {
                    Ok(match saiban::Generator::try_generate(&self.0).map_err(|error| self.0.explain(error))? {
                        saiban::Attempt::Ready(id) => Some(id),
                        saiban::Attempt::Wait(_) => None,
                    })
                })
            }

            /// Makes this many IDs, 0 to 10 million, waiting before each as `generate` does.
            fn generate_many(&self, count: i64) -> Result<$crate::Ids, $crate::SaibanError> {
                $crate::error::guard(|| $crate::generator::generate_many(&self.0, |error| self.0.explain(error), count))
            }

            /// Makes up to this many IDs (10 million at the most); fewer where no more can be had without a longer wait.
            fn generate_up_to(&self, count: i64) -> Result<$crate::Ids, $crate::SaibanError> {
                $crate::error::guard(|| $crate::generator::generate_up_to(&self.0, |error| self.0.explain(error), count))
            }

            /// Makes an ID and writes it as text, canonical or in this encoding's customary form.
            fn generate_text(&self, encoding: Option<String>) -> Result<String, $crate::SaibanError> {
                $crate::error::guard(|| {
                    let encoding = $crate::generator::encoding(encoding)?;
                    let text = saiban::Generator::generate_text(&self.0, encoding);
                    Ok(text.map_err(|error| self.0.explain(error))?.into())
                })
            }

            /// Writes an ID as text, canonical or in this encoding's customary form.
            fn to_text(&self, id: i64, encoding: Option<String>) -> Result<String, $crate::SaibanError> {
                $crate::error::guard(|| {
                    let encoding = $crate::generator::encoding(encoding)?;
                    Ok(saiban::Generator::to_text_as(&self.0, id, encoding)?.into())
                })
            }

            /// Reads an ID from its canonical text; when lenient from what people make of it, too. Of a Ulid-Flake ID any case is
            /// read in both ways, as its specification says; else each ID has one text.
            fn from_text(&self, text: String, lenient: bool) -> Result<i64, $crate::SaibanError> {
                $crate::error::guard(|| {
                    Ok(saiban::Generator::from_text_as(&self.0, &text, saiban::Leniency::lenient_if(lenient))?)
                })
            }

            /// Takes an ID apart.
            fn inspect(&self, id: i64) -> Result<$crate::Parts, $crate::SaibanError> {
                $crate::error::guard(|| $crate::Parts::of(&self.0, id, $crate::parts::HasLayout::core_layout(self)))
            }

            /// The smallest and the largest ID that can have been made in this half-open interval, Unix milliseconds.
            fn range(&self, start_ms: i64, end_ms: i64) -> Result<$crate::IdRange, $crate::SaibanError> {
                $crate::error::guard(|| $crate::generator::range(&self.0, start_ms, end_ms))
            }

            /// What the generator tells of itself.
            fn stats(&self) -> Result<$crate::Stats, $crate::SaibanError> {
                $crate::error::guard(|| Ok(saiban::Generator::stats(&self.0)?.into()))
            }
        }
    };
}

pub(crate) use generator;
use saiban::generator::MOST_AT_ONCE;
use saiban::{Encoding, Error};

/// The encoding of this name, if one is given.
pub(crate) fn encoding(name: Option<String>) -> Result<Option<Encoding>, SaibanError> {
    Ok(name.as_deref().map(Encoding::from_name).transpose()?)
}

pub(crate) fn range(ids: &impl saiban::Generator, start_ms: i64, end_ms: i64) -> Result<IdRange, SaibanError> {
    let (first, last) = ids.range(start_ms, end_ms)?.into_inner();
    Ok(IdRange { first, last })
}

pub(crate) fn generate_many(
    ids: &impl saiban::Generator,
    explain: impl Fn(Error) -> saiban_coordination::Error,
    count: i64,
) -> Result<Ids, SaibanError> {
    // A negative number is one that core refuses.
    let many = saiban::Generator::generate_many(ids, usize::try_from(count).unwrap_or(usize::MAX));
    Ok(Ids(many.map_err(explain)?))
}

pub(crate) fn generate_up_to(
    ids: &impl saiban::Generator,
    explain: impl Fn(Error) -> saiban_coordination::Error,
    count: i64,
) -> Result<Ids, SaibanError> {
    let Ok(count) = usize::try_from(count) else {
        return Err(Error::InvalidArgument { what: "count is negative: ask for 0 or more IDs" }.into());
    };
    let mut buffer = vec![0; count.min(MOST_AT_ONCE)];
    let written = saiban::Generator::fill(ids, &mut buffer).map_err(explain)?;
    buffer.truncate(written);
    Ok(Ids(buffer))
}
