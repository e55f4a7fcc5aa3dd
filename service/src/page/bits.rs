//! Draws the bits of a number, byte by byte, with the colour and name of each field and the numbers
//! of its bits.
//!
//! On narrow pages, lines break between bytes. Screen readers read the drawing as one sentence.

use super::fields::Field;
use super::inspection::Drawing;
use maud::{Markup, Render, html};

/// The maximum number of letters of a field's name that fit above one bit.
const LETTERS_PER_BIT: usize = 2;

impl Render for Drawing {
    fn render(&self) -> Markup {
        let bytes = bytes(&self.fields);
        html! {
            @if let Some(caption) = self.caption { p.caption { (caption) } }
            div.bits role="img" aria-label=(sentence(self)) {
                @for (index, byte) in bytes.iter().enumerate() {
                    span.byte {
                        @for piece in byte { (piece.draw(self.value)) }
                        @if let Some(top) = byte.first() { span.at.(column(top.high)) { (top.high) } }
                        @if index + 1 == bytes.len() { span.at.low { "0" } }
                    }
                }
            }
        }
    }
}

/// The bits of a field within one byte.
struct Piece<'f> {
    field: &'f Field,
    high: u32,
    low: u32,
    /// Whether the name of the field is above this piece.
    is_named: bool,
}

impl Piece<'_> {
    fn bits(&self) -> u32 {
        self.high - self.low + 1
    }

    fn draw(&self, value: u128) -> Markup {
        let width = format!("w{}", self.bits());
        html! {
            span.piece.(self.field.kind.class()).(width).(column(self.high)) title={ (self.field.name) ", bits " (self.field.place()) } {
                @if self.is_named { b { (self.field.name) } }
                @for bit in (self.low..=self.high).rev() { i { (value >> bit & 1) } }
            }
        }
    }
}

/// Returns the class of the column of a bit. Columns also align a highest byte with fewer than
/// eight bits.
fn column(bit: u32) -> String {
    format!("c{}", 8 - bit % 8)
}

/// Splits the fields at the boundaries of bytes, from the highest byte to the lowest.
fn bytes(fields: &[Field]) -> Vec<Vec<Piece<'_>>> {
    let mut bytes: Vec<Vec<Piece<'_>>> = Vec::new();
    for field in fields {
        let mut above = field.high + 1;
        let mut is_named = false;
        while above > field.low {
            let (high, low) = (above - 1, field.low.max((above - 1) / 8 * 8));
            let has_room = (high - low + 1) as usize * LETTERS_PER_BIT >= field.name.chars().count();
            let piece = Piece { field, high, low, is_named: has_room && !is_named };
            is_named |= has_room;
            let begins = high % 8 == 7 || bytes.is_empty();
            match bytes.last_mut() {
                Some(byte) if !begins => byte.push(piece),
                _ => bytes.push(vec![piece]),
            }
            above = low;
        }
    }
    bytes
}

/// Returns the drawing as a sentence.
fn sentence(drawing: &Drawing) -> String {
    let bits: u32 = drawing.fields.iter().map(Field::bits).sum();
    let fields: Vec<String> = drawing
        .fields
        .iter()
        .map(|field| {
            let noun = if field.bits() == 1 { "bit" } else { "bits" };
            let number = field.value(drawing.value);
            format!("{} {noun} {}: {number:0width$b}", field.name, field.place(), width = field.bits() as usize)
        })
        .collect();
    format!("{bits} bits. {}", fields.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::fields::{Kind, of_layout, of_scheme};
    use super::*;
    use saiban::{Layout, Scheme};

    fn rendered(value: u128, fields: Vec<Field>) -> String {
        Drawing { caption: None, value, fields }.render().into_string()
    }

    #[test]
    fn every_bit_is_drawn_once() {
        for (fields, bits) in [
            (of_layout(&Layout::TWITTER), 64),
            (of_scheme(Scheme::ObjectId, None).expect("fields"), 96),
            (of_scheme(Scheme::UuidV7, None).expect("fields"), 128),
            (of_scheme(Scheme::TickId, None).expect("fields"), 77),
            (of_layout(&Layout::from_text("timestamp:31 node:3 sequence:7").expect("a layout")), 41),
        ] {
            let all = rendered(u128::MAX >> (128 - bits), fields);
            assert_eq!(all.matches("<i>1</i>").count(), bits);
            assert_eq!(all.matches("class=\"byte\"").count(), bits.div_ceil(8));
        }
    }

    #[test]
    fn a_name_stands_above_bits_that_have_room_for_it_once() {
        let rendered = rendered(0, of_layout(&Layout::TWITTER));
        for name in ["timestamp", "node", "sequence"] {
            assert_eq!(rendered.matches(&format!("<b>{name}</b>")).count(), 1, "{name}");
        }
        assert!(!rendered.contains("<b>unused</b>"), "one bit is too narrow");
    }

    #[test]
    fn the_drawing_has_a_description_in_words() {
        let drawing = rendered(7 << 12, of_layout(&Layout::TWITTER));
        assert!(drawing.contains(r#"aria-label="64 bits. unused bit 63: 0; timestamp bits 62–22: "#), "{drawing}");
        assert!(drawing.contains("node bits 21–12: 0000000111; sequence bits 11–0: 000000000000"));
    }

    #[test]
    fn a_field_of_128_bits_is_drawn_too() {
        let field = Field { kind: Kind::Opaque, name: "bits".to_owned(), high: 127, low: 0 };
        assert_eq!(rendered(u128::MAX, vec![field]).matches("<i>1</i>").count(), 128);
    }
}
