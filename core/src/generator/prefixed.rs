//! Generators of IDs whose text has a prefix that names the type of the record:
//! `order_01h455vb4pex5vsknk084sn02q`.

use super::Generator;
use crate::encoding::{Encoding, Leniency, Text};
use crate::error::Error;
use crate::prefix::Prefix;
use crate::scheme::IdForm;

/// A generator that adds a prefix to the text of another generator's IDs. The IDs as numbers do not
/// change.
///
/// ```
/// use saiban::{Generator, Prefix, Prefixed, UuidGenerator};
/// let ids = Prefixed::new(UuidGenerator::v7()?, Prefix::new("order")?);
/// let id = ids.from_text("order_01h455vb4pex5vsknk084sn02q")?;
/// assert_eq!(id, 0x0189_0a5d_ac96_774b_bcce_b302_099a_8057);
/// assert_eq!(ids.to_text(id)?, "order_01h455vb4pex5vsknk084sn02q");
/// assert!(ids.from_text("user_01h455vb4pex5vsknk084sn02q").is_err());
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct Prefixed<G> {
    ids: G,
    prefix: Prefix,
}

impl<G: Generator> Prefixed<G> {
    /// Returns a generator of `ids` with this prefix.
    pub const fn new(ids: G, prefix: Prefix) -> Self {
        Prefixed { ids, prefix }
    }

    /// Checks that a number is an ID. A TypeID can hold any UUID, including versions that the
    /// generator does not make.
    fn check(&self, id: G::Id) -> Result<(), Error> {
        match self.scheme().info().form {
            IdForm::Uuid => Ok(()),
            IdForm::Integer | IdForm::Text => self.ids.inspect(id).map(|_| ()),
        }
    }
}

impl<G: Generator> Generator for Prefixed<G> {
    type Id = G::Id;

    crate::forward_generator! {
        |this| this.ids;
        scheme bits layout try_generate try_generate_within generate fill stats compose inspect range
    }

    fn encoding(&self) -> Encoding {
        Encoding::CROCKFORD
    }

    fn prefix(&self) -> Option<Prefix> {
        Some(self.prefix)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<G::Id, Error> {
        let id = self.prefix.read(text, self.bits(), leniency)?;
        self.check(id).map(|()| id)
    }

    fn to_text_as(&self, id: G::Id, encoding: Option<Encoding>) -> Result<Text, Error> {
        self.check(id)?;
        self.write(id, encoding)
    }

    /// Writes the text with its prefix, or the number without a prefix if an encoding is given.
    fn write(&self, id: G::Id, encoding: Option<Encoding>) -> Result<Text, Error> {
        match encoding {
            Some(_) => self.ids.write(id, encoding),
            None => self.prefix.write(id, self.bits()),
        }
    }

    fn write_into(&self, id: G::Id, encoding: Option<Encoding>, buffer: &mut [u8]) -> Result<usize, Error> {
        self.write(id, encoding)?.copy_into(buffer)
    }
}
