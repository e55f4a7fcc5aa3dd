//! `saiban lease init`: creates a namespace.

use super::args::Init;
use super::block_on::block_on;
use super::place::{self, Place};
use super::subject::Subject;
use super::table::plain;
use crate::failure::Failure;
use crate::output;
use saiban::ErrorKind;
use saiban_coordination::store::{StoreUrl, sql};
use serde_json::json;

pub(super) fn run(arguments: &Init) -> Result<(), Failure> {
    if arguments.print_sql {
        return print_sql(arguments);
    }
    let subject = Subject::of(&arguments.what)?;
    let terms = subject.terms(&arguments.place.namespace, arguments.what.max_ttl)?;
    let place = Place::to_write(&arguments.place)?;
    let (namespace, is_new) = block_on(async {
        let found = place.store.list(terms.name()).await;
        let is_new = matches!(&found, Err(error) if error.kind() == ErrorKind::NamespaceUnknown);
        place.store.create(&terms).await.map(|namespace| (namespace, is_new))
    })?
    .map_err(place.says())?;
    let (name, nodes, max_ttl_s) = (terms.name(), namespace.nodes, namespace.max_ttl_us / 1_000_000);
    if arguments.json {
        let report = json!({
            "store": place.url.to_string(), "namespace": name, "created": is_new, "fingerprint": namespace.fingerprint,
            "nodes": nodes, "max_ttl_s": max_ttl_s,
        });
        return output::report(&report.to_string());
    }
    let what = if is_new { "is made" } else { "existed, and is unchanged" };
    let fingerprint = plain(&namespace.fingerprint);
    output::report(&format!(
        "{name} {what}, in {}: for {fingerprint}, {nodes} nodes, leases of at most {max_ttl_s} s",
        place.url
    ))
}

fn print_sql(arguments: &Init) -> Result<(), Failure> {
    let url = StoreUrl::new(&place::url(&arguments.place)?)?;
    match sql::schema(url.kind()) {
        Some(schema) => output::print(schema),
        None => {
            Err(Failure::Arguments(format!("a store of the kind {} has no tables: leave --print-sql out", url.kind())))
        }
    }
}
