//! The subcommands of `saiban`, with their help texts and examples.

use crate::args::{Check, Completions, Convert, Inspect, Layout, Lua, Man, New, Plot, Range, Secret, Sql};
use clap::{Parser, Subcommand};

/// Makes, inspects, converts, checks and plots unique IDs.
#[derive(Debug, Parser)]
#[command(name = "saiban", version, about, subcommand_required = true, arg_required_else_help = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make IDs
    #[command(after_help = NEW_EXAMPLES)]
    New(Box<New>),
    /// List what IDs can be, the most plausible first, with their parts and the reasons
    #[command(after_help = INSPECT_EXAMPLES)]
    Inspect(Inspect),
    /// Convert IDs to another encoding
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(Convert),
    /// Show what a layout can do: how long it lasts, how many IDs it holds
    #[command(after_help = LAYOUT_EXAMPLES)]
    Layout(Layout),
    /// Print the range of IDs of an interval of time: for querying a database by its primary key
    #[command(after_help = RANGE_EXAMPLES)]
    Range(Range),
    /// Make a secret for Randflake: 32 hexadecimal digits
    Secret(Secret),
    /// Report which IDs of a stream repeat: exit code 3 if any does
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Plot a stream of IDs as SVG: their distribution and their order
    Plot(Plot),
    /// List the nodes that the processes of this machine use, and the last tick of each
    Nodes(crate::nodes::Arguments),
    /// Lease nodes from a store, so that no other process has them at the same time
    #[cfg(feature = "lease")]
    Lease(crate::lease::Arguments),
    /// Take sequential numbers from a store: each number is issued once
    #[cfg(feature = "lease")]
    Counter(crate::counter::Arguments),
    /// Serve IDs and node leases over HTTP and gRPC
    #[cfg(feature = "serve")]
    #[command(after_help = crate::serve::HELP)]
    Serve(crate::serve::Arguments),
    /// Print a function for PostgreSQL that makes Snowflakes: the default of a column
    #[command(after_help = SQL_EXAMPLES)]
    Sql(Sql),
    /// Print a script for Redis that makes Snowflakes
    #[command(after_help = LUA_EXAMPLES)]
    Lua(Lua),
    /// Print completions for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Print the manual page of the command, or of a subcommand
    #[command(after_help = MAN_EXAMPLES)]
    Man(Man),
}

const SQL_EXAMPLES: &str = "\
No other database, schema or copy of this one may use the node, and no generator elsewhere. The script creates
everything in the first schema of the search_path. You can run it again, also to change the node; a different layout
needs a different --name. The function runs with the rights of its owner: other roles need none on the sequence.

The function waits until the next tick when the current tick is used up, when the clock is behind, and before the
first ID. It waits for 2 seconds at most, so with ticks of minutes or days it fails until the next tick. If a server
loses data (an asynchronous failover, a restored backup) and its clock is behind as well, it repeats IDs.

Examples:
  saiban sql --node 5 | psql app
  psql app -c \"CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT saiban_snowflake(), placed timestamptz)\"
  saiban sql \"unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12\" --node 5 --name order_id";

const LUA_EXAMPLES: &str = "\
The node is set once, in the hash that is the key of the script. No other key may use the node, nor a generator
elsewhere, and the key is for one layout. The script returns IDs as text, 4096 at most, or the error SAIBAN_WAIT with
the microseconds to wait before you try again: always for the first call of a key, until the next tick.

If a server loses data (without an append-only file, or in a failover) and its clock is behind as well, it repeats
IDs: set appendonly yes.

Examples:
  redis-cli HSET ids node 5
  saiban lua > snowflake.lua; redis-cli --eval snowflake.lua ids , 10
  saiban lua --function saiban_snowflake | redis-cli -x FUNCTION LOAD REPLACE; redis-cli FCALL saiban_snowflake 1 ids 10";

const COMPLETIONS_EXAMPLES: &str = "Examples:
  saiban completions bash > ~/.local/share/bash-completion/completions/saiban
  saiban completions zsh > ~/.zfunc/_saiban  # a folder of your fpath
  saiban completions fish > ~/.config/fish/completions/saiban.fish";

const MAN_EXAMPLES: &str = "Examples:
  saiban man > ~/.local/share/man/man1/saiban.1
  saiban man lease acquire | man -l -";

const NEW_EXAMPLES: &str = "Examples:
  saiban new snowflake --node 7
  saiban new flake --layout \"unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12\" --node 7
  saiban new uuid-v7 -n 3 --format urn";

const INSPECT_EXAMPLES: &str =
    "Invalid IDs are reported on stderr, and the exit code is then 2; valid IDs are printed all the same.

With --json each ID is one object on one line. Its members:
  input       the ID as it was given; the beginning, if a line of stdin is too long
  candidates  the best first, each with `scheme`, `layout`, `id` (digits), `bits`, `text`, `timestamp_ms`,
              `submillisecond_ns`, `time`, `node`, `node_parts` (by name), `sequence`, `random`, `rollback`,
              `secret_index`, `plausible`, `score`, `reasons` and `why`
  near_miss   what the text was perhaps meant to be, if there is no likely candidate
  error       why the text is not an ID
`near_miss` and `error` have `code`, `message` and `position`. A part that an ID does not have is null. Numbers of
more than 64 bits are written as their digits.

Examples:
  saiban inspect 017f22e2-79b0-7cc3-98c4-dc0c0c07398f
  saiban inspect 175928847299117063 01ARZ3NDEKTSV4RRFFQ69G5FAV --all
  saiban inspect 151819733950271234 --layout \"timestamp:42,epoch=2024-01-01 node:10 sequence:12\"
  saiban new uuid-v7 -n 3 | saiban inspect --json -";

const CONVERT_EXAMPLES: &str = "Examples:
  saiban convert --from decimal --to crockford 14246757444195114
  saiban convert --from crockford --to hyphenated 01H455VB4PEX5VSKNK084SN02Q";

const CHECK_EXAMPLES: &str = "Examples:
  saiban new snowflake --node 7 -n 100000 | saiban check
  saiban new uuid-v7 -n 100000 | saiban check --format hyphenated
  saiban new ulid -n 100000 | saiban check --format crockford --bits 128
  saiban new objectid -n 100000 | saiban check --format hex --bits 96 --width 24
  saiban new tick-id -n 100000 --format decimal | saiban check --bits 77";

const LAYOUT_EXAMPLES: &str = "A layout is its fields, from the highest bit to the lowest:
  unused:BITS, constant:BITS,value=N, timestamp:BITS@UNIT,epoch=TIME, node:BITS or node.NAME:BITS for its parts,
  sequence:BITS or sequence:BITS,start=random, random:BITS or random:BITS,step=N, rollback:BITS

Examples:
  saiban layout \"unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12\"
  saiban layout timestamp:48 random:80 --rate 1e6 --years 10
  saiban layout discord --json";

const RANGE_EXAMPLES: &str = "Examples:
  saiban range snowflake --layout discord --from 2025-01-01 --to 2025-02-01
  saiban range uuid-v7 --from 2025-01-01T12:00:00+01:00 --to 1767225600000";
