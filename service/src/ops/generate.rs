//! Making and composing IDs.

use crate::auth::{Access, Scope};
use crate::problem::{Code, Problem};
use crate::scheme::{ComposeParts, Either, Scheme, generate, text};
use crate::service::Service;
use saiban::{Encoding, Text};
use std::ops::Range;

/// IDs of one scheme.
pub(crate) enum Batch {
    /// Of up to 64 bits.
    Narrow(Vec<i64>),
    /// Of more.
    Wide(Vec<u128>),
}

impl Batch {
    /// How many.
    pub(crate) fn len(&self) -> usize {
        match self {
            Batch::Narrow(ids) => ids.len(),
            Batch::Wide(ids) => ids.len(),
        }
    }
}

impl Service {
    /// Makes so many IDs, all or none.
    pub(crate) async fn generate(&self, access: &Access, name: &str, count: usize) -> Result<Batch, Problem> {
        let scheme = self.scheme(access, Scope::Generate, name)?;
        self.check_count(count)?;
        self.make(scheme, count).await
    }

    /// The same of a scheme that the caller is known to be allowed.
    pub(crate) async fn make(&self, scheme: &Scheme, count: usize) -> Result<Batch, Problem> {
        if self.is_ending() {
            let what = "the service is ending: ask another instance";
            return Err(Problem::new(Code::Kind(saiban::ErrorKind::StoreUnavailable), what));
        }
        let max_wait = self.limits().max_wait();
        let made = match scheme.ids() {
            Ok(Either::Narrow(ids)) => generate(&**ids, count, max_wait).await.map(Batch::Narrow),
            Ok(Either::Wide(ids)) => generate(&**ids, count, max_wait).await.map(Batch::Wide),
            Err(problem) => Err(problem),
        };
        match &made {
            Ok(_) => {
                scheme.issued.inc_by(count as u64);
                scheme.went_well();
            }
            Err(problem) => {
                // A tick that is used up, or a batch too large for the time, says nothing of the next.
                if problem.code() != Code::Kind(saiban::ErrorKind::WouldWait) {
                    scheme.failed(problem);
                }
                self.observed.failed(scheme.name(), problem);
            }
        }
        made
    }

    /// Whether so many may be asked for at once.
    pub(crate) fn check_count(&self, count: usize) -> Result<(), Problem> {
        let most = self.limits().max_batch;
        if (1..=most).contains(&count) {
            return Ok(());
        }
        Err(Problem::input(format!("count is {count}: ask for 1 to {most} at once (limits.max_batch)")))
    }

    /// Makes the ID of these parts, and answers its canonical text.
    pub(crate) fn compose(&self, access: &Access, name: &str, parts: &ComposeParts) -> Result<String, Problem> {
        let scheme = self.scheme(access, Scope::Compose, name)?;
        let text = match scheme.reader() {
            Either::Narrow(ids) => ids.to_text(ids.compose_parts(parts)?)?,
            Either::Wide(ids) => ids.to_text(ids.compose_parts(parts)?)?,
        };
        Ok(text.as_str().to_owned())
    }
}

impl Scheme {
    /// Tells the text of each of these IDs: canonical, or in this encoding.
    pub(crate) fn texts(
        &self,
        batch: &Batch,
        of: Range<usize>,
        encoding: Option<Encoding>,
        mut tell: impl FnMut(&Text),
    ) -> Result<(), Problem> {
        match (batch, self.ids()?) {
            (Batch::Narrow(made), Either::Narrow(ids)) => {
                for id in &made[of] {
                    tell(&text(&**ids, *id, encoding)?);
                }
            }
            (Batch::Wide(made), Either::Wide(ids)) => {
                for id in &made[of] {
                    tell(&text(&**ids, *id, encoding)?);
                }
            }
            // A batch is its scheme's.
            _ => {}
        }
        Ok(())
    }
}
