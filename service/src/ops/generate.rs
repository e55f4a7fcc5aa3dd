//! Generating and composing IDs.

use crate::auth::{Access, Scope};
use crate::problem::{Code, Problem};
use crate::scheme::{Scheme, generate};
use crate::service::Service;
use saiban::{AnyGenerator, ComposeParts, Encoding, Text};
use saiban_coordination::AnyIssuer;
use std::ops::Range;

/// IDs that one scheme has generated.
pub(crate) enum Batch {
    /// IDs of up to 64 bits.
    Narrow(Vec<i64>),
    /// IDs of more than 64 bits.
    Wide(Vec<u128>),
}

impl Batch {
    /// Returns the number of IDs.
    pub(crate) fn len(&self) -> usize {
        match self {
            Batch::Narrow(ids) => ids.len(),
            Batch::Wide(ids) => ids.len(),
        }
    }
}

impl Service {
    /// Generates `count` IDs, or returns an error and no ID.
    pub(crate) async fn generate(&self, access: &Access, name: &str, count: usize) -> Result<Batch, Problem> {
        let scheme = self.scheme(access, Scope::Generate, name)?;
        self.check_count(count)?;
        self.make(scheme, count).await
    }

    /// Generates `count` IDs of a scheme, or returns an error and no ID. The caller must have
    /// checked the access.
    pub(crate) async fn make(&self, scheme: &Scheme, count: usize) -> Result<Batch, Problem> {
        if self.is_ending() {
            let what = "the service is ending: ask another instance";
            return Err(Problem::new(Code::Kind(saiban::ErrorKind::StoreUnavailable), what));
        }
        let max_wait = self.limits().max_wait();
        let made = match scheme.ids() {
            Ok(AnyIssuer::Narrow(ids)) => generate(ids, count, max_wait).await.map(Batch::Narrow),
            Ok(AnyIssuer::Wide(ids)) => generate(ids, count, max_wait).await.map(Batch::Wide),
            Err(problem) => Err(problem),
        };
        match &made {
            Ok(_) => {
                scheme.issued.inc_by(count as u64);
                scheme.went_well();
            }
            Err(problem) => {
                // A tick that is used up, or a batch too large for the maximum wait, does not mean
                // that the next request fails.
                if problem.code() != Code::Kind(saiban::ErrorKind::WouldWait) {
                    scheme.failed(problem);
                }
                self.observed.failed(scheme.name(), problem);
            }
        }
        made
    }

    /// Checks that `count` is within the limit.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`.
    pub(crate) fn check_count(&self, count: usize) -> Result<(), Problem> {
        let most = self.limits().max_batch;
        if (1..=most).contains(&count) {
            return Ok(());
        }
        Err(Problem::input(format!("count is {count}: ask for 1 to {most} at once (limits.max_batch)")))
    }

    /// Composes an ID from its parts, and returns its canonical text.
    pub(crate) fn compose(&self, access: &Access, name: &str, parts: &ComposeParts) -> Result<String, Problem> {
        let scheme = self.scheme(access, Scope::Compose, name)?;
        parts.require_all(scheme.family(), scheme.layout())?;
        let text = match scheme.reader() {
            AnyGenerator::Narrow(ids) => ids.to_text(ids.compose(parts)?)?,
            AnyGenerator::Wide(ids) => ids.to_text(ids.compose(parts)?)?,
        };
        Ok(text.as_str().to_owned())
    }
}

impl Scheme {
    /// Passes the text of each ID in the range `of` to `tell`. Without an encoding, the texts are
    /// canonical.
    pub(crate) fn texts(
        &self,
        batch: &Batch,
        of: Range<usize>,
        encoding: Option<Encoding>,
        mut write: impl FnMut(&Text),
    ) -> Result<(), Problem> {
        match (batch, self.ids()?) {
            (Batch::Narrow(made), AnyIssuer::Narrow(ids)) => {
                for id in &made[of] {
                    write(&ids.write(*id, encoding)?);
                }
            }
            (Batch::Wide(made), AnyIssuer::Wide(ids)) => {
                for id in &made[of] {
                    write(&ids.write(*id, encoding)?);
                }
            }
            // A batch always has the width of its scheme.
            _ => {}
        }
        Ok(())
    }
}
