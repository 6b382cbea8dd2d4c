//! Text to schedules.

use crate::ir::text::parser::{Parser, Result, Scope};
use crate::ir::text::{ParseError, Token, operator};
use crate::ir::{Extent, IndexId, Program};
use crate::schedule::tree::{
    CopyOut, Dimension, Instance, Loop, Node, Pipelined, Schedule, Steps, Storage,
};

/// Reads a schedule of a program; see [`crate::schedule::text`] for the form.
///
/// # Errors
/// The first mistake, with its line and column and what was expected.
pub fn parse(text: &str, program: &Program) -> std::result::Result<Schedule, ParseError> {
    let mut parser = Parser::new(text)?;
    parser.scope = Scope::of(program);
    tree(&mut parser, program)
}

/// Takes a schedule, up to the end of the text.
pub fn tree(parser: &mut Parser, program: &Program) -> Result<Schedule> {
    parser.skip_lines();
    parser.keyword("schedule")?;
    parser.keyword("width")?;
    if matches!(parser.peek(), Token::Number(_, Some(0))) {
        return parser.expected("a number of lanes");
    }
    let width = parser.count("the number of lanes")?;
    let lanes = match parser.take_keyword("lanes") {
        true => Some(parser.index()?),
        false => None,
    };
    let mut others = Vec::new();
    while lanes.is_some() && parser.take(",") {
        others.push(parser.index()?);
    }
    parser.end_of_line()?;
    let mut storage = Vec::new();
    while parser.take_keyword("store") {
        let (array, rank) = parser.array()?;
        parser.symbol(":")?;
        storage.push((array, stored(parser, rank)?));
        parser.end_of_line()?;
    }
    let mut buffers = Vec::new();
    while parser.take_keyword("buffer") {
        let mut buffer = vec![parser.array()?.0];
        while parser.take(",") {
            buffer.push(parser.array()?.0);
        }
        buffers.push(buffer);
        parser.end_of_line()?;
    }
    let body = nodes(parser, program)?;
    match parser.peek() {
        Token::End => Ok(Schedule {
            width,
            lanes,
            others,
            storage,
            buffers,
            body,
        }),
        _ => parser.expected("`loop`, `block`, `reduce`, `copy` or `zero`"),
    }
}

fn stored(parser: &mut Parser, rank: usize) -> Result<Storage> {
    if parser.take_keyword("register") {
        let lanes = parser.take_keyword("lanes");
        return Ok(Storage::Register { lanes });
    }
    let registers = parser.take_keyword("registers");
    if !registers && !parser.take_keyword("memory") {
        return parser.expected("`register`, `registers` or `memory`");
    }
    let start = parser.position();
    let mut extents = Vec::new();
    parser.symbol("[")?;
    while !parser.is("]") {
        extents.push(dimension(parser)?);
        if !parser.take(",") {
            break;
        }
    }
    parser.symbol("]")?;
    if extents.len() != rank {
        let message = format!("this array has {rank} dimensions, not {}", extents.len());
        return parser.error_at(start, message);
    }
    let lanes = parser.take_keyword("lanes");
    Ok(match registers {
        true => Storage::Registers { extents, lanes },
        false => Storage::Memory { extents, lanes },
    })
}

fn dimension(parser: &mut Parser) -> Result<Dimension> {
    if parser.take_keyword("_") {
        return Ok(Dimension::CONTRACTED);
    }
    if parser.take_keyword("run") {
        return Ok(Dimension::RunTime);
    }
    if !parser.take_keyword("ring") {
        let extent = parser.count("an extent, `run`, `ring` or `_`")?;
        return Ok(Dimension::Kept(extent));
    }
    let start = parser.position();
    match parser.count("the depth of the ring")? {
        0 => parser.error_at(start, "a ring has at least one place"),
        depth => Ok(Dimension::Ring(depth)),
    }
}

/// Takes nodes up to a `}` or the end.
fn nodes(parser: &mut Parser, program: &Program) -> Result<Vec<Node>> {
    let mut result = Vec::new();
    loop {
        parser.skip_lines();
        if parser.is("}") || *parser.peek() == Token::End {
            return Ok(result);
        }
        result.push(node(parser, program)?);
        if !parser.is("}") {
            parser.end_of_line()?;
        }
    }
}

fn node(parser: &mut Parser, program: &Program) -> Result<Node> {
    if parser.take_keyword("loop") {
        return one(parser, program);
    }
    if parser.take_keyword("block") {
        return Ok(Node::Block(instances(parser, program)?));
    }
    if parser.take_keyword("reduce") {
        let loops = match parser.is("{") {
            true => Vec::new(),
            false => parser.indices()?,
        };
        let chains = match parser.take_keyword("chains") {
            true => parser.count("how many chains")?.max(1),
            false => 1,
        };
        let instances = instances(parser, program)?;
        return Ok(Node::Reduction {
            instances,
            loops,
            chains,
        });
    }
    if parser.take_keyword("copy") {
        return copy(parser);
    }
    if parser.take_keyword("advance") {
        return Ok(Node::Advance(parser.array()?.0));
    }
    if parser.take_keyword("zero") {
        return Ok(Node::Zero(parser.array()?.0));
    }
    parser.expected("`loop`, `block`, `reduce`, `copy`, `advance`, `zero` or `}`")
}

fn one(parser: &mut Parser, program: &Program) -> Result<Node> {
    let index = parser.index()?;
    parser.keyword("in")?;
    let start = parser.count("the first value")?;
    parser.symbol("..")?;
    let end: Extent = parser.extent()?;
    let step = match parser.take_keyword("step") {
        true => parser.count("the step")?,
        false => 1,
    };
    let named = [
        ("whole", Steps::Whole),
        ("rest", Steps::Rest),
        ("once", Steps::Once),
        ("strips", Steps::Strips),
    ];
    let steps = named
        .into_iter()
        .find(|(word, _)| parser.take_keyword(word));
    let steps = match steps {
        Some((_, steps)) => steps,
        None => counted(parser)?,
    };
    let with = match parser.take_keyword("with") {
        true => moved(parser)?,
        false => Vec::new(),
    };
    parser.symbol("{")?;
    let body = nodes(parser, program)?;
    parser.symbol("}")?;
    Ok(Node::Loop(Loop {
        index,
        with,
        steps,
        start,
        end,
        step,
        body,
    }))
}

/// Steps that have a number; all where there is none.
fn counted(parser: &mut Parser) -> Result<Steps> {
    if parser.take_keyword("first") {
        return Ok(Steps::First(parser.count("how many steps")?));
    }
    if parser.take_keyword("last") {
        return Ok(Steps::Last(parser.count("how many steps")?));
    }
    if parser.take_keyword("skewed") {
        let by = parser.count("how far rows are apart")?;
        parser.keyword("over")?;
        let over = parser.index()?;
        return Ok(Steps::Skewed { over, by });
    }
    Ok(Steps::All)
}

fn copy(parser: &mut Parser) -> Result<Node> {
    let (staged, _) = parser.array()?;
    let pipelined = pipelined(parser)?;
    let places = match parser.take_keyword("at") {
        true => Some(parser.affine()?),
        false => None,
    };
    let loops = match parser.take_keyword("over") {
        true => parser.indices()?,
        false => Vec::new(),
    };
    parser.keyword("into")?;
    let target = parser.access()?;
    let accumulate = operator(parser)?.accumulated();
    Ok(Node::CopyOut(CopyOut {
        staged,
        loops,
        places,
        target,
        accumulate,
        pipelined,
    }))
}

/// Takes `pipelined`, or `ready 4 * 16, 3 * 24`, or nothing.
fn pipelined(parser: &mut Parser) -> Result<Pipelined> {
    if parser.take_keyword("pipelined") {
        return Ok(Pipelined::NextVector);
    }
    if !parser.take_keyword("ready") {
        return Ok(Pipelined::No);
    }
    let mut parts = Vec::new();
    loop {
        let times = parser.count("a number of times")?;
        parser.symbol("*")?;
        parts.push((times, parser.count("a number of elements")?));
        if !parser.take(",") {
            return Ok(Pipelined::SameVector(parts));
        }
    }
}

fn instances(parser: &mut Parser, program: &Program) -> Result<Vec<Instance>> {
    parser.symbol("{")?;
    let mut result = Vec::new();
    loop {
        parser.skip_lines();
        if parser.take("}") {
            return Ok(result);
        }
        if !parser.take_keyword("eq") {
            return parser.expected("`eq` or `}`");
        }
        let start = parser.position();
        let equation = parser.count("the number of an equation")?;
        let count = program.equations.len();
        if equation >= count {
            let message = format!("the program has {count} equations, counted from 0");
            return parser.error_at(start, message);
        }
        let offsets = match parser.take("@") {
            true => moved(parser)?,
            false => Vec::new(),
        };
        result.push(Instance { equation, offsets });
        if !parser.is("}") {
            parser.end_of_line()?;
        }
    }
}

/// Takes `i+0, j+4`.
fn moved(parser: &mut Parser) -> Result<Vec<(IndexId, usize)>> {
    let mut result = Vec::new();
    loop {
        let index = parser.index()?;
        parser.symbol("+")?;
        result.push((index, parser.count("an offset")?));
        if !parser.take(",") {
            return Ok(result);
        }
    }
}
