//! A worker of `tests/chaos/run`, which says what it is given and what it writes. The other languages' do the same.

mod clock;
mod record;
mod told;

use clock::OffClock;
use record::Record;
use saiban::{Flake, Generator, Layout, Options, PooledEntropy, Scheme};
use saiban_coordination::{Error, Issuer, Lease, LeaseOptions};
use serde_json::Value;
use std::error;
use std::ops::Range;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;
use told::{Told, look};

/// How many IDs are asked for at once.
const BLOCK: usize = 256;

/// The pause after an error.
const PAUSE: Duration = Duration::from_millis(5);

struct Plan {
    store: String,
    layout: Layout,
    ttl_s: i64,
    /// Where it writes: this path with `.ids` and `.events` after it.
    record: PathBuf,
    clock: OffClock,
    /// Keeps its node whatever becomes of the lease: what the check must notice.
    is_careless: bool,
    /// Has these nodes, half-open, without a lease.
    nodes: Option<Range<i64>>,
}

impl Plan {
    fn read(text: &str) -> Result<Self, Box<dyn error::Error>> {
        let plan: Value = serde_json::from_str(text)?;
        let text = |name: &str| plan[name].as_str().ok_or_else(|| format!("no {name} in the plan"));
        Ok(Plan {
            store: text("store")?.to_owned(),
            layout: text("layout")?.parse()?,
            ttl_s: plan["ttl_s"].as_i64().ok_or("no ttl_s in the plan")?,
            record: text("record")?.into(),
            clock: OffClock::new(plan["clock"].as_str().map(PathBuf::from)),
            is_careless: plan["careless"] == true,
            nodes: plan["nodes"][0].as_i64().zip(plan["nodes"][1].as_i64()).map(|(first, end)| first..end),
        })
    }

    fn acquire(&self) -> Result<(Option<Lease>, Issuer<Flake<OffClock>>), Error> {
        let (layout, clock) = (self.layout, self.clock.clone());
        let build = move |options: &Options| Flake::build(layout, options, clock.clone(), PooledEntropy);
        if let Some(nodes) = &self.nodes {
            return Ok((None, Issuer::new(None, Options::nodes(nodes.clone()), build)?));
        }
        let options = LeaseOptions {
            ttl_s: self.ttl_s,
            scheme: Scheme::Flake,
            layout: Some(self.layout),
            create: Some(false),
            wait_s: 2,
            ..LeaseOptions::default()
        };
        let lease = Lease::acquire(&self.store, &options)?;
        let ids = if self.is_careless {
            Issuer::new(None, Options::node(lease.grant()?.nodes().start), build)?
        } else {
            Issuer::new(Some(&lease), Options::default(), build)?
        };
        Ok((Some(lease), ids))
    }

    fn node(&self, id: i64) -> u64 {
        self.layout.split(id).map_or(u64::MAX, |fields| fields.node)
    }
}

fn main() -> Result<(), Box<dyn error::Error>> {
    let plan = Plan::read(&std::env::args().nth(1).ok_or("usage: saiban-chaos PLAN, a JSON object")?)?;
    reap_children();
    let mut record = Record::begin(&plan.record, None)?;
    let mut block = [0; BLOCK];
    let mut generator = None;
    loop {
        match look(!record.is_child())? {
            Told::Nothing => {}
            Told::End => break,
            Told::Fork => {
                let parent = std::process::id();
                if fork()? {
                    record = Record::begin(&plan.record, Some(parent))?;
                }
            }
        }
        let Some((_, ids)) = &generator else {
            match plan.acquire() {
                Ok(acquired) => generator = Some(acquired),
                Err(error) => {
                    record.failed(&error)?;
                    sleep(20 * PAUSE);
                }
            }
            continue;
        };
        plan.clock.look();
        match ids.fill(&mut block) {
            Ok(0) => {}
            Ok(made) => record.made(&block[..made], plan.node(block[made - 1]))?,
            Err(error) => {
                record.failed(&ids.explain(error))?;
                sleep(PAUSE);
            }
        }
    }
    if let Some((Some(lease), _)) = generator {
        // Who cannot tell the store just ends: so does the lease.
        let _ = lease.release();
    }
    record.end()?;
    Ok(())
}

/// The system forgets children that have ended.
#[allow(unsafe_code, reason = "signals have no safe form")]
fn reap_children() {
    // SAFETY: no handler of ours is installed.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
}

/// Whether this is the child.
#[allow(unsafe_code, reason = "fork has no safe form")]
fn fork() -> Result<bool, std::io::Error> {
    // SAFETY: no other thread of ours holds a lock that the child would want: those of leases are made for this.
    match unsafe { libc::fork() } {
        -1 => Err(std::io::Error::last_os_error()),
        id => Ok(id == 0),
    }
}
