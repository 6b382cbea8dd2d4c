//! The temporaries of a variant: in variables, on the stack, or in buffers of scratch memory.

use super::address::{Motion, line};
use super::names::plain;
use super::printer::Printer;
use crate::ir::{Access, Affine, ArrayId, Expr, Extent};
use crate::machine::LINE;
use crate::schedule::tree::{Dimension, Storage};

/// How many elements a temporary has: so many times what is known when the kernel runs.
#[derive(Clone, Debug)]
pub struct Count {
    /// What is known now.
    pub known: usize,
    /// Extents, as text.
    pub times: Vec<String>,
}

/// Declares the temporaries that do not live in the blocks that compute them.
pub fn declare(printer: &mut Printer, krate: &str) {
    let starts = buffers(printer, krate);
    for (array, storage) in &printer.schedule.storage {
        let lanes = match storage {
            Storage::Register { .. } => continue,
            Storage::Registers { lanes, .. } => {
                let vectors = *lanes && printer.unit.width > 1;
                let count = storage.places().unwrap_or(0);
                variables(printer, *array, count, vectors);
                continue;
            }
            Storage::Memory { lanes, .. } => *lanes,
        };
        let room = room(printer, *array, lanes);
        let name = plain(&printer.program.array(*array).name).to_owned();
        let (ty, zero) = (&room.ty, &room.zero);
        let mutable = if room.halved { "mut " } else { "" };
        // What is read was written before, as validation has seen.
        let text = match printer.schedule.buffer_of(*array) {
            Some(buffer) => {
                let start = &starts[buffer];
                format!("let {mutable}{name}_p = __scratch.add({start}).cast::<{ty}>();")
            }
            None => {
                let count = room.elements();
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
            printer.halve(*array, room.half());
        }
    }
}

/// The variable that says how many elements a temporary has, where that is not known now.
pub fn places(printer: &Printer, array: ArrayId) -> String {
    format!("{}_places", plain(&printer.program.array(array).name))
}

/// What a temporary in memory takes.
struct Room {
    /// Elements.
    count: Count,
    /// Places past the last element: a vector that is not full may reach beyond the last row.
    beyond: usize,
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

impl Room {
    /// Places of one half, or of all, where they are known now.
    fn half(&self) -> usize {
        self.count.known.max(1) + self.beyond
    }

    /// Places, where they are known now.
    fn elements(&self) -> usize {
        self.half() * if self.halved { 2 } else { 1 }
    }

    /// Whether they are known now.
    fn is_known(&self) -> bool {
        self.count.times.is_empty()
    }

    /// The bytes of an element, as text.
    fn size(&self) -> String {
        match self.bytes {
            Some(bytes) => format!("{bytes}usize"),
            None => format!("::core::mem::size_of::<{}>()", self.ty),
        }
    }
}

fn room(printer: &mut Printer, array: ArrayId, lanes: bool) -> Room {
    let width = printer.unit.width;
    let whole = lanes || width == 1 || all_roomy(printer, array);
    let halved = printer.schedule.is_halved(array);
    let element = printer.program.array(array).element;
    let count = printer.elements(array);
    // Of a row of run-time length the last vector reaches beyond its end.
    let known = lanes || count.times.is_empty();
    let unit = printer.unit_of(element);
    Room {
        count,
        beyond: if whole && known { 0 } else { width },
        halved,
        whole,
        ty: unit.scalar.clone(),
        zero: unit.zero(false),
        bytes: (!unit.generic).then(|| unit.bits() / 8),
    }
}

/// The rooms of a buffer's temporaries.
fn rooms(printer: &mut Printer, buffer: &[ArrayId]) -> Vec<(ArrayId, Room)> {
    let rooms = buffer.iter().map(|array| {
        let stored = printer.schedule.storage_of(*array);
        let lanes = matches!(stored, Some(Storage::Memory { lanes: true, .. }));
        (*array, room(printer, *array, lanes))
    });
    rooms.collect()
}

/// Takes the scratch memory of all buffers; where each one starts in it, as text. Those whose size is
/// not known come last.
fn buffers(printer: &mut Printer, krate: &str) -> Vec<String> {
    let buffers = printer.schedule.buffers.clone();
    let rooms: Vec<Vec<(ArrayId, Room)>> = buffers
        .iter()
        .map(|buffer| rooms(printer, buffer))
        .collect();
    let mut all = rooms.iter().flatten().map(|(_, room)| room);
    if all.clone().next().is_none() {
        return Vec::new();
    }
    // Bytes are known, but for those of a type parameter.
    let open = all.find(|room| room.bytes.is_none());
    let alignment = match open {
        Some(Room { ty, .. }) => {
            format!("::core::cmp::Ord::max({LINE}usize, ::core::mem::align_of::<{ty}>())")
        }
        None => LINE.to_string(),
    };
    let mut starts = vec![String::new(); rooms.len()];
    let (mut known, mut unknown) = (0, String::new());
    let is_known = |rooms: &[(ArrayId, Room)]| rooms.iter().all(|(_, room)| room.is_known());
    for (at, rooms) in rooms
        .iter()
        .enumerate()
        .filter(|(_, rooms)| is_known(rooms))
    {
        starts[at] = format!("{known}{unknown}");
        // Those of one buffer have one type.
        let largest = rooms.iter().max_by_key(|(_, room)| room.elements());
        let Some((_, room)) = largest else { continue };
        let (count, ty) = (room.elements(), &room.ty);
        match (open, room.bytes) {
            (None, Some(bytes)) => known += (count * bytes).next_multiple_of(LINE),
            _ => unknown.push_str(&format!(
                " + ({count} * ::core::mem::size_of::<{ty}>()).next_multiple_of({alignment})"
            )),
        }
    }
    let mut end = format!("{known}{unknown}");
    for (at, rooms) in rooms
        .iter()
        .enumerate()
        .filter(|(_, rooms)| !is_known(rooms))
    {
        starts[at] = end.clone();
        end = run_time(printer, (rooms, &end), &alignment, krate);
    }
    printer.line(&format!(
        "let __scratch = __scratch.reserve({end}, {alignment});"
    ));
    starts
}

/// Prints where a buffer ends that starts there: behind the largest of its temporaries.
fn run_time(
    printer: &mut Printer,
    (rooms, start): (&[(ArrayId, Room)], &str),
    alignment: &str,
    krate: &str,
) -> String {
    let mut most = Vec::new();
    for (array, room) in rooms {
        let name = places(printer, *array);
        let (known, times) = (room.count.known, room.count.times.join(", "));
        printer.line(&format!(
            "let {name} = {krate}::scratch::places({known}usize, &[{times}]);"
        ));
        most.push(format!(
            "{name}.saturating_add({}usize)",
            room.beyond.max(1)
        ));
    }
    let size = rooms.first().map_or(String::new(), |(_, room)| room.size());
    let most = most
        .into_iter()
        .reduce(|a, b| format!("::core::cmp::Ord::max({a}, {b})"));
    let end = printer.fresh("end");
    printer.line(&format!(
        "let {end} = {krate}::scratch::room({start}, {}, {size}, {alignment});",
        most.unwrap_or_default()
    ));
    end
}

/// Declares the variables of a temporary in registers, one for each place.
fn variables(printer: &mut Printer, array: ArrayId, count: usize, vector: bool) {
    let element = printer.program.array(array).element;
    let base = printer.program.array(array).name.clone();
    let zero = printer.unit_of(element).zero(vector);
    let mut variables = Vec::new();
    for _ in 0..count {
        variables.push(printer.mutable(&base, &zero));
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

impl Printer<'_> {
    /// A temporary whose rows along the lanes have room for whole vectors: past the end of the lanes'
    /// loop are no elements, but places that nothing else has.
    pub fn roomy(&self, access: &Access) -> bool {
        let Some(Storage::Memory { extents, lanes }) = self.storage(access.array) else {
            return false;
        };
        let mut loops = self.schedule.lane_loops();
        let own = loops.find(|lane| access.depends_on(*lane));
        let Some(lane) = own.or(self.schedule.lanes) else {
            return true;
        };
        let shape = &self.program.array(access.array).shape;
        let dimensions = extents.iter().zip(shape).zip(&access.subscripts);
        let last = dimensions
            .rev()
            .find_map(|((dimension, extent), subscript)| {
                Some((dimension.kept()?, extent.as_constant(), subscript))
            });
        let own_row = |(dimension, (extent, subscript)): (&Dimension, (&Extent, &Affine))| {
            *dimension == Dimension::RunTime
                && subscript.as_index() == Some(lane)
                && *extent == self.program.loop_index(lane).extent
        };
        let mut kept = (extents.iter().zip(shape.iter().zip(&access.subscripts)))
            .filter(|(dimension, _)| **dimension != Dimension::CONTRACTED);
        if let (Some(row), None) = (kept.next(), kept.next())
            && own_row(row)
        {
            return true;
        }
        if let Some((row, line)) = line(self.program, access.array, extents)
            && own_row((&extents[row], (&shape[row], &access.subscripts[row])))
            && line.is_multiple_of(self.unit.width)
        {
            return true;
        }
        let end = self.program.loop_index(lane).extent.as_constant();
        let room = |(places, length, subscript): (usize, Option<usize>, &Affine)| {
            let needed = end.map(|end| end.next_multiple_of(self.unit.width));
            subscript.as_index() == Some(lane)
                && length == end
                && needed.is_some_and(|needed| places >= needed)
        };
        *lanes || self.in_ring(access, (extents, lane)) || last.is_some_and(room)
    }
}
