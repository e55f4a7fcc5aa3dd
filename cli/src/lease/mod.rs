//! `saiban lease`: lists leases, and runs a command while it holds one. `lib.rs` calls it. `new`,
//! `counter` and `serve` find their store with it, and `new` leases its node.

#[cfg(unix)]
mod acquire;
mod args;
mod block_on;
mod init;
mod list;
mod node;
mod place;
mod release;
mod subject;
mod table;

#[cfg(unix)]
pub(crate) use acquire::command::is_program;
pub(crate) use args::Arguments;
pub(crate) use node::acquire as node;
pub(crate) use place::given;
#[cfg(feature = "serve")]
pub(crate) use place::own_store;
pub(crate) use table::plain;

use crate::failure::Failure;
use crate::output;
use args::Verb;
use block_on::block_on;
use place::Place;

/// Runs `saiban lease`. Returns 0, or the exit code of the command that ran under a lease.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let done = match &arguments.verb {
        Verb::Ls(list) => list::run(list),
        #[cfg(unix)]
        Verb::Acquire(acquire) => return acquire::run(acquire),
        #[cfg(unix)]
        Verb::Exec(exec) => return Ok(acquire::command::exec(exec)),
        #[cfg(not(unix))]
        Verb::Acquire(_) | Verb::Exec(_) => Err(Failure::Arguments(
            "lease acquire needs Unix's signals and process groups, which this system does not have: give the program \
             itself the store (store=\"...\")"
                .into(),
        )),
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
        "{name}: no lease is granted until {}; existing leases stay valid",
        crate::time::utc_or_year(until_ms)
    ))
}
