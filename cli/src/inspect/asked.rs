//! Builds the inspector from the arguments, and refuses arguments that contradict each other.

use crate::args::{Inspect, SecretSource};
use crate::failure::Failure;
use crate::scheme::{layout_of, refuse_unless_taken};
use crate::secret;
use saiban::inspect::{presets_of, scheme_of_layout};
use saiban::scheme::GeneratorOption;
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
        if scheme.is_some_and(|scheme| scheme.takes(GeneratorOption::Secret)) {
            inspector = inspector.secret(&secret::require(&source)?)?;
        } else if let Some(secret) = secret::find(&source)? {
            inspector = inspector.secret(&secret)?;
        }
    }
    Ok(inspector)
}

/// Returns where the secrets come from: the files, or the environment if there are none.
fn secret_sources(files: &[PathBuf]) -> Vec<SecretSource> {
    if files.is_empty() {
        return vec![SecretSource { file: None }];
    }
    files.iter().map(|file| SecretSource { file: Some(file.clone()) }).collect()
}

/// Returns an error for an argument that would change nothing, or with which nothing can be found.
/// The user expects an effect.
fn refuse_contradictions(scheme: Scheme, arguments: &Inspect, layouts: &[Layout]) -> Result<(), Failure> {
    let has_layout = |option| scheme.takes(option) && !scheme.takes(GeneratorOption::Secret);
    if !layouts.is_empty() && !has_layout(GeneratorOption::EpochMs) {
        refuse_unless_taken(scheme, GeneratorOption::Layout, true, "--layout")?;
    }
    if arguments.epoch.is_some() && (scheme == Scheme::Flake || !has_layout(GeneratorOption::Layout)) {
        refuse_unless_taken(scheme, GeneratorOption::EpochMs, true, "--epoch")?;
    }
    refuse_unless_taken(scheme, GeneratorOption::Secret, !arguments.secret_files.is_empty(), "--secret-file")?;
    if layouts.is_empty() {
        layout_of(scheme, None)?;
    }
    match layouts.iter().find(|layout| scheme != Scheme::Flake && scheme_of_layout(layout) != scheme) {
        Some(other) => {
            let other = other.name().map_or_else(|| other.to_string(), str::to_owned);
            let own: Vec<_> = presets_of(scheme).collect();
            Err(Failure::Arguments(format!(
                "--scheme {scheme} looks for the presets {}, and {other} is none of them: leave --scheme out, or give \
                 --scheme flake",
                own.join(", ")
            )))
        }
        None => Ok(()),
    }
}
