//! The faults of docs/faults.md for the libraries in Rust.
//!
//! Usage: saiban-faults PLAN                what `tests/faults/run` does; prints JSON lines
//!        saiban-faults ids SCHEME COUNT    a restarted process: makes IDs, writes them, ends
//!        saiban-faults serve LIBRARY       makes the requested IDs: tests/faults/processes.py
//!        saiban-faults count BEFORE AFTER  prints how many IDs in AFTER repeat earlier ones

mod cell;
mod ferroid;
mod fork;
mod plan;
mod restart;
mod saiban;
mod scheme;
mod serve;
mod trace;
mod uuid;

use plan::Plan;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ids", scheme, count] => restart::make_ids(scheme, count.parse().expect("COUNT is a number")),
        ["serve", library] => serve::serve(library),
        ["count", before, after] => serve::count(before, after),
        [path] => {
            let plan = Plan::read(path);
            ferroid::run(&plan);
            uuid::run(&plan);
            saiban::run(&plan);
        }
        _ => {
            eprintln!("usage: saiban-faults PLAN | ids SCHEME COUNT | serve LIBRARY | count BEFORE AFTER");
            std::process::exit(2);
        }
    }
}
