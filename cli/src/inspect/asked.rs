//! What is looked for, and which wishes make no sense together.

use crate::args::{Inspect, SecretSource};
use crate::failure::Failure;
use crate::scheme::{layout_of, refuse_unless};
use crate::secret;
use saiban::{Inspector, Layout, Scheme};
use std::path::PathBuf;

pub(super) fn inspector(arguments: &Inspect, layouts: &[Layout]) -> Result<Inspector, Failure> {
    let mut inspector = layouts.iter().try_fold(Inspector::now()?, Inspector::layout)?;
    let scheme = arguments.scheme.as_deref().map(|name| Scheme::from_name(name).map_err(Failure::of("--scheme")));
    let scheme = scheme.transpose()?;
    if let Some(scheme) = scheme {
        refuse_contradictions(scheme, arguments, layouts)?;
        inspector = inspector.scheme(scheme);
    }
    if let Some(epoch) = arguments.epoch {
        inspector = inspector.epoch_ms(epoch.floor_ms()).map_err(Failure::of("--epoch"))?;
    }
    for source in secret_sources(&arguments.secret_files) {
        if scheme == Some(Scheme::Randflake) {
            inspector = inspector.secret(&secret::require(&source)?)?;
        } else if let Some(secret) = secret::find(&source)? {
            inspector = inspector.secret(&secret)?;
        }
    }
    Ok(inspector)
}

/// Where secrets come from: the files, or without any the environment.
fn secret_sources(files: &[PathBuf]) -> Vec<SecretSource> {
    if files.is_empty() {
        return vec![SecretSource { file: None }];
    }
    files.iter().map(|file| SecretSource { file: Some(file.clone()) }).collect()
}

/// What would change nothing, or find nothing, is a mistake: who asks so expects something of it.
fn refuse_contradictions(scheme: Scheme, arguments: &Inspect, layouts: &[Layout]) -> Result<(), Failure> {
    let lacks = |given, option, owners: &[Scheme]| refuse_unless(owners, scheme, given, option);
    lacks(!layouts.is_empty(), "--layout", &[Scheme::UlidFlake, Scheme::Snowflake, Scheme::Flake])?;
    lacks(arguments.epoch.is_some(), "--epoch", &[Scheme::Snowflake, Scheme::UlidFlake])?;
    lacks(!arguments.secret_files.is_empty(), "--secret-file", &[Scheme::Randflake])?;
    if scheme == Scheme::Flake && layouts.is_empty() {
        layout_of(scheme, None)?;
    }
    let (is_its_own, wanted): (fn(&Layout) -> bool, _) = match scheme {
        Scheme::Snowflake => (|layout| layout.name().is_some(), "presets of Snowflakes"),
        Scheme::UlidFlake => (Layout::is_ulid_flake, "ulid-flake and ulid-flake-scalable"),
        _ => return Ok(()),
    };
    match layouts.iter().find(|layout| !is_its_own(layout)) {
        Some(other) => {
            let other = other.name().map_or_else(|| other.to_string(), str::to_owned);
            Err(Failure::Arguments(format!(
                "--scheme {scheme} looks for {wanted}, and {other} is none: leave --scheme out, or give --scheme flake"
            )))
        }
        None => Ok(()),
    }
}
