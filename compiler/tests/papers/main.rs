//! Every nest that the papers print: the source nest and what the paper makes of it, validated
//! against each other, emitted for every instruction set, compiled and run.

mod columns;
mod ernst;
mod lam;
mod luporini;
mod nest;
mod run;
