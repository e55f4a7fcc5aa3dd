//! Collects what the picture of a stream shows. Its memory does not depend on the stream's length.

/// The number of cells that divide the 64-bit numbers.
const CELLS: usize = 256;
/// With fewer IDs a cell, neighbouring cells are joined. With fewer than 5, the statistic no longer
/// follows the chi-square distribution.
const FEWEST_A_CELL: u64 = 20;
const FEWEST_CELLS: usize = 16;
/// The maximum number of points. When it is reached, every second point is dropped.
const MAX_POINTS: usize = 4096;

/// The number of IDs in each cell, and a sample of the IDs at equal distances in the stream.
pub(super) struct Survey {
    pub(super) ids: u64,
    cells: [u64; CELLS],
    /// The IDs at positions 0, `stride`, 2 · `stride`, …
    points: Vec<i64>,
    stride: u64,
}

impl Default for Survey {
    fn default() -> Self {
        Survey { ids: 0, cells: [0; CELLS], points: Vec::with_capacity(MAX_POINTS), stride: 1 }
    }
}

impl Survey {
    pub(super) fn add(&mut self, id: i64) {
        // The highest bits of the distance from the smallest number. In floating point, -1 would
        // fall into the cell of 0.
        self.cells[((id ^ i64::MIN) as u64 >> (u64::BITS - CELLS.ilog2())) as usize] += 1;
        if self.ids.is_multiple_of(self.stride) {
            if self.points.len() == MAX_POINTS {
                let mut kept = false;
                self.points.retain(|_| {
                    kept = !kept;
                    kept
                });
                self.stride *= 2;
            }
            self.points.push(id);
        }
        self.ids += 1;
    }

    /// Returns the number of IDs in equally large cells, from the smallest number to the largest.
    /// Fewer IDs have fewer cells, so that uniform IDs fill each of them.
    pub(super) fn cells(&self) -> Vec<u64> {
        let mut cells = self.cells.to_vec();
        while cells.len() > FEWEST_CELLS && self.ids < FEWEST_A_CELL * cells.len() as u64 {
            cells = cells.as_chunks().0.iter().map(|[low, high]| low + high).collect();
        }
        cells
    }

    /// Returns the points: positions in the stream, and IDs.
    pub(super) fn points(&self) -> impl Iterator<Item = (u64, i64)> {
        self.points.iter().zip(0..).map(|(&id, index)| (index * self.stride, id))
    }
}

/// Returns the position of an ID among all 64-bit numbers, from 0 for the smallest to 1.
pub(super) fn fraction(id: i64) -> f64 {
    id as f64 / 2_f64.powi(64) + 0.5
}

/// The chi-square statistic: how far the cells are from holding equally many IDs.
pub(super) struct ChiSquare {
    pub(super) value: f64,
    pub(super) degrees: usize,
}

impl ChiSquare {
    /// Returns the statistic of the cells; `None` for fewer than 5 IDs a cell.
    pub(super) fn of(cells: &[u64]) -> Option<Self> {
        let ids: u64 = cells.iter().sum();
        let expected = ids as f64 / cells.len() as f64;
        let value = cells.iter().map(|&cell| (cell as f64 - expected).powi(2) / expected).sum();
        (expected >= 5.0).then_some(ChiSquare { value, degrees: cells.len() - 1 })
    }

    /// Returns the range that contains the statistic of 95 of 100 samples of uniform numbers
    /// (Wilson and Hilferty's approximation, 1931).
    pub(super) fn expected_range(&self) -> (f64, f64) {
        let degrees = self.degrees as f64;
        let ninth = 2.0 / (9.0 * degrees);
        let at = |deviation: f64| degrees * (1.0 - ninth + deviation * ninth.sqrt()).powi(3);
        (at(-1.96), at(1.96))
    }
}

#[cfg(test)]
mod tests {
    use super::{ChiSquare, MAX_POINTS, Survey};

    #[test]
    fn the_smallest_and_the_largest_id_lie_in_the_outer_cells() {
        let mut survey = Survey::default();
        for id in [i64::MIN, -1, 0, i64::MAX] {
            survey.add(id);
        }
        let at = [0, 127, 128, 255].map(|cell| survey.cells[cell]);
        assert_eq!(at, [1; 4]);
    }

    #[test]
    fn points_are_few_and_evenly_spread_however_long_the_stream() {
        for ids in [1, 4096, 4097, 100_000, 1_000_003] {
            let mut survey = Survey::default();
            (0..ids).for_each(|id| survey.add(id));
            let points: Vec<_> = survey.points().collect();
            assert!(points.len() <= MAX_POINTS && points.len() as i64 >= ids.min(MAX_POINTS as i64 / 2));
            assert!(points.iter().all(|&(position, id)| position as i64 == id));
            assert!(points.windows(2).all(|pair| pair[1].0 - pair[0].0 == survey.stride));
        }
    }

    #[test]
    fn few_ids_are_counted_in_few_cells() {
        let counted = |ids: i64| {
            let mut survey = Survey::default();
            (0..ids).for_each(|id| survey.add(id.wrapping_mul(0x61c8_8646_80b5_83eb)));
            (survey.cells().len(), ChiSquare::of(&survey.cells()).is_some())
        };
        assert_eq!([79, 80, 1_000, 10_000].map(counted), [(16, false), (16, true), (32, true), (256, true)]);
    }

    #[test]
    fn chi_square_is_that_of_the_tables() {
        let square = ChiSquare::of(&[10, 20, 30, 40]).expect("enough");
        assert_eq!((square.value, square.degrees), (20.0, 3));
        // SciPy 1.17: chi2.ppf([0.025, 0.975], 255) = 212.6, 301.1.
        let (low, high) = ChiSquare { value: 0.0, degrees: 255 }.expected_range();
        assert_eq!((low.round(), high.round()), (213.0, 301.0));
    }
}
