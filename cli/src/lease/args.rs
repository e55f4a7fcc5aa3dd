//! The arguments of `saiban lease`. The doc comments of these types are the help texts.

use crate::args::SecretSource;
use clap::{Args, Subcommand};
use std::ffi::OsString;

const STORES: &str = "\
The store is given by --store, or by SAIBAN_STORE in the environment. Other users cannot see the environment, so a URL
with a password belongs there. The default is a file of this user: $XDG_DATA_HOME/saiban/leases.db or
~/.local/share/saiban/leases.db.

  sqlite:///path/leases.db       postgres://user@host/database   mysql://user@host/database
  redis://host                   etcd://host:2379                zookeeper://host:2181
  saiban://host:7609             (saiban serve, in front of any of these)";

const ACQUIRE: &str = "\
CMD gets these variables in its environment:
  SAIBAN_NODE     the first of its nodes
  SAIBAN_NODES    all of its nodes, FIRST..END, the end not included
  SAIBAN_SCHEME   the scheme
  SAIBAN_LAYOUT   the layout

The lease is renewed while CMD runs. CMD cannot check the lease itself, and its IDs are not checked: its nodes are its
own only while this machine's clock is within the lease.

When the lease is lost, or its end comes near without a renewal, CMD gets SIGTERM, and SIGKILL 10 seconds later. SIGKILL
always comes before the lease ends, and at once if the clock leaves the lease. The exit code is then 124. The clock is
read 20 times a second: IDs made after the clock was set, and before it was read or set back, can repeat.

SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGTTIN and SIGTTOU are passed on to CMD, except
those that are ignored from the start (nohup), and SIGINT, SIGQUIT and SIGWINCH in the foreground of a terminal, which
sends them to CMD itself. The exit code is that of CMD, 128 + N if signal N ended it, 126 or 127 if it cannot be
started, and 1 or 2 if there is no lease; CMD does not run then.

If this program is killed, CMD gets SIGTERM on Linux. Not so with the command of the Python and Node packages, nor if
CMD is setuid: CMD then runs on without a lease. On Linux without a terminal, and not in those packages, the processes
that CMD has started are killed with it; otherwise CMD must end them.

When CMD ends its nodes are released. The times that it used are not known, so the nodes cool down until the lease
would have ended.

Examples:
  saiban lease acquire --nodes 4 -- sh -c 'worker --node \"$SAIBAN_NODE\"'
  saiban lease acquire --store postgres://db/app --namespace orders --ttl 60 -- ./service";

#[derive(Debug, Args)]
#[command(after_help = STORES, subcommand_required = true, arg_required_else_help = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// List the holders of nodes, and when their leases end
    #[command(after_help = STORES)]
    Ls(List),
    /// Run a command under a lease
    #[command(after_help = ACQUIRE)]
    Acquire(Box<Acquire>),
    /// Release the nodes of a holder that is gone for good
    Release(Release),
    /// Become a command that ends with its parent: of acquire alone
    #[command(hide = true)]
    Exec(Exec),
    /// Create a namespace in a new store
    Init(Box<Init>),
    /// Grant no lease until every lease that the store may have lost has ended: after restoring it
    /// from a backup
    Quarantine(Quarantine),
}

/// Where leases are kept.
#[derive(Debug, Args)]
pub(super) struct Where {
    /// The store; else the environment's SAIBAN_STORE, else this user's own file
    #[arg(long, value_name = "URL")]
    pub(super) store: Option<String>,
    /// The namespace: one for all whose IDs must differ
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(super) namespace: String,
}

/// The IDs that a namespace is for.
#[derive(Debug, Args)]
pub(super) struct What {
    /// One of snowflake, randflake, ulid-flake, tsid and flake, whose IDs have nodes
    #[arg(long, default_value = "snowflake")]
    pub(super) scheme: String,
    /// Snowflake (twitter by default) and flake: a layout as text or JSON, or a preset's name: see
    /// saiban layout --help
    #[arg(long, value_name = "LAYOUT")]
    pub(super) layout: Option<String>,
    #[command(flatten)]
    pub(super) secret: SecretSource,
    /// The longest lease of a new namespace, seconds; also the length of a quarantine after a loss
    #[arg(long, value_name = "S", default_value_t = saiban_coordination::lease::DEFAULT_MAX_TTL_S, allow_negative_numbers = true)]
    pub(super) max_ttl: i64,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) place: Where,
    /// List free nodes too, range by range
    #[arg(long)]
    pub(super) all: bool,
    /// One JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Acquire {
    #[command(flatten)]
    pub(super) place: Where,
    #[command(flatten)]
    pub(super) what: What,
    /// How many nodes, next to each other
    #[arg(long, value_name = "K", default_value_t = 1, allow_negative_numbers = true)]
    pub(super) nodes: i64,
    /// The length of the lease, seconds; it is renewed after a third
    #[arg(long, value_name = "S", default_value_t = 600, allow_negative_numbers = true)]
    pub(super) ttl: i64,
    /// How far this machine's clock may be from the store's, seconds; never more than a third of
    /// --ttl
    #[arg(long, value_name = "S", default_value_t = 10, allow_negative_numbers = true)]
    pub(super) max_clock_skew: i64,
    /// Create the namespace if it does not exist; in a SQLite file that is the default
    #[arg(long)]
    pub(super) create: bool,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(super) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(super) struct Exec {
    /// The parent process
    #[arg(long, value_name = "PID")]
    pub(super) parent: i32,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(super) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(super) struct Release {
    #[command(flatten)]
    pub(super) place: Where,
    /// One of the nodes of the lease
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) node: i64,
    /// Confirm: the holder can no longer renew its lease
    #[arg(long)]
    pub(super) yes: bool,
    /// One JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Init {
    #[command(flatten)]
    pub(super) place: Where,
    #[command(flatten)]
    pub(super) what: What,
    /// Print the SQL that makes the tables of such a store, and do nothing else
    #[arg(long)]
    pub(super) print_sql: bool,
    /// One JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Quarantine {
    #[command(flatten)]
    pub(super) place: Where,
    /// One JSON object
    #[arg(long)]
    pub(super) json: bool,
}
