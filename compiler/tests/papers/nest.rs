//! A nest of a paper, through all rooms below the passes: its text as a kernel, as a program, and
//! as the paper's transformed program with its schedule.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::OnceLock;

use loopwright_compiler::analysis::cost;
use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::emit::{self, Variant};
use loopwright_compiler::ir::{self, Element, Program};
use loopwright_compiler::lower;
use loopwright_compiler::passes;
use loopwright_compiler::report::{self, Facts};
use loopwright_compiler::schedule::tree::{Schedule, Storage};
use loopwright_compiler::schedule::views::Views;
use loopwright_compiler::schedule::{self, Target, Wishes};
use loopwright_compiler::syntax;
use loopwright_compiler::syntax::ast::{FunctionId, IsaName, Module};
use loopwright_compiler::verify::{self, Subject};
use loopwright_differential::emulated;
use loopwright_differential::toolchain::{self, Toolchain};
use proc_macro2::TokenStream;

use crate::columns;
use crate::run;

/// The instruction sets, with their lanes of `f64`.
const ISAS: [(IsaName, usize); 3] = [
    (IsaName::Avx512, 8),
    (IsaName::Avx2, 4),
    (IsaName::Scalar, 1),
];

/// Iterations of loops of run-time extent: more than any number of lanes, and no multiple of how
/// often loops are unrolled.
const RUN_TIME: usize = 11;

/// A nest.
pub struct Nest<'a> {
    /// Paper and figure.
    pub figure: &'a str,
    /// The source nest as Rust: one function, called `nest`.
    pub kernel: &'a str,
    /// The source nest as a program.
    pub source: &'a str,
    /// What the paper makes of it.
    pub transformed: &'a str,
    /// Its loop tree, for a number of lanes.
    pub schedule: fn(usize) -> String,
    /// Operations of the source and of the transformed program.
    pub operations: [u64; 2],
}

impl Nest<'_> {
    /// Validates the nest in all its forms, emits it for every instruction set, compiles that and
    /// runs it against the source nest.
    pub fn check(&self) {
        let source = self.program(self.source);
        let transformed = self.program(self.transformed);
        self.is_the_kernel(&source, &transformed);
        let found = [&source, &transformed].map(|p| cost::program(p).each.operations());
        assert_eq!(found, self.operations, "{}: operations", self.figure);
        let plain = self.emitted(&source, &transformed, self.kernel, |width| {
            self.parsed(&transformed, width)
        });
        // The same nest for every column of arrays that have one more dimension: lanes hold
        // columns, and whatever is carried from iteration to iteration is a vector.
        let [wide_source, wide] = [&source, &transformed].map(columns::program);
        let signature = columns::signature(&wide_source);
        let columns = self.emitted(&wide_source, &wide, &signature, |width| {
            columns::schedule(&self.parsed(&transformed, 1), &wide, width)
        });
        self.run(&source, &[plain, columns]);
    }

    /// Elements of all temporaries under the schedule for scalar code, each scalar one.
    pub fn elements(&self) -> usize {
        let schedule = self.parsed(&self.program(self.transformed), 1);
        let storage = schedule.storage.iter();
        storage.map(|(_, storage)| storage.nominal(1)).sum()
    }

    fn program(&self, text: &str) -> Program {
        let program = ir::text::parse(text).unwrap_or_else(|e| panic!("{}: {e}", self.figure));
        let printed = ir::text::print(&program);
        let back = ir::text::parse(&printed).unwrap_or_else(|e| panic!("{}: {e}", self.figure));
        assert_eq!(ir::text::print(&back), printed);
        program
    }

    fn parsed(&self, program: &Program, width: usize) -> Schedule {
        let text = (self.schedule)(width);
        schedule::text::parse(&text, program)
            .unwrap_or_else(|e| panic!("{}, width {width}: {e}\n{text}", self.figure))
    }

    /// The source program is what the kernel says, and so is the transformed one under its loop
    /// trees, validated as every expansion is.
    fn is_the_kernel(&self, source: &Program, transformed: &Program) {
        let module = module(self.kernel);
        let lowered = lower::lower(&module, &module.functions[0], false)
            .unwrap_or_else(|problem| panic!("{}: {}", self.figure, problem.message));
        let subject = Subject::new(&module, FunctionId(0), &lowered);
        verify::validate_unscheduled(&subject, source)
            .unwrap_or_else(|e| panic!("{}: the kernel is not the program: {e}", self.figure));
        for (_, width) in ISAS {
            let schedule = self.parsed(transformed, width);
            verify::validate(&subject, transformed, &schedule)
                .unwrap_or_else(|e| panic!("{}, width {width}: {e}", self.figure));
        }
        self.passes_keep(&subject, transformed);
    }

    /// The compiler's own passes and search take what the paper makes of a nest as any other
    /// program: they keep its value, and schedule it unless it needs its own earlier elements.
    fn passes_keep(&self, subject: &Subject, transformed: &Program) {
        let mut program = transformed.clone();
        for pass in passes::pipeline(passes::HIGHEST, false) {
            pass.run(&mut program);
            verify::validate_unscheduled(subject, &program)
                .unwrap_or_else(|e| panic!("{}, {}: {e}\n{program}", self.figure, pass.name));
        }
        let carried = program.recurrence().is_some();
        for (_, width) in ISAS {
            let registers = 16;
            let target = Target { width, registers };
            match schedule::schedule(&program, target, &Wishes::default()) {
                Ok(built) => verify::validate(subject, &built.program, &built.schedule)
                    .unwrap_or_else(|e| panic!("{}, width {width}: {e}", self.figure)),
                Err(reason) => assert!(carried, "{}: {reason}", self.figure),
            }
        }
    }

    /// The items that the transformed program expands to, validated.
    fn emitted(
        &self,
        source: &Program,
        transformed: &Program,
        kernel: &str,
        schedule: impl Fn(usize) -> Schedule,
    ) -> TokenStream {
        let variant = |(isa, width)| {
            let schedule: Schedule = schedule(width);
            let text = schedule::text::print(transformed, &schedule);
            let back = schedule::text::parse(&text, transformed).unwrap();
            assert_eq!(schedule::text::print(transformed, &back), text);
            verify::equivalent(source, transformed, &schedule, RUN_TIME)
                .unwrap_or_else(|e| panic!("{}: {e}\n{transformed}\n{text}", self.figure));
            Variant {
                isa,
                element: Element::F64,
                fused: isa != IsaName::Scalar,
                program: transformed.clone(),
                schedule,
                text: None,
                near: false,
                short: Vec::new(),
                is_large: false,
                runs: Vec::new(),
                large: None,
                views: Views::Rows,
                otherwise: Vec::new(),
            }
        };
        let variants = ISAS.map(variant);
        let module = module(kernel);
        let krate: TokenStream = "::loopwright".parse().unwrap();
        let kernel = emit::Kernel {
            krate: &krate,
            module: &module,
            function: &module.functions[0],
            lowered: source,
            reached: &[],
            expected: &[],
            bounds: &[],
            assumed: &[],
            shortened: &[],
            joint: &[],
            variants: &variants,
            inspector: None,
            told: OnceCell::new(),
            nested: None,
            report: report::constant(&krate, &Facts::default()),
            comments: false,
        };
        let items = emit::kernel(&kernel).unwrap_or_else(|e| panic!("{}: {e}", self.figure));
        self.has_no_memory_for_registers(&variants, &items.to_string());
        items
    }

    /// What is to be in registers has no array.
    fn has_no_memory_for_registers(&self, variants: &[Variant], text: &str) {
        for (array, storage) in variants.iter().flat_map(|v| &v.schedule.storage) {
            let name = &variants[0].program.array(*array).name;
            let in_memory = matches!(storage, Storage::Memory { .. });
            let declared = text.contains(&format!("let mut {name}_m "));
            assert_eq!(declared, in_memory, "{}: {name}", self.figure);
        }
    }

    /// Compiles and runs what was emitted: as it is, and with emulated vector units.
    fn run(&self, source: &Program, emitted: &[TokenStream; 2]) {
        static TOOLCHAIN: OnceLock<Toolchain> = OnceLock::new();
        let toolchain = TOOLCHAIN.get_or_init(|| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("papers");
            Toolchain::new(&folder).unwrap_or_else(|e| panic!("{e}"))
        });
        let [plain, columns] = emitted;
        let mut text = "#![allow(warnings)]\n".to_owned();
        for (name, items) in [
            ("plain", plain.to_string()),
            ("plain_emulated", emulated(plain.clone())),
            ("columns", columns.to_string()),
            ("columns_emulated", emulated(columns.clone())),
        ] {
            text.push_str(&format!("mod {name} {{ {items} }}\n"));
        }
        text.push_str(&run::main(source));
        let program = toolchain
            .compile(self.figure, &text)
            .unwrap_or_else(|e| panic!("{}: {e}", self.figure));
        let run = toolchain::run(&program).unwrap();
        assert!(run.ended, "{}:\n{}", self.figure, run.output);
        // Scalar code natively, and everything emulated, for the nest and for its columns.
        let compared = run
            .output
            .lines()
            .filter(|l| l.starts_with("equal"))
            .count();
        assert!(compared >= 8, "{}:\n{}", self.figure, run.output);
    }
}

fn module(kernel: &str) -> Module {
    let mut diagnostics = Diagnostics::new();
    let module = syntax::parse(kernel.parse().unwrap(), &mut diagnostics);
    assert!(
        diagnostics.is_empty(),
        "{}",
        diagnostics.into_compile_error()
    );
    module.unwrap()
}
