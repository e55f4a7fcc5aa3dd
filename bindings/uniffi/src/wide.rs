//! What all generators of IDs wider than 64 bits do. Written once, and given to each by `wide_generator!`.

use crate::Parts;
use crate::error::Failure;
use crate::number::{id_to_bytes, ids_to_bytes};
use crate::range::RangeOf;
use saiban::generator::MOST_AT_ONCE;
use saiban::{Attempt, Error, Generator, Leniency};

/// A generator of core, and what its IDs cross as.
pub(crate) trait WideGenerator {
    type Core: Generator<u128>;
    type Id;

    fn core(&self) -> &Self::Core;

    fn id_of(&self, id: u128) -> Result<Self::Id, Failure>;

    fn number_of(&self, id: Self::Id) -> Result<u128, Failure>;

    /// What an error means of which no ID came.
    fn explain(&self, error: Error) -> Failure {
        error.into()
    }

    /// Where its IDs have one of the user's own.
    fn core_layout(&self) -> Option<&saiban::Layout> {
        None
    }

    fn make(&self) -> Result<Self::Id, Failure> {
        self.id_of(self.core().generate().map_err(|error| self.explain(error))?)
    }

    fn try_make(&self) -> Result<Option<Self::Id>, Failure> {
        match self.core().try_generate().map_err(|error| self.explain(error))? {
            Attempt::Ready(id) => self.id_of(id).map(Some),
            Attempt::Wait(_) => Ok(None),
        }
    }

    fn make_many(&self, count: i64) -> Result<Vec<Self::Id>, Failure> {
        // A negative number is one that core refuses.
        let ids = self.core().generate_many(usize::try_from(count).unwrap_or(usize::MAX));
        let ids = ids.map_err(|error| self.explain(error))?;
        ids.into_iter().map(|id| self.id_of(id)).collect()
    }

    fn numbers_up_to(&self, count: i64) -> Result<Vec<u128>, Failure> {
        let Ok(count) = usize::try_from(count) else {
            return Err(Error::InvalidArgument { what: "count is negative: ask for 0 or more IDs" }.into());
        };
        let mut buffer = vec![0; count.min(MOST_AT_ONCE)];
        let written = self.core().fill(&mut buffer).map_err(|error| self.explain(error))?;
        buffer.truncate(written);
        Ok(buffer)
    }

    fn make_up_to(&self, count: i64) -> Result<Vec<Self::Id>, Failure> {
        self.numbers_up_to(count)?.into_iter().map(|id| self.id_of(id)).collect()
    }

    fn make_bytes(&self) -> Result<Vec<u8>, Failure> {
        let id = self.core().generate().map_err(|error| self.explain(error))?;
        Ok(id_to_bytes(id, self.core().bits()))
    }

    fn make_bytes_up_to(&self, count: i64) -> Result<Vec<u8>, Failure> {
        Ok(ids_to_bytes(&self.numbers_up_to(count)?, self.core().bits()))
    }

    fn make_text(&self, encoding: Option<String>) -> Result<String, Failure> {
        let text = self.core().generate_text(crate::generator::encoding(encoding)?);
        Ok(text.map_err(|error| self.explain(error))?.into())
    }

    fn write(&self, id: Self::Id, encoding: Option<String>) -> Result<String, Failure> {
        Ok(self.core().to_text_as(self.number_of(id)?, crate::generator::encoding(encoding)?)?.into())
    }

    fn read(&self, text: &str, lenient: bool) -> Result<Self::Id, Failure> {
        self.id_of(self.core().from_text_as(text, Leniency::lenient_if(lenient))?)
    }

    fn take_apart(&self, id: Self::Id) -> Result<Parts, Failure> {
        Parts::of(self.core(), self.number_of(id)?, self.core_layout())
    }

    fn between<R: RangeOf<Self::Id>>(&self, start_ms: i64, end_ms: i64) -> Result<R, Failure> {
        let (first, last) = self.core().range(start_ms, end_ms)?.into_inner();
        Ok(R::of(self.id_of(first)?, self.id_of(last)?))
    }
}

/// Gives a `WideGenerator` the methods that all have: its IDs cross as `$id`, two of them as `$range`.
macro_rules! wide_generator {
    ($name:ident, $id:ident, $range:ident) => {
        $crate::wide::wide_generator! {
            $name, $id, $range,
            /// Makes an ID, waiting for at most `max_wait_ms`.
            ///
            /// With scope `Process`, and on the system's clock, the first ID waits for the tick after the one in which the
            /// generator was made. A manual clock and `not_before` turn that off.
            ///
            /// Errors: `WouldWait` where the next ID needs a longer wait, or any with a manual clock; `ClockBackward` where
            /// the clock is further behind the last ID, and with the policy `Error` where it is behind at all; `ClockJumped`,
            /// `ClockUnavailable`, `TimestampBeforeEpoch`, `TimestampOverflow`; `LeaseNotBegun`, `LeaseExpired`, `LeaseLost`; `Forked`;
            /// `StateUnavailable` where the state file cannot be written, or the file of scope `Machine` be used; `EntropyUnavailable`.
            generate,
            /// Makes an ID if that needs no wait; else answers nothing.
            ///
            /// Errors: as `generate`, but no `WouldWait`.
            try_generate
        }
    };
    ($name:ident, $id:ident, $range:ident, $(#[$generate:meta])* generate, $(#[$try_generate:meta])* try_generate) => {
        #[uniffi::export]
        #[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
        impl $name {
            $(#[$generate])*
            pub fn generate(&self) -> Result<$id, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::make(self))
            }

            $(#[$try_generate])*
            pub fn try_generate(&self) -> Result<Option<$id>, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::try_make(self))
            }

            /// Makes this many IDs, 0 to 10 million, waiting before each as `generate` does.
            ///
            /// Errors: as `generate`; `InvalidArgument` for another number of them.
            pub fn generate_many(&self, count: i64) -> Result<Vec<$id>, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::make_many(self, count))
            }

            /// Makes up to this many IDs (10 million at the most), waiting before each as `generate` does. Answers fewer,
            /// without an error, where no more can be had but some were made.
            ///
            /// Errors: as `generate`, when not one could be had; `InvalidArgument` for a negative number.
            pub fn generate_up_to(&self, count: i64) -> Result<Vec<$id>, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::make_up_to(self, count))
            }

            /// Makes an ID and writes it as text: canonical text of the scheme, or in this encoding's customary form.
            ///
            /// Errors: as `generate`; `UnknownName`.
            #[uniffi::method(default(encoding = None))]
            pub fn generate_text(&self, encoding: Option<String>) -> Result<String, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::make_text(self, encoding))
            }

            /// Writes an ID as text: canonical text of the scheme, or in this encoding's customary form.
            ///
            /// Errors: as of `inspect`; `UnknownName`.
            #[uniffi::method(default(encoding = None))]
            pub fn to_text(&self, id: $id, encoding: Option<String>) -> Result<String, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::write(self, id, encoding))
            }

            /// Reads an ID from its canonical text; when lenient from what people make of it, too. Of a ULID any case is
            /// read in both ways, as its specification says; else each ID has one text.
            ///
            /// Errors: `TextLength`, `TextCharacter`, `TextOverflow`, `TextNotCanonical`; `IdOutOfRange` when it is no ID
            /// of this scheme and layout.
            #[uniffi::method(default(lenient = false))]
            pub fn from_text(&self, text: String, lenient: bool) -> Result<$id, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::read(self, &text, lenient))
            }

            /// Takes an ID apart.
            ///
            /// Errors: `IdOutOfRange` when it is not one of this scheme and layout; of text as `from_text`; `InvalidArgument`
            /// for another number of bytes.
            pub fn inspect(&self, id: $id) -> Result<$crate::Parts, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::take_apart(self, id))
            }

            /// The first and the last ID that can have been made in this half-open interval, Unix milliseconds: for asking a
            /// database by its primary key (`BETWEEN`, both included). What lies outside the format's time is left out.
            ///
            /// Errors: `NotTimeOrdered` where IDs are not in the order of their times; `InvalidWindow` for an empty interval;
            /// `TimestampBeforeEpoch`, `TimestampOverflow` for one outside the format's time.
            pub fn range(&self, start_ms: i64, end_ms: i64) -> Result<$range, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::between(self, start_ms, end_ms))
            }

            /// What the generator tells of itself: how many IDs were issued, how often it waited and found the clock set back,
            /// how long it lasts, and what its IDs promise.
            ///
            /// Errors: `ClockUnavailable`.
            pub fn stats(&self) -> Result<$crate::Stats, $crate::SaibanError> {
                $crate::error::guard(|| Ok(saiban::Generator::stats(&self.0)?.into()))
            }
        }
    };
}

/// Gives a `WideGenerator`, whose IDs cross as `$id`, their bytes as well.
macro_rules! in_bytes {
    ($name:ident, $id:ident) => {
        #[uniffi::export]
        #[allow(clippy::wrong_self_convention, reason = "to_bytes and from_bytes are the pair that every language has")]
        impl $name {
            /// Makes an ID, as bytes, the highest first.
            ///
            /// Errors: as `generate`.
            pub fn generate_bytes(&self) -> Result<Vec<u8>, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::make_bytes(self))
            }

            /// As `generate_up_to`, with the bytes of all IDs one after the other. `fill` writes them into a buffer.
            ///
            /// Errors: as `generate_up_to`.
            pub fn generate_bytes_up_to(&self, count: i64) -> Result<Vec<u8>, $crate::SaibanError> {
                $crate::error::guard(|| $crate::wide::WideGenerator::make_bytes_up_to(self, count))
            }

            /// The bytes of an ID, the highest first.
            ///
            /// Errors: as of `inspect`.
            pub fn to_bytes(&self, id: $id) -> Result<Vec<u8>, $crate::SaibanError> {
                $crate::error::guard(|| {
                    let id = $crate::wide::WideGenerator::number_of(self, id)?;
                    Ok($crate::number::id_to_bytes(id, saiban::Generator::bits(&self.0)))
                })
            }

            /// The ID of these bytes, the highest first.
            ///
            /// Errors: `InvalidArgument` for another number of bytes; `IdOutOfRange` when they are no ID of this scheme.
            pub fn from_bytes(&self, bytes: Vec<u8>) -> Result<$id, $crate::SaibanError> {
                $crate::error::guard(|| {
                    let id = $crate::number::id_from_bytes(&bytes, saiban::Generator::bits(&self.0))?;
                    saiban::Generator::inspect(&self.0, id)?;
                    $crate::wide::WideGenerator::id_of(self, id)
                })
            }
        }
    };
}

/// A `WideGenerator` around a generator of core, whose IDs cross as their canonical text.
macro_rules! as_text {
    ($name:ident) => {
        impl $crate::wide::WideGenerator for $name {
            type Core = saiban::$name<saiban::AnyClock, saiban::PooledEntropy>;
            type Id = String;

            fn core(&self) -> &Self::Core {
                &self.0
            }

            fn id_of(&self, id: u128) -> Result<String, $crate::SaibanError> {
                Ok(saiban::Generator::to_text(&self.0, id)?.into())
            }

            fn number_of(&self, id: String) -> Result<u128, $crate::SaibanError> {
                Ok(saiban::Generator::from_text(&self.0, &id)?)
            }
        }
    };
}

pub(crate) use {as_text, in_bytes, wide_generator};
