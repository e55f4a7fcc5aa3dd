//! `saiban lease`: who has which nodes, and a command that runs while it has some.

mod acquire;
mod args;
mod bounds;
mod command;
mod init;
mod keeper;
mod list;
mod node;
mod place;
mod release;
mod signals;
mod subject;
mod table;
mod watch;

pub(crate) use args::Arguments;
pub(crate) use command::is_program;
pub(crate) use node::acquire as node;
pub(crate) use place::given;
#[cfg(feature = "serve")]
pub(crate) use place::own_store;
pub(crate) use table::plain;

use crate::failure::Failure;
use crate::output;
use args::Verb;
use place::Place;
use std::future::Future;
use tokio::runtime::Builder;

/// Answers 0, or what the command that ran under a lease answered.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let done = match &arguments.verb {
        Verb::Ls(list) => list::run(list),
        Verb::Acquire(acquire) => return acquire::run(acquire),
        Verb::Exec(exec) => return Ok(command::exec(exec)),
        Verb::Release(release) => release::run(release),
        Verb::Init(init) => init::run(init),
        Verb::Quarantine(quarantine) => grant_nothing(quarantine),
    };
    done.map(|()| 0)
}

fn grant_nothing(arguments: &args::Quarantine) -> Result<(), Failure> {
    let place = Place::of(&arguments.place)?;
    let until_us = block_on(place.store.quarantine(&place.namespace))?.map_err(place.says())?;
    let (until_ms, name) = (table::rounded_up_ms(until_us), &place.namespace);
    if arguments.json {
        return output::report(&serde_json::json!({ "namespace": name, "quarantine_until_ms": until_ms }).to_string());
    }
    output::report(&format!(
        "{name}: nothing is granted until {}; who has a lease keeps it",
        crate::time::utc_or_year(until_ms)
    ))
}

/// Does it on this thread.
fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Failure::io("waiting for a store"))?;
    let done = runtime.block_on(work);
    // Nobody waits for a server's name that is being looked up.
    runtime.shutdown_background();
    Ok(done)
}
