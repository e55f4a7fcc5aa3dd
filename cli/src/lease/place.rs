//! Finds and opens the store of a command, for one of its namespaces.

use super::args::Where;
use crate::failure::Failure;
use crate::secret;
use saiban_coordination::store::{self, Store, StoreUrl};
use std::env;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const VARIABLE: &str = "SAIBAN_STORE";

/// An open store, and the name of a namespace in it.
pub(super) struct Place {
    pub(super) url: StoreUrl,
    pub(super) store: Arc<dyn Store>,
    pub(super) namespace: String,
}

impl Place {
    /// Opens the store that the arguments or the environment name, or else this user's own file.
    ///
    /// # Errors
    /// `Failure::Store` if the folder of this user's own file does not exist.
    pub(super) fn of(arguments: &Where) -> Result<Self, Failure> {
        if given(arguments.store.as_deref())?.is_none() {
            refuse_unmade(&own_file()?, &arguments.namespace)?;
        }
        Self::open(&url(arguments)?, &arguments.namespace)
    }

    /// Opens the store as [`Place::of`] does, for a command that may be the first to write. It
    /// creates the folder of this user's own file, which no other user can read.
    pub(super) fn to_write(arguments: &Where) -> Result<Self, Failure> {
        if given(arguments.store.as_deref())?.is_none() {
            own_store()?;
        }
        Self::of(arguments)
    }

    fn open(url: &str, namespace: &str) -> Result<Self, Failure> {
        let url = StoreUrl::new(url)?;
        refuse_memory(&url)?;
        secret::warn_of_exposed(&url);
        let store = store::open(&url)?;
        Ok(Place { url, store, namespace: namespace.into() })
    }

    /// Returns a function that adds the store's URL to an error.
    pub(super) fn says(&self) -> impl Fn(saiban_coordination::Error) -> Failure {
        let store = self.url.to_string();
        move |error| Failure::Store { store: Some(store.clone()), error }
    }
}

/// Returns the URL of the store.
pub(super) fn url(arguments: &Where) -> Result<String, Failure> {
    match given(arguments.store.as_deref())? {
        Some(url) => Ok(url),
        None => Ok(url_of(&own_file()?)),
    }
}

/// Returns the URL of the store from which `saiban new` leases its node, if it leases one.
/// `--store` always applies. The environment's store applies only if a node is needed and not
/// given.
pub(super) fn for_new(option: Option<&str>, needs_node: bool) -> Result<Option<String>, Failure> {
    let url = if option.is_some() || needs_node { given(option)? } else { None };
    if let Some(url) = &url {
        let url = StoreUrl::new(url)?;
        refuse_memory(&url)?;
        secret::warn_of_exposed(&url);
    }
    Ok(url)
}

/// Refuses a store in memory. Each command would have a store of its own, and all would get the
/// same nodes.
fn refuse_memory(url: &StoreUrl) -> Result<(), Failure> {
    if url.kind() != "memory" {
        return Ok(());
    }
    Err(Failure::Arguments(format!(
        "{url} is a store of one process, which no other command sees, so all would have the same nodes. Give a \
         store that they share: a file (sqlite:///path), or a server"
    )))
}

/// Returns the store's URL from the option, or else from the environment.
pub(crate) fn given(option: Option<&str>) -> Result<Option<String>, Failure> {
    if let Some(url) = option {
        return Ok(Some(url.to_owned()));
    }
    match env::var_os(VARIABLE).filter(|url| !url.is_empty()).map(std::ffi::OsString::into_string) {
        None => Ok(None),
        Some(Ok(url)) => Ok(Some(url)),
        Some(Err(_)) => Err(Failure::Arguments(format!("{VARIABLE} is not text (UTF-8): give a store's URL"))),
    }
}

/// Returns the path of this user's own file, after the XDG Base Directory Specification. It ignores
/// paths that are not absolute, as the specification requires.
fn own_file() -> Result<PathBuf, Failure> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")));
    #[cfg(windows)]
    let data = data.or_else(|| absolute("LOCALAPPDATA"));
    let data = data.ok_or_else(|| {
        Failure::Arguments(format!(
            "neither XDG_DATA_HOME nor HOME is set, so there is no default store: give --store or {VARIABLE}"
        ))
    })?;
    Ok(data.join("saiban/leases.db"))
}

/// Returns the URL of this user's own file. It creates the folder of the file if necessary, which
/// no other user can read.
pub(crate) fn own_store() -> Result<String, Failure> {
    let path = own_file()?;
    if let Some(folder) = path.parent() {
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(folder).map_err(Failure::file(folder))?;
    }
    Ok(url_of(&path))
}

/// Returns an error that names `saiban lease init` if the folder does not exist. Users need not
/// create this folder themselves.
fn refuse_unmade(path: &Path, namespace: &str) -> Result<(), Failure> {
    if path.parent().is_none_or(Path::is_dir) {
        return Ok(());
    }
    let message =
        format!("there is no namespace {namespace:?} yet: create it with saiban lease init or saiban lease acquire");
    let error = saiban_coordination::Error::new(saiban::ErrorKind::NamespaceUnknown, message);
    Err(Failure::Store { store: Some(url_of(path)), error })
}

fn url_of(path: &Path) -> String {
    let path = path.to_string_lossy().replace('%', "%25").replace('#', "%23").replace('?', "%3F");
    format!("sqlite://{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_any_characters_makes_a_valid_url() {
        let url = url_of(Path::new("/home/a b/50%#1?/leases.db"));
        assert_eq!(url, "sqlite:///home/a b/50%25%231%3F/leases.db");
        assert!(StoreUrl::new(&url).is_ok());
    }
}
