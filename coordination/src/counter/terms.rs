//! What a counter counts.

use crate::{Error, lease};
use saiban::{ErrorKind, Stride};

/// A counter's name and what it counts, which never change once it is made.
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
    /// A counter of these numbers.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that is empty, longer than 64 characters, or has others than letters, digits, `_`, `-` and `.`.
    pub fn new(name: &str, stride: Stride) -> Result<Self, Error> {
        lease::check_name("a counter", name)?;
        let fingerprint = format!("from {} by {}", stride.start(), stride.step());
        Ok(CounterTerms { name: name.into(), stride, fingerprint })
    }

    /// A counter that begins anew, at this number, with each day of this time zone.
    ///
    /// # Errors
    /// As [`CounterTerms::new`]; `InvalidArgument` for a first number below 0.
    pub fn daily(name: &str, first: i64, zone: &str) -> Result<Self, Error> {
        lease::check_name("a counter", name)?;
        let stride = Stride::new(first, 1)?;
        Ok(CounterTerms { name: name.into(), stride, fingerprint: format!("daily from {first} in {zone}") })
    }

    /// The terms of a counter that a store has, by its name and fingerprint; none where no saiban has written it.
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

    /// Whether it begins anew each day.
    #[must_use]
    pub fn is_daily(&self) -> bool {
        self.zone().is_some()
    }

    /// The time zone whose days it counts, if it counts days.
    #[must_use]
    pub fn zone(&self) -> Option<&str> {
        self.fingerprint.strip_prefix("daily from ").and_then(|rest| rest.split(" in ").nth(1))
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Start and step.
    #[must_use]
    pub fn stride(&self) -> Stride {
        self.stride
    }

    /// What it counts, as text: counters of one name in one store count the same.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

/// A counter as its store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterRecord {
    /// What it was made for.
    pub fingerprint: String,
    /// Drawn when it was made: one that was deleted and made again has another.
    pub incarnation: i64,
    /// The next number; of one that counts days, and of a day that has no number yet, the first.
    pub next: i64,
}

impl CounterRecord {
    /// Whether it counts what these terms say.
    ///
    /// # Errors
    /// `CounterMismatch`.
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
