//! Taking IDs apart, saying what they can be, and writing them otherwise.

use super::PartsTold;
use crate::auth::{Access, Scope};
use crate::problem::Problem;
use crate::scheme::{Either, Reader};
use crate::service::Service;
use saiban::inspect::Candidates;
use saiban::{AnyId, Encoding, Error, IdValue, Inspector, Leniency, Parts, Scheme as Family, Text};

/// The most IDs of unknown origin that are inspected at once: what they can be is told of each, a hundred times as long as the ID.
pub(crate) const MOST_INSPECTED: usize = 256;

/// After so many others have their turn.
const TURN: usize = 8;

/// What an ID can be, and what its text was perhaps meant as.
pub(crate) struct Found {
    pub(crate) candidates: Candidates,
    pub(crate) near_miss: Option<Error>,
}

/// What is asked of a conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    from: Encoding,
    to: Encoding,
    bits: u32,
    width: Option<i64>,
    from_width: Option<i64>,
    leniency: Leniency,
}

/// An ID in another encoding.
pub(crate) struct Converted {
    pub(crate) id: AnyId,
    pub(crate) text: Text,
}

impl Service {
    /// Takes IDs of a scheme apart: each its parts, or why it is none.
    pub(crate) fn inspect(
        &self,
        access: &Access,
        name: &str,
        texts: &[String],
    ) -> Result<Vec<Result<PartsTold, Error>>, Problem> {
        self.check_texts(texts.len())?;
        // What it hides is hidden from those too who may inspect all else.
        let is_hidden = self.schemes.get(name).is_some_and(|scheme| scheme.family() == Family::Randflake);
        let scope = if is_hidden { Scope::InspectRandflake } else { Scope::Inspect };
        let scheme = self.scheme(access, scope, name)?;
        Ok(texts
            .iter()
            .map(|text| match scheme.reader() {
                Either::Narrow(ids) => read(&**ids, text),
                Either::Wide(ids) => read(&**ids, text),
            })
            .map(|parts| PartsTold::of(&parts?))
            .collect())
    }

    /// Says what IDs of whatever scheme can be. No secret is tried.
    pub(crate) async fn inspect_any(
        &self,
        access: &Access,
        texts: &[String],
    ) -> Result<(Inspector, Vec<Result<Found, Error>>), Problem> {
        access.check(Scope::Inspect)?;
        self.check_texts(texts.len())?;
        if texts.len() > MOST_INSPECTED {
            let count = texts.len();
            let what = format!(
                "{count} IDs of unknown origin are given, of which each can be many things: give at most {MOST_INSPECTED} at once"
            );
            return Err(Problem::input(what));
        }
        let inspector = self.inspector(access)?;
        let mut told = Vec::with_capacity(texts.len());
        for some in texts.chunks(TURN) {
            told.extend(some.iter().map(|text| find(&inspector, text.trim())));
            tokio::task::yield_now().await;
        }
        Ok((inspector, told))
    }

    /// What looks for every format, and for the service's own layouts that the caller may know of.
    pub(crate) fn inspector(&self, access: &Access) -> Result<Inspector, Problem> {
        Ok(self.own_layouts(access).map(|(_, layout)| layout).try_fold(Inspector::now()?, Inspector::layout)?)
    }

    /// Writes IDs in another encoding: each the ID, or why it cannot be read or written so.
    pub(crate) fn convert(
        &self,
        access: &Access,
        conversion: &Conversion,
        texts: &[String],
    ) -> Result<Vec<Result<Converted, Error>>, Problem> {
        access.check_any(&[Scope::Generate, Scope::Inspect])?;
        self.check_texts(texts.len())?;
        Ok(texts.iter().map(|text| conversion.apply(text)).collect())
    }

    fn check_texts(&self, count: usize) -> Result<(), Problem> {
        let most = self.limits().max_batch;
        if count <= most {
            return Ok(());
        }
        Err(Problem::input(format!("{count} texts are given: give at most {most} at once (limits.max_batch)")))
    }
}

fn find(inspector: &Inspector, text: &str) -> Result<Found, Error> {
    let candidates = inspector.inspect_text(text)?;
    Ok(Found { near_miss: candidates.near_miss(text), candidates })
}

/// An ID as its canonical text, or its decimal digits.
fn read<I: IdValue>(ids: &dyn Reader<I>, text: &str) -> Result<Parts, Error> {
    let text = text.trim();
    let canonical = ids.from_text(text).and_then(|id| ids.inspect(id));
    canonical.or_else(|error| {
        let id = I::decode(Encoding::DECIMAL, text, ids.bits(), None, Leniency::Strict);
        id.and_then(|id| ids.inspect(id)).map_err(|_| error)
    })
}

impl Conversion {
    /// What is asked, checked.
    pub(crate) fn of(
        from: &str,
        to: &str,
        bits: Option<u32>,
        width: Option<i64>,
        from_width: Option<i64>,
        lenient: bool,
    ) -> Result<Self, Problem> {
        let (from, to) = (Encoding::from_name(from)?, Encoding::from_name(to)?);
        let is_uuid = [from, to].iter().any(|encoding| Encoding::UUID_FORMS.contains(encoding));
        let bits = bits.unwrap_or(if is_uuid { 128 } else { u64::BITS });
        from.full_width_of(bits)?;
        Ok(Conversion { from, to, bits, width, from_width, leniency: Leniency::lenient_if(lenient) })
    }

    /// IDs of 64 bits are signed, all others are not.
    fn apply(&self, text: &str) -> Result<Converted, Error> {
        let text = text.trim();
        let id = if self.bits == u64::BITS {
            self.from.decode_as(text, self.from_width, self.leniency).map(AnyId::from)?
        } else {
            self.from
                .decode_wide_as(text, self.bits, self.from_width, self.leniency)
                .and_then(|id| AnyId::wide(id, self.bits))?
        };
        Ok(Converted { id, text: id.encode_as(self.to, self.width)? })
    }
}
