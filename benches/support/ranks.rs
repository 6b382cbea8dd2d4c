//! How well the cost model orders what was measured: predicted cycles beside times.

use loopwright::Report;

/// Times that differ by less are the same: noise.
const NOISE: f64 = 1.04;

/// The cycles that a report predicts for an iteration on the best instruction set here, in thousandths.
pub fn predicted(report: &Report, isa: &str) -> Option<f64> {
    let lanes = report.lanes.iter().find(|lanes| lanes.isa == isa)?;
    (lanes.millicycles > 0).then_some(lanes.millicycles as f64)
}

/// What was predicted and measured of some codes, those of one kernel one after the other.
#[derive(Default)]
pub struct Ranks {
    codes: Vec<(f64, f64)>,
    /// The pairs of codes of one kernel: names, and the ratio of predictions and that of times.
    pairs: Vec<(String, f64, f64)>,
}

impl Ranks {
    /// Adds the codes of a kernel: what was predicted and measured of each.
    pub fn kernel(&mut self, name: &str, codes: &[(&str, Option<f64>, f64)]) {
        let known = codes.iter();
        let known: Vec<(&str, f64, f64)> = known
            .filter_map(|(code, predicted, measured)| Some((*code, (*predicted)?, *measured)))
            .collect();
        for (at, (one, predicted, measured)) in known.iter().enumerate() {
            self.codes.push((*predicted, *measured));
            for (other, cycles, time) in &known[..at] {
                let name = format!("{name} {one}/{other}");
                self.pairs.push((name, predicted / cycles, measured / time));
            }
        }
    }

    /// Prints the rank correlation of all codes (Spearman's), where they have a unit in common, and how many of the
    /// pairs of one kernel are ordered as their times are.
    pub fn print(&self, comparable: bool) {
        if comparable && self.codes.len() > 2 {
            println!(
                "predicted cycles and times of {} codes: rank correlation {:.3}, times a predicted cycle within \
                 {:.2} of their median for nine in ten",
                self.codes.len(),
                correlation(&self.codes),
                spread(&self.codes)
            );
        }
        let apart = |ratio: f64| ratio.max(1.0 / ratio) > NOISE;
        let told = self.pairs.iter().filter(|(_, _, times)| apart(*times));
        let told: Vec<&(String, f64, f64)> = told.collect();
        let wrong = told
            .iter()
            .filter(|(_, cycles, times)| (*cycles < 1.0) != (*times < 1.0));
        let wrong: Vec<String> = wrong
            .map(|(name, cycles, times)| format!("{name} {cycles:.2} for {times:.2}"))
            .collect();
        println!(
            "pairs of one kernel whose times differ: {} of {} in the predicted order; others: {}",
            told.len() - wrong.len(),
            told.len(),
            wrong.join(", ")
        );
    }
}

/// Spearman's rank correlation, equal values at the mean of their ranks.
fn correlation(codes: &[(f64, f64)]) -> f64 {
    let (predicted, measured): (Vec<f64>, Vec<f64>) = codes.iter().copied().unzip();
    let (one, other) = (ranks(&predicted), ranks(&measured));
    let mean = (codes.len() as f64 - 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    product(&one, &other) / (product(&one, &one) * product(&other, &other)).sqrt()
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |value: f64| values.iter().filter(|v| **v < value).count() as f64;
    let equal = |value: f64| values.iter().filter(|v| **v == value).count() as f64;
    let all = values.iter();
    all.map(|v| below(*v) + (equal(*v) - 1.0) / 2.0).collect()
}

/// The factor by which times a predicted cycle are apart from their median, for nine codes in ten.
fn spread(codes: &[(f64, f64)]) -> f64 {
    let mut logarithms: Vec<f64> = codes.iter().map(|(p, m)| (m / p).ln()).collect();
    logarithms.sort_by(f64::total_cmp);
    let median = logarithms[logarithms.len() / 2];
    let mut apart: Vec<f64> = logarithms.iter().map(|l| (l - median).abs()).collect();
    apart.sort_by(f64::total_cmp);
    apart[apart.len() * 9 / 10].exp()
}
