//! The terms of a counter, and its record in a store.

use crate::{Error, lease};
use saiban::{ErrorKind, Stride};

/// A counter's name and what it counts. Neither changes after its creation.
///
/// ```
/// use saiban::Stride;
/// use saiban_coordination::counter::CounterTerms;
/// let terms = CounterTerms::new("orders", Stride::new(2, 5)?)?;
/// assert_eq!(terms.fingerprint(), "from 2 by 5");
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterTerms {
    name: String,
    stride: Stride,
    fingerprint: String,
}

impl CounterTerms {
    /// Creates the terms of a counter with these numbers.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that is empty, longer than 64 characters, or has characters
    /// other than letters, digits, `_`, `-` and `.`.
    pub fn new(name: &str, stride: Stride) -> Result<Self, Error> {
        lease::check_name("a counter", name)?;
        let fingerprint = format!("from {} by {}", stride.start(), stride.step());
        Ok(CounterTerms { name: name.into(), stride, fingerprint })
    }

    /// Creates the terms of a counter that restarts at `first` with each day of this time zone.
    ///
    /// # Errors
    /// Those of [`CounterTerms::new`]; `InvalidArgument` for a first number below 0.
    pub fn daily(name: &str, first: i64, zone: &str) -> Result<Self, Error> {
        lease::check_name("a counter", name)?;
        let stride = Stride::new(first, 1)?;
        Ok(CounterTerms { name: name.into(), stride, fingerprint: format!("daily from {first} in {zone}") })
    }

    /// Parses the terms of a counter from its name and its fingerprint in a store; `None` if saiban
    /// did not write the fingerprint.
    #[must_use]
    pub fn read(name: &str, fingerprint: &str) -> Option<Self> {
        let number = |text: &str| text.parse::<i64>().ok();
        let terms = match fingerprint.split(' ').collect::<Vec<_>>()[..] {
            ["from", start, "by", step] => Self::new(name, Stride::new(number(start)?, number(step)?).ok()?),
            ["daily", "from", first, "in", zone] => Self::daily(name, number(first)?, zone),
            _ => return None,
        };
        terms.ok().filter(|terms| terms.fingerprint == fingerprint)
    }

    /// Returns whether the counter restarts each day.
    #[must_use]
    pub fn is_daily(&self) -> bool {
        self.zone().is_some()
    }

    /// Returns the time zone whose days the counter counts; `None` if it is not daily.
    #[must_use]
    pub fn zone(&self) -> Option<&str> {
        self.fingerprint.strip_prefix("daily from ").and_then(|rest| rest.split(" in ").nth(1))
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns start and step.
    #[must_use]
    pub fn stride(&self) -> Stride {
        self.stride
    }

    /// Returns what the counter counts, as text. Counters of one name in one store count the same
    /// numbers.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

/// A counter as its store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterRecord {
    /// The fingerprint of its terms.
    pub fingerprint: String,
    /// A random number from its creation. A counter that was deleted and created again has another
    /// one.
    pub incarnation: i64,
    /// The next number. For a daily counter, and for a day without numbers, it is the day's first
    /// number.
    pub next: i64,
}

impl CounterRecord {
    /// Checks that the counter counts what these terms describe.
    ///
    /// # Errors
    /// `CounterMismatch` if it does not.
    pub fn check(&self, terms: &CounterTerms) -> Result<(), Error> {
        if self.fingerprint == terms.fingerprint {
            return Ok(());
        }
        let CounterTerms { name, fingerprint, .. } = terms;
        Err(Error::new(
            ErrorKind::CounterMismatch,
            format!(
                "the counter {name:?} counts {:?}, and {fingerprint:?} was asked for: numbers would come twice. Ask for what it counts; to \
                 count otherwise begin another one, of another name, past all numbers that were used",
                self.fingerprint
            ),
        ))
    }
}
