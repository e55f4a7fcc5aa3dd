//! Formats numbers for people.

/// A Julian year, in seconds.
pub(super) const SECONDS_PER_YEAR: f64 = 31_557_600.0;

const MS_PER_YEAR: f64 = SECONDS_PER_YEAR * 1e3;

/// The units of a tick in microseconds, the largest first.
const UNITS: [(&str, u64); 6] =
    [("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];

/// Numbers of more bits are written as powers of 2, because not every language's numbers can hold
/// them.
const MAX_BITS: u32 = 53;

/// Formats an integer with its thousands separated: `4,096`.
pub(super) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a power of 2: `4,096`, or `2^80`.
pub(super) fn power(number: u128) -> String {
    if number > 1 << MAX_BITS { format!("2^{}", number.trailing_zeros()) } else { grouped(number) }
}

/// Formats the largest number of `bits` bits: `1023`, or `2^80 - 1`.
pub(super) fn largest(max: u128, bits: u32) -> String {
    if bits > MAX_BITS { format!("2^{bits} - 1") } else { max.to_string() }
}

/// Formats a number that may be a fraction: `4,096,000`, `1,365.3`, `0.0167`, `1.209e27`.
pub(super) fn many(number: f64) -> String {
    let tenths = (number * 10.0).round();
    match number {
        _ if number >= 1e15 || (number > 0.0 && number < 1e-3) => scientific(number),
        _ if number.fract() == 0.0 => grouped(number as u128),
        _ if number < 1.0 => format!("{number:.4}"),
        _ if tenths % 10.0 == 0.0 => grouped((tenths / 10.0) as u128),
        _ => format!("{}.{}", grouped(tenths as u128 / 10), tenths as u128 % 10),
    }
}

/// Formats a number in scientific notation: `1.304e-8`.
pub(super) fn scientific(number: f64) -> String {
    format!("{number:.3e}")
}

/// Formats the length of a tick: `10 ms`.
pub(super) fn tick(tick_us: u64) -> String {
    let unit = UNITS.iter().find(|(_, us)| tick_us.is_multiple_of(*us));
    unit.map_or_else(String::new, |(name, us)| format!("{} {name}", grouped((tick_us / us).into())))
}

/// Formats a duration in its largest unit: `69.7 years`.
pub(super) fn span(ms: u64) -> String {
    let ms = ms as f64;
    let units = [("year", MS_PER_YEAR), ("day", 86_400e3), ("hour", 3_600e3), ("minute", 60e3), ("second", 1e3)];
    let unit = units.into_iter().find(|(_, size)| ms >= *size);
    unit.map_or_else(|| format!("{ms} ms"), |(name, size)| counted(ms / size, name))
}

/// Formats a number of seconds from the command line: `10 years`, `60 seconds`.
pub(super) fn seconds(seconds: f64) -> String {
    let years = seconds / SECONDS_PER_YEAR;
    if years >= 1.0 { counted(years, "year") } else { counted(seconds, "second") }
}

/// Formats a number with its unit. From 1 up the number has at most one decimal.
fn counted(number: f64, unit: &str) -> String {
    let number = if (1.0..1e15).contains(&number) { (number * 10.0).round() / 10.0 } else { number };
    format!("{} {unit}{}", many(number), if number == 1.0 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [power(1 << 12), power(1 << 80), largest(1023, 10), largest((1 << 80) - 1, 80)].map(String::from),
            ["4,096", "2^80", "1023", "2^80 - 1"]
        );
        assert_eq!(
            [4_096_000.0, 1_365.33, 9.96, 1.0 / 60.0, 1.2e27, 1e-9].map(many),
            ["4,096,000", "1,365.3", "10", "0.0167", "1.200e27", "1.000e-9"]
        );
        assert_eq!([1_000, 10_000, 90_000_000, 86_400_000_000].map(tick), ["1 ms", "10 ms", "90 s", "1 d"]);
        assert_eq!(
            [0, 65_536, 65_536_000, 2_199_023_255_552].map(span),
            ["0 ms", "1.1 minutes", "18.2 hours", "69.7 years"]
        );
    }
}
