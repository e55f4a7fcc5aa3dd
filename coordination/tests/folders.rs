//! A relative path in a program that changes its working directory. The test has its own file,
//! because the whole process shares that directory.
#![cfg(feature = "sqlite")]

use saiban::{Generator, Layout, Options, SnowflakeGenerator, SystemClock};
use saiban_coordination::{Lease, LeaseOptions, Leased};

#[test]
fn files_of_one_relative_url_in_two_folders_are_two_stores() {
    let mut all = Vec::new();
    for _ in 0..2 {
        let folder = tempfile::tempdir().expect("a folder");
        std::env::set_current_dir(folder.path()).expect("a folder");
        // The lease has all nodes, so both leases have equal nodes.
        let options = LeaseOptions { nodes: 1_024, ..LeaseOptions::default() };
        let lease = Lease::acquire("sqlite:ids.db", &options).expect("a lease");
        let build = |grant: &saiban::Grant| {
            SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(grant), SystemClock)
        };
        let ids: Leased<SnowflakeGenerator> = Leased::new(&lease, build).expect("a generator beside the other file's");
        ids.generate().expect("an ID");
        all.push((folder, lease, ids));
    }
}
