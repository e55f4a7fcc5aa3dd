//! `saiban secret`, and the secrets of other commands: from a file or from the environment.

use crate::args::{Secret as Arguments, SecretSource};
use crate::failure::Failure;
use crate::output;
use saiban::{Entropy, Error, OsEntropy, Secret};
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const VARIABLE: &str = "SAIBAN_SECRET";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut bytes = [0; 16];
    OsEntropy.fill(&mut bytes)?;
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let Some(path) = &arguments.output else { return output::print(&text) };
    let mut options = OpenOptions::new();
    // Never overwrite an old secret: nobody could decrypt the IDs made with it any more.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(Failure::file(path))?;
    writeln!(file, "{text}").and_then(|()| file.sync_all()).map_err(Failure::file(path))
}

/// Returns the secret from the file or the environment; `None` if neither is given.
pub(crate) fn find(source: &SecretSource) -> Result<Option<Secret>, Failure> {
    let (name, text) = if let Some(path) = &source.file {
        if let Some(warning) = exposed(path) {
            warn(&warning);
        }
        (path.display().to_string(), std::fs::read_to_string(path).map_err(Failure::file(path))?)
    } else if let Some(text) = std::env::var_os(VARIABLE) {
        (VARIABLE.to_owned(), text.to_string_lossy().into_owned())
    } else {
        return Ok(None);
    };
    Secret::from_hex(text.trim()).map(Some).map_err(Failure::of(&name))
}

/// Returns the secret from the file or the environment.
///
/// # Errors
/// `Failure::Id` if there is none, or if it is invalid; `Failure::Io` if the file cannot be read.
pub(crate) fn require(source: &SecretSource) -> Result<Secret, Failure> {
    find(source)?.ok_or_else(|| Failure::Id {
        subject: Some("no --secret-file and no SAIBAN_SECRET".into()),
        error: Error::InvalidSecret { length: 0 },
    })
}

/// Files that a warning has named. Each file gets one warning, even if it is read again.
static WARNED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Returns a warning if other users can read or change a file of secrets; `None` from the second
/// time on.
///
/// The group may read a file that root owns. systemd passes credentials to a service in such files,
/// and Kubernetes its secrets.
pub(crate) fn exposed(path: &Path) -> Option<String> {
    let (mode, private) = exposed_mode(path)?;
    let is_new = WARNED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
    let shown = path.display();
    is_new.then(|| {
        format!(
            "{shown} holds a secret, and other users can read or change it (mode {mode:04o}): chmod {private:o} {shown}"
        )
    })
}

/// Returns the file's mode if users other than the owner may read or change it, and the mode
/// without their rights.
#[cfg(unix)]
fn exposed_mode(path: &Path) -> Option<(u32, u32)> {
    use std::os::unix::fs::MetadataExt;
    const ROOT: u32 = 0;
    // The code that reads the file reports a missing one. A pipe has no other readers.
    let file = std::fs::metadata(path).ok().filter(|file| file.is_file())?;
    let mode = file.mode() & 0o7777;
    let others = if file.uid() == ROOT { 0o037 } else { 0o077 };
    (mode & others != 0).then_some((mode, mode & !others))
}

#[cfg(not(unix))]
fn exposed_mode(_path: &Path) -> Option<(u32, u32)> {
    None
}

/// Writes a warning to stderr for each exposed file that a store's URL names.
#[cfg(feature = "lease")]
pub(crate) fn warn_of_exposed(url: &saiban_coordination::store::StoreUrl) {
    url.secret_files().iter().filter_map(|file| exposed(file)).for_each(|warning| warn(&warning));
}

/// Writes a warning to stderr. A closed stderr is no error: then nobody reads warnings.
pub(crate) fn warn(warning: &str) {
    let _ = writeln!(std::io::stderr(), "saiban: warning: {warning}");
}
