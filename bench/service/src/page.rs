//! Writes the tables into the page, with the machine and the date.

use crate::failure::Failure;
use crate::servers::Programs;
use std::process::Command;

const BEGIN: &str = "<!-- the table: make bench-service -->\n";
const END: &str = "<!-- the end of the table -->\n";

/// Replaces the text between the markers by the tables.
pub fn write(page: &str, tables: &str) -> Result<(), Failure> {
    let text = std::fs::read_to_string(page)?;
    let (head, rest) = text.split_once(BEGIN).ok_or("the page has no mark before the table")?;
    let (_, tail) = rest.split_once(END).ok_or("the page has no mark after the table")?;
    Ok(std::fs::write(page, format!("{head}{BEGIN}\n{tables}\n{END}{tail}"))?)
}

/// Returns the date, the machine and the versions.
pub fn machine(programs: &Programs) -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("", |(_, name)| name);
    format!(
        "{}: {} cores of {model}, {}; {}; {}; Redis {}",
        told("date", &["-u", "+%F"]),
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        told("uname", &["-sr"]),
        told(&programs.saiban, &["--version"]),
        told(&programs.ferroid, &["--version"]),
        told("redis-server", &["--version"])
            .split_whitespace()
            .find_map(|word| word.strip_prefix("v="))
            .unwrap_or_default(),
    )
}

/// Returns the load average of the last minute.
pub fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().unwrap_or_default().to_owned()
}

/// Returns the output of a program.
pub fn told(program: &str, words: &[&str]) -> String {
    let output = Command::new(program).args(words).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}
