//! What can be asked for on the command line.

use bytesize::ByteSize;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Unique IDs: makes, inspects and converts them, says which repeat, and draws them.
#[derive(Debug, Parser)]
#[command(name = "saiban", version, about, subcommand_required = true, arg_required_else_help = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make IDs
    New(New),
    /// Say what IDs can be, the most plausible first, with their parts
    Inspect(Inspect),
    /// Write IDs in another encoding
    Convert(Convert),
    /// Make a secret for Randflake: 32 hexadecimal digits
    Secret(Secret),
    /// Say which IDs of a stream repeat: exit code 3 if any does
    Check(Check),
    /// Draw a stream of IDs as SVG: how uniform they are, and in which order they came
    Plot(Plot),
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// snowflake, randflake or ulid-flake
    pub(crate) scheme: String,
    /// How many
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) count: u64,
    /// Encoding of the output; the scheme's canonical text if not given
    #[arg(short, long, value_name = "ENCODING")]
    pub(crate) format: Option<String>,
    /// The node, which no other generator may have at the same time; commands one after another may share it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) node: Option<i64>,
    /// Snowflake: twitter (by default), discord, instagram, sonyflake or sonyflake_v2
    #[arg(long, value_name = "NAME")]
    pub(crate) layout: Option<String>,
    /// Ulid-Flake: the scalability id, 0 to 31
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) scalability: Option<i64>,
    /// Ulid-Flake: random bytes by which IDs grow within a millisecond, 1 by default
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) entropy_size: Option<i64>,
    /// What happens when the clock steps back: hold, error or bits; bits for a layout with rollback bits, else hold
    #[arg(long, value_name = "POLICY")]
    pub(crate) rollback: Option<String>,
    /// Snowflake: take 1 to 4 bits from the node for counting the clock's steps back
    #[arg(long, value_name = "BITS", allow_negative_numbers = true)]
    pub(crate) rollback_bits: Option<i64>,
    /// The time of the last ID known to be used, Unix milliseconds (Randflake: seconds): IDs begin with the tick after it
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) not_before: Option<i64>,
    /// File that remembers which ticks were used, so that a clock set back between two commands repeats nothing
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
    /// Numbers or texts
    #[arg(required = true, value_name = "ID", allow_negative_numbers = true)]
    pub(crate) ids: Vec<String>,
    /// Only this scheme: snowflake, randflake or ulid-flake
    #[arg(long)]
    pub(crate) scheme: Option<String>,
    /// File with a secret as 32 hexadecimal digits; else the environment's SAIBAN_SECRET. May be given up to 8 times, the new one
    /// and old ones: secret_index tells under which the parts are found, counted from 0
    #[arg(long = "secret-file", value_name = "FILE")]
    pub(crate) secret_files: Vec<PathBuf>,
    /// One JSON object an ID and line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Texts; lines of stdin if none is given
    #[arg(value_name = "TEXT", allow_negative_numbers = true)]
    pub(crate) texts: Vec<String>,
    /// Encoding of the input
    #[arg(long, value_name = "ENCODING")]
    pub(crate) from: String,
    /// Encoding of the output
    #[arg(long, value_name = "ENCODING")]
    pub(crate) to: String,
    /// Width of the output, zeros in front; the encoding's customary form if not given
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
    /// Encoding of the IDs; decimal if not given
    #[arg(short, long, value_name = "ENCODING", conflicts_with = "raw")]
    pub(crate) format: Option<String>,
    /// Read other case, leading zeros, and characters that look alike
    #[arg(long, conflicts_with = "raw")]
    pub(crate) lenient: bool,
    /// The IDs are binary: 64 bits each, little-endian, nothing in between
    #[arg(long)]
    pub(crate) raw: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) ids: Ids,
    /// Memory to sort in, 1MiB or more; IDs that do not fit go to a temporary file, 8 bytes each
    #[arg(long, value_name = "SIZE", default_value = "256MiB")]
    pub(crate) memory: ByteSize,
    /// Folder of the temporary file; the system's if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) temp_dir: Option<PathBuf>,
    /// How many of the repeated IDs to name, the most repeated first
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

/// Where a secret comes from: a file or the environment, never an argument that other users could see.
#[derive(Debug, Args)]
pub(crate) struct SecretSource {
    /// File with the secret as 32 hexadecimal digits; else the environment's SAIBAN_SECRET
    #[arg(long = "secret-file", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
