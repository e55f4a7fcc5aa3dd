//! The form of a service's IDs: the service's description, and a reader of such IDs.

use saiban::scheme::GeneratorOption;
use saiban::{
    AnyGenerator, Clock, Error, Generator, GeneratorSpec, IdValue, Layout, ManualClock, PooledEntropy, Prefix, Scheme,
    Secret, SystemClock, TickOrder,
};
use serde_json::Value;
use std::sync::Arc;

/// A scheme, as a service describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) scheme: Scheme,
    /// The layout as text; for tick IDs their order.
    pub(super) layout: Option<String>,
    pub(super) bits: u32,
    prefix: Option<Prefix>,
    /// The fingerprint that the service sends with each block. IDs of another fingerprint are
    /// refused.
    pub(super) fingerprint: String,
}

impl Form {
    /// Parses a description. The error is the reason why this saiban does not know the scheme.
    pub(super) fn read(answer: &[u8]) -> Result<Self, String> {
        let answer: Value = serde_json::from_slice(answer).map_err(|error| format!("no JSON: {error}"))?;
        let text =
            |name: &str| answer[name].as_str().ok_or_else(|| format!("its {name} is {}, not text", answer[name]));
        let scheme = Scheme::from_name(text("scheme")?).map_err(|error| error.to_string())?;
        let bits =
            answer["bits"].as_u64().and_then(|bits| u32::try_from(bits).ok()).filter(|bits| (1..=128).contains(bits));
        let bits = bits.ok_or_else(|| format!("its bits are {}, not 1 to 128", answer["bits"]))?;
        let layout = if answer["layout"].is_null() { None } else { Some(text("layout")?.to_owned()) };
        // Earlier versions of the service have no prefixes.
        let prefix = if answer["prefix"].is_null() { None } else { Some(text("prefix")?) };
        let prefix = prefix.map(Prefix::new).transpose().map_err(|error| error.to_string())?;
        let form = Form { scheme, layout, bits, prefix, fingerprint: text("fingerprint")?.to_owned() };
        // The description must agree with what the core knows of the scheme.
        let known = form.spec().and_then(|spec| spec.reader()).map_err(|error| error.to_string())?;
        let (known_bits, encoding) = match known {
            AnyGenerator::Narrow(ids) => (ids.bits(), ids.encoding()),
            AnyGenerator::Wide(ids) => (ids.bits(), ids.encoding()),
        };
        if known_bits != bits || encoding.name() != text("encoding")? {
            return Err(format!(
                "its IDs have {bits} bits and are written in {}, where {scheme} has {known_bits} and {}",
                answer["encoding"],
                encoding.name()
            ));
        }
        Ok(form)
    }

    /// Returns whether the IDs have more than 64 bits.
    pub(super) fn is_wide(&self) -> bool {
        self.bits > u64::BITS
    }

    /// Returns the specification of the IDs for the core. Any secret does for a Randflake, because
    /// texts and numbers do not depend on it.
    fn spec(&self) -> Result<GeneratorSpec, Error> {
        let mut spec = GeneratorSpec::new(self.scheme);
        spec.prefix = self.prefix;
        let text = self.layout.as_deref().unwrap_or_default();
        if self.scheme.takes(GeneratorOption::Layout) {
            spec.layout = Some(Layout::from_text(text)?);
        }
        if self.scheme.takes(GeneratorOption::Scalability) {
            let layout = Layout::from_text(text)?;
            (spec.scalability, spec.epoch_ms) = (layout.has_node().then_some(0), Some(layout.epoch_ms()));
        }
        if self.scheme.takes(GeneratorOption::Order) {
            spec.order = self.layout.as_deref().map(TickOrder::from_name).transpose()?;
        }
        if self.scheme.takes(GeneratorOption::Secret) {
            spec.secret = Some(Secret::new([0; 16]));
        }
        Ok(spec)
    }
}

/// A generator that reads the IDs of a scheme. It makes none.
pub(super) struct Reader<I> {
    pub(super) ids: Box<dyn Generator<Id = I> + Send + Sync>,
    /// A clock of its own, so that the reader shares no cursor with a generator of the process.
    clock: Arc<ManualClock>,
}

impl<I: Width> Reader<I> {
    /// Creates a reader of these IDs.
    pub(super) fn of(form: &Form) -> Result<Self, Error> {
        let clock = Arc::new(ManualClock::new(0)?);
        clock.set_ns(SystemClock.now_ns()?);
        let spec = form.spec()?;
        let ids = spec.build(&spec.reading_options()?, Arc::clone(&clock), PooledEntropy)?;
        let other_width = Error::InvalidArgument { what: "the IDs are of the other width" };
        Ok(Reader { ids: I::of_width(ids).ok_or(other_width)?, clock })
    }

    /// Returns the reader's statistics at the current time.
    pub(super) fn stats(&self) -> Result<saiban::Stats, Error> {
        self.clock.set_ns(SystemClock.now_ns()?);
        self.ids.stats()
    }
}

/// The two types of IDs.
pub(super) trait Width: IdValue {
    /// Returns the generator, if its IDs are of this type.
    fn of_width(ids: AnyGenerator) -> Option<Box<dyn Generator<Id = Self> + Send + Sync>>;

    /// How many bytes an ID has in a block.
    const BYTES: usize;

    /// Reads an ID from that many bytes; `None` if it has more than `bits` bits.
    fn of_bytes(bytes: &[u8], bits: u32) -> Option<Self>;
}

impl Width for i64 {
    const BYTES: usize = 8;

    fn of_width(ids: AnyGenerator) -> Option<Box<dyn Generator<Id = Self> + Send + Sync>> {
        if let AnyGenerator::Narrow(ids) = ids { Some(ids) } else { None }
    }

    fn of_bytes(bytes: &[u8], bits: u32) -> Option<Self> {
        let id = i64::from_le_bytes(bytes.try_into().ok()?);
        (bits >= u64::BITS || id as u64 >> bits == 0).then_some(id)
    }
}

impl Width for u128 {
    const BYTES: usize = 16;

    fn of_width(ids: AnyGenerator) -> Option<Box<dyn Generator<Id = Self> + Send + Sync>> {
        if let AnyGenerator::Wide(ids) = ids { Some(ids) } else { None }
    }

    fn of_bytes(bytes: &[u8], bits: u32) -> Option<Self> {
        let id = u128::from_be_bytes(bytes.try_into().ok()?);
        (bits >= u128::BITS || id >> bits == 0).then_some(id)
    }
}
