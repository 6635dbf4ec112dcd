//! Exact intervals and tail probabilities, from the incomplete beta function.

use serde::{Deserialize, Serialize};

/// An interval of proportions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// Returns the logarithm of the gamma function (Lanczos; Numerical Recipes' coefficients for g = 7, n = 9).
pub(crate) fn ln_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let series =
        COEFFICIENTS.iter().enumerate().fold(0.999_999_999_999_809_9, |sum, (i, c)| sum + c / (x + i as f64 + 1.0));
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + series.ln()
}

/// Evaluates the continued fraction of the incomplete beta function (modified Lentz).
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut upper = 1.0;
    let mut lower = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut result = lower;
    // The fraction converges in about sqrt(max(a, b)) steps.
    for m in 1..20_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        lower = 1.0 / nonzero(1.0 + even * lower);
        upper = nonzero(1.0 + even / upper);
        result *= lower * upper;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        lower = 1.0 / nonzero(1.0 + odd * lower);
        upper = nonzero(1.0 + odd / upper);
        let step = lower * upper;
        result *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    result
}

/// Returns the regularised incomplete beta function: the probability that a Beta(a, b) variable is at most `x`.
pub(crate) fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

/// Returns the `x` at which the incomplete beta function is `p`, by bisection.
pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if incomplete_beta(middle, a, b) < p {
            low = middle;
        } else {
            high = middle;
        }
        if high - low <= f64::EPSILON * high {
            break;
        }
    }
    f64::midpoint(low, high)
}

/// Returns the exact binomial interval of Clopper and Pearson; the whole range if `whole` is 0.
pub fn clopper_pearson(part: u64, whole: u64, confidence: f64) -> Interval {
    if whole == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let tail = (1.0 - confidence) / 2.0;
    let (k, n) = (part as f64, whole as f64);
    Interval {
        low: if part == 0 { 0.0 } else { beta_quantile(tail, k, n - k + 1.0) },
        high: if part >= whole { 1.0 } else { beta_quantile(1.0 - tail, k + 1.0, n - k) },
    }
}

/// Returns the upper bound of the failure rate with 95 % confidence, after no failure in `n` trials.
pub fn rule_of_three(n: u64) -> f64 {
    if n == 0 { 1.0 } else { (3.0 / n as f64).min(1.0) }
}

/// Returns the probability of at most `k` successes in `n` trials.
pub(crate) fn binomial_at_most(k: u64, n: u64, p: f64) -> f64 {
    if k >= n {
        return 1.0;
    }
    incomplete_beta(1.0 - p, (n - k) as f64, k as f64 + 1.0)
}

/// Returns the upper tail of the chi-squared distribution with one degree of freedom.
pub(crate) fn chi_squared_tail(x: f64) -> f64 {
    // P(chi2_1 > x) is the tail of an F(1, inf) variable, the limit of an incomplete beta, computed here by erfc.
    erfc((x / 2.0).sqrt())
}

/// Returns the complementary error function: a series near zero, a continued fraction further out.
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    let square = x * x;
    if x < 2.5 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            let n = f64::from(n);
            term *= 2.0 * square / (2.0 * n + 1.0);
            sum += term;
            if term < sum * 1e-17 {
                break;
            }
        }
        return 1.0 - 2.0 / std::f64::consts::PI.sqrt() * (-square).exp() * sum;
    }
    let fraction = (1..=60).rev().fold(0.0, |rest, n| f64::from(n) / 2.0 / (x + rest));
    (-square).exp() / std::f64::consts::PI.sqrt() / (x + fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn incomplete_beta_of_known_values() {
        close(incomplete_beta(0.3, 1.0, 1.0), 0.3, 1e-14);
        close(incomplete_beta(0.5, 2.0, 2.0), 0.5, 1e-14);
        // I_x(2, 3) = 6x^2 - 8x^3 + 3x^4.
        close(incomplete_beta(0.2, 2.0, 3.0), 0.24 - 0.064 + 0.0048, 1e-13);
        // I_x(a, 1) = x^a and I_x(1, b) = 1 - (1 - x)^b.
        close(incomplete_beta(0.9, 40.0, 1.0), 0.9_f64.powi(40), 1e-13);
        close(incomplete_beta(0.01, 1.0, 250.0), 1.0 - 0.99_f64.powi(250), 1e-13);
    }

    #[test]
    fn binomial_tail_is_the_sum() {
        let (n, p) = (20_u64, 0.3_f64);
        let choose = |k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
        let mut sum = 0.0;
        for k in 0..=n {
            sum += choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
            close(binomial_at_most(k, n, p), sum, 1e-12);
        }
    }

    /// 10 of 100 is the worked example of many textbooks: 0.0490 to 0.1762.
    #[test]
    fn clopper_pearson_of_known_values() {
        let interval = clopper_pearson(10, 100, 0.95);
        close(interval.low, 0.0490, 5e-5);
        close(interval.high, 0.1762, 5e-5);
        let none = clopper_pearson(0, 30, 0.95);
        close(none.low, 0.0, 0.0);
        close(none.high, 1.0 - 0.025_f64.powf(1.0 / 30.0), 1e-12);
        let all = clopper_pearson(30, 30, 0.95);
        close(all.low, 0.025_f64.powf(1.0 / 30.0), 1e-12);
        close(all.high, 1.0, 0.0);
        let large = clopper_pearson(24_990, 25_000, 0.95);
        close(large.low, 0.999_264, 5e-6);
        close(large.high, 0.999_808, 5e-6);
        assert_eq!(clopper_pearson(0, 0, 0.95), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn chi_squared_of_known_values() {
        close(chi_squared_tail(3.841_458_820_694_124), 0.05, 1e-12);
        close(chi_squared_tail(6.634_896_601_021_213), 0.01, 1e-12);
        close(chi_squared_tail(10.827_566_170_662_733), 0.001, 1e-12);
        close(chi_squared_tail(30.0), 4.320_463_057_827_488e-8, 1e-18);
        close(chi_squared_tail(0.0), 1.0, 1e-15);
    }

    #[test]
    fn rule_of_three_bounds_no_failure() {
        close(rule_of_three(300), 0.01, 1e-15);
        close(rule_of_three(2), 1.0, 0.0);
    }
}
