//! The search for a loop tree: candidates are weighed one after the other, and what is taken is finished.

use super::describe::{self, NO_LOOP, describe};
use super::frontier::{self, Point};
use super::improved::{in_registers, in_rings, rows};
use super::large::Large;
use super::panels::Products;
use super::tree::{self, Schedule};
use super::{
    Plan, Scheduled, Target, Wishes, blocking, build, chains, crossing, dependence, jamming,
    layouts, pipelining, restarted, unrolling,
};
use crate::ir::Program;
use crate::syntax::ast::Differencing;

/// A plan for a program, and what it builds.
pub struct Candidate {
    program: Program,
    pub plan: Plan,
    built: (Program, Schedule),
    /// Temporaries that wait in rings.
    rings: Vec<String>,
    /// Those along the lanes that are in registers.
    registers: Vec<String>,
    /// Rows of a loop that take a step together.
    rows: usize,
    /// Cycles.
    estimate: f64,
}

impl Candidate {
    fn point(&self) -> Point {
        let again = self.plan.fused.again.as_ref();
        Point {
            cycles: self.estimate,
            bytes: frontier::temporaries(&self.built.0, &self.built.1),
            again: again.map_or(0, |again| again.operations),
        }
    }

    pub fn in_blocks(&self) -> Vec<(Program, Plan)> {
        match self.program.exact {
            true => Vec::new(),
            false => blocking::alternatives(&self.program, &self.plan, &self.built.1),
        }
    }
}

/// The best candidate so far, and what was said of all of them.
#[derive(Default)]
pub struct Search {
    pub best: Option<Candidate>,
    weighed: Vec<(String, f64)>,
    failure: Option<String>,
    /// Whether any lanes are better than none.
    require_lanes: bool,
    /// Bytes that temporaries may take.
    memory: Option<usize>,
    /// The best one that copies no input in another order first.
    plain: Option<Candidate>,
    /// Loop trees with fused loops.
    fused: Vec<Candidate>,
    /// The tree with the most products of matrices.
    products: Products,
}

impl Search {
    /// One that has weighed nothing.
    pub fn of(wishes: &Wishes) -> Search {
        Search {
            require_lanes: wishes.require_lanes,
            memory: wishes.memory,
            ..Search::default()
        }
    }

    /// Whether equations have loops of their own in the best candidate.
    pub fn has_own_loops(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.plan.fused.own)
    }

    /// Weighs a candidate, which is taken if its estimate is below that `part` of the best one's.
    pub fn weigh(&mut self, (program, plan): (Program, Plan), target: Target, part: f64) {
        let built = match build::build(&program, &plan) {
            Ok(built) => built,
            Err(reason) => {
                self.failure = Some(reason);
                return;
            }
        };
        if program.exact
            && tree::copies(&built.1.body)
                .iter()
                .any(|c| c.accumulate.is_some())
        {
            // What is staged is summed up by itself, and then added to what was there before.
            let reason = "results would be added up in another order";
            self.failure.get_or_insert_with(|| reason.to_owned());
            return;
        }
        self.products.weigh(&built, (&plan, target));
        let (built, rings) = in_rings(built, (&plan, target));
        let (built, registers) = in_registers(built, (&plan, target));
        let (rows, estimate) = rows(&built, (&plan, target));
        if !plan.fused.own {
            self.weighed.push((describe(&program, &plan), estimate));
        }
        let better = |best: &Candidate| {
            let lanes = (plan.lanes.is_some(), best.plan.lanes.is_some());
            match lanes.0 == lanes.1 || !self.require_lanes {
                true => estimate < part * best.estimate,
                false => lanes.0,
            }
        };
        // What repeats operations only ever saves memory.
        let again = plan.fused.again.is_some();
        let better = !again && self.best.as_ref().is_none_or(better);
        let candidate = Candidate {
            program,
            plan,
            built,
            rings,
            registers,
            rows,
            estimate,
        };
        if better {
            let before = self.best.replace(candidate);
            self.keep_plain(before);
        } else if !candidate.plan.fused.shared.is_empty() {
            self.fused.push(candidate);
        } else if !again {
            self.keep_plain(Some(candidate));
        }
    }

    fn keep_plain(&mut self, candidate: Option<Candidate>) {
        let Some(candidate) = candidate.filter(|own| !layouts::copies_inputs(&own.program)) else {
            return;
        };
        let known = self.plain.as_ref();
        if known.is_none_or(|known| candidate.estimate < known.estimate) {
            self.plain = Some(candidate);
        }
    }

    /// Copying an input takes a time that many rows are worth. Where products are packed, which does the same, few rows
    /// do without.
    fn few_rows(&mut self, large: Option<&Large>) {
        let copies = |best: &Candidate| layouts::copies_inputs(&best.program);
        if large.is_some_and(Large::gathers) && self.best.as_ref().is_some_and(copies) {
            self.best = self.plain.take().or(self.best.take());
        }
    }

    /// The best candidate, or one with smaller temporaries; and what was weighed of these.
    fn chosen(&mut self) -> Option<(Candidate, Option<String>)> {
        let best = self.best.take()?;
        let points: Vec<Point> = self.fused.iter().map(Candidate::point).collect();
        let fastest = best.point();
        let said = |chosen: &Point, other: &Point| {
            format!(
                "temporaries of {} bytes in {:.0} cycles, instead of {} in {:.0}",
                chosen.bytes, chosen.cycles, other.bytes, other.cycles
            )
        };
        let Some(at) = frontier::smaller(fastest, &points, self.memory) else {
            return Some((best, None));
        };
        let words = said(&points[at], &fastest);
        let chosen = self.fused.swap_remove(at);
        let again = chosen.plan.fused.again.as_ref();
        let words = again.map_or(words.clone(), |again| format!("{words}; {again}"));
        Some((chosen, Some(words)))
    }

    pub fn result(mut self, target: Target) -> Result<Scheduled, String> {
        let large = self.products.packed(target);
        self.few_rows(large.as_ref());
        let Some((best, smaller)) = self.chosen() else {
            return Err(self.failure.unwrap_or_else(|| "no schedule".to_owned()));
        };
        let lanes = describe(&best.program, &best.plan);
        let cycles = best.estimate;
        let own = describe::own_loops(&best.program, &best.plan);
        if own.is_some() {
            self.weighed.push((lanes.clone(), cycles));
        }
        let uncompared = dependence::Dependence::uncompared(&best.program);
        let (mut program, mut schedule) = best.built;
        let kept = |names: &[String], how: &str| {
            (!names.is_empty()).then(|| format!("`{}` in {how}", names.join("`, `")))
        };
        let rings = kept(&best.rings, "rings, computed ahead of what reads them");
        let beside = "registers, computed beside what reads them";
        let registers = kept(&best.registers, beside);
        let jammed = jamming::run(
            &program,
            &mut schedule,
            (best.rows, best.plan.for_stencils()),
        );
        let jammed = jammed.then(|| format!("{} rows a step", best.rows));
        let strips = crossing::strips(&program, &mut schedule);
        let pipelined = pipelining::run(&program, &mut schedule, target);
        let unrolled = unrolling::run(&program, &mut schedule, (&best.plan, target));
        chains::run(&program, &mut schedule);
        if let Differencing::Resync(after) = program.differencing {
            restarted::run(&mut program, &mut schedule, after)?;
        }
        let words = |(name, cycles): &_| format!("lanes over {name}: {cycles:.0} cycles");
        let all: Vec<String> = self.weighed.iter().map(words).collect();
        let mut decision = format!(
            "width {}, lanes over {lanes} ({})",
            target.width,
            all.join("; ")
        );
        let with = [rings, registers, jammed, strips];
        let with = with.into_iter().flatten().chain(pipelined).chain(unrolled);
        let with = with.collect::<Vec<_>>().join("; ");
        let said = (!with.is_empty()).then(|| with.clone());
        for said in [said, own, smaller, uncompared].into_iter().flatten() {
            decision.push_str(&format!("; {said}"));
        }
        Ok(Scheduled {
            program,
            schedule,
            decision,
            cycles,
            over: match lanes == NO_LOOP {
                true => String::new(),
                false => lanes,
            },
            with,
            weighed: self.weighed,
            large,
        })
    }
}
