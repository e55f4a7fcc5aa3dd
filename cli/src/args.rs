//! What can be asked for on the command line.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Unique IDs: makes, inspects and converts them.
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
    #[command(flatten)]
    pub(crate) secret: SecretSource,
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

/// Where a secret comes from: a file or the environment, never an argument that other users could see.
#[derive(Debug, Args)]
pub(crate) struct SecretSource {
    /// File with the secret as 32 hexadecimal digits; else the environment's SAIBAN_SECRET
    #[arg(long = "secret-file", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
