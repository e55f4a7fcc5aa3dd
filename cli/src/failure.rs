//! The errors of the command: their messages, in one line, and their exit codes.

use crate::suggest;
use clap::error::{ContextKind, ContextValue};
use saiban::{Error, ErrorKind, Excerpt};
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;

/// An error of the command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments are invalid, or contradict each other.
    Arguments(String),
    /// The core returned an error. `subject` names the input if there are several.
    Id { subject: Option<String>, error: Error },
    /// A stream contains something other than IDs.
    Input { place: String, problem: &'static str },
    /// A file or stream cannot be read or written.
    Io { what: String, error: io::Error },
    /// A store returned an error. `store` is its URL, if the caller knows it; the message shows the
    /// URL only once.
    #[cfg(feature = "lease")]
    Store { store: Option<String>, error: saiban_coordination::Error },
    /// The configuration of the service is invalid.
    #[cfg(feature = "serve")]
    Configuration(String),
    /// Another failure, with a hint about the command that helps.
    Hinted { failure: Box<Failure>, hint: &'static str },
}

impl Failure {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |error| Failure::Io { what, error }
    }

    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        Self::io(path.display().to_string())
    }

    /// Returns a function that makes a failure from an error. `subject` names the wrong input.
    pub(crate) fn of(subject: &str) -> impl FnOnce(Error) -> Self {
        // An excerpt is enough to find the input, and the message must fit into one line.
        let subject = Excerpt::new(subject).to_string();
        move |error| Failure::Id { subject: Some(subject), error }
    }

    /// Returns the failure of these arguments, the first of which is the program's name.
    pub(crate) fn of_arguments(error: &clap::Error, arguments: &[OsString]) -> Self {
        // The first paragraph of clap's message is the error, and a paragraph that begins with
        // "tip:" is a hint. The rest is the usage, which --help shows.
        let text = error.to_string();
        let mut paragraphs = text.split("\n\n").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        let mut line = paragraphs.next().unwrap_or_default();
        match suggestion(error, arguments) {
            Some(suggestion) => line.push_str(&suggestion),
            None => {
                for tip in paragraphs.filter(|paragraph| paragraph.starts_with("tip: ")) {
                    line.extend(["; ", &tip]);
                }
            }
        }
        Failure::Arguments(without_passwords(line.strip_prefix("error: ").unwrap_or(&line)))
    }

    /// Adds the number of the input line to a failure that names an input.
    pub(crate) fn in_line(self, number: u64) -> Self {
        match self {
            Failure::Id { subject: Some(subject), error } => {
                Failure::Id { subject: Some(format!("line {number}: {subject}")), error }
            }
            Failure::Hinted { failure, hint } => failure.in_line(number).hinting(hint),
            other => other,
        }
    }

    /// Adds a hint about the command that helps.
    pub(crate) fn hinting(self, hint: &'static str) -> Self {
        Failure::Hinted { failure: Box::new(self), hint }
    }

    /// Writes the message to stderr. If stderr is closed too, only the exit code reports the
    /// failure.
    pub(crate) fn print(&self) {
        let _ = writeln!(io::stderr(), "saiban: {self}");
    }

    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns the exit code: 2 if the user can correct the command, 1 if the machine or a store
    /// failed.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Io { error, .. } => exit_code_of(error),
            Failure::Id {
                error: Error::StateUnavailable { os_error, .. } | Error::CursorFileUnavailable { os_error, .. },
                ..
            } => exit_code_of(&io::Error::from_raw_os_error(*os_error)),
            Failure::Id { error, .. } => exit_code_of_kind(error.kind()),
            #[cfg(feature = "lease")]
            Failure::Store { error, .. } => exit_code_of_kind(error.kind()),
            Failure::Arguments(_) | Failure::Input { .. } => 2,
            #[cfg(feature = "serve")]
            Failure::Configuration(_) => 2,
            Failure::Hinted { failure, .. } => failure.exit_code(),
        }
    }
}

fn exit_code_of_kind(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::ClockBackward
        | ErrorKind::ClockUnavailable
        | ErrorKind::ClockJumped
        | ErrorKind::ClockSkew
        | ErrorKind::StateInUse
        | ErrorKind::WouldWait
        | ErrorKind::EntropyUnavailable
        | ErrorKind::StoreUnavailable
        | ErrorKind::StoreCorrupt
        | ErrorKind::NamespaceFull
        | ErrorKind::NamespaceQuarantined
        | ErrorKind::LeaseExpired
        | ErrorKind::LeaseLost
        | ErrorKind::LeaseNotBegun
        | ErrorKind::Internal => 1,
        _ => 2,
    }
}

fn exit_code_of(error: &io::Error) -> u8 {
    match error.kind() {
        io::ErrorKind::NotFound
        | io::ErrorKind::AlreadyExists
        | io::ErrorKind::IsADirectory
        | io::ErrorKind::InvalidData
        | io::ErrorKind::PermissionDenied => 2,
        _ => 1,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Arguments(message) => write!(f, "{message} (see: saiban --help)"),
            Failure::Id { subject: Some(subject), error } => write!(f, "{subject}: {error}"),
            Failure::Id { subject: None, error } => error.fmt(f),
            Failure::Input { place, problem } => write!(f, "{place}: {problem}"),
            Failure::Io { what, error } => write!(f, "{what}: {error}"),
            #[cfg(feature = "lease")]
            Failure::Store { store, error } => {
                // A server's message may have several lines.
                let message = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
                match store {
                    Some(store) if !message.contains(store.as_str()) => write!(f, "{store}: {message}"),
                    _ => f.write_str(&message),
                }
            }
            #[cfg(feature = "serve")]
            Failure::Configuration(message) => f.write_str(&message.split_whitespace().collect::<Vec<_>>().join(" ")),
            Failure::Hinted { failure, hint } => write!(f, "{failure} ({hint})"),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Id { subject: None, error }
    }
}

/// Returns what to do if the first argument is not a subcommand.
fn suggestion(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let word = arguments.get(1)?.to_str()?;
    let unknown = error.get(ContextKind::InvalidSubcommand)?;
    match unknown == &ContextValue::String(word.to_owned()) {
        true if cfg!(not(feature = "serve")) && word == "serve" => Some(
            ": this build has no service: install the command with cargo install --path cli in saiban's repository"
                .to_owned(),
        ),
        true => suggest::command(word).map(|command| format!("; did you mean saiban {command}?")),
        false => None,
    }
}

/// Removes passwords from an error message of clap. The message quotes arguments, and a URL of a
/// store in the wrong place may contain a password.
fn without_passwords(line: &str) -> String {
    let words = line.split(' ').map(|word| {
        let Some((scheme, rest)) = word.split_once("://") else { return word.to_owned() };
        match rest.rsplit_once('@') {
            Some((user, host)) => format!("{scheme}://{}:***@{host}", user.split(':').next().unwrap_or_default()),
            None => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(feature = "lease")]
impl From<saiban_coordination::Error> for Failure {
    fn from(error: saiban_coordination::Error) -> Self {
        Failure::Store { store: None, error }
    }
}
