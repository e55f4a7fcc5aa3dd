//! The arguments of each command, and the groups of arguments that several commands share. The doc
//! comments of these types are the help texts of the command.

use crate::scheme::names;
use crate::time::Moment;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use saiban::Scheme;
use saiban::scheme::{GeneratorOption, TimeOrder};
use std::ops;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Sql {
    /// A layout as text or JSON, or a preset's name; twitter if none is given: see saiban layout
    /// --help
    #[arg(value_name = "LAYOUT")]
    pub(crate) layout: Vec<String>,
    /// The node of its IDs
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) node: i64,
    /// The function's name
    #[arg(long, value_name = "NAME", default_value = "saiban_snowflake")]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct Lua {
    /// A layout as text or JSON, or a preset's name; twitter if none is given: see saiban layout
    /// --help
    #[arg(value_name = "LAYOUT")]
    pub(crate) layout: Vec<String>,
    /// A library with a function of this name (Redis 7), and no script
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    #[arg(help = format!("One of {}; uuid is uuid-v7", names(|_| true)))]
    pub(crate) scheme: String,
    /// How many
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) count: u64,
    /// Encoding of the output: decimal, hex, binary, crockford, base32hex, base36, base58, base62,
    /// base64url, or hyphenated, simple, braced, urn as a UUID; the scheme's canonical text if not
    /// given
    #[arg(short, long, value_name = "ENCODING")]
    pub(crate) format: Option<String>,
    /// The node, which no other machine may have at the same time; commands on one machine may
    /// share it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) node: Option<i64>,
    /// Several nodes instead of one, the end not included: 0..64 are the nodes 0 to 63
    #[arg(long, value_name = "FIRST..END", value_parser = node_range, allow_hyphen_values = true)]
    pub(crate) nodes: Option<ops::Range<i64>>,
    /// Lease a node from this store instead, for as long as this takes; the environment's
    /// SAIBAN_STORE where a node is needed and none is given. See saiban lease --help
    #[cfg(feature = "lease")]
    #[arg(long, value_name = "URL", conflicts_with_all = ["node", "nodes", "scalability"])]
    pub(crate) store: Option<String>,
    /// The lease's namespace: one for all whose IDs must differ
    #[cfg(feature = "lease")]
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(crate) namespace: String,
    /// The number of shards that the nodes are divided into
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) shards: Option<i64>,
    /// The scope in which generators of the same node repeat nothing: machine, all of this user on
    /// this machine, or process, this command alone; machine if not given, where it is available
    #[arg(long)]
    pub(crate) scope: Option<String>,
    #[arg(long, value_name = "LAYOUT", help = layout_help())]
    pub(crate) layout: Option<String>,
    /// Tick IDs: ascending (by default) or descending, which puts the newest first
    #[arg(long)]
    pub(crate) order: Option<String>,
    /// What each ID's text begins with: letters a to z, with underscores between them, at most 63;
    /// an underscore and the number in lower-case Crockford follow. Of uuid-v7 these are TypeIDs
    #[arg(long, value_name = "PREFIX")]
    pub(crate) prefix: Option<String>,
    /// Ulid-Flake: the scalability id, 0 to 31
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) scalability: Option<i64>,
    /// Ulid-Flake: random bytes by which IDs grow within a millisecond, 1 by default
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) entropy_size: Option<i64>,
    /// What happens when the clock steps back: hold, error or bits; bits for a layout with rollback
    /// bits, else hold
    #[arg(long, value_name = "POLICY")]
    pub(crate) rollback: Option<String>,
    /// Layouts with a node: take 1 to 4 bits from the node for counting the clock's steps back
    #[arg(long, value_name = "BITS", allow_negative_numbers = true)]
    pub(crate) rollback_bits: Option<i64>,
    /// The time of the last ID known to be used, Unix milliseconds (Randflake and ObjectId:
    /// seconds): IDs begin with the tick after it. Without it the first ID of a layout since the
    /// machine was started, with --scope process that of each command, is of the tick after this
    /// one: a layout with ticks of minutes or days has to wait as long, and needs it
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) not_before: Option<i64>,
    /// How far the clock may be ahead of the time since boot, seconds; a day if not given
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_jump_s: Option<i64>,
    /// The longest wait for an ID, also for the first, milliseconds; 3000 if not given
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_wait_ms: Option<i64>,
    /// File that remembers which ticks were used, also when the machine is started again: a clock
    /// set back between two commands repeats nothing
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) secret: SecretSource,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// IDs in any form: decimal, a UUID, a ULID, an ObjectId, a number in hex, base62 and so on; -
    /// reads lines of stdin, as is done where none is given
    #[arg(value_name = "ID", allow_negative_numbers = true)]
    pub(crate) ids: Vec<String>,
    #[arg(long, help = format!("Only this scheme: {}; uuid is of any version", names(|_| true)))]
    pub(crate) scheme: Option<String>,
    /// Try this layout too, and prefer it where it fits: its text, a preset's name, or JSON. May be
    /// given up to 4 times
    #[arg(long = "layout", value_name = "LAYOUT")]
    pub(crate) layouts: Vec<String>,
    /// Count the times of presets and of Ulid-Flake from here: a date, a time in UTC, or Unix
    /// milliseconds
    #[arg(long, value_name = "TIME", value_parser = Moment::read, allow_negative_numbers = true)]
    pub(crate) epoch: Option<Moment>,
    /// File with a secret as 32 hexadecimal digits; else the environment's SAIBAN_SECRET. May be
    /// given up to 8 times, the new one and old ones: secret_index is the position of the secret
    /// that fits, counted from 0
    #[arg(long = "secret-file", value_name = "FILE")]
    pub(crate) secret_files: Vec<PathBuf>,
    /// Show all candidates with reasons, also unlikely ones
    #[arg(long)]
    pub(crate) all: bool,
    /// One JSON object an ID and line, with all candidates
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Texts; lines of stdin if none is given
    #[arg(value_name = "TEXT", allow_negative_numbers = true)]
    pub(crate) texts: Vec<String>,
    /// Encoding of the input: decimal, hex, binary, crockford, base32hex, base36, base58, base62,
    /// base64url, or hyphenated, simple, braced, urn for a UUID
    #[arg(long, value_name = "ENCODING")]
    pub(crate) from: String,
    /// Encoding of the output
    #[arg(long, value_name = "ENCODING")]
    pub(crate) to: String,
    /// Width of the IDs in bits, 16 to 128: of a ULID 128, of an ObjectId 96. 64 if not given, and
    /// 128 where a form of a UUID is named. Only decimals of 64 bits have a sign
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32))]
    pub(crate) bits: Option<u32>,
    /// Width of the output, zeros in front; the encoding's default width if not given
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) width: Option<i64>,
    /// Width of the input, where it has zeros in front
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) from_width: Option<i64>,
    /// Read other case, leading zeros, and characters that look alike
    #[arg(long)]
    pub(crate) lenient: bool,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Layout {
    /// The layout: its fields, a preset's name, or JSON; - reads it from stdin
    #[arg(value_name = "LAYOUT", required_unless_present = "list")]
    pub(crate) text: Vec<String>,
    /// List the presets and where they come from
    #[arg(long, conflicts_with_all = ["text", "rate"])]
    pub(crate) list: bool,
    /// Show how probable it is that two IDs are equal, at this many IDs a second of one node;
    /// within a year if not given
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,
    /// Within this many seconds
    #[arg(long, value_name = "N", value_parser = positive, requires = "rate", allow_negative_numbers = true)]
    pub(crate) seconds: Option<f64>,
    /// Within this many years
    #[arg(long, value_name = "N", value_parser = positive, requires = "rate", allow_negative_numbers = true)]
    #[arg(conflicts_with = "seconds")]
    pub(crate) years: Option<f64>,
    /// One JSON object: `layout` is what --layout and other languages read; the other members are
    /// its properties
    #[arg(long)]
    pub(crate) json: bool,
}

fn layout_help() -> String {
    let names = names(|scheme| scheme.takes(GeneratorOption::Layout));
    format!("{names}: a layout as text or JSON, or a preset's name: see saiban layout --help")
}

/// Returns whether the scheme's IDs sort by time, or may do so: for some schemes the layout
/// decides.
fn is_time_ordered(scheme: Scheme) -> bool {
    scheme.generated().info().order != TimeOrder::None
}

#[derive(Debug, Args)]
pub(crate) struct Range {
    #[arg(help = format!("One of {}, whose IDs are in the order of their times; uuid is uuid-v7", names(is_time_ordered)))]
    pub(crate) scheme: String,
    /// The interval's beginning: a date, a time (UTC where it has no offset), or Unix milliseconds;
    /// within a millisecond it is rounded down
    #[arg(long, value_name = "TIME", value_parser = Moment::read, allow_negative_numbers = true)]
    pub(crate) from: Moment,
    /// Its end, which is not included; within a millisecond it is rounded up
    #[arg(long, value_name = "TIME", value_parser = Moment::read, allow_negative_numbers = true)]
    pub(crate) to: Moment,
    #[arg(long, value_name = "LAYOUT", help = layout_help())]
    pub(crate) layout: Option<String>,
    /// Tick IDs: ascending (by default) or descending
    #[arg(long)]
    pub(crate) order: Option<String>,
    /// Encoding of the output; the scheme's canonical text if not given
    #[arg(short, long, value_name = "ENCODING")]
    pub(crate) format: Option<String>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Secret {
    /// Write to this new file, readable by its owner only, instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// A stream of IDs.
#[derive(Debug, Args)]
pub(crate) struct Ids {
    /// Files of IDs, one a line; stdin if none is given, or for -
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Encoding of the IDs, one of those of saiban convert; decimal if not given
    #[arg(short, long, value_name = "ENCODING", conflicts_with = "raw")]
    pub(crate) format: Option<String>,
    /// Read other case, leading zeros, and characters that look alike
    #[arg(long, conflicts_with = "raw")]
    pub(crate) lenient: bool,
    /// The IDs are binary: 64 bits each, little-endian, nothing in between
    #[arg(long)]
    pub(crate) raw: bool,
}

/// How wide the IDs of a stream are.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Width {
    /// Width of the IDs in bits, 16 to 128: of a ULID 128, of an ObjectId 96. 64 if not given, and
    /// 128 where a form of a UUID is named; with --raw 64 or 128. Only decimals of 64 bits have a
    /// sign
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32))]
    pub(crate) bits: Option<u32>,
    /// Width of the text in characters, where it has zeros in front: of an ObjectId 24
    #[arg(long, value_name = "N", conflicts_with = "raw", allow_negative_numbers = true)]
    pub(crate) width: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) ids: Ids,
    #[command(flatten)]
    pub(crate) size: Width,
    /// Memory to sort in, 1MiB or more; IDs that do not fit go to a temporary file, 8 bytes each,
    /// 16 where they have more than 64 bits
    #[arg(long, value_name = "SIZE", default_value = "256MiB")]
    pub(crate) memory: ByteSize,
    /// Folder of the temporary file; the system's if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) temp_dir: Option<PathBuf>,
    /// How many repeated IDs to list, the most repeated first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub(crate) show: u32,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Plot {
    #[command(flatten)]
    pub(crate) ids: Ids,
    /// The picture's title
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE.svg")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// A shell for which there are completions.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The subcommand that the page describes; the command itself if none is given
    #[arg(value_name = "SUBCOMMAND")]
    pub(crate) subcommand: Vec<String>,
}

/// Where a secret comes from: a file or the environment, never an argument that other users could
/// see.
#[derive(Debug, Args)]
pub(crate) struct SecretSource {
    /// File with the secret as 32 hexadecimal digits; else the environment's SAIBAN_SECRET
    #[arg(long = "secret-file", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// Parses a range of nodes, such as `0..64`.
pub(crate) fn node_range(text: &str) -> Result<ops::Range<i64>, String> {
    let ends = text.split_once("..").and_then(|(first, end)| Some(first.parse().ok()?..end.parse().ok()?));
    ends.ok_or_else(|| "give FIRST..END, the end not included: 0..64 are the nodes 0 to 63".into())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "give a number above 0".into())
}
