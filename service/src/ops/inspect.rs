//! Inspecting IDs of a scheme or of unknown origin, and converting them.

use super::bounds::MAX_INSPECTED;
use super::views::PartsView;
use crate::auth::{Access, Scope};
use crate::problem::Problem;
use crate::service::Service;
use saiban::inspect::Candidates;
use saiban::scheme::GeneratorOption;
use saiban::{AnyGenerator, AnyId, Encoding, Error, Generator, IdValue, Inspector, Leniency, Text};

/// After this number of IDs, the task yields to other tasks.
const TURN: usize = 8;

/// The candidates for an ID, and a hint if its text is almost an ID.
pub(crate) struct Found {
    pub(crate) candidates: Candidates,
    pub(crate) near_miss: Option<Error>,
}

/// The options of a conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    from: Encoding,
    to: Encoding,
    bits: u32,
    width: Option<i64>,
    from_width: Option<i64>,
    leniency: Leniency,
}

/// An ID and its text in another encoding.
pub(crate) struct Converted {
    pub(crate) id: AnyId,
    pub(crate) text: Text,
}

impl Service {
    /// Returns the parts of each ID of a scheme, or why a text is not an ID of it.
    pub(crate) fn inspect(
        &self,
        access: &Access,
        name: &str,
        texts: &[String],
    ) -> Result<Vec<Result<PartsView, Error>>, Problem> {
        self.check_texts(texts.len())?;
        // Randflakes hide their parts. To inspect them requires a scope of its own, so that the
        // scope `inspect` does not reveal them.
        let is_hidden = self.schemes.get(name).is_some_and(|scheme| scheme.family().takes(GeneratorOption::Secret));
        let scope = if is_hidden { Scope::InspectRandflake } else { Scope::Inspect };
        let scheme = self.scheme(access, scope, name)?;
        Ok(texts
            .iter()
            .map(|text| match scheme.reader() {
                AnyGenerator::Narrow(ids) => read(&**ids, text),
                AnyGenerator::Wide(ids) => read(&**ids, text),
            })
            .collect())
    }

    /// Returns what each ID of unknown origin can be. It tries no secrets.
    pub(crate) async fn inspect_any(
        &self,
        access: &Access,
        texts: &[String],
    ) -> Result<(Inspector, Vec<Result<Found, Error>>), Problem> {
        access.check(Scope::Inspect)?;
        self.check_texts(texts.len())?;
        if texts.len() > MAX_INSPECTED {
            let count = texts.len();
            let what = format!("{count} IDs of unknown schemes are given: give at most {MAX_INSPECTED} at once");
            return Err(Problem::input(what));
        }
        let inspector = self.inspector(access)?;
        let mut found = Vec::with_capacity(texts.len());
        for some in texts.chunks(TURN) {
            found.extend(some.iter().map(|text| find(&inspector, text.trim())));
            tokio::task::yield_now().await;
        }
        Ok((inspector, found))
    }

    /// Returns an inspector for all formats, and for the layouts of this service that the caller
    /// may know.
    pub(crate) fn inspector(&self, access: &Access) -> Result<Inspector, Problem> {
        Ok(self.own_layouts(access).map(|(_, layout)| layout).try_fold(Inspector::now()?, Inspector::layout)?)
    }

    /// Converts IDs to another encoding. Each result is the ID and its text, or why the conversion
    /// fails.
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

/// Parses an ID from its canonical text or from decimal digits, and returns its parts.
fn read<I: IdValue>(ids: &(dyn Generator<Id = I> + Send + Sync), text: &str) -> Result<PartsView, Error> {
    let view = |id| Ok(PartsView::of(&ids.inspect(id)?, &ids.to_text(id)?));
    let text = text.trim();
    ids.from_text(text).and_then(view).or_else(|error| {
        let id = I::decode(Encoding::DECIMAL, text, ids.bits(), None, Leniency::Strict);
        id.and_then(view).map_err(|_| error)
    })
}

impl Conversion {
    /// Checks the options of a conversion. The default of `bits` is 128 if one of the encodings is
    /// a form of UUIDs, else 64.
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

    /// Converts one text. IDs of 64 bits are signed, all others are unsigned.
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
