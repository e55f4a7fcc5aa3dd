//! From a scheme's configuration to its generators.

use super::issue::Issue;
use super::reader::Reader;
use crate::config::SchemeConfig;
use saiban::{
    Error, Flake, Layout, ManualClock, ObjectId, Options, PooledEntropy, Randflake, Scheme as Family, Secret,
    Snowflake, SystemClock, TickId, TickOrder, Ulid, UlidFlake, UlidFlakeFormat, Uuid, WideFlake,
};
use saiban_coordination::{Issuer, Lease};
use std::time::Duration;

/// IDs of up to 64 bits, or wider ones.
pub(crate) enum Either<N, W> {
    Narrow(N),
    Wide(W),
}

pub(crate) type Ids = Either<Box<dyn Issue<i64>>, Box<dyn Issue<u128>>>;
pub(crate) type Readers = Either<Box<dyn Reader<i64>>, Box<dyn Reader<u128>>>;

type Build = Box<dyn Fn(Option<&Lease>) -> Result<Ids, saiban_coordination::Error> + Send + Sync>;

/// What a scheme is, and how its generator is built once there is a lease.
pub(crate) struct Blueprint {
    pub(crate) family: Family,
    /// Of a Snowflake or a Flake the one that was chosen, of others with nodes their own.
    pub(crate) layout: Option<Layout>,
    /// Of tick IDs.
    pub(crate) order: Option<TickOrder>,
    pub(crate) secret: Option<Secret>,
    /// Whether its nodes are leased.
    pub(crate) is_leased: bool,
    pub(crate) reader: Readers,
    pub(crate) build: Build,
}

/// The generator waits for nothing by itself: a wait is the request's, and holds up nobody else.
fn options(config: &SchemeConfig) -> Result<Options, Error> {
    let max_jump = config.max_jump_s.map(Options::jump_s).transpose()?;
    let rollback = config.rollback.as_deref().map(saiban::Rollback::from_name).transpose()?;
    Ok(Options { max_jump, rollback, ..Options::default() }.max_wait(Duration::ZERO))
}

impl Blueprint {
    /// Reads and checks what was configured. No store is asked.
    pub(crate) fn of(config: &SchemeConfig, secret: Option<Secret>) -> Result<Self, Error> {
        let family = match Family::from_name(&config.scheme)? {
            // As the command reads it.
            Family::Uuid => Family::UuidV7,
            family => family,
        };
        refuse_what_it_lacks(family, config, secret.is_some())?;
        let chosen = config.layout.as_deref().map(read_layout).transpose()?;
        let options = options(config)?;
        let still = ManualClock::new(0)?;
        match family {
            Family::Snowflake => snowflake(chosen.unwrap_or(Layout::TWITTER), options, still),
            Family::Randflake => randflake(secret, options, still),
            Family::UlidFlake => ulid_flake(config.entropy_size, options, still),
            Family::Flake => {
                let layout = chosen.ok_or(Error::InvalidArgument {
                    what: "a flake needs a layout: give layout, as \"unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12\"",
                })?;
                flake(layout, options, still)
            }
            Family::Ulid => {
                let reader = Ulid::build(&Options::default(), still, PooledEntropy)?;
                Ok(free(family, reader, move || Ulid::build(&options, SystemClock, PooledEntropy)))
            }
            Family::UuidV1 => uuid(family, 1, options, still),
            // It is random only, and takes no options.
            Family::UuidV4 => uuid(family, 4, Options::default(), still),
            Family::UuidV7 => uuid(family, 7, options, still),
            Family::ObjectId => {
                let reader = ObjectId::build(&Options::default(), still, PooledEntropy)?;
                Ok(free(family, reader, move || ObjectId::build(&options, SystemClock, PooledEntropy)))
            }
            Family::TickId => {
                let order = config.order.as_deref().map_or(Ok(TickOrder::Ascending), TickOrder::from_name)?;
                let reader = TickId::build(order, &Options::default(), still, PooledEntropy)?;
                let ticks = free(family, reader, move || TickId::build(order, &options, SystemClock, PooledEntropy));
                Ok(Blueprint { order: Some(order), ..ticks })
            }
            _ => Err(Error::InvalidArgument { what: "there is no generator of this scheme" }),
        }
    }

    /// All of what IDs without nodes are: the scheme, with its layout or order.
    pub(super) fn fingerprint(&self) -> String {
        let layout = self.layout.as_ref().map(|layout| layout.bare().to_string());
        let form = layout.or_else(|| self.order.map(|order| order.name().to_owned()));
        form.map_or_else(|| self.family.name().to_owned(), |form| format!("{} {form}", self.family))
    }

    fn leased(
        family: Family,
        layout: Layout,
        reader: Readers,
        build: impl Fn(Option<&Lease>) -> Result<Ids, saiban_coordination::Error> + Send + Sync + 'static,
    ) -> Self {
        Blueprint {
            family,
            layout: Some(layout),
            order: None,
            secret: None,
            is_leased: true,
            reader,
            build: Box::new(build),
        }
    }
}

fn snowflake(layout: Layout, options: Options, still: ManualClock) -> Result<Blueprint, Error> {
    let reader = Snowflake::<_>::build(layout, &Options::node(0), still)?;
    let build = move |lease: Option<&Lease>| {
        let build = move |options: &Options| Snowflake::<_>::build(layout, options, SystemClock);
        Ok(Ids::Narrow(Box::new(Issuer::new(lease, options.clone(), build)?)))
    };
    Ok(Blueprint::leased(Family::Snowflake, layout, Readers::Narrow(Box::new(reader)), build))
}

fn randflake(secret: Option<Secret>, options: Options, still: ManualClock) -> Result<Blueprint, Error> {
    let secret = secret.ok_or(Error::InvalidArgument {
        what: "a randflake needs a secret: give secret_file, a file with 32 hexadecimal digits (saiban secret)",
    })?;
    let reader = Readers::Narrow(Box::new(Randflake::<_>::build(&secret, &Options::node(0), still)?));
    let kept = secret.clone();
    let build = move |lease: Option<&Lease>| {
        let secret = kept.clone();
        let build = move |options: &Options| Randflake::<_>::build(&secret, options, SystemClock);
        Ok(Ids::Narrow(Box::new(Issuer::new(lease, options.clone(), build)?)))
    };
    let blueprint = Blueprint::leased(Family::Randflake, Layout::RANDFLAKE, reader, build);
    Ok(Blueprint { secret: Some(secret), ..blueprint })
}

fn ulid_flake(entropy_size: Option<i64>, options: Options, still: ManualClock) -> Result<Blueprint, Error> {
    let format = UlidFlakeFormat { entropy_size: entropy_size.unwrap_or(1), ..UlidFlakeFormat::default() };
    let scalable = UlidFlakeFormat { scalability: Some(0), ..format };
    let reader = UlidFlake::<_>::build(scalable, &Options::default(), still, PooledEntropy)?;
    let build = move |lease: Option<&Lease>| {
        let build = move |options: &Options| UlidFlake::<_>::build(format, options, SystemClock, PooledEntropy);
        Ok(Ids::Narrow(Box::new(Issuer::new(lease, options.clone(), build)?)))
    };
    Ok(Blueprint::leased(Family::UlidFlake, scalable.layout()?, Readers::Narrow(Box::new(reader)), build))
}

fn uuid(family: Family, version: i64, options: Options, still: ManualClock) -> Result<Blueprint, Error> {
    let reader = Uuid::build(version, &Options::default(), still, PooledEntropy)?;
    Ok(free(family, reader, move || Uuid::build(version, &options, SystemClock, PooledEntropy)))
}

/// A Flake, leased where its layout has nodes.
fn flake(layout: Layout, options: Options, still: ManualClock) -> Result<Blueprint, Error> {
    let is_leased = layout.has_node();
    let reading = if is_leased { Options::node(0) } else { Options::default() };
    let (reader, build): (_, Build) = if layout.is_wide() {
        let reader = WideFlake::build(layout, &reading, still, PooledEntropy)?;
        let build = move |lease: Option<&Lease>| {
            let build = move |options: &Options| WideFlake::build(layout, options, SystemClock, PooledEntropy);
            Ok(Ids::Wide(Box::new(Issuer::new(lease, options.clone(), build)?)))
        };
        (Readers::Wide(Box::new(reader)), Box::new(build))
    } else {
        let reader = Flake::build(layout, &reading, still, PooledEntropy)?;
        let build = move |lease: Option<&Lease>| {
            let build = move |options: &Options| Flake::build(layout, options, SystemClock, PooledEntropy);
            Ok(Ids::Narrow(Box::new(Issuer::new(lease, options.clone(), build)?)))
        };
        (Readers::Narrow(Box::new(reader)), Box::new(build))
    };
    Ok(Blueprint { family: Family::Flake, layout: Some(layout), order: None, secret: None, is_leased, reader, build })
}

/// A scheme without nodes: what keeps instances apart is drawn.
fn free<R, G>(family: Family, reader: R, build: impl Fn() -> Result<G, Error> + Send + Sync + 'static) -> Blueprint
where
    R: Reader<u128> + 'static,
    G: saiban::Generator<u128> + Send + Sync + 'static,
{
    let build = move |_: Option<&Lease>| Ok(Ids::Wide(Box::new(Issuer::Own(build()?))));
    let (reader, build) = (Readers::Wide(Box::new(reader)), Box::new(build));
    Blueprint { family, layout: None, order: None, secret: None, is_leased: false, reader, build }
}

/// A layout's text, a preset's name, or JSON.
fn read_layout(text: &str) -> Result<Layout, Error> {
    let text = text.trim();
    if text.starts_with(['{', '[']) { Layout::from_json(text) } else { Layout::from_text(text) }
}

/// What would change nothing is a mistake: who wrote it expects something of it.
fn refuse_what_it_lacks(family: Family, config: &SchemeConfig, has_secret: bool) -> Result<(), Error> {
    let lacks =
        |given: bool, has: bool, what| if given && !has { Err(Error::InvalidArgument { what }) } else { Ok(()) };
    let has_layout = matches!(family, Family::Snowflake | Family::Flake);
    lacks(config.layout.is_some(), has_layout, "layout is for the schemes snowflake and flake: leave it out")?;
    lacks(config.rollback.is_some(), has_layout, "rollback is for the schemes snowflake and flake: leave it out")?;
    lacks(has_secret, family == Family::Randflake, "secret_file is for the scheme randflake: leave it out")?;
    lacks(config.order.is_some(), family == Family::TickId, "order is for the scheme tick-id: leave it out")?;
    lacks(
        config.entropy_size.is_some(),
        family == Family::UlidFlake,
        "entropy_size is for the scheme ulid-flake: leave it out",
    )
}
