//! saiban in Rust: `saiban-example show | emit | read FILE`.

#![forbid(unsafe_code)]

mod exchange;
mod orders;
mod readme;

use exchange::Ids;
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["show"] => {
            orders::show()?;
            print!("the lines of the README: ");
            readme::readme()
        }
        ["emit"] => Ids::open()?.emit(),
        ["read", path] => Ids::open()?.read(&std::fs::read_to_string(path)?),
        _ => Err("usage: saiban-example show | emit | read FILE".into()),
    }
}
