//! Draws the picture: an SVG of two panels for light and dark screens, without scripts or fonts of
//! its own.
//!
//! ```text
//! title
//! how many, chi-square
//! +--------------------------------+
//! | how many IDs in each cell      |   over all 64-bit numbers, the smallest left
//! +--------------------------------+
//! | each point an ID               |   the first left; the smallest number below
//! +--------------------------------+
//! ```

use super::scale::{grouped, ticks};
use super::survey::{ChiSquare, Survey, fraction};
use std::fmt::Write;
use svg::Document;
use svg::node::element::{Description, Line, Path, Rectangle, Style, Text, Title};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 790.0;

const STYLE: &str = "
text{font:14px system-ui,sans-serif;fill:#1f2328}
.title{font-size:20px;font-weight:600}
.quiet{fill:#59636e}
.paper{fill:#fff}
.grid{stroke:#d1d9e0}
.bars{fill:#80ccff}
.points{stroke:#0969da;stroke-width:3;stroke-linecap:round}
.mean{stroke:#bc4c00;stroke-width:1.5;stroke-dasharray:6 4}
@media(prefers-color-scheme:dark){
text{fill:#f0f6fc}
.quiet{fill:#9198a1}
.paper{fill:#0d1117}
.grid{stroke:#3d444d}
.bars{fill:#1f4f8f}
.points{stroke:#4493f8}
.mean{stroke:#f0883e}
}
";

/// The position and the size of a panel.
#[derive(Clone, Copy)]
struct Panel {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

const CELLS: Panel = Panel { left: 100.0, top: 146.0, width: 800.0, height: 230.0 };
const POINTS: Panel = Panel { left: 100.0, top: 466.0, width: 800.0, height: 250.0 };

impl Panel {
    /// Returns the x coordinate of a fraction of the width, from the left.
    fn x(&self, part: f64) -> f64 {
        self.left + part * self.width
    }

    /// Returns the y coordinate of a fraction of the height, from the bottom.
    fn y(&self, part: f64) -> f64 {
        self.top + (1.0 - part) * self.height
    }
}

/// The marks on an axis over all 64-bit numbers: their positions as fractions, and their labels.
const MARKS: [(f64, &str); 5] = [(0.0, "−2⁶³"), (0.25, "−2⁶²"), (0.5, "0"), (0.75, "2⁶²"), (1.0, "2⁶³")];

pub(super) fn draw(title: &str, survey: &Survey) -> String {
    // XML cannot contain control characters.
    let title: String = title.chars().filter(|character| !character.is_control()).collect();
    let cells = survey.cells();
    let [counted, judged] = summary(survey.ids, &cells);
    let document = Document::new()
        .set("viewBox", (0, 0, WIDTH, HEIGHT))
        .set("role", "img")
        .add(Title::new(&title))
        .add(Description::new().add(svg::node::Text::new(format!("{counted}: {judged}"))))
        .add(Style::new(STYLE))
        .add(Rectangle::new().set("class", "paper").set("width", "100%").set("height", "100%"))
        .add(text(&title, CELLS.left, 40.0, "start").set("class", "title"))
        .add(text(&counted, CELLS.left, 66.0, "start"))
        .add(text(&judged, CELLS.left, 87.0, "start"));
    let document = draw_points(draw_cells(document, &cells, survey.ids), survey);
    document.to_string()
}

fn summary(ids: u64, cells: &[u64]) -> [String; 2] {
    let counted = format!("{} IDs, counted in {} cells of the 64-bit numbers", grouped(ids), cells.len());
    let Some(square) = ChiSquare::of(cells) else { return [counted, "too few for χ²".into()] };
    let value = if square.value < 10_000.0 { format!("{:.1}", square.value) } else { grouped(square.value as u64) };
    let (low, high) = square.expected_range();
    let expected = format!("uniform numbers have {low:.0} to {high:.0} in 95 of 100 samples");
    [counted, format!("χ² = {value} with {} degrees of freedom; {expected}", square.degrees)]
}

fn draw_cells(mut document: Document, cells: &[u64], ids: u64) -> Document {
    let panel = CELLS;
    let highest = cells.iter().max().copied().unwrap_or(1).max(1);
    let part = |count: f64| 0.93 * count / highest as f64;
    document = document.add(text("IDs in each cell", panel.left, panel.top - 14.0, "start").set("class", "quiet"));
    for count in ticks(highest) {
        document = horizontal(document, panel, part(count as f64), &grouped(count));
    }
    for (at, mark) in MARKS {
        document = document.add(text(mark, panel.x(at), panel.y(0.0) + 20.0, "middle").set("class", "quiet"));
    }
    let mut bars = String::new();
    for (index, &count) in cells.iter().enumerate().filter(|(_, count)| **count > 0) {
        let edge = |index: usize| panel.x(index as f64 / cells.len() as f64);
        let (left, right, top, bottom) = (edge(index), edge(index + 1), panel.y(part(count as f64)), panel.y(0.0));
        // Writing to a String cannot fail.
        let _ = write!(bars, "M{left:.2} {bottom:.1}V{top:.1}H{right:.2}V{bottom:.1}z");
    }
    let mean = panel.y(part(ids as f64 / cells.len() as f64));
    let label = text("dashed: all cells alike", panel.x(1.0), panel.top - 14.0, "end");
    document
        .add(Path::new().set("class", "bars").set("d", bars))
        .add(line(panel, mean).set("class", "mean"))
        .add(label.set("class", "quiet"))
}

fn draw_points(mut document: Document, survey: &Survey) -> Document {
    let panel = POINTS;
    document = document.add(text("IDs in their order", panel.left, panel.top - 14.0, "start").set("class", "quiet"));
    for (at, mark) in MARKS {
        document = horizontal(document, panel, at, mark);
    }
    let part = |position: u64| position as f64 / survey.ids as f64;
    for position in ticks(survey.ids) {
        let label = text(&grouped(position), panel.x(part(position)), panel.y(0.0) + 20.0, "middle");
        document = document.add(label.set("class", "quiet"));
    }
    let mut points = String::new();
    for (position, id) in survey.points() {
        let _ = write!(points, "M{:.1} {:.1}h0", panel.x(part(position)), panel.y(fraction(id)));
    }
    let label = text("position in the stream", panel.x(0.5), panel.y(0.0) + 44.0, "middle");
    document.add(Path::new().set("class", "points").set("d", points)).add(label.set("class", "quiet"))
}

/// Adds a grid line with its label on the left.
fn horizontal(document: Document, panel: Panel, part: f64, label: &str) -> Document {
    let y = panel.y(part);
    document
        .add(line(panel, y).set("class", "grid"))
        .add(text(label, panel.left - 10.0, y + 5.0, "end").set("class", "quiet"))
}

fn line(panel: Panel, y: f64) -> Line {
    Line::new().set("x1", panel.x(0.0)).set("x2", panel.x(1.0)).set("y1", rounded(y)).set("y2", rounded(y))
}

fn text(content: &str, x: f64, y: f64, anchor: &str) -> Text {
    Text::new(content).set("x", rounded(x)).set("y", rounded(y)).set("text-anchor", anchor)
}

fn rounded(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}
