//! Builds the `GeneratorSpec` of `saiban new` from its arguments, and refuses arguments that the
//! scheme does not have.

use crate::args::New;
use crate::failure::Failure;
use crate::scheme::{layout_of, order_of, refuse_unless_taken};
use crate::secret;
use saiban::scheme::GeneratorOption;
use saiban::{GeneratorSpec, Prefix, Rollback, Scheme};

/// Returns the specification of the IDs that the arguments describe.
pub(crate) fn spec(scheme: Scheme, arguments: &New) -> Result<GeneratorSpec, Failure> {
    let mut spec = GeneratorSpec::new(scheme);
    spec.layout = layout_of(scheme, arguments.layout.as_deref())?;
    if let Some(bits) = arguments.rollback_bits {
        let bits = u32::try_from(bits).map_err(|_| no_rollback_bits(bits))?;
        spec.layout = spec.layout_of_ids()?.map(|layout| layout.with_rollback_bits(bits)).transpose()?;
    }
    if scheme.takes(GeneratorOption::Secret) {
        spec.secret = Some(secret::require(&arguments.secret)?);
    }
    spec.order = order_of(arguments.order.as_deref())?;
    spec.prefix = arguments.prefix.as_deref().map(Prefix::new).transpose().map_err(Failure::of("--prefix"))?;
    spec.scalability = arguments.scalability;
    spec.entropy_size = arguments.entropy_size;
    Ok(spec)
}

/// Returns the error for a number of rollback bits that is not a `u32`. No layout has so many; the
/// message shows the number.
fn no_rollback_bits(bits: i64) -> Failure {
    Failure::Arguments(format!("a rollback field of --rollback-bits {bits} is not possible: give 1 to 4"))
}

/// Returns an error for an option that the scheme does not have, and that would change nothing.
pub(crate) fn refuse_what_the_scheme_lacks(scheme: Scheme, arguments: &New) -> Result<(), Failure> {
    let counts_steps_back = arguments.rollback.as_deref() == Some(Rollback::Bits.name());
    let mut given = [
        (GeneratorOption::Layout, arguments.layout.is_some(), "--layout"),
        (GeneratorOption::Layout, arguments.rollback_bits.is_some(), "--rollback-bits"),
        (GeneratorOption::Layout, counts_steps_back, "--rollback bits"),
        (GeneratorOption::Scope, arguments.scope.is_some(), "--scope"),
        (GeneratorOption::Order, arguments.order.is_some(), "--order"),
        (GeneratorOption::Secret, arguments.secret.file.is_some(), "--secret-file"),
        (GeneratorOption::Scalability, arguments.scalability.is_some(), "--scalability"),
        (GeneratorOption::EntropySize, arguments.entropy_size.is_some(), "--entropy-size"),
        (GeneratorOption::MaxWait, arguments.max_wait_ms.is_some(), "--max-wait-ms"),
    ]
    .into_iter();
    given.try_for_each(|(option, is_given, flag)| refuse_unless_taken(scheme, option, is_given, flag))
}
