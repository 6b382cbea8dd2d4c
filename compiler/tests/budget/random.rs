//! Random short texts: loops, arrays, tables and sums, and nests of products of sums.

use std::fmt::Write;

use super::Text;

/// The first random texts, and the first nests of products.
pub fn drawn(random: u64, contracted: u64) -> Vec<Text> {
    let of = |name: &str, seeds: u64, text: fn(u64) -> String| -> Vec<Text> {
        let one = |seed| Text {
            name: format!("{name} {seed}"),
            text: text(seed),
        };
        (0..seeds).map(one).collect()
    };
    let mut result = of("random", random, self::random);
    result.extend(of("contracted", contracted, self::contracted));
    result
}

/// A small deterministic generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// A text of random loops, arrays, tables and sums; each seed has its own.
fn random(seed: u64) -> String {
    let mut random = Random(seed);
    let side = ["2", "3", "4", "8", "10", "16", "27", "64", "100"][random.below(9)];
    let mut text = String::from("pub fn k(n: usize, m: &[usize], x: &[f64], u: &[[f64; ");
    let _ = write!(
        text,
        "{side}]], y: &mut [f64], v: &mut [[f64; {side}]]) {{ static T: [[f64; {side}]; {side}] = [[0.25; {side}]; {side}]; let mut w = [0.0; {side}]; "
    );
    for _ in 0..1 + random.below(3) {
        statement(&mut random, &mut text, &mut Vec::new(), side);
    }
    text.push('}');
    text
}

fn statement(random: &mut Random, text: &mut String, open: &mut Vec<String>, side: &str) {
    if open.len() < 2 || (open.len() < 8 && random.below(3) > 0) {
        let name = format!("i{}", open.len());
        let range = match random.below(8) {
            0 => "0..n".to_owned(),
            1 => "1..n".to_owned(),
            2 => format!("0..{}", random.one(&["2", "3", "30", "1000", "1000000000"])),
            3 if !open.is_empty() => format!("0..{}", open[random.below(open.len())]),
            _ => format!("0..{side}"),
        };
        let _ = write!(text, "for {name} in {range} {{ ");
        open.push(name);
        for _ in 0..1 + random.below(5) / 4 {
            statement(random, text, open, side);
        }
        open.pop();
        text.push_str("} ");
        return;
    }
    let target = match random.below(4) {
        0 => format!("y[{}]", subscript(random, open)),
        1 => format!(
            "v[{}][{}]",
            subscript(random, open),
            open[random.below(open.len())]
        ),
        2 => format!("w[{}]", open[random.below(open.len())]),
        _ => format!("y[{}]", open[0]),
    };
    let operator = random.one(&["=", "+=", "+=", "-=", "*="]);
    let _ = write!(text, "{target} {operator} {}; ", value(random, open, 3));
}

fn subscript(random: &mut Random, open: &[String]) -> String {
    let one = open[random.below(open.len())].clone();
    match random.below(6) {
        0 => format!("{one} + {}", open[random.below(open.len())]),
        1 => format!("2 * {one} + 1"),
        2 => format!("m[{one}]"),
        3 => format!("{one} % 5"),
        _ => one,
    }
}

fn value(random: &mut Random, open: &[String], depth: usize) -> String {
    if depth > 0 && random.below(3) > 0 {
        let (left, right) = (
            value(random, open, depth - 1),
            value(random, open, depth - 1),
        );
        return match random.below(6) {
            0 => format!("({left} + {right})"),
            1 => format!("({left} - {right})"),
            2 => format!("{left}.min({right})"),
            3 => format!("if {left} > {right} {{ {left} }} else {{ 0.5 }}"),
            _ => format!("{left} * {right}"),
        };
    }
    let at = subscript(random, open);
    let one = &open[random.below(open.len())];
    match random.below(5) {
        0 => format!("x[{at}]"),
        1 => format!("u[{at}][{one}]"),
        2 => format!("T[{one}][{}]", open[random.below(open.len())]),
        3 => format!("w[{one}]"),
        _ => format!("({one} as f64)"),
    }
}

/// A text of one nest over cells and up to eight loops more, with products of sums of arrays over some of
/// these, as they stand or under a condition; each seed has its own.
fn contracted(seed: u64) -> String {
    let mut random = Random(!seed);
    let depth = 2 + random.below(8);
    let extents = ["1", "2", "3", "4", "5", "6", "8", "10", "16", "30"];
    let extents: Vec<&str> = (0..depth).map(|_| random.one(&extents)).collect();
    let mut parameters = String::from("n: usize");
    let sums = random.below(2) == 0;
    let (factors, terms) = match sums {
        true => (2 + random.below(4), 2 + random.below(3)),
        false => (2 + random.below(4), 1),
    };
    let mut product = Vec::new();
    for factor in 0..factors {
        let sum: Vec<String> = (0..terms)
            .map(|term| {
                let count = 1 + random.below(3.min(depth));
                let name = format!("x{factor}_{term}");
                array_over(
                    &mut random,
                    (&name, "&"),
                    (&extents, count),
                    &mut parameters,
                )
            })
            .collect();
        product.push(format!("({})", sum.join(" + ")));
    }
    let count = random.below(4.min(depth + 1));
    let target = array_over(
        &mut random,
        ("y", "&mut "),
        (&extents, count),
        &mut parameters,
    );
    let mut statement = format!("{target} += {};", product.join(" * "));
    if random.below(4) == 0 {
        let (one, other) = (random.below(depth), random.below(depth));
        let compared = random.one(&["==", "<", "<=", "!="]);
        statement =
            format!("if i{one} {compared} i{other} {{ {statement} }} else {{ {target} -= 0.5; }}");
    }
    let open: String = extents
        .iter()
        .enumerate()
        .map(|(at, extent)| format!("for i{at} in 0..{extent} {{ "))
        .collect();
    let close = " }".repeat(depth + 1);
    format!("pub fn k({parameters}) {{ for e in 0..n {{ {open}{statement}{close} }}")
}

/// An access to an array of its own over cells and some loops, whose parameter is added.
fn array_over(
    random: &mut Random,
    (name, reference): (&str, &str),
    (extents, count): (&[&str], usize),
    parameters: &mut String,
) -> String {
    let mut left: Vec<usize> = (0..extents.len()).collect();
    let loops: Vec<usize> = (0..count)
        .map(|_| left.swap_remove(random.below(left.len())))
        .collect();
    let opened = "[".repeat(count);
    let sides: String = loops
        .iter()
        .rev()
        .map(|at| format!("; {}]", extents[*at]))
        .collect();
    let _ = write!(parameters, ", {name}: {reference}[{opened}f64{sides}]");
    let subscripts: String = loops.iter().map(|at| format!("[i{at}]")).collect();
    format!("{name}[e]{subscripts}")
}
