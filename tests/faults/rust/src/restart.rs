//! A real restart: a process that makes IDs for a fixed node on the system's clock, and ends.

use crate::scheme::Scheme;
use saiban::AnyClock;
use std::io::Write;
use std::process::Command;

/// The new process: writes its IDs to the standard output, eight bytes each.
pub fn make_ids(scheme: &str, count: usize) {
    let scheme = Scheme::ALL.into_iter().find(|known| known.name() == scheme).expect("a scheme of saiban's");
    let generator = scheme.build(AnyClock::System, 7, false).expect("node 7 is free");
    let ids = generator.generate_many(count).expect("the system's clock goes on");
    let bytes: Vec<u8> = ids.into_iter().flat_map(i64::to_le_bytes).collect();
    std::io::stdout().write_all(&bytes).expect("the parent reads");
}

/// Runs the new process and returns its IDs.
pub fn in_a_new_process(scheme: Scheme, count: u64) -> Vec<i64> {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new(program)
        .args(["ids", scheme.name(), &count.to_string()])
        .output()
        .expect("the program can be started again");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout.chunks_exact(8).map(|id| i64::from_le_bytes(id.try_into().expect("8 bytes"))).collect()
}
