//! `saiban secret`, and where the other commands get theirs.

use crate::args::{Secret as Arguments, SecretSource};
use crate::failure::Failure;
use crate::output;
use saiban::{Entropy, Error, OsEntropy, Secret};
use std::fs::OpenOptions;
use std::io::Write;

const VARIABLE: &str = "SAIBAN_SECRET";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut bytes = [0; 16];
    OsEntropy.fill(&mut bytes)?;
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let Some(path) = &arguments.output else { return output::print(&text) };
    let mut options = OpenOptions::new();
    // An old secret is never written over: the IDs made under it could not be read again.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(Failure::file(path))?;
    writeln!(file, "{text}").and_then(|()| file.sync_all()).map_err(Failure::file(path))
}

/// The secret from the file or the environment, if there is one.
pub(crate) fn find(source: &SecretSource) -> Result<Option<Secret>, Failure> {
    let (name, text) = if let Some(path) = &source.file {
        (path.display().to_string(), std::fs::read_to_string(path).map_err(Failure::file(path))?)
    } else if let Some(text) = std::env::var_os(VARIABLE) {
        (VARIABLE.to_owned(), text.to_string_lossy().into_owned())
    } else {
        return Ok(None);
    };
    Secret::from_hex(text.trim()).map(Some).map_err(Failure::of(&name))
}

/// The secret, which there must be.
pub(crate) fn require(source: &SecretSource) -> Result<Secret, Failure> {
    find(source)?.ok_or_else(|| Failure::Id {
        subject: Some("no --secret-file and no SAIBAN_SECRET".into()),
        error: Error::InvalidSecret { length: 0 },
    })
}
