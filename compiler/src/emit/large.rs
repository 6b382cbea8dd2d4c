//! The call of the variant for long extents, or for large arrays, where there is one.

use super::enclosed::{instance_turbofish, taken};
use super::names::{length, plain, stride};
use super::printer::Printer;
use super::variant::{axes, has_buffers, is_constant, name, parameters};
use super::{Kernel, Large, Variant, pure};
use crate::ir::{ArrayId, Role};

impl Large {
    /// The call with what the variant for short extents was given, as text. Where that one needs no scratch
    /// memory, it is taken here: short calls do without.
    pub fn call(&self, kernel: &Kernel, short: &Variant) -> String {
        let variant = &self.variant;
        let function = name(kernel, variant);
        let mut arguments = Vec::new();
        let all = parameters(&variant.program).into_iter();
        for (_, array) in all.filter(|parameter| !is_constant(kernel.function, parameter)) {
            let name = plain(&array.name);
            if matches!(array.role, Role::Parameter(_)) && array.shape.is_empty() {
                arguments.push(format!("{name}_value"));
                continue;
            }
            arguments.push(format!("{name}_p"));
            arguments.extend(axes(array).map(|axis| length(name, axis)));
            let strides = (0..array.shape.len()).filter(|_| array.strided);
            arguments.extend(strides.map(|axis| stride(name, axis)));
        }
        if has_buffers(variant) {
            arguments.push("__scratch".to_owned());
        }
        let taken = match has_buffers(variant) && !has_buffers(short) {
            true => taken().to_string(),
            false => String::new(),
        };
        let pure = pure::arguments(variant).into_iter();
        arguments.extend(pure.map(|argument| argument.to_string()));
        let turbofish = instance_turbofish(kernel.function, variant.element);
        format!(
            "{{ {taken} self::{function}{turbofish}({}) }}",
            arguments.join(", ")
        )
    }
}

impl Printer<'_> {
    /// What says whether arrays are larger together than the caches of a core, as text; `None` without arrays.
    pub fn leaving(&mut self, arrays: &[ArrayId], krate: &str) -> Option<String> {
        let mut bytes = Vec::new();
        for array in arrays {
            let element = self.program.array(*array).element;
            let each = self.unit_of(element).bits() / 8;
            let count = self.count(*array);
            bytes.push(format!("{count}.saturating_mul({each})"));
        }
        let bytes = bytes.into_iter();
        let bytes = bytes.reduce(|a, b| format!("{a}.saturating_add({b})"))?;
        let bytes = self.name("bytes", &bytes);
        Some(format!("{krate}::stream::leaves({bytes})"))
    }

    /// Leaves the work to the variant for long extents, where these are.
    pub fn in_large(&mut self, large: &Large, (call, krate): (&str, &str)) {
        let mut long = Vec::new();
        let mut runs = Vec::new();
        long.extend(self.leaving(&large.arrays, krate));
        for product in &large.products {
            let between = product.between.iter().map(|extent| self.extent(extent));
            let between: Vec<String> = between.collect();
            let extents = product.extents.each_ref().map(|extent| self.extent(extent));
            let [rows, columns, terms] = extents.map(|extent| self.name("long", &extent));
            if large.products.len() > 1 {
                // What is packed for one of them is read where another one is long, too.
                let own = [&rows, &columns, &terms].map(|extent| format!("{extent} > 0"));
                runs.extend(own);
            }
            let least = [&rows, &columns, &terms].into_iter().zip(product.least);
            let mut all: Vec<String> = least
                .map(|(extent, least)| format!("{extent} >= {least}"))
                .collect();
            let factors = between.iter().map(|own| format!(".saturating_mul({own})"));
            let reached = factors.fold(terms, |all, factor| all + &factor);
            all.push(format!("{reached} > {}", product.resident));
            long.push(format!("({})", all.join(" && ")));
        }
        let long = match runs.is_empty() {
            true => long.join(" || "),
            false => format!("({}) && {}", long.join(" || "), runs.join(" && ")),
        };
        self.line(&format!("if {long} {{ return {call}; }}"));
    }
}
