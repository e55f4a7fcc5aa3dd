//! What the IDs of a service's scheme are: as it describes them, and as the core reads them.

use saiban::{
    Clock, Error, Flake, Generator, IdValue, Layout, ManualClock, ObjectId, Options, PooledEntropy, Randflake, Scheme,
    Secret, Snowflake, SystemClock, TickId, TickOrder, Ulid, UlidFlake, UlidFlakeFormat, Uuid, WideFlake,
};
use serde_json::Value;
use std::sync::Arc;

/// A scheme, as a service describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) scheme: Scheme,
    /// As text; of a tick ID its order.
    pub(super) layout: Option<String>,
    pub(super) bits: u32,
    /// All of what they are, as the service says it with each block: IDs of another are none of these.
    pub(super) fingerprint: String,
}

impl Form {
    /// Reads a description; why it is none that is known here.
    pub(super) fn read(answer: &[u8]) -> Result<Self, String> {
        let answer: Value = serde_json::from_slice(answer).map_err(|error| format!("no JSON: {error}"))?;
        let text =
            |name: &str| answer[name].as_str().ok_or_else(|| format!("its {name} is {}, and no text", answer[name]));
        let scheme = Scheme::from_name(text("scheme")?).map_err(|error| error.to_string())?;
        let bits =
            answer["bits"].as_u64().and_then(|bits| u32::try_from(bits).ok()).filter(|bits| (1..=128).contains(bits));
        let bits = bits.ok_or_else(|| format!("its bits are {}, and not 1 to 128", answer["bits"]))?;
        let layout = if answer["layout"].is_null() { None } else { Some(text("layout")?.to_owned()) };
        let form = Form { scheme, layout, bits, fingerprint: text("fingerprint")?.to_owned() };
        // What it says must be what the core knows of the scheme.
        let known = if form.is_wide() {
            form.wide().map(|reader| (reader.ids.bits(), reader.ids.encoding()))
        } else {
            form.narrow().map(|reader| (reader.ids.bits(), reader.ids.encoding()))
        };
        let (known_bits, encoding) = known.map_err(|error| error.to_string())?;
        if known_bits != bits || encoding.name() != text("encoding")? {
            return Err(format!(
                "its IDs have {bits} bits and are written in {}, where {scheme} has {known_bits} and {}",
                answer["encoding"],
                encoding.name()
            ));
        }
        Ok(form)
    }

    /// Whether its IDs have more than 64 bits.
    pub(super) fn is_wide(&self) -> bool {
        self.bits > u64::BITS
    }

    /// The layout, where the scheme may have others.
    pub(super) fn layout(&self) -> Option<Layout> {
        let text = self.layout.as_deref().filter(|_| self.scheme != Scheme::TickId);
        text.and_then(|text| Layout::from_text(text).ok())
    }

    fn given_layout(&self) -> Result<Layout, Error> {
        Layout::from_text(self.layout.as_deref().unwrap_or_default())
    }
}

/// What reads the IDs of a scheme. It makes none.
pub(super) struct Reader<I> {
    pub(super) ids: Box<dyn Generator<I> + Send + Sync>,
    /// Its own: so that it counts with no generator of the process.
    clock: Arc<ManualClock>,
}

impl<I: IdValue> Reader<I> {
    fn new<G: Generator<I> + Send + Sync + 'static>(
        build: impl FnOnce(Arc<ManualClock>) -> Result<G, Error>,
    ) -> Result<Self, Error> {
        let clock = Arc::new(ManualClock::new(0)?);
        clock.set_ns(SystemClock.now_ns()?);
        Ok(Reader { ids: Box::new(build(Arc::clone(&clock))?), clock })
    }

    /// What it would tell of itself now.
    pub(super) fn stats(&self) -> Result<saiban::Stats, Error> {
        self.clock.set_ns(SystemClock.now_ns()?);
        self.ids.stats()
    }
}

/// An ID's type, and how schemes of that width are read.
pub(super) trait Width: IdValue {
    /// What reads these IDs.
    fn reader(form: &Form) -> Result<Reader<Self>, Error>;

    /// How many bytes an ID takes in a block.
    const BYTES: usize;

    /// The ID of that many bytes, if it is one of so many bits.
    fn of_bytes(bytes: &[u8], bits: u32) -> Option<Self>;
}

impl Width for i64 {
    const BYTES: usize = 8;

    fn reader(form: &Form) -> Result<Reader<Self>, Error> {
        form.narrow()
    }

    fn of_bytes(bytes: &[u8], bits: u32) -> Option<Self> {
        let id = i64::from_le_bytes(bytes.try_into().ok()?);
        (bits >= u64::BITS || id as u64 >> bits == 0).then_some(id)
    }
}

impl Width for u128 {
    const BYTES: usize = 16;

    fn reader(form: &Form) -> Result<Reader<Self>, Error> {
        form.wide()
    }

    fn of_bytes(bytes: &[u8], bits: u32) -> Option<Self> {
        let id = u128::from_be_bytes(bytes.try_into().ok()?);
        (bits >= u128::BITS || id >> bits == 0).then_some(id)
    }
}

/// Any node: nothing is made for it.
fn node(layout: &Layout) -> Options {
    if layout.has_node() { Options::node(0) } else { Options::default() }
}

impl Form {
    fn narrow(&self) -> Result<Reader<i64>, Error> {
        match self.scheme {
            Scheme::Snowflake => {
                let layout = self.given_layout()?;
                Reader::new(|clock| Snowflake::<_>::build(layout, &Options::node(0), clock))
            }
            // Text and numbers are the same under any secret.
            Scheme::Randflake => {
                Reader::new(|clock| Randflake::<_>::build(&Secret::new([0; 16]), &Options::node(0), clock))
            }
            Scheme::UlidFlake => {
                let layout = self.given_layout()?;
                let scalability = layout.has_node().then_some(0);
                let format = UlidFlakeFormat { scalability, epoch_ms: layout.epoch_ms(), ..UlidFlakeFormat::default() };
                Reader::new(|clock| UlidFlake::<_>::build(format, &Options::default(), clock, saiban::PooledEntropy))
            }
            _ => {
                let layout = self.given_layout()?;
                Reader::new(|clock| Flake::build(layout, &node(&layout), clock, PooledEntropy))
            }
        }
    }

    fn wide(&self) -> Result<Reader<u128>, Error> {
        let (options, entropy) = (Options::default(), PooledEntropy);
        let uuid = |version| Reader::new(|clock| Uuid::build(version, &options, clock, entropy));
        match self.scheme {
            Scheme::Ulid => Reader::new(|clock| Ulid::build(&options, clock, entropy)),
            Scheme::UuidV1 => uuid(1),
            Scheme::UuidV4 => uuid(4),
            Scheme::UuidV7 => uuid(7),
            Scheme::ObjectId => Reader::new(|clock| ObjectId::build(&options, clock, entropy)),
            Scheme::TickId => {
                let order = self.layout.as_deref().map_or(Ok(TickOrder::Ascending), TickOrder::from_name)?;
                Reader::new(|clock| TickId::build(order, &options, clock, entropy))
            }
            _ => {
                let layout = self.given_layout()?;
                Reader::new(|clock| WideFlake::build(layout, &node(&layout), clock, entropy))
            }
        }
    }
}
