//! Exponential and logarithm that give the same bits on every machine.
//!
//! The platform's own differ in the last place between C libraries, and a decision at a threshold must not depend on
//! that. Both use only additions, multiplications and divisions, which IEEE 754 fixes exactly. Next: `head`.

const LN_2: f64 = std::f64::consts::LN_2;

/// e to the power of `x`, relative error below 1e-12; 0 below -700, and `x` is cut at 700.
#[must_use]
pub fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let x = x.min(700.0);
    let power = (x / LN_2).round();
    let rest = x - power * LN_2;
    // Taylor series on |rest| <= ln(2)/2: fourteen terms are below the precision of f64.
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in 1..=14_u32 {
        term *= rest / f64::from(n);
        sum += term;
    }
    sum * two_to(power as i32)
}

/// The natural logarithm of a positive `x`, relative error below 1e-12; negative infinity for zero and below.
#[must_use]
pub fn ln(x: f64) -> f64 {
    if x <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    // ln(m) = 2 artanh((m-1)/(m+1)), |argument| <= 1/3.
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let mut power = ratio;
    let mut sum = 0.0;
    for n in 0..16_u32 {
        sum += power / f64::from(2 * n + 1);
        power *= square;
    }
    2.0 * sum + f64::from(exponent) * LN_2
}

fn two_to(power: i32) -> f64 {
    f64::from_bits(u64::from((power + 1023).clamp(1, 2046).unsigned_abs()) << 52)
}

/// Probabilities of `logits` divided by `temperature`; they sum to one.
#[must_use]
pub fn softmax(logits: &[f32], temperature: f32) -> Vec<f32> {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f64> = logits.iter().map(|logit| exp(f64::from((logit - highest) / temperature))).collect();
    let sum: f64 = powers.iter().sum();
    powers.iter().map(|power| (power / sum) as f32).collect()
}

/// The logarithm of the summed powers of `logits`: the largest, and a little more when others come near it.
#[must_use]
pub fn log_sum_exp(logits: &[f32]) -> f32 {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|logit| exp(f64::from(logit - highest))).sum();
    highest + ln(sum) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_ln_agree_with_the_platform() {
        for step in -200..200 {
            let x = f64::from(step) * 0.37;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-12, "exp({x})");
            let y = x.abs() + 1e-6;
            assert!((ln(y) - y.ln()).abs() < 1e-12 * (1.0 + y.ln().abs()), "ln({y})");
        }
    }

    #[test]
    fn probabilities_sum_to_one_and_keep_their_order() {
        let probabilities = softmax(&[1.0, 3.0, 2.0], 0.7);
        assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(probabilities[1] > probabilities[2] && probabilities[2] > probabilities[0]);
    }
}
