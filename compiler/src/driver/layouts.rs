//! What runs for views whose neighbours do not lie together along the last axis.

use crate::ir::Program;
use crate::report::Facts;
use crate::schedule::records::Records;
use crate::schedule::views::{self, Views, along};
use crate::schedule::{Prepared, Scheduled, Target, Wishes};
use crate::syntax::ast::{Function, IsaName};

use super::validated::Validated;
use super::variants::{Refusal, scheduled_for};

/// How loop trees for other layouts are found.
pub struct Layouts<'a> {
    function: &'a Function,
    wishes: &'a Wishes,
    /// The program for views in columns.
    columns: Option<Prepared<'a>>,
    /// The program for views of records, and which these are.
    records: Option<(Records, Prepared<'a>)>,
    /// Loops without lanes.
    without: Option<&'a Scheduled>,
}

/// What a program is for views of other layouts.
#[derive(Default)]
pub struct Others {
    /// For those in columns.
    turned: Option<Program>,
    /// For those of records.
    records: Option<(Records, Program)>,
}

impl Others {
    /// That of a program.
    pub fn of(program: &Program) -> Others {
        Others {
            turned: views::turned(program),
            records: Records::of(program).map(|records| {
                let mut shaped = program.clone();
                records.shape(&mut shaped);
                (records, shaped)
            }),
        }
    }
}

impl<'a> Layouts<'a> {
    /// For a program, and what it is for other layouts.
    pub fn new(
        function: &'a Function,
        wishes: &'a Wishes,
        (others, without): (&'a Others, Option<&'a Scheduled>),
    ) -> Self {
        // What is said of loops is said of rows.
        let free = function.options.on_loops().is_none() && !wishes.require_lanes;
        let prepared = |program| Prepared::of(program, wishes).ok();
        let columns = others.turned.as_ref().filter(|_| free);
        let records = others.records.as_ref().filter(|_| free);
        Layouts {
            function,
            wishes,
            columns: columns.and_then(prepared),
            records: records.and_then(|(own, program)| Some((own.clone(), prepared(program)?))),
            without: without.filter(|_| free),
        }
    }

    /// The loop tree for views in columns.
    fn columns(
        &self,
        (isa, target): (IsaName, Target),
        validated: &mut Validated<'_, '_>,
    ) -> Result<Option<Scheduled>, Refusal> {
        let Some(columns) = &self.columns else {
            return Ok(None);
        };
        let wishes = (self.wishes, self.without);
        let found = scheduled_for(self.function, (isa, target), columns, wishes);
        let Ok(mut found) = found else {
            return Ok(None);
        };
        views::turn_back(&mut found);
        let own = has_several(&along(&found.program, &found.schedule));
        let valid = own && is_valid(validated, (target, Views::Columns), &mut found)?;
        Ok(valid.then_some(found))
    }

    /// The loop tree for views of records, where it takes fewer cycles than one that takes so many, and that no plan says.
    ///
    /// # Errors
    /// A loop tree that is not the source.
    pub fn records(
        &self,
        (isa, target): (IsaName, Target),
        (cycles, planned): (f64, bool),
        validated: &mut Validated<'_, '_>,
    ) -> Result<Option<Scheduled>, Refusal> {
        let own = self.records.as_ref();
        let Some((records, program)) = own.filter(|_| target.width > 1 && !planned) else {
            return Ok(None);
        };
        let wishes = (self.wishes, self.without);
        let found = scheduled_for(self.function, (isa, target), program, wishes);
        let Some(mut found) = found.ok().filter(|found| found.cycles < cycles) else {
            return Ok(None);
        };
        found.large = None;
        records.shape_back(&mut found.program);
        let own = !along(&found.program, &found.schedule).is_empty();
        let valid = own && is_valid(validated, (target, Views::Records), &mut found)?;
        records.shape(&mut found.program);
        Ok(valid.then_some(found))
    }

    /// The loop trees beside one for rows, the first one for views of records, the last one for views of any strides; none where
    /// lanes move along no view, or the text runs instead. Where a plan says the one for rows, that does for all.
    ///
    /// # Errors
    /// A loop tree that is not the source.
    pub fn beside(
        &self,
        (rows, (text, planned)): (&Scheduled, (bool, bool)),
        records: Option<Scheduled>,
        (isa, target): (IsaName, Target),
        validated: &mut Validated<'_, '_>,
    ) -> Result<Vec<(Views, Scheduled)>, Refusal> {
        let mut result = Vec::new();
        let mut moved = along(&rows.program, &rows.schedule);
        let large = rows.large.iter();
        moved.extend(large.flat_map(|large| along(&large.program, &large.schedule)));
        let alone = rows.schedule.lanes.is_none() && target.width > 1;
        let without = alone && moved.is_empty();
        let records = records.filter(|_| !text);
        result.extend(records.map(|records| (Views::Records, records)));
        if text || (moved.is_empty() && (planned || !without)) {
            return Ok(result);
        }
        if !planned && (without || has_several(&moved)) {
            let columns = self.columns((isa, target), validated)?;
            result.extend(columns.map(|columns| (Views::Columns, columns)));
        }
        // Loops without lanes do for any.
        if !without {
            let any = match planned {
                true => None,
                false => self.any(rows, target, validated)?,
            };
            let any = match any {
                Some(any) => any,
                None => {
                    // Rows of elements of few bits may have been compared alone.
                    let mut rows = rows.clone();
                    if !planned {
                        validated.check((target, None, Views::Rows), &mut rows)?;
                    }
                    rows
                }
            };
            result.push((Views::Any, any));
        }
        Ok(result)
    }

    /// The loop tree for views of any strides, where it is not the one for rows.
    fn any(
        &self,
        rows: &Scheduled,
        target: Target,
        validated: &mut Validated<'_, '_>,
    ) -> Result<Option<Scheduled>, Refusal> {
        let any = self.without.map(|without| views::anywhere(rows, without));
        let Some(mut any) = any.filter(|any| any.schedule.width == 1) else {
            return Ok(None);
        };
        let valid = is_valid(validated, (target, Views::Any), &mut any)?;
        Ok(valid.then_some(any))
    }
}

/// Says in the report what runs for other layouts.
pub fn note(facts: &mut Facts, isa: IsaName, beside: &[(Views, Scheduled)]) {
    let each = beside.iter().map(|(views, scheduled)| {
        let views = match views {
            Views::Rows => "in rows",
            Views::Columns => "in columns",
            Views::Any => "of any strides",
            Views::Records => "of records",
        };
        match scheduled.schedule.width {
            1 => format!("{views} no lanes"),
            _ => format!("{views} lanes over {}", scheduled.over),
        }
    });
    let each: Vec<String> = each.collect();
    let name = format!("schedule for {isa:?}").to_lowercase();
    let own = facts.passes.iter_mut().rfind(|pass| pass.name == name);
    if let (Some(own), false) = (own, each.is_empty()) {
        let said = format!("for views {}", each.join("; "));
        if !own.decisions.contains(&said) {
            own.decisions.push(said);
        }
    }
}

/// Whether a view has several axes.
fn has_several(moved: &[(usize, usize)]) -> bool {
    moved.iter().any(|(_, rank)| *rank > 1)
}

/// Whether a loop tree is the source, if that can be told.
fn is_valid(
    validated: &mut Validated<'_, '_>,
    (target, views): (Target, Views),
    scheduled: &mut Scheduled,
) -> Result<bool, Refusal> {
    match validated.check((target, None, views), scheduled) {
        Ok(_) => Ok(true),
        Err(Refusal::Unchecked(_)) => Ok(false),
        Err(refusal) => Err(refusal),
    }
}
