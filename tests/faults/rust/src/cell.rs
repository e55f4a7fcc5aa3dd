//! A cell of the table: counted exactly, printed as a line of JSON.

use serde::Serialize;

/// The IDs of one scenario.
#[derive(Default)]
pub struct Made<T> {
    /// IDs from before the fault. They count only as earlier IDs, not as made.
    pub before: Vec<T>,
    /// IDs made from the fault on.
    pub after: Vec<T>,
    /// The number of calls that returned an error, or a wait.
    pub refused: u64,
}

impl<T: Ord> Made<T> {
    pub fn new() -> Self {
        Made { before: Vec::new(), after: Vec::new(), refused: 0 }
    }

    /// Counts exactly how many of the IDs repeat an earlier one.
    pub fn count(self) -> Counted {
        let Made { mut before, after, refused } = self;
        let made = after.len() as u64;
        before.sort_unstable();
        before.dedup();
        let distinct_before = before.len();
        let mut all = before;
        all.extend(after);
        all.sort_unstable();
        all.dedup();
        Counted { made, duplicates: made - (all.len() - distinct_before) as u64, refused }
    }
}

#[derive(Clone, Copy, Default)]
pub struct Counted {
    pub made: u64,
    pub duplicates: u64,
    pub refused: u64,
}

impl std::ops::AddAssign for Counted {
    fn add_assign(&mut self, other: Counted) {
        self.made += other.made;
        self.duplicates += other.duplicates;
        self.refused += other.refused;
    }
}

#[derive(Serialize)]
struct Line<'a> {
    library: &'a str,
    version: &'a str,
    fault: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    made: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicates: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
    note: &'a str,
}

/// The name and version of a library, with which its cells are printed.
#[derive(Clone, Copy)]
pub struct Library {
    pub name: &'static str,
    pub version: &'static str,
}

impl Library {
    pub fn cell(&self, fault: &str, counted: Counted, note: &str) {
        self.print(fault, Some(counted), None, note);
    }

    /// Prints a cell of a scheme whose IDs can repeat by chance, with the expected duplicates.
    pub fn probable(&self, fault: &str, counted: Counted, expected: f64, note: &str) {
        self.print(fault, Some(counted), Some(expected), note);
    }

    pub fn not_applicable(&self, fault: &str, reason: &str) {
        self.print(fault, None, None, reason);
    }

    fn print(&self, fault: &str, counted: Option<Counted>, expected: Option<f64>, note: &str) {
        let line = Line {
            library: self.name,
            version: self.version,
            fault,
            made: counted.map(|counted| counted.made),
            duplicates: counted.map(|counted| counted.duplicates),
            refused: counted.map(|counted| counted.refused),
            expected,
            note,
        };
        println!("{}", serde_json::to_string(&line).expect("numbers and text are JSON"));
    }
}
