//! The kernels of a run, each a function of its seed.

use crate::case::Case;
use crate::support::random::Random;
use crate::{expansion, generator, plans};

/// Kernels with computed subscripts to choose from.
const CANDIDATES: u64 = 8;

/// A kernel of all of the language.
pub fn kernel(seed: u64) -> Case {
    plans::perhaps_with_plans(generator::kernel(seed))
}

/// A kernel that asks for a level, and most often for a width of vectors, as its seed chooses: `rustc` takes nearly all of
/// the time, and most of that for vectors.
pub fn kernel_at_one_level(seed: u64) -> Case {
    let case = generator::kernel(seed);
    let mut random = Random::new(seed.rotate_left(32));
    let level = [0, 1, 2, 3][random.weighted(&[1, 2, 2, 5])];
    let sets = ["", "avx2, scalar", "avx512, scalar"][random.weighted(&[1, 4, 5])];
    let text = expansion::at_level(&case.text, level);
    let text = match sets.is_empty() || text.contains("isa = [") {
        true => text,
        false => text.replacen("#[opt(", &format!("#[opt(isa = [{sets}], "), 1),
    };
    plans::perhaps_with_plans(Case { text, ..case })
}

/// The first of some kernels whose text knows that what it subscripts is inside, most often: few others have claims that may
/// be wrong.
pub fn addressed(seed: u64) -> Case {
    let seeds = (0..CANDIDATES).map(|at| Random::kernel_seed(seed, at));
    let mut all = seeds.map(generator::addressed::kernel);
    let first = all.next().unwrap_or_default();
    match Random::new(seed.rotate_left(16)).chance(25) || expansion::knows_inside(&first.text) {
        true => first,
        false => all
            .find(|case| expansion::knows_inside(&case.text))
            .unwrap_or(first),
    }
}
