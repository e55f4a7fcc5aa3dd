//! A worker of `tests/chaos/run`, which describes the plan and the record. The workers in other
//! languages behave like this one.

mod clock;
mod orders;
mod record;

use clock::OffClock;
use orders::{Order, next_order};
use record::Record;
use saiban::{GeneratorSpec, Layout, Options, Scheme};
use saiban_coordination::{AnyIssuer, Error, Issuer, Lease, LeaseOptions, NodesFrom};
use serde_json::Value;
use std::error;
use std::ops::Range;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

/// The number of IDs a request.
const BLOCK: usize = 256;

/// The pause after an error.
const PAUSE: Duration = Duration::from_millis(5);

struct Plan {
    store: String,
    layout: Layout,
    ttl_s: i64,
    /// The path of the record, to which `.ids` and `.events` are appended.
    record: PathBuf,
    clock: OffClock,
    /// Whether to keep the node after the lease is lost. The check must find the duplicates.
    is_careless: bool,
    /// The nodes of a worker without a lease.
    nodes: Option<Range<u64>>,
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
            nodes: plan["nodes"][0].as_u64().zip(plan["nodes"][1].as_u64()).map(|(first, end)| first..end),
        })
    }

    fn open(&self, options: Options, nodes: NodesFrom<'_>) -> Result<Issuer<i64>, Error> {
        let spec = GeneratorSpec::new(Scheme::Flake).layout(self.layout);
        match AnyIssuer::open(&spec, options, nodes, self.clock.clone())? {
            AnyIssuer::Narrow(ids) => Ok(ids),
            AnyIssuer::Wide(_) => panic!("the plan's layout has more than 64 bits"),
        }
    }

    fn acquire(&self) -> Result<(Option<Lease>, Issuer<i64>), Error> {
        if let Some(nodes) = &self.nodes {
            return Ok((None, self.open(Options::nodes(nodes.clone()), NodesFrom::Options)?));
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
            self.open(Options::node(lease.grant()?.nodes().start.unsigned_abs()), NodesFrom::Options)?
        } else {
            self.open(Options::default(), NodesFrom::Lease(&lease))?
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
        match next_order(!record.is_child())? {
            Order::Nothing => {}
            Order::End => break,
            Order::Fork => {
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
        plan.clock.refresh();
        match ids.fill(&mut block) {
            Ok(0) => {}
            Ok(made) => record.made(&block[..made], plan.node(block[made - 1]))?,
            Err(error) => {
                record.failed(&ids.explain(error).unwrap_or_else(|| error.into()))?;
                sleep(PAUSE);
            }
        }
    }
    if let Some((Some(lease), _)) = generator {
        // If the store cannot be reached, the lease expires by itself.
        let _ = lease.release();
    }
    record.end()?;
    Ok(())
}

/// Lets the kernel remove children that have ended, so that none remain as zombies.
#[allow(unsafe_code, reason = "signals have no safe form")]
fn reap_children() {
    // SAFETY: this installs no handler; the call only sets SIGCHLD to be ignored.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
}

/// Forks, and returns whether this is the child.
#[allow(unsafe_code, reason = "fork has no safe form")]
fn fork() -> Result<bool, std::io::Error> {
    // SAFETY: no other thread of ours holds a lock that the child needs, except the locks of
    // leases, which are made for forks.
    match unsafe { libc::fork() } {
        -1 => Err(std::io::Error::last_os_error()),
        id => Ok(id == 0),
    }
}
