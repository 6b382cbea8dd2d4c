//! What other form compilers reach: `peers/form_compilers.csv`.

/// A line of the file.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// The fewest operations that FFCx, COFFEE or TSFC needs.
    pub fewest_operations: u64,
    /// The shortest time of COFFEE and TSFC over that of FFCx, measured in one process.
    pub best_over_ffcx: f64,
}

/// All lines.
pub struct Peers(Vec<(String, Peer)>);

impl Peers {
    /// Reads the file that stands beside this one's folder.
    pub fn read() -> Self {
        let text = include_str!("../peers/form_compilers.csv");
        let rows = text.lines().skip(1).map(|line| {
            let columns: Vec<&str> = line.split(',').collect();
            let [form, degree, coefficients, .., fewest, best] = columns[..] else {
                panic!("form_compilers.csv: {line}");
            };
            let peer = Peer {
                fewest_operations: fewest.parse().expect("operations"),
                best_over_ffcx: best.parse().expect("a ratio of times"),
            };
            (format!("{form}_q{degree}_nf{coefficients}"), peer)
        });
        Self(rows.collect())
    }

    /// An instance.
    pub fn of(&self, form: &str, degree: usize, coefficients: usize) -> Peer {
        let name = format!("{form}_q{degree}_nf{coefficients}");
        let found = self.0.iter().find(|(other, _)| *other == name);
        found.expect("every instance of the suite is in the file").1
    }
}
