//! Chooses and formats the numbers on an axis.

/// Returns round numbers from 0 to `largest`, with at most five steps of 1, 2 or 5 times a power of
/// ten.
pub(super) fn ticks(largest: u64) -> impl Iterator<Item = u64> {
    let steps = (0..20).flat_map(|power| [1, 2, 5].map(|digit: u64| digit.saturating_mul(10_u64.pow(power))));
    let step = steps.into_iter().find(|step| largest / step <= 5).unwrap_or(u64::MAX);
    (0..=largest / step).map(move |index| index * step)
}

/// Formats an integer with its thousands separated.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{grouped, ticks};

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(0).collect::<Vec<_>>(), [0]);
        assert_eq!(ticks(7).collect::<Vec<_>>(), [0, 2, 4, 6]);
        assert_eq!(ticks(1_000_000).collect::<Vec<_>>(), [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]);
        for largest in [1, 10, 99, 4_096, u64::MAX / 3, u64::MAX] {
            assert!((2..=6).contains(&ticks(largest).count()), "{largest}");
        }
    }

    #[test]
    fn thousands_are_separated_by_commas() {
        let texts = [0, 999, 1_000, 1_234_567, u64::MAX].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615"]);
    }
}
