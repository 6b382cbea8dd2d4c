//! Taking streams of a few components apart, and putting them together, in registers: one description
//! drives the printed code and its test.
//!
//! ```text
//! stream:      a0 b0 c0 a1   b1 c1 a2 b2   c2 a3 b3 c3      as it lies in memory
//! blended:     a0 a3 a2 a1   b1 b0 b3 b2   c2 c1 c0 c3      each place from one of the registers
//! components:  a0 a1 a2 a3   b0 b1 b2 b3   c0 c1 c2 c3      in the order of lanes
//! ```
//! Where the number of components is odd, those of one stand at different places of the registers. Even
//! ones are halved first: even places and odd places are streams of half as many components.
//!
//! A network is for registers of so many lanes. Where a unit has no shuffles across its parts of 128
//! bits, it is one for these, and lanes that follow each other are in one part.

/// What makes a register of those before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Each lane of the first register, or of the second one.
    Blend(usize, usize, Vec<bool>),
    /// Lanes of one register in another order.
    Permute(usize, Vec<usize>),
    /// Any lanes of two registers.
    Two(usize, usize, Vec<usize>),
}

/// Steps from some registers to others.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// How many registers there are before the first step.
    pub inputs: usize,
    /// The steps: each makes the register of the next number.
    pub steps: Vec<Step>,
    /// The registers that are wanted; none where nothing of one is.
    pub outputs: Vec<Option<usize>>,
    /// Whether something of each input is needed.
    pub needed: Vec<bool>,
}

/// The network that takes a stream of so many components apart, of which some are wanted.
pub fn apart(lanes: usize, count: usize, wanted: &[usize]) -> Network {
    let mut network = Network::with(count);
    let all = network.split((0..count).collect(), lanes);
    let wanted = wanted
        .iter()
        .map(|component| (all[*component], vec![true; lanes]));
    network.pruned(wanted.collect())
}

/// The network that puts components together to a stream, of which some are there.
pub fn together(lanes: usize, count: usize, there: &[usize]) -> Network {
    let mut network = Network::with(count);
    let all = network.joined((0..count).collect(), lanes).into_iter();
    let wanted = all.enumerate().map(|(register, output)| {
        let components = (0..lanes).map(|slot| (register * lanes + slot) % count);
        (
            output,
            components
                .map(|component| there.contains(&component))
                .collect(),
        )
    });
    network.pruned(wanted.collect())
}

impl Network {
    fn with(inputs: usize) -> Network {
        Network {
            inputs,
            needed: vec![false; inputs],
            ..Network::default()
        }
    }

    fn step(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.inputs + self.steps.len() - 1
    }

    /// The components of a stream in some registers.
    fn split(&mut self, stream: Vec<usize>, lanes: usize) -> Vec<usize> {
        let count = stream.len();
        if count == 1 {
            return stream;
        }
        let place = |at: usize| (stream[at / lanes], at % lanes);
        if lanes == 2 {
            let both = (0..count).map(|component| {
                let ((a, first), (b, second)) = (place(component), place(count + component));
                self.step(Step::Two(a, b, vec![first, 2 + second]))
            });
            return both.collect();
        }
        if count.is_multiple_of(2) {
            let halves = [0, 1].map(|odd| {
                let from: Vec<usize> = (0..lanes).map(|lane| 2 * lane + odd).collect();
                let half = stream.chunks(2);
                let half = half.map(|of| self.step(Step::Two(of[0], of[1], from.clone())));
                half.collect::<Vec<_>>()
            });
            let [even, odd] = halves.map(|half| self.split(half, lanes));
            return even
                .into_iter()
                .zip(odd)
                .flat_map(|(a, b)| [a, b])
                .collect();
        }
        let components = (0..count).map(|component| {
            let places: Vec<_> = (0..lanes)
                .map(|lane| place(lane * count + component))
                .collect();
            let mut of = vec![stream[0]; lanes];
            places
                .iter()
                .for_each(|(register, slot)| of[*slot] = *register);
            let blended = self.blended(&of);
            let from = places.into_iter().map(|(_, slot)| slot).collect();
            self.permuted(blended, from)
        });
        components.collect()
    }

    /// The stream of some components.
    fn joined(&mut self, components: Vec<usize>, lanes: usize) -> Vec<usize> {
        let count = components.len();
        if count == 1 {
            return components;
        }
        if lanes == 2 {
            let both = (0..count).map(|register| {
                let place = |at: usize| (components[at % count], at / count);
                let ((a, first), (b, second)) = (place(2 * register), place(2 * register + 1));
                self.step(Step::Two(a, b, vec![first, 2 + second]))
            });
            return both.collect();
        }
        if count.is_multiple_of(2) {
            let half = |odd: usize| components.iter().skip(odd).step_by(2).copied().collect();
            let [even, odd] = [half(0), half(1)].map(|half: Vec<usize>| self.joined(half, lanes));
            let both = even.into_iter().zip(odd).flat_map(|(a, b)| {
                [0, lanes / 2].map(|first| {
                    let from = (first..first + lanes / 2).flat_map(|lane| [lane, lanes + lane]);
                    self.step(Step::Two(a, b, from.collect()))
                })
            });
            return both.collect();
        }
        let turned = components.iter().enumerate().map(|(component, register)| {
            let mut from = vec![0; lanes];
            (0..lanes).for_each(|lane| from[(lane * count + component) % lanes] = lane);
            self.permuted(*register, from)
        });
        let turned: Vec<usize> = turned.collect();
        let stream = (0..count).map(|register| {
            let of = (0..lanes).map(|slot| turned[(register * lanes + slot) % count]);
            self.blended(&of.collect::<Vec<_>>())
        });
        stream.collect()
    }

    /// The register that has each lane from one of others.
    fn blended(&mut self, of: &[usize]) -> usize {
        let mut result = of[0];
        let mut seen = vec![result];
        for register in of {
            if !seen.contains(register) {
                let lanes = of.iter().map(|other| other == register).collect();
                result = self.step(Step::Blend(result, *register, lanes));
                seen.push(*register);
            }
        }
        result
    }

    fn permuted(&mut self, register: usize, from: Vec<usize>) -> usize {
        match from.iter().copied().eq(0..from.len()) {
            true => register,
            false => self.step(Step::Permute(register, from)),
        }
    }

    /// The steps that some lanes of some registers need, which are the outputs.
    fn pruned(mut self, wanted: Vec<(usize, Vec<bool>)>) -> Network {
        let lanes = wanted.first().map_or(0, |(_, lanes)| lanes.len());
        let mut live = vec![vec![false; lanes]; self.inputs + self.steps.len()];
        for (output, lanes) in &wanted {
            for lane in (0..lanes.len()).filter(|lane| lanes[*lane]) {
                live[*output][lane] = true;
            }
        }
        for at in (0..self.steps.len()).rev() {
            let wanted = live[self.inputs + at].clone();
            let wanted = (0..lanes).filter(|lane| wanted[*lane]);
            match &self.steps[at] {
                Step::Blend(a, b, second) => {
                    wanted.for_each(|lane| live[if second[lane] { *b } else { *a }][lane] = true);
                }
                Step::Permute(a, from) => wanted.for_each(|lane| live[*a][from[lane]] = true),
                Step::Two(a, b, from) => wanted.for_each(|lane| {
                    let of = if from[lane] < lanes { *a } else { *b };
                    live[of][from[lane] % lanes] = true;
                }),
            }
        }
        // What is not there may be anything.
        let there: Vec<bool> = live.iter().map(|lanes| lanes.contains(&true)).collect();
        self.needed = there[..self.inputs].to_vec();
        let mut numbers: Vec<usize> = (0..self.inputs).collect();
        let mut steps = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            let alone = match step {
                Step::Blend(a, b, _) if !there[*b] => Some(*a),
                Step::Blend(a, b, _) if !there[*a] => Some(*b),
                _ => None,
            };
            if let Some(alone) = alone {
                numbers.push(numbers[alone]);
                continue;
            }
            numbers.push(self.inputs + steps.len());
            if !there[self.inputs + at] {
                continue;
            }
            let of = |register: &usize, other: &usize| match there[*register] {
                true => numbers[*register],
                false => numbers[*other],
            };
            steps.push(match step {
                Step::Blend(a, b, second) => Step::Blend(of(a, b), of(b, a), second.clone()),
                Step::Permute(a, from) => Step::Permute(of(a, a), from.clone()),
                Step::Two(a, b, from) => Step::Two(of(a, b), of(b, a), from.clone()),
            });
        }
        let outputs = wanted.iter();
        let outputs = outputs.map(|(output, _)| there[*output].then_some(numbers[*output]));
        self.outputs = outputs.collect();
        self.steps = steps;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a network makes of registers of labels.
    fn run(network: &Network, mut registers: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        for step in &network.steps {
            let next = match step {
                Step::Blend(a, b, second) => {
                    let lanes = second.iter().enumerate();
                    lanes
                        .map(|(lane, second)| registers[if *second { *b } else { *a }][lane])
                        .collect()
                }
                Step::Permute(a, from) => from.iter().map(|lane| registers[*a][*lane]).collect(),
                Step::Two(a, b, from) => {
                    let both = [registers[*a].clone(), registers[*b].clone()].concat();
                    from.iter().map(|lane| both[*lane]).collect()
                }
            };
            registers.push(next);
        }
        let outputs = network.outputs.iter();
        let register = |output: &Option<usize>| output.map(|output| registers[output].clone());
        outputs
            .map(|output| register(output).unwrap_or_default())
            .collect()
    }

    #[test]
    fn streams_are_taken_apart_and_put_together() {
        for lanes in [2, 4, 8, 16] {
            for count in 2..=12 {
                let stream: Vec<Vec<usize>> = (0..count)
                    .map(|register| (register * lanes..(register + 1) * lanes).collect())
                    .collect();
                let components: Vec<Vec<usize>> = (0..count)
                    .map(|component| (0..lanes).map(|lane| lane * count + component).collect())
                    .collect();
                let all: Vec<usize> = (0..count).collect();
                let parted = apart(lanes, count, &all);
                assert_eq!(run(&parted, stream.clone()), components, "{lanes} {count}");
                let joined = together(lanes, count, &all);
                assert_eq!(run(&joined, components), stream, "{lanes} {count}");
            }
        }
    }

    #[test]
    fn what_is_not_needed_may_be_anything() {
        for lanes in [2, 4, 8, 16] {
            for count in 2..=12 {
                for wanted in 0..count {
                    let network = apart(lanes, count, &[wanted]);
                    let place = |register: usize, slot: usize| match network.needed[register] {
                        true => register * lanes + slot,
                        false => 999,
                    };
                    let registers = (0..count)
                        .map(|register| (0..lanes).map(|slot| place(register, slot)).collect());
                    let component = (0..lanes).map(|lane| lane * count + wanted);
                    let parted = run(&network, registers.collect());
                    assert_eq!(parted, [component.collect::<Vec<_>>()]);
                }
            }
        }
    }

    #[test]
    fn components_that_are_missing_leave_gaps() {
        let all = [2, 4, 8, 16].map(|lanes| (2..=8).map(move |count| (lanes, count)));
        for (lanes, count) in all.into_iter().flatten() {
            for bits in 1_usize..1 << count {
                let is_there = |component: usize| bits >> component & 1 == 1;
                let there: Vec<usize> = (0..count)
                    .filter(|component| is_there(*component))
                    .collect();
                let network = together(lanes, count, &there);
                let components = (0..count).map(|component| match is_there(component) {
                    true => (0..lanes).map(|lane| lane * count + component).collect(),
                    false => vec![999; lanes],
                });
                let stream = run(&network, components.collect());
                for (register, found) in stream.iter().enumerate() {
                    for (slot, found) in found.iter().enumerate() {
                        let place = register * lanes + slot;
                        let right = *found == place || !is_there(place % count);
                        assert!(right, "{lanes} {count} {there:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn three_components_take_two_blends_and_a_permutation_each() {
        let network = apart(8, 3, &[0, 1, 2]);
        let blends = network
            .steps
            .iter()
            .filter(|s| matches!(s, Step::Blend(..)));
        assert_eq!((blends.count(), network.steps.len()), (6, 9));
        // Pairs of a part of 128 bits take one shuffle.
        assert_eq!(apart(2, 3, &[0, 1, 2]).steps.len(), 3);
        assert_eq!(together(2, 3, &[0, 1, 2]).steps.len(), 3);
    }
}
