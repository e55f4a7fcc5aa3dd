//! The core's registry of schemes, for the package itself. Django's fields and the type stubs are
//! made from it.

use crate::arguments::{self, Maybe, maybe_prefix};
use crate::error::{Result, guard};
use crate::form::{self, Number, numbers, reader};
use crate::layout::Layout;
use crate::options::version;
use crate::schemes::classes;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use saiban::layout::FieldKind;
use saiban::scheme::{GeneratorOption, IdForm};
use saiban::{
    AnyGenerator, AnyId, Encoding, Error, GeneratorSpec, Guarantee, IdValue, Leniency, Rollback, Scheme, Scope,
    TickOrder,
};
use saiban_coordination::lease::holder::State;

/// Returns the properties of each scheme, by name. generator: makes its generators. made: the
/// scheme of their IDs. options: the names of the generators' options. form: integer, text or uuid.
/// width: the width of the canonical text; None if the shortest text is canonical, or if it depends
/// on the layout.
#[pyfunction]
pub fn schemes(py: Python<'_>) -> Result<Bound<'_, PyDict>> {
    guard(|| {
        let classes = classes(py);
        let found = PyDict::new(py);
        for scheme in Scheme::ALL {
            let info = scheme.info();
            let row = PyDict::new(py);
            row.set_item("generator", generator(py, scheme, &classes)?)?;
            row.set_item("made", scheme.generated().name())?;
            row.set_item("options", PyTuple::new(py, info.options.iter().map(|option| option.name()))?)?;
            row.set_item("form", form(info.form))?;
            row.set_item("width", width(scheme)?)?;
            found.set_item(info.name, row)?;
        }
        Ok(found)
    })
}

/// Reads and writes the texts of a scheme's IDs, with or without a prefix. The IDs themselves have
/// no prefix: an ID that is text is the text without it.
#[pyclass(frozen, module = "saiban._native")]
pub struct Texts {
    scheme: Scheme,
    /// Reads and writes the texts; `None` for the scheme's encoding of any number.
    texts: Option<AnyGenerator>,
    /// Converts the IDs; `None` for any number of 64 bits.
    ids: Option<AnyGenerator>,
}

#[pymethods]
impl Texts {
    /// Raises InvalidArgumentError for an invalid prefix.
    #[new]
    #[pyo3(signature = (scheme, *, prefix=None))]
    fn new(scheme: &str, prefix: Maybe<'_, '_>) -> Result<Self> {
        guard(|| {
            let (scheme, prefix) = (Scheme::from_name(scheme)?, maybe_prefix(prefix)?);
            Ok(match (is_any_number(scheme), prefix) {
                (true, None) => Texts { scheme, texts: None, ids: None },
                (true, Some(prefix)) => Texts { scheme, texts: Some(numbers(u64::BITS, prefix)?), ids: None },
                (false, _) => {
                    Texts { scheme, texts: Some(reader(scheme, None, prefix)?), ids: Some(reader(scheme, None, None)?) }
                }
            })
        })
    }

    /// Reads an ID from its text.
    #[pyo3(signature = (text, *, lenient=false))]
    fn read<'py>(&self, py: Python<'py>, text: &Bound<'py, PyAny>, lenient: bool) -> Result<Bound<'py, PyAny>> {
        guard(|| {
            let (text, leniency) = (arguments::text("text", text)?, Leniency::lenient_if(lenient));
            let id: AnyId = match &self.texts {
                None => self.scheme.encoding().decode_as(&text, self.scheme.text_width(), leniency)?.into(),
                Some(AnyGenerator::Narrow(texts)) => texts.from_text_as(&text, leniency)?.any(texts.bits()),
                Some(AnyGenerator::Wide(texts)) => texts.from_text_as(&text, leniency)?.any(texts.bits()),
            };
            match &self.ids {
                None => Ok(<i64 as Number>::of_bits(id.value()).int(py)),
                Some(AnyGenerator::Narrow(ids)) => form::shown(py, &**ids, Number::of_bits(id.value())),
                Some(AnyGenerator::Wide(ids)) => form::shown(py, &**ids, Number::of_bits(id.value())),
            }
        })
    }

    /// Writes an ID as its text.
    #[pyo3(signature = (id, /))]
    fn write<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> Result<Bound<'py, PyString>> {
        guard(|| {
            let form = self.scheme.info().form;
            let id: AnyId = match &self.ids {
                None => arguments::id(self.scheme.name(), id)?.into(),
                Some(AnyGenerator::Narrow(ids)) => form::read(&**ids, form, id)?.any(ids.bits()),
                Some(AnyGenerator::Wide(ids)) => form::read(&**ids, form, id)?.any(ids.bits()),
            };
            let text = match &self.texts {
                None => id.encode_as(self.scheme.encoding(), self.scheme.text_width())?,
                Some(AnyGenerator::Narrow(texts)) => texts.to_text(Number::of_bits(id.value()))?,
                Some(AnyGenerator::Wide(texts)) => texts.to_text(Number::of_bits(id.value()))?,
            };
            Ok(PyString::new(py, &text))
        })
    }
}

/// Returns the layout of a scheme's IDs with a lease and this epoch.
#[pyfunction]
pub fn leased_layout(scheme: &str, epoch_ms: i64) -> Result<Option<Layout>> {
    guard(|| {
        let mut spec = GeneratorSpec::new(Scheme::from_name(scheme)?);
        spec.epoch_ms = Some(epoch_ms);
        Ok(spec.under_lease().layout_of_ids()?.map(Layout::from))
    })
}

/// Returns the values of each type of saiban.names, by the type's name.
#[pyfunction]
pub fn names(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let leased = Scheme::ALL.into_iter().filter(|scheme| scheme.takes(GeneratorOption::Lease));
    let presets = |presets: &[(&'static str, saiban::Layout)]| presets.iter().map(|(name, _)| *name).collect();
    let names: [(&str, Vec<&str>); 11] = [
        ("Scheme", Scheme::ALL.map(Scheme::name).into()),
        ("LeaseScheme", leased.map(Scheme::name).collect()),
        ("LayoutName", presets(&saiban::Layout::PRESETS)),
        ("ReadLayoutName", presets(saiban::Layout::READ_ONLY)),
        ("FieldKind", FieldKind::ALL.map(FieldKind::name).into()),
        // The encodings of a single scheme come last.
        ("Encoding", Encoding::every().map(|encoding| encoding.name()).collect()),
        ("Rollback", Rollback::ALL.map(Rollback::name).into()),
        ("Scope", Scope::ALL.map(Scope::name).into()),
        ("TickOrder", TickOrder::ALL.map(TickOrder::name).into()),
        ("Guarantee", Guarantee::ALL.map(Guarantee::name).into()),
        ("LeaseState", State::ALL.map(State::name).into()),
    ];
    let found = PyDict::new(py);
    names.into_iter().try_for_each(|(of, names)| found.set_item(of, names))?;
    Ok(found)
}

/// Returns whether every number of 64 bits is accepted as an ID. It is for schemes with a layout or
/// a secret, which are not known here and decide which numbers are IDs.
fn is_any_number(scheme: Scheme) -> bool {
    scheme.takes(GeneratorOption::Layout) || scheme.takes(GeneratorOption::Secret)
}

/// Returns the callable that makes the generators of a scheme: its class, or for a version of UUIDs
/// the common class with this version.
fn generator<'py>(
    py: Python<'py>,
    scheme: Scheme,
    classes: &[(Scheme, Bound<'py, PyType>, &str)],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let of = |scheme| classes.iter().find(|(found, ..)| *found == scheme).map(|(_, class, _)| class);
    let Some(version) = version(scheme) else { return Ok(of(scheme).map(|class| class.clone().into_any())) };
    let make = py.import("functools")?.getattr("partial")?.call1((of(Scheme::Uuid), version))?;
    Ok(Some(make))
}

fn form(form: IdForm) -> &'static str {
    match form {
        IdForm::Integer => "integer",
        IdForm::Text => "text",
        IdForm::Uuid => "uuid",
    }
}

/// Returns the width of the canonical text, if all texts have one width. It is the width of the
/// text of 0, which otherwise has one digit.
fn width(scheme: Scheme) -> std::result::Result<Option<usize>, Error> {
    let Some(bits) = scheme.info().bits else { return Ok(None) };
    let zero = AnyId::wide(0, bits)?.encode_as(scheme.encoding(), scheme.text_width())?;
    Ok(Some(zero.len()).filter(|width| *width > 1))
}
