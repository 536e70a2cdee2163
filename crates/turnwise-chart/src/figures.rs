//! Numbers as people read them on a chart: thousands set apart, few decimals, round steps along an axis. All charts
//! write them here, so that the terminal and the files agree. Next: `scene`.

use super::Unit;

/// A figure, whole: "12,345.6", "4.2 %".
#[must_use]
pub fn figure(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Percent => format!("{} %", number(value * 100.0, decimals_of(value * 100.0).max(1))),
        Unit::Plain if value.abs() >= 1_000.0 || value.fract() == 0.0 => number(value, 0),
        Unit::Plain if value.abs() >= 1.0 => number(value, 2),
        Unit::Plain => number(value, DECIMALS_SMALL.max(decimals_of(value))),
    }
}

/// A figure beside an axis whose steps are `step` wide: "12k", "1.5M".
pub(super) fn tick(value: f64, step: f64, unit: Unit) -> String {
    if unit == Unit::Percent {
        return format!("{} %", number(value * 100.0, decimals(step * 100.0)));
    }
    let scale = SCALES.iter().find(|(from, _)| value.abs() >= from * 10.0 && step >= from / 10.0);
    match scale {
        Some((from, letter)) => format!("{}{letter}", number(value / from, decimals(step / from))),
        None => number(value, decimals(step)),
    }
}

/// Decimals that tell two digits of a small number; none where one is far smaller, or is none.
fn decimals_of(value: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "the powers of ten of a number are few")]
    let zeros = if value == 0.0 { 0 } else { -value.abs().log10().floor() as i32 };
    usize::try_from(zeros + 1).unwrap_or(0).min(DECIMALS_MAX)
}

/// Decimals that tell steps of this width apart.
fn decimals(step: f64) -> usize {
    (0..=DECIMALS_MAX)
        .find(|places| {
            let scaled = step * 10_f64.powi(i32::try_from(*places).unwrap_or(0));
            (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1.0) && scaled.round() >= 1.0
        })
        .unwrap_or(DECIMALS_MAX)
}

/// With at most this many decimals, without trailing zeros, thousands set apart by commas.
fn number(value: f64, decimals: usize) -> String {
    if value.abs() >= LONG_FROM || (value != 0.0 && value.abs() < SHORT_BELOW) {
        return format!("{value:.3e}");
    }
    let text = format!("{:.decimals$}", value.abs());
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    let (whole, part) = text.split_once('.').map_or((text, None), |(whole, part)| (whole, Some(part)));
    let mut told = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    if let Some(part) = part {
        told.push('.');
        told.push_str(part);
    }
    let zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value < 0.0 && !zero { format!("−{told}") } else { told }
}

/// Round steps that cover `low` to `high`, at most about `wanted` of them: the first, the width, the number.
pub(super) struct Steps {
    pub(super) first: f64,
    pub(super) width: f64,
    pub(super) count: usize,
}

impl Steps {
    /// Steps of 1, 2 or 5 times a power of ten (Heckbert, “Nice numbers for graph labels”, Graphics Gems 1990).
    pub(super) fn over(low: f64, high: f64, wanted: usize) -> Self {
        let (low, high) = if high > low { (low, high) } else { (low.min(0.0), high.max(0.0)) };
        let (low, high) = if high > low { (low, high) } else { (0.0, 1.0) };
        #[expect(clippy::cast_precision_loss, reason = "a handful of steps")]
        let rough = (high - low) / wanted.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let width = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|width| *width >= rough * 0.999);
        let width = width.unwrap_or(10.0 * power);
        let first = (low / width + 1e-9).floor() * width;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and STEPS_MAX")]
        let count = ((high - first) / width - 1e-9).ceil().clamp(1.0, STEPS_MAX) as usize;
        Self { first, width, count }
    }

    pub(super) fn last(&self) -> f64 {
        self.at(self.count)
    }

    /// The figure at step `at`.
    pub(super) fn at(&self, at: usize) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a handful of steps")]
        let value = self.first + self.width * at as f64;
        if value.abs() < self.width * 1e-6 { 0.0 } else { value }
    }
}

/// From where a letter stands for zeros.
const SCALES: [(f64, &str); 4] = [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")];
/// Longer numbers are told by their power of ten.
const LONG_FROM: f64 = 1e15;
/// Smaller ones are too.
const SHORT_BELOW: f64 = 1e-9;
/// Decimals of a figure below 1.
const DECIMALS_SMALL: usize = 4;
/// Most decimals beside an axis.
const DECIMALS_MAX: usize = 9;
/// Most steps, whatever the numbers.
const STEPS_MAX: f64 = 24.0;
