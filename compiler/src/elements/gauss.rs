//! Gauss-Jacobi points and weights, Gauss-Lobatto-Legendre points, and the rules they give on
//! square and cube, and on simplices by collapsing these.
//!
//! Roots are bracketed by interlacing and bisected in `f64` (basic operations only, so the result
//! is the same on every machine), then polished in double-double by Newton's iteration. The
//! polished root is from then on an exact dyadic number: its image in the field is that of its
//! two parts.

use super::Cell;
use super::lagrange::Point;
use super::quadrature::Rule;
use crate::number::Number;

/// The coefficients of the recurrence `a P_n = (b x + c) P_{n-1} - d P_{n-2}` of the Jacobi
/// polynomials `P^(alpha, 0)`, for n of at least 2.
fn recurrence(n: i64, alpha: i64) -> [i64; 4] {
    let t = 2 * n + alpha;
    [
        2 * n * (n + alpha) * (t - 2),
        (t - 1) * t * (t - 2),
        (t - 1) * alpha * alpha,
        2 * (n + alpha - 1) * (n - 1) * t,
    ]
}

/// `P_degree^(alpha, 0)` and its derivative at `x`.
fn jacobi_f64(degree: usize, alpha: i64, x: f64) -> [f64; 2] {
    if degree == 0 {
        return [1.0, 0.0];
    }
    let mut before = [1.0, 0.0];
    let slope = (alpha + 2) as f64 / 2.0;
    let mut now = [slope * x + alpha as f64 / 2.0, slope];
    for n in 2..=degree as i64 {
        let [a, b, c, d] = recurrence(n, alpha).map(|k| k as f64);
        let factor = b * x + c;
        let value = (factor * now[0] - d * before[0]) / a;
        let derivative = (factor * now[1] + b * now[0] - d * before[1]) / a;
        before = now;
        now = [value, derivative];
    }
    now
}

/// [`jacobi_f64`] in double-double.
fn jacobi(degree: usize, alpha: i64, x: Number) -> [Number; 2] {
    if degree == 0 {
        return [Number::ONE, Number::ZERO];
    }
    let mut before = [Number::ONE, Number::ZERO];
    let slope = Number::ratio(alpha + 2, 2);
    let mut now = [slope * x + Number::ratio(alpha, 2), slope];
    for n in 2..=degree as i64 {
        let [a, b, c, d] = recurrence(n, alpha).map(Number::from_i64);
        let (factor, scale) = (b * x + c, Number::ONE / a);
        let value = (factor * now[0] - d * before[0]) * scale;
        let derivative = (factor * now[1] + b * now[0] - d * before[1]) * scale;
        before = now;
        now = [value, derivative];
    }
    now
}

/// The root of `function` between `low` and `high`, where it changes sign.
fn bisect(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let rising = function(high) > 0.0;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (function(middle) > 0.0) == rising {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// The roots of `P_degree^(alpha, 0)` in ascending order, in `f64`.
fn rough_roots(degree: usize, alpha: i64) -> Vec<f64> {
    let mut roots: Vec<f64> = Vec::new();
    for n in 1..=degree {
        let fences: Vec<f64> = [-1.0].into_iter().chain(roots).chain([1.0]).collect();
        let value = |x| jacobi_f64(n, alpha, x)[0];
        roots = fences
            .windows(2)
            .map(|pair| bisect(pair[0], pair[1], value))
            .collect();
    }
    roots
}

/// `x` as the exact dyadic number that its two parts make.
fn dyadic(x: Number) -> Number {
    let (hi, lo) = x.parts();
    Number::from_parts(hi, lo)
}

/// Makes ascending points of a symmetric rule on `[-1, 1]` symmetric exactly.
fn symmetrise(points: &mut [Number]) {
    let count = points.len();
    for i in 0..count / 2 {
        points[count - 1 - i] = -points[i];
    }
    if count % 2 == 1 {
        points[count / 2] = Number::ZERO;
    }
}

/// Points and weights of the Gauss rule on `[0, 1]` for the weight function `(1 - t)^alpha`, with
/// `count` points, exact to degree `2 * count - 1`.
pub(super) fn gauss_jacobi(count: usize, alpha: i64) -> Vec<(Number, Number)> {
    let mut roots: Vec<Number> = match count {
        // A linear polynomial: the root is rational.
        1 => vec![Number::ratio(-alpha, alpha + 2)],
        _ => rough_roots(count, alpha)
            .into_iter()
            .map(|rough| {
                let mut x = Number::from_f64(rough);
                for _ in 0..2 {
                    let [value, derivative] = jacobi(count, alpha, x);
                    x -= value / derivative;
                }
                dyadic(x)
            })
            .collect(),
    };
    if alpha == 0 {
        symmetrise(&mut roots);
    }
    let half = Number::ratio(1, 2);
    roots
        .into_iter()
        .map(|x| {
            let [_, derivative] = jacobi(count, alpha, x);
            let weight = Number::ONE / ((Number::ONE - x * x) * derivative * derivative);
            ((Number::ONE + x) * half, weight)
        })
        .collect()
}

/// The `degree + 1` Gauss-Lobatto-Legendre points of `[0, 1]`, ends included, in ascending order.
pub(super) fn lobatto(degree: usize) -> Vec<Number> {
    // The inner points are the roots of P_n', one between each two roots of P_n.
    let fences = rough_roots(degree, 0);
    let slope = |x| jacobi_f64(degree, 0, x)[1];
    let order = Number::from_i64((degree * (degree + 1)) as i64);
    let mut inner: Vec<Number> = fences
        .windows(2)
        .map(|pair| {
            let mut x = Number::from_f64(bisect(pair[0], pair[1], slope));
            for _ in 0..2 {
                let [value, first] = jacobi(degree, 0, x);
                let second = ((x + x) * first - order * value) / (Number::ONE - x * x);
                x -= first / second;
            }
            dyadic(x)
        })
        .collect();
    symmetrise(&mut inner);
    let half = Number::ratio(1, 2);
    [-Number::ONE]
        .into_iter()
        .chain(inner)
        .chain([Number::ONE])
        .map(|x| (Number::ONE + x) * half)
        .collect()
}

/// The rule with `count` Gauss points a direction: their product on the unit square and cube,
/// collapsed onto a simplex; the last coordinate runs fastest.
pub(super) fn product(cell: Cell, count: usize) -> Rule {
    let mut partial = vec![(Vec::new(), Number::ONE)];
    for direction in 0..cell.dimension() {
        let alpha = if cell.is_product() { 0 } else { direction };
        let line = gauss_jacobi(count, alpha as i64);
        partial = partial
            .into_iter()
            .flat_map(|(coordinates, weight)| {
                line.iter().map(move |&(t, w)| {
                    let mut coordinates = coordinates.clone();
                    coordinates.push(t);
                    (coordinates, weight * w)
                })
            })
            .collect();
    }
    let mut rule = Rule::default();
    for (coordinates, weight) in partial {
        rule.points.push(if cell.is_product() {
            let mut point = [Number::ZERO; 4];
            point[1..=coordinates.len()].copy_from_slice(&coordinates);
            point
        } else {
            collapsed(&coordinates)
        });
        rule.weights.push(weight);
    }
    rule
}

/// The barycentric coordinates of the point with these collapsed ones.
fn collapsed(coordinates: &[Number]) -> Point {
    // The last coordinate is one of the cell; each earlier one has what the later ones leave.
    let mut point = [Number::ZERO; 4];
    let mut rest = Number::ONE;
    for (d, &t) in coordinates.iter().enumerate().rev() {
        point[d + 1] = t * rest;
        rest = (Number::ONE - t) * rest;
    }
    point[0] = rest;
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gauss_rules_integrate_powers() {
        for alpha in 0..3_i64 {
            for count in 1..=16 {
                let rule = gauss_jacobi(count, alpha);
                assert!(rule.windows(2).all(|w| w[0].0.to_f64() < w[1].0.to_f64()));
                for power in 0..2 * count as u32 {
                    let sum = Number::dot(
                        rule.iter()
                            .map(|&(t, w)| ((Number::ONE - t).powi(power), w)),
                    );
                    let exact = Number::ratio(1, i64::from(power) + alpha + 1);
                    assert!(
                        (sum - exact).to_f64().abs() < 1e-29,
                        "{alpha} {count} {power}"
                    );
                }
            }
        }
    }

    #[test]
    fn low_gauss_rules_are_the_known_ones() {
        assert_eq!(gauss_jacobi(1, 0), vec![(Number::ratio(1, 2), Number::ONE)]);
        let two = gauss_jacobi(2, 0);
        let root = Number::from_i64(3).sqrt() / Number::from_i64(6);
        assert!((two[1].0 - Number::ratio(1, 2) - root).to_f64().abs() < 1e-31);
        assert_eq!(two[0].1.to_f64(), 0.5);
    }

    #[test]
    fn lobatto_points_are_the_known_ones() {
        assert_eq!(lobatto(1), vec![Number::ZERO, Number::ONE]);
        assert_eq!(lobatto(2)[1], Number::ratio(1, 2));
        let third = (Number::ONE - Number::ONE / Number::from_i64(5).sqrt()) / Number::from_i64(2);
        assert!((lobatto(3)[1] - third).to_f64().abs() < 1e-31);
        for degree in 1..=8 {
            let points = lobatto(degree);
            assert_eq!(points.len(), degree + 1);
            for (i, &x) in points.iter().enumerate() {
                assert_eq!((x + points[degree - i]).field(), Number::ONE.field());
            }
        }
    }
}
