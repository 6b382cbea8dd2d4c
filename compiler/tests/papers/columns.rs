//! The same nest for many columns: every array but tables has one dimension more, and lanes run
//! over it.

use loopwright_compiler::ir::{Access, Affine, Expr, ExprId, Extent, IndexId, Pool, Program, Role};
use loopwright_compiler::schedule::tree::{Dimension, Loop, Node, Schedule, Steps, Storage};

/// Columns: whole vectors of every width, and a remainder.
pub const COLUMNS: usize = 13;

/// The program of all columns; their index is the last one.
pub fn program(program: &Program) -> Program {
    let mut result = program.clone();
    let column = result.add_index("column", Extent::Constant(COLUMNS));
    let tables: Vec<bool> = program
        .arrays
        .iter()
        .map(|array| matches!(array.role, Role::Table(_)))
        .collect();
    for array in result.arrays.iter_mut() {
        if !matches!(array.role, Role::Table(_)) {
            array.shape.push(Extent::Constant(COLUMNS));
        }
    }
    let widened = |access: &Access| {
        let mut access = access.clone();
        if !tables[access.array.0 as usize] {
            access.subscripts.push(Affine::index(column));
        }
        access
    };
    let equations = result.equations.clone();
    for (at, equation) in equations.into_iter().enumerate() {
        let expr = wide(&mut result.pool, equation.expr, &widened);
        let equation = &mut result.equations[at];
        equation.expr = expr;
        equation.target = widened(&equation.target);
        equation.free.insert(0, column);
    }
    result
}

fn wide(pool: &mut Pool, expr: ExprId, widened: &dyn Fn(&Access) -> Access) -> ExprId {
    if let Expr::Access(access) = pool.get(expr) {
        let access = widened(access);
        let element = pool.element(expr);
        return pool.add(Expr::Access(access), element);
    }
    pool.map_operands(expr, &mut |pool, operand| wide(pool, operand, widened))
}

/// A scalar loop tree inside a loop over columns.
pub fn schedule(scalar: &Schedule, program: &Program, width: usize) -> Schedule {
    let column = IndexId(program.indices.len() as u32 - 1);
    let lanes = width > 1;
    let storage = scalar.storage.iter().map(|(array, storage)| {
        let widened = |extents: &[Dimension]| {
            let mut extents = extents.to_vec();
            extents.push(Dimension::CONTRACTED);
            extents
        };
        let storage = match storage {
            Storage::Register { .. } => Storage::Register { lanes },
            Storage::Registers { extents, .. } => Storage::Registers {
                extents: widened(extents),
                lanes,
            },
            Storage::Memory { extents, .. } => Storage::Memory {
                extents: widened(extents),
                lanes,
            },
        };
        (*array, storage)
    });
    let around = Loop {
        index: column,
        with: Vec::new(),
        steps: Steps::All,
        start: 0,
        end: Extent::Constant(COLUMNS),
        step: width,
        body: scalar.body.clone(),
    };
    Schedule {
        buffers: Vec::new(),
        width,
        lanes: lanes.then_some(column),
        others: Vec::new(),
        storage: storage.collect(),
        body: vec![Node::Loop(around)],
    }
}

/// A function that has the program's parameters, and does nothing.
pub fn signature(program: &Program) -> String {
    format!("pub fn nest({}) {{}}", crate::run::parameters(program))
}
