//! The arguments of `saiban counter`. The doc comments of these types are the help texts.

use clap::{Args, Subcommand};

const STORES: &str = "\
The store is given by --store, or by SAIBAN_STORE in the environment. Other users cannot see the environment, so a URL
with a password belongs there.

  sqlite:///path/counters.db     postgres://user@host/database   mysql://user@host/database     redis://host";

const INIT: &str = "\
If the numbers of five stores go into one column, each store counts with --step 5 and a different --start, 1 to 5. If
the column has numbers already, give the first unused number as --at.

Examples:
  saiban counter init --store postgres://db/app --name orders
  saiban counter init --store redis://host --name orders --start 2 --step 5
  saiban counter init --store sqlite:///srv/app.db --name invoices --daily Europe/Berlin";

#[derive(Debug, Args)]
#[command(after_help = STORES, subcommand_required = true, arg_required_else_help = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// List the counters, what they count, and their next numbers
    Ls(List),
    /// Create a counter in a new store
    #[command(after_help = INIT)]
    Init(Init),
    /// Raise a counter's next number past all that were used or prefetched, after restoring its
    /// store from a backup
    Raise(Raise),
    /// Take numbers, and print them
    Next(Next),
}

/// Where counters are kept.
#[derive(Debug, Args)]
pub(super) struct Where {
    /// The store; else the environment's SAIBAN_STORE
    #[arg(long, value_name = "URL")]
    pub(super) store: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) place: Where,
    /// A line of JSON for each
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Init {
    #[command(flatten)]
    pub(super) place: Where,
    /// The counter
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(super) name: String,
    /// The first number
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub(super) start: i64,
    /// The step between two numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, conflicts_with = "daily")]
    pub(super) step: i64,
    /// Begin again with --start on each day of this time zone
    #[arg(long, value_name = "ZONE")]
    pub(super) daily: Option<String>,
    /// The next number, if it is not the first
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "daily")]
    pub(super) at: Option<i64>,
    /// Print the SQL that makes the tables, and do nothing
    #[arg(long)]
    pub(super) print_sql: bool,
}

#[derive(Debug, Args)]
pub(super) struct Raise {
    #[command(flatten)]
    pub(super) place: Where,
    /// The counter
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(super) name: String,
    /// The minimum of the next number: past all numbers that were used or prefetched, two blocks a
    /// program
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) to: i64,
    /// The day, for a daily counter: 2026-11-22
    #[arg(long, value_name = "DATE")]
    pub(super) day: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Next {
    #[command(flatten)]
    pub(super) place: Where,
    /// The counter
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(super) name: String,
    /// How many
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=saiban_coordination::counter::MAX_BLOCK_SIZE))]
    pub(super) count: u64,
    /// What daily numbers look like [default: {date:%Y%m%d}-{n:06}]
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<String>,
}
