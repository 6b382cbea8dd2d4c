//! The temporaries of a variant: in variables, on the stack, or in buffers of scratch memory.

use super::address::Motion;
use super::names::plain;
use super::printer::Printer;
use crate::ir::{Access, ArrayId, Expr};
use crate::schedule::tree::Storage;

/// What buffers start at multiples of, in bytes.
const ALIGNMENT: usize = 64;

/// Declares the temporaries that do not live in the blocks that compute them.
pub fn declare(printer: &mut Printer, krate: &str) {
    let starts = buffers(printer);
    for (array, storage) in &printer.schedule.storage {
        let lanes = match storage {
            Storage::Register { .. } => continue,
            Storage::Registers { lanes, .. } => {
                let vectors = *lanes && printer.unit.width > 1;
                variables(printer, *array, storage.places(), vectors);
                continue;
            }
            Storage::Memory { lanes, .. } => *lanes,
        };
        let room = room(printer, *array, lanes);
        let name = plain(&printer.program.array(*array).name).to_owned();
        let (ty, zero) = (room.ty, room.zero);
        let mutable = if room.halved { "mut " } else { "" };
        // What is read was written before, as validation has seen.
        let text = match printer.schedule.buffer_of(*array) {
            Some(buffer) => {
                let start = &starts[buffer];
                format!("let {mutable}{name}_p = __scratch.add({start}).cast::<{ty}>();")
            }
            None => {
                let count = room.count;
                let start = match room.whole {
                    true => format!("::core::mem::MaybeUninit::<[{ty}; {count}]>::uninit()"),
                    false => format!("::core::mem::MaybeUninit::new([{zero}; {count}])"),
                };
                format!(
                    "let mut {name}_m = {krate}::Aligned({start}); \
                     let {mutable}{name}_p = {name}_m.0.as_mut_ptr().cast::<{ty}>();"
                )
            }
        };
        printer.line(&text);
        if room.halved {
            printer.halve(*array, room.places);
        }
    }
}

/// What a temporary in memory takes.
struct Room {
    /// Places of one half, or of all.
    places: usize,
    /// Places.
    count: usize,
    /// There are two halves: one is for the vector of lanes before.
    halved: bool,
    /// No vector reaches beyond the last row.
    whole: bool,
    /// The type of an element.
    ty: String,
    /// Zero.
    zero: String,
    /// Bytes of an element; none for a type parameter.
    bytes: Option<usize>,
}

fn room(printer: &Printer, array: ArrayId, lanes: bool) -> Room {
    let width = printer.unit.width;
    let whole = lanes || width == 1 || all_roomy(printer, array);
    // A vector that is not full may reach beyond the last row.
    let places = printer.elements(array).max(1) + if whole { 0 } else { width };
    let halved = printer.schedule.is_halved(array);
    let element = printer.program.array(array).element;
    let unit = printer.unit_of(element);
    Room {
        places,
        count: if halved { 2 * places } else { places },
        halved,
        whole,
        ty: unit.scalar.clone(),
        zero: unit.zero(false),
        bytes: (!unit.generic).then(|| unit.bits() / 8),
    }
}

/// Takes the scratch memory of all buffers; where each one starts in it, as text.
fn buffers(printer: &mut Printer) -> Vec<String> {
    // Those of one buffer have one type.
    let largest = |buffer: &Vec<ArrayId>| {
        let rooms = buffer.iter().map(|array| {
            let stored = printer.schedule.storage_of(*array);
            let lanes = matches!(stored, Some(Storage::Memory { lanes: true, .. }));
            room(printer, *array, lanes)
        });
        rooms.max_by_key(|room| room.count)
    };
    let rooms: Vec<Room> = printer
        .schedule
        .buffers
        .iter()
        .filter_map(largest)
        .collect();
    if rooms.is_empty() {
        return Vec::new();
    }
    // Bytes are known, but for those of a type parameter.
    let open = rooms.iter().find(|room| room.bytes.is_none());
    let alignment = match open {
        Some(Room { ty, .. }) => {
            format!("::core::cmp::Ord::max({ALIGNMENT}usize, ::core::mem::align_of::<{ty}>())")
        }
        None => ALIGNMENT.to_string(),
    };
    let (mut known, mut unknown) = (0, String::new());
    let mut starts = Vec::new();
    for room in &rooms {
        starts.push(format!("{known}{unknown}"));
        let (count, ty) = (room.count, &room.ty);
        match (open, room.bytes) {
            (None, Some(bytes)) => known += (count * bytes).next_multiple_of(ALIGNMENT),
            _ => unknown.push_str(&format!(
                " + ({count} * ::core::mem::size_of::<{ty}>()).next_multiple_of({alignment})"
            )),
        }
    }
    printer.line(&format!(
        "let __scratch = __scratch.reserve({known}{unknown}, {alignment});"
    ));
    starts
}

/// Declares the variables of a temporary in registers, one for each place.
fn variables(printer: &mut Printer, array: ArrayId, count: usize, vector: bool) {
    let element = printer.program.array(array).element;
    let base = printer.program.array(array).name.clone();
    let zero = printer.unit_of(element).zero(vector);
    let mut variables = Vec::new();
    for _ in 0..count {
        let name = printer.fresh(&base);
        printer.line(&format!("let mut {name} = {zero};"));
        variables.push(name);
    }
    printer.places.insert(array, variables);
}

/// Whether no access with lanes reaches beyond a row.
fn all_roomy(printer: &Printer, array: ArrayId) -> bool {
    let program = printer.program;
    let moves = |access: &Access| {
        let address = printer.address(access);
        access.array != array || printer.motion(&address) == Motion::Still || printer.roomy(access)
    };
    program.equations.iter().all(|e| moves(&e.target))
        && program
            .reachable()
            .into_iter()
            .all(|expr| match program.pool.get(expr) {
                Expr::Access(access) => moves(access),
                _ => true,
            })
}
