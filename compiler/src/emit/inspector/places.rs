//! Arrays of the text and their subscripts.

use super::forms::Form;
use super::integers::literal;
use super::values::{Base, Entries, Integer, Place, Source, Surveyed, Value, rank, scalar};
use super::{Facts, Inspector, Missing, Result, missing};
use crate::diagnostics::Span;
use crate::emit::variant::integer_name;
use crate::syntax::ast::{Expression, Length, ScalarType, TableId, Type};
use crate::syntax::is_local;

/// Entries of integer tables that the inspector holds.
const MOST_ENTRIES: usize = 1 << 12;

impl Inspector<'_> {
    /// `base[index]`, which may be an element that is inside whatever runs.
    pub(super) fn index(
        &mut self,
        base: &Expression,
        index: &Expression,
        inside: bool,
    ) -> Result<Value> {
        let Value::Place(mut place) = self.expression(base)? else {
            return missing(base.span, "a subscript of what is no array");
        };
        // All subscripts of a view are looked at together.
        let inside = inside && matches!(place.base, Base::Path(_));
        let extent = self.extent(&place, 0);
        let at = match inside {
            true => self.integer(index)?,
            false => {
                let at = self.subscript(index, extent)?;
                self.run(at.facts.without_ends());
                at
            }
        };
        let Some(inner) = place.ty.element().cloned() else {
            return missing(base.span, "a subscript of what is no array");
        };
        self.subscripted(&mut place, &at, inside);
        place.facts = place.facts.mixed(&at.facts);
        place.fixed &= at.fixed;
        place.ty = inner;
        let whole = match &mut place.base {
            Base::Path(path) => {
                *path = format!("{path}[{}]", at.text);
                true
            }
            Base::View { subscripts, .. } => {
                subscripts.push(at.text);
                rank(&place.ty) == 0
            }
        };
        if whole && !inside {
            let access = match &place.base {
                Base::View { view: None, .. } => format!("{};\n", place_text(&place)),
                _ => format!("let _ = &{};\n", place_text(&place)),
            };
            self.once(access, place.fixed);
        }
        Ok(Value::Place(place))
    }

    /// The value of a scalar in an array.
    pub(super) fn element(&mut self, place: Place) -> Value {
        let Type::Scalar(ScalarType::Integer(ty)) = place.ty else {
            return Value::Number;
        };
        let (facts, fixed) = match &place.entries {
            Entries::Numbers => return Value::Number,
            Entries::Unknown(why) => return Value::Unknown(why.clone()),
            Entries::Known => (place.facts.clone(), place.fixed),
            Entries::Changing(_) => (self.around(), false),
        };
        let form = match place.entries {
            Entries::Known => self.entry(&place),
            _ => None,
        };
        Value::Integer(Integer {
            facts: Facts::unknown(facts.loops()),
            data: true,
            fixed,
            form,
            ..Integer::known(place_text(&place), !ty.is_signed())
        })
    }

    /// A table, or a constant.
    pub(super) fn table(&mut self, id: TableId, whole: &Expression) -> Result<Value> {
        let table = &self.module.tables[id.0];
        let ScalarType::Integer(ty) = table.element else {
            return Ok(match table.shape.is_empty() {
                true => Value::Number,
                false => Value::Place(self.numbers(&whole.ty)),
            });
        };
        if table.values.len() > MOST_ENTRIES {
            return missing(whole.span, "entries of a large table of integers");
        }
        let entries = table.values.iter().map(|value| value.to_integer());
        let entries: Vec<i128> = entries.collect();
        let source = entries.iter().min().zip(entries.iter().max());
        let source = source.map_or(Source::Unknown, |(low, high)| Source::Between(*low, *high));
        let mut texts: Vec<String> = entries
            .iter()
            .map(|value| format!("{value}_{}", integer_name(ty)))
            .map(|text| match text.starts_with('-') {
                true => format!("({text})"),
                false => text,
            })
            .collect();
        for extent in table.shape.iter().rev() {
            let rows = texts.chunks((*extent).max(1));
            texts = rows.map(|row| format!("[{}]", row.join(", "))).collect();
        }
        let Some(text) = texts.pop().filter(|_| texts.is_empty()) else {
            return missing(whole.span, "an empty table of integers");
        };
        Ok(match table.shape.is_empty() {
            true => Value::Integer(Integer {
                form: Some(Form::constant(entries[0])),
                ..Integer::known(text, !ty.is_signed())
            }),
            false => Value::Place(Place {
                survey: Surveyed {
                    entries: source,
                    ..Surveyed::default()
                },
                base: Base::Path(format!("({text})")),
                ty: crate::syntax::behind(&whole.ty).clone(),
                facts: Facts::default(),
                fixed: true,
                entries: Entries::Known,
            }),
        })
    }

    /// `[a, b]`, and `[a; n]` as so many of one.
    pub(super) fn array(
        &mut self,
        elements: &[Expression],
        repeated: Option<usize>,
        whole: &Expression,
    ) -> Result<Value> {
        let integers = matches!(scalar(&whole.ty), Some(ScalarType::Integer(_)));
        let (mut texts, mut facts, mut fixed) = (Vec::new(), Facts::default(), true);
        let (mut unknown, mut entries) = (None, Vec::new());
        for element in elements {
            let value = self.expression(element)?;
            match self.read(value) {
                Value::Integer(integer) => {
                    self.demand(&integer);
                    entries.extend(integer.form);
                    facts = facts.mixed(&integer.facts);
                    fixed &= integer.fixed;
                    texts.push(integer.text);
                }
                Value::Place(place) if integers => {
                    if let Entries::Unknown(why) = &place.entries {
                        unknown = Some(why.clone());
                    }
                    fixed &= place.fixed && !matches!(place.entries, Entries::Changing(_));
                    facts = facts.mixed(&place.facts);
                    texts.push(place_text(&place));
                }
                Value::Unknown(why) => unknown = Some(why),
                _ => {}
            }
        }
        if !integers {
            return Ok(Value::Place(self.numbers(&whole.ty)));
        }
        let text = match (repeated, texts.as_slice()) {
            (Some(n), [text]) => format!("([{text}; {n}])"),
            _ => format!("([{}])", texts.join(", ")),
        };
        let mut place = self.numbers(&whole.ty);
        if let Some(why) = unknown {
            place.entries = Entries::Unknown(why);
            return Ok(Value::Place(place));
        }
        // None is known where one of them is not.
        let source = match entries.len() == elements.len() {
            true => Source::Among(entries),
            false => Source::Unknown,
        };
        Ok(Value::Place(Place {
            base: Base::Path(text),
            facts,
            fixed,
            entries: Entries::Known,
            survey: Surveyed {
                entries: source,
                ..place.survey
            },
            ..place
        }))
    }

    /// `vec![0.0; n]`, `Array2::zeros((n, m))`: arrays of nothing, as long.
    pub(super) fn allocation(&mut self, parts: &[Expression], whole: &Expression) -> Result<Value> {
        let (span, ty) = (whole.span, crate::syntax::behind(&whole.ty).clone());
        let view = rank(&ty) > 0;
        let extents = match parts.split_first() {
            Some((fill, extents)) if !view => {
                let value = self.expression(fill)?;
                self.used(value);
                extents
            }
            _ => parts,
        };
        let (mut texts, mut forms) = (Vec::new(), Vec::new());
        for extent in extents {
            let extent = self.needed(extent)?;
            self.run(extent.facts.loops());
            let extent = self.named(extent, &super::statements::USIZE);
            texts.push(extent.text);
            forms.extend(extent.form);
        }
        let entries = match scalar(&ty) {
            Some(ScalarType::Integer(_)) => Entries::Unknown(Missing {
                span,
                message: "entries of a temporary of integers".to_owned(),
            }),
            _ => Entries::Numbers,
        };
        let base = match (view, &ty) {
            (true, _) => Base::View {
                view: None,
                extents: texts,
                subscripts: Vec::new(),
            },
            (false, Type::Slice(inner)) => {
                // Those of elements stand in their type.
                let (inner, extent) = (self.hollow(inner), &texts[0]);
                Base::Path(format!(
                    "(*__loopwright::checks::hollow::<{inner}>({extent}))"
                ))
            }
            _ if is_local(&ty) && matches!(entries, Entries::Numbers) => {
                return Ok(Value::Place(self.numbers(&ty)));
            }
            _ => return missing(span, "a temporary of this type"),
        };
        Ok(Value::Place(Place {
            base,
            ty,
            facts: Facts::default(),
            fixed: true,
            entries,
            survey: Surveyed {
                extents: forms,
                ..Surveyed::default()
            },
        }))
    }

    /// A local array of numbers: its extents are all that matters.
    fn numbers(&self, ty: &Type) -> Place {
        let ty = crate::syntax::behind(ty).clone();
        Place {
            base: Base::Path(format!("({})", self.hollow(&ty))),
            ty,
            facts: Facts::default(),
            fixed: true,
            entries: Entries::Numbers,
            survey: Surveyed::default(),
        }
    }

    /// A value, and its type, of nothing with the extents of an array.
    fn hollow(&self, ty: &Type) -> String {
        match ty {
            Type::Array(inner, n) => format!("[{}; {n}]", self.hollow(inner)),
            Type::Open(inner, Length::Constant(at)) => {
                let n = self.constant(*at).unwrap_or_default();
                format!("[{}; {n}]", self.hollow(inner))
            }
            _ => "()".to_owned(),
        }
    }

    /// The name of a `const` parameter: types are those of parameters of the kernel, in helpers too.
    pub(super) fn constant(&self, at: usize) -> Option<String> {
        let function = self.frames[0].function;
        let constant = function.constants.get(at)?;
        Some(function.variables[constant.0].name.to_string())
    }

    /// `a.len()`, or an extent of a view.
    pub(super) fn length(&mut self, operand: &Expression, axis: usize) -> Result<Value> {
        let Value::Place(place) = self.expression(operand)? else {
            return missing(operand.span, "the length of what is no array");
        };
        let text = match &place.base {
            Base::Path(path) => format!("<[_]>::len(&{path})"),
            Base::View {
                view,
                extents,
                subscripts,
            } => {
                let axis = axis + subscripts.len();
                match (view, extents.get(axis)) {
                    (Some(view), _) => format!("{view}.shape()[{axis}]"),
                    (None, Some(extent)) => extent.clone(),
                    (None, None) => return missing(operand.span, "an axis that is not there"),
                }
            }
        };
        // Parts of an array have one length.
        let facts = match place.fixed {
            true => Facts::default(),
            false => self.around(),
        };
        let form = self.extent(&place, axis);
        let known = Integer::known(text, true);
        Ok(Value::Integer(Integer {
            form,
            facts,
            fixed: place.fixed,
            ..known
        }))
    }

    /// Gives an array a name: what its subscripts are computed from may change.
    pub(super) fn bound(
        &mut self,
        place: Place,
        mutable: bool,
        relevant: bool,
        span: Span,
    ) -> Value {
        let Base::Path(path) = &place.base else {
            return Value::Place(place);
        };
        let name = self.name();
        let integers = matches!(scalar(&place.ty), Some(ScalarType::Integer(_)));
        let own =
            integers && mutable && matches!(place.entries, Entries::Known | Entries::Changing(_));
        if own && !relevant {
            let entries = Entries::Unknown(Missing {
                span,
                message: "entries of a local array".to_owned(),
            });
            return Value::Place(Place {
                entries,
                ..self.numbers(&place.ty)
            });
        }
        let copied = integers && matches!(place.entries, Entries::Changing(_));
        let (text, base, entries) = match own || copied {
            true => {
                let depth = self.loops.len();
                let text = format!("let mut {name} = {path};\n");
                (
                    text,
                    name,
                    if own {
                        Entries::Changing(depth)
                    } else {
                        Entries::Known
                    },
                )
            }
            false => (
                format!("let {name} = &{path};\n"),
                format!("(*{name})"),
                place.entries,
            ),
        };
        self.out.push_str(&text);
        let facts = match copied {
            true => self.around(),
            false => place.facts,
        };
        // What is copied may be changed.
        let survey = Surveyed {
            entries: match own || copied {
                true => Source::Unknown,
                false => place.survey.entries,
            },
            ..place.survey
        };
        Value::Place(Place {
            base: Base::Path(base),
            fixed: true,
            facts,
            entries,
            ty: place.ty,
            survey,
        })
    }
}

/// An array as Rust; of a view all subscripts are there.
pub fn place_text(place: &Place) -> String {
    match &place.base {
        Base::Path(path) => path.clone(),
        Base::View {
            view: Some(view),
            subscripts,
            ..
        } => {
            format!("(*{view}.element([{}]))", subscripts.join(", "))
        }
        Base::View {
            view: None,
            extents,
            subscripts,
        } => format!(
            "__loopwright::checks::inside([{}], [{}])",
            subscripts.join(", "),
            extents.join(", ")
        ),
    }
}

/// A literal as a value.
pub fn number(value: i128, ty: &Type) -> Value {
    Value::Integer(Integer {
        form: Some(Form::constant(value)),
        ..Integer::known(literal(value, ty), value >= 0)
    })
}
