//! Sums of products in the fewest operations: the programs of kernels against exact optima, which exhaustive
//! searches found (`tests/data/oracles`).

use std::collections::BTreeMap;

use loopwright_compiler::analysis::cost;
use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::driver::{Settings, expand_with};
use loopwright_compiler::ir::{Atom, Extent, IndexId, Program};
use loopwright_compiler::lower::{self, Arrays};
use loopwright_compiler::syntax::ast::Module;
use loopwright_compiler::{passes, syntax};
use serde_json::Value;

/// A sum of a product.
struct Case {
    name: String,
    /// The loops of each factor, a letter each, and of the result.
    factors: Vec<String>,
    result: String,
    extents: BTreeMap<char, usize>,
    /// The fewest operations, where a sum of n terms has n - 1 additions.
    fewest: u64,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../tests/data/oracles/opmin_cases.json");
    let all: Value = serde_json::from_str(text).unwrap();
    let of = |case: &Value| Case {
        name: case["name"].as_str().unwrap().to_owned(),
        factors: (case["factors"].as_array().unwrap().iter())
            .map(|factor| factor.as_str().unwrap().to_owned())
            .collect(),
        result: case["out"].as_str().unwrap().to_owned(),
        extents: (case["extents"].as_object().unwrap().iter())
            .map(|(name, n)| (name.chars().next().unwrap(), n.as_u64().unwrap() as usize))
            .collect(),
        fewest: case["optimal_ops_nm1"].as_u64().unwrap(),
    };
    all["cases"].as_array().unwrap().iter().map(of).collect()
}

/// How extents and arrays are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// `x: &[[f64; 4]; 3]`.
    Constant,
    /// The same, the loops of the sums outermost.
    SumsOutside,
    /// `x: &[f64]`, with a length for each loop.
    Flat,
    /// `x: ArrayView2<f64>`, loops over its extents.
    Views,
}

impl Case {
    fn size(&self, loops: &str) -> u64 {
        loops
            .chars()
            .map(|name| self.extents[&name] as u64)
            .product()
    }

    fn summed(&self) -> String {
        let all = self.extents.keys();
        all.filter(|name| !self.result.contains(**name)).collect()
    }

    fn bound(&self, name: char, form: Form) -> String {
        match form {
            Form::Constant | Form::SumsOutside => self.extents[&name].to_string(),
            Form::Flat => format!("n_{name}"),
            Form::Views => {
                let with = |loops: &String| loops.find(name);
                let at = self
                    .factors
                    .iter()
                    .position(|loops| with(loops).is_some())
                    .unwrap();
                format!("x{at}.shape()[{}]", with(&self.factors[at]).unwrap())
            }
        }
    }

    fn parameter(&self, name: &str, loops: &str, form: Form, result: bool) -> String {
        let mutable = if result { "mut " } else { "" };
        match form {
            Form::Constant | Form::SumsOutside => {
                let mut ty = "f64".to_owned();
                for index in loops.chars().rev() {
                    ty = format!("[{ty}; {}]", self.extents[&index]);
                }
                format!("{name}: &{mutable}{ty}")
            }
            Form::Flat => format!("{name}: &{mutable}[f64]"),
            Form::Views => {
                let ty = if result { "ArrayViewMut" } else { "ArrayView" };
                format!("{mutable}{name}: {ty}{}<f64>", loops.len())
            }
        }
    }

    fn access(&self, name: &str, loops: &str, form: Form) -> String {
        let names: Vec<String> = loops.chars().map(String::from).collect();
        match form {
            Form::Constant | Form::SumsOutside => {
                let subscripts: String = names.iter().map(|name| format!("[{name}]")).collect();
                format!("{name}{subscripts}")
            }
            Form::Views => format!("{name}[[{}]]", names.join(", ")),
            Form::Flat => {
                let mut subscript = names[0].clone();
                for name in &names[1..] {
                    subscript = format!("({subscript}) * n_{name} + {name}");
                }
                format!("{name}[{subscript}]")
            }
        }
    }

    /// The kernel: one perfect nest.
    fn text(&self, form: Form) -> String {
        let mut parameters: Vec<String> = match form {
            Form::Flat => self
                .extents
                .keys()
                .map(|name| format!("n_{name}: usize"))
                .collect(),
            _ => Vec::new(),
        };
        let mut product = Vec::new();
        for (at, loops) in self.factors.iter().enumerate() {
            parameters.push(self.parameter(&format!("x{at}"), loops, form, false));
            product.push(self.access(&format!("x{at}"), loops, form));
        }
        let scalar = self.result.is_empty();
        let target = if scalar {
            "w".to_owned()
        } else {
            parameters.push(self.parameter("w", &self.result, form, true));
            self.access("w", &self.result, form)
        };
        let order = match form {
            Form::SumsOutside => self.summed() + &self.result,
            _ => self.result.clone() + &self.summed(),
        };
        let mut body = format!("{target} += {};", product.join(" * "));
        for name in order.chars().rev() {
            body = format!("for {name} in 0..{} {{ {body} }}", self.bound(name, form));
        }
        let (result, body) = match scalar {
            true => (" -> f64", format!("let mut w = 0.0; {body} w")),
            false => ("", body),
        };
        format!(
            "pub fn kernel({}){result} {{ {body} }}",
            parameters.join(", ")
        )
    }

    /// The fewest operations of the kernel: each sum is added to what the result holds.
    fn bound_on_operations(&self) -> u64 {
        let added = if self.result.is_empty() {
            0
        } else {
            self.size(&self.result)
        };
        self.fewest + added
    }
}

/// A program whose extents are those of a case.
fn with_extents(program: &mut Program, case: &Case) {
    let value = |atom: &Atom| match atom {
        Atom::Scalar(array) => {
            let name = program.array(*array).name.strip_prefix("n_").unwrap();
            case.extents[&name.chars().next().unwrap()]
        }
        Atom::Length(array, dimension) => {
            let at: usize = program.array(*array).name[1..].parse().unwrap();
            case.extents[&case.factors[at].chars().nth(*dimension).unwrap()]
        }
        _ => panic!("an extent that no parameter says"),
    };
    let extent = |extent: &Extent| match extent {
        Extent::Constant(n) => Extent::Constant(*n),
        Extent::RunTime(affine) => {
            let terms = affine
                .terms
                .iter()
                .map(|(atom, times)| times * value(atom) as i64);
            Extent::Constant((affine.constant + terms.sum::<i64>()) as usize)
        }
    };
    let extents: Vec<Extent> = program
        .indices
        .iter()
        .map(|index| extent(&index.extent))
        .collect();
    for (index, extent) in program.indices.iter_mut().zip(extents) {
        index.extent = extent;
    }
}

/// Operations of the program that is scheduled, for the extents of a case.
fn operations(case: &Case, form: Form) -> u64 {
    let text = case.text(form);
    let mut diagnostics = Diagnostics::new();
    let module = syntax::parse(text.parse().unwrap(), &mut diagnostics);
    let module = module.unwrap_or_else(|| panic!("{text}: {:?}", diagnostics.messages()));
    let choices = Arrays::choices(&module, &module.functions[0]).into_iter();
    let counts = choices.map(|arrays| counted(case, &text, &module, arrays));
    counts.min().unwrap()
}

/// As lowered in one of the ways.
fn counted(case: &Case, text: &str, module: &Module, arrays: Arrays) -> u64 {
    let lowered = lower::lower_with(module, &module.functions[0], false, arrays);
    let mut program = lowered
        .unwrap_or_else(|e| panic!("{text}: {}", e.message))
        .program;
    for pass in passes::pipeline(3, false) {
        let _ = pass.run(&mut program);
    }
    with_extents(&mut program, case);
    let cost = cost::program(&program);
    // A sum over several loops starts from zero.
    let starts = program
        .equations
        .iter()
        .filter(|equation| equation.reduction.len() > 1);
    let starts = starts.map(|equation| {
        let extent =
            |index: &IndexId| program.loop_index(*index).extent.as_constant().unwrap() as u64;
        equation.free.iter().map(extent).product::<u64>()
    });
    cost.operations().wrapping_sub(starts.sum::<u64>())
}

impl Case {
    /// The same with loops of so many iterations each.
    fn nominal(mut self, iterations: usize) -> Case {
        for extent in self.extents.values_mut() {
            *extent = iterations;
        }
        self.fewest = self.search();
        self
    }

    /// The fewest operations, by a search over all trees of products: a loop is summed over once no other factor
    /// has it.
    fn search(&self) -> u64 {
        let all = (1 << self.factors.len()) - 1;
        let has = |set: usize, name: char| {
            let mut factors = self.factors.iter().enumerate();
            factors.any(|(at, loops)| set >> at & 1 == 1 && loops.contains(name))
        };
        // The loops of a product, and those that are left once it is summed.
        let loops = |set: usize| -> String {
            self.extents
                .keys()
                .filter(|name| has(set, **name))
                .collect()
        };
        let left = |set: usize| -> String {
            let kept = |name: &char| self.result.contains(*name) || has(all & !set, *name);
            loops(set).chars().filter(kept).collect()
        };
        let mut least = vec![u64::MAX; all + 1];
        for set in 1..=all {
            let mut part = set;
            while part > 0 {
                let (a, b) = (part, set & !part);
                let before = match b {
                    0 => loops(set),
                    _ => self
                        .extents
                        .keys()
                        .filter(|n| (left(a) + &left(b)).contains(**n))
                        .collect(),
                };
                let after = left(set);
                let sums = self.size(&before) - self.size(&after);
                let cost = match b {
                    0 if set.count_ones() == 1 => sums,
                    0 => u64::MAX,
                    _ => least[a] + least[b] + self.size(&before) + sums,
                };
                least[set] = least[set].min(cost);
                part = (part - 1) & set;
            }
        }
        least[all]
    }
}

/// The search of this file finds what another one found.
#[test]
fn searches_agree() {
    for case in cases() {
        assert_eq!(case.search(), case.fewest, "{}", case.name);
    }
}

fn check(form: Form) {
    let mut wrong = Vec::new();
    for case in cases() {
        let long = form == Form::Flat || form == Form::Views;
        let bits = (60 / case.extents.len()).min(10);
        let case = &if long { case.nominal(1 << bits) } else { case };
        // Arrays of so many elements are not held when a kernel is validated.
        if case.name == "rand37" && form != Form::Flat {
            continue;
        }
        let (found, fewest) = (operations(case, form), case.bound_on_operations());
        if found > fewest {
            let ratio = found as f64 / fewest as f64;
            wrong.push(format!(
                "{}: {found} operations, {ratio:.2} times {fewest}",
                case.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{form:?}:\n{}", wrong.join("\n"));
}

#[test]
fn constant_extents() {
    check(Form::Constant);
}

#[test]
fn sums_outside() {
    check(Form::SumsOutside);
}

#[test]
fn flat_slices() {
    check(Form::Flat);
}

#[test]
fn views() {
    check(Form::Views);
}

/// Products with many loops inside each other are validated, and do not run as written.
#[test]
fn deep_nests_run_optimised() {
    let facade = "::loopwright".parse().unwrap();
    let forms = [
        ("ccsd_like", Form::Constant),
        ("four_index", Form::Flat),
        ("four_index", Form::Views),
    ];
    let all = cases();
    for (name, form) in forms {
        let case = all.iter().find(|case| case.name == name).unwrap();
        let text = case.text(form).parse().unwrap();
        let expansion = expand_with(&facade, text, &Settings::default()).to_string();
        assert!(!expansion.contains("compile_error"), "{name} {form:?}");
        assert!(!expansion.contains("\"runs as written"), "{name} {form:?}");
    }
}

/// The report says what other fusions of temporaries that leave the nearest cache would take.
#[test]
fn the_report_compares_fusions() {
    let text = "pub fn transform(
            a: &[[[[f64; 9]; 9]; 9]; 9], c: &[[f64; 9]; 9], w: &mut [[[[f64; 9]; 9]; 9]; 9],
        ) {
            for e in 0..9 { for f in 0..9 { for g in 0..9 { for h in 0..9 {
                for p in 0..9 { for q in 0..9 { for r in 0..9 { for s in 0..9 {
                    w[e][f][g][h] += a[p][q][r][s] * c[p][e] * c[q][f] * c[r][g] * c[s][h];
                } } } }
            } } } }
        }";
    let facade = "::loopwright".parse().unwrap();
    let expansion = expand_with(&facade, text.parse().unwrap(), &Settings::default()).to_string();
    let said = "157464 without fusion, at least";
    let at = expansion.find(said).expect("temporaries are compared");
    let rest = &expansion[at + said.len()..];
    let least: u64 = rest.split_whitespace().next().unwrap().parse().unwrap();
    assert!(least * 8 < 157_464, "{least}");
}
