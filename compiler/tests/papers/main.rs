//! Every nest that the papers print: the source nest and what the paper makes of it.
//!
//! Both are written as text, as programs with a schedule of the second, since passes do not produce
//! most of them. A nest is the same as a kernel too, so that nothing but the text of the kernel says
//! what is right. For each of them, [`nest`]:
//!
//! - validates the program of the source against the kernel, and the transformed one, under its
//!   schedule for each instruction set, against both;
//! - compares their operations with the numbers that the test states;
//! - emits them for scalar code, AVX2 and AVX-512, and once more [for many columns](columns), with
//!   lanes over these, so that what is carried from one iteration to the next is in vectors as well;
//! - compiles that, and runs it against the kernel's text: natively where the processor can, and on
//!   emulated vector units.
//!
//! | figure | what it needs | test |
//! |---|---|---|
//! | Luporini 2017, 2 (a), (b), (c) | a row of sums outside of a nest | `luporini::figure_2_b`, `figure_2_c` |
//! | 3 (a), (b) | an imperfect nest, rows of temporaries, sums over an outer loop | `luporini::figure_3` |
//! | 4 (a), (b) | a reduction before the loop over cells | `luporini::figure_4` |
//! | 5 | both kinds of nest inside one loop over cells | `luporini::figure_5` |
//! | 6 | the expanded product | `luporini::figure_6` |
//! | Ernst 1995, 3 | an unrolled loop that shares values | `ernst::figure_3` |
//! | 4 | an unrolled loop that shares sums | `ernst::figure_4` |
//! | 5 | a queue in memory, its prologue | `ernst::figure_5` |
//! | 6 | a register from one iteration to the next | `ernst::figure_6` |
//! | 7 | a running sum | `ernst::differencing::figure_7` |
//! | 15 | accumulators, one register for all base values | `ernst::figure_15` |
//! | 30 (and 29) | two queues in memory | `ernst::queues::figure_30` |
//! | 31 | queues in registers, the loop unrolled, a remainder | `ernst::queues::figure_31` |
//! | 31, run-time length | whole steps, and what they leave | `ernst::queues::figure_31_along_a_slice` |
//! | 32 | a queue that is shorter than the stencil | `ernst::queues::figure_32` |
//! | 33 | values that move from queue to queue | `ernst::queues::figure_33` |
//! | 35 | a tree of sums some iterations ahead of its use | `ernst::queues::figure_35` |
//! | 36 | a running sum | `ernst::differencing::figure_36` |
//! | 38 (and 37) | two running sums that take turns, a queue that starts at zero | `ernst::differencing::figure_38` |
//! | Lam 1999, 1 (a), (b), 2 (a) | formulas one after the other | `lam::figures_1_and_2_a` |
//! | 2 (b), 2 (c), 5 (b) | fused loops, contracted arrays, sums between other equations | `lam::figure_2_b`, `figure_2_c`, `figure_5_b` |
//! | 6 (b), up to the transforms | values computed again to save memory | `lam::figure_6` |
//!
//! Not all is as printed:
//!
//! - Ernst's figures 1, 3 and 5 apply functions to the number of the iteration. There is no
//!   expression for that; they are applied to elements of an array.
//! - Ernst's figures have their loops' last iterations beyond the source's (6, 7) and some misprinted
//!   subscripts or operators (5, 6, 29, 33), which the tests name. The source's meaning holds.
//! - Figure 35 is a diagram without a text; what is here has the shape that it shows, and no more
//!   additions than theorem 5 states.
//! - Lam's figure 1 (c), 2 (d) to (f), 3, 4, 5 (a) and 6 (a) are graphs, tables and an algorithm, not
//!   nests. Functions that generate an array's elements are loads here.
//! - The Fourier transforms of figure 6 cannot be expressed: they are no equations.
//!
//! What sharing elimination and code motion reach of them from the kernels' text is in `sharing.rs`
//! of the package `loopwright`.

mod columns;
mod ernst;
mod lam;
mod luporini;
mod nest;
mod run;
