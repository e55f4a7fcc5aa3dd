//! The faults of docs/faults.md, for what is written in Rust.
//!
//! Usage: saiban-faults PLAN                what `tests/faults/run` does; prints a JSON line for each cell
//!        saiban-faults ids SCHEME COUNT    what the restarts start: a new process that makes IDs, writes them and ends

mod cell;
mod ferroid;
mod fork;
mod plan;
mod restart;
mod saiban;
mod scheme;
mod trace;
mod uuid;

use plan::Plan;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ids", scheme, count] => restart::make_ids(scheme, count.parse().expect("COUNT is a number")),
        [path] => {
            let plan = Plan::read(path);
            ferroid::run(&plan);
            uuid::run(&plan);
            saiban::run(&plan);
        }
        _ => {
            eprintln!("usage: saiban-faults PLAN | ids SCHEME COUNT");
            std::process::exit(2);
        }
    }
}
