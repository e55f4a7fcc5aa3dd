//! Draws the bits of a layout as boxes, in ASCII characters.

use saiban::Layout;

/// The maximum width of a drawing, in columns.
const COLUMNS: usize = 78;

/// The maximum number of bits in a row: one machine word.
const ROW_BITS: u32 = 64;

/// A field, or the part of it in one row.
struct Piece {
    name: String,
    width: String,
    high: u32,
    low: u32,
}

impl Piece {
    fn bits(&self) -> u32 {
        self.high - self.low + 1
    }

    /// Returns the numbers of the highest and the lowest bit. The second is empty for a single bit.
    fn ends(&self) -> (String, String) {
        (self.high.to_string(), if self.high == self.low { String::new() } else { self.low.to_string() })
    }

    /// Returns the minimum width between the borders, with a space on each side.
    fn least(&self) -> usize {
        let (high, low) = self.ends();
        let ends = high.len() + low.len() + usize::from(!low.is_empty());
        self.name.len().max(self.width.len()).max(ends) + 2
    }
}

/// Returns the drawing: boxes from the highest bit to the lowest, 64 bits to a row, or fewer if the
/// names need more columns.
pub(super) fn lines(layout: &Layout) -> Vec<String> {
    rows(pieces(layout)).iter().flat_map(|row| draw(row)).collect()
}

fn pieces(layout: &Layout) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for place in layout.places() {
        let field = place.field;
        let name = if field.name.is_empty() {
            field.kind.name().to_owned()
        } else {
            format!("{}.{}", field.kind.name(), field.name)
        };
        let (high, low) = (place.shift + field.bits - 1, place.shift);
        let all = if field.bits == 1 { "1 bit".to_owned() } else { format!("{} bits", field.bits) };
        if high >= ROW_BITS && low < ROW_BITS {
            let part = |high: u32, low: u32| Piece {
                name: name.clone(),
                width: format!("{} of {all}", high - low + 1),
                high,
                low,
            };
            pieces.extend([part(high, ROW_BITS), part(ROW_BITS - 1, low)]);
        } else {
            pieces.push(Piece { name, width: all, high, low });
        }
    }
    pieces
}

fn rows(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        let has_room = |row: &Vec<Piece>| columns(row) + piece.least() < COLUMNS;
        match rows.last_mut() {
            Some(row) if piece.high + 1 != ROW_BITS && has_room(row) => row.push(piece),
            _ => rows.push(vec![piece]),
        }
    }
    rows
}

/// Returns how many columns a row needs, with its borders.
fn columns(row: &[Piece]) -> usize {
    row.iter().map(|piece| piece.least() + 1).sum::<usize>() + 1
}

fn draw(row: &[Piece]) -> [String; 5] {
    let widths = widths(row);
    let line = |border: &str, inside: &dyn Fn(&Piece, usize) -> String| -> String {
        let mut line: String =
            row.iter().zip(&widths).map(|(piece, width)| format!("{border}{}", inside(piece, *width))).collect();
        line += border;
        line.trim_end().to_owned()
    };
    let numbers = line(" ", &|piece, width| {
        let (high, low) = piece.ends();
        format!(" {high}{low:>rest$} ", rest = width - 2 - high.len())
    });
    let edge = line("+", &|_, width| "-".repeat(width));
    let names = line("|", &|piece, width| format!(" {:<rest$}", piece.name, rest = width - 1));
    let sizes = line("|", &|piece, width| format!(" {:<rest$}", piece.width, rest = width - 1));
    [numbers, edge.clone(), names, sizes, edge]
}

/// Returns the width of each piece: its minimum, and a share of the remaining columns that grows
/// with its bits.
fn widths(row: &[Piece]) -> Vec<usize> {
    let mut widths: Vec<usize> = row.iter().map(Piece::least).collect();
    let bits: u32 = row.iter().map(Piece::bits).sum();
    let target = COLUMNS * bits as usize / ROW_BITS as usize;
    for _ in columns(row)..target {
        let share = |index: usize| f64::from(row[index].bits()) / widths[index] as f64;
        // On a tie the first piece wins.
        let narrowest = (0..row.len()).reduce(|best, index| if share(index) > share(best) { index } else { best });
        if let Some(narrowest) = narrowest {
            widths[narrowest] += 1;
        }
    }
    widths
}
