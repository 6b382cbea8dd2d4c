use loopwright::kernel;

kernel! {
    #[opt(plan = "
        schedule width 4 lanes i
        lop i in 0..len(x) step 4 { block { eq 0 } }
    ")]
    fn no_such_node(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(plan = "
        schedule width 3 lanes i
        loop i in 0..len(x) step 3 { block { eq 0 } }
    ")]
    fn no_such_width(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(plan = "
        schedule width 4 lanes i
        loop i in 0..len(x) - 1 step 4 { block { eq 0 } }
    ")]
    fn too_short(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(plan = "
        y[i] = 3 x[i]   for i
        schedule width 4 lanes i
        loop i in 0..len(x) step 4 { block { eq 0 } }
    ")]
    fn another_value(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(plan = "
        y[i + 1] = 2 x[i]   for i
        schedule width 4 lanes i
        loop i in 0..len(x) step 4 { block { eq 0 } }
    ")]
    fn another_element(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(isa = [scalar], plan = "
        index j: len(x)
        temp t: f64[8]
        t[j] = 2 x[j]   for j
        y[i] = t[i]   for i
        schedule width 1
        store t: memory[8]
        loop j in 0..len(x) { block { eq 0 } }
        loop i in 0..len(x) { block { eq 1 } }
    ")]
    fn too_small(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(isa = [scalar], plan = "
        index j: len(x)
        temp t: f64[len(x)]
        t[j] = 2 x[j]   for j
        y[i] = t[i]   for i
        schedule width 1
        store t: memory[8]
        loop j in 0..len(x) { block { eq 0 } }
        loop i in 0..len(x) { block { eq 1 } }
    ")]
    fn too_few_places(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(isa = [scalar], plan = "
        index j: len(x)
        temp t: f64[len(x)]
        t[j] = 2 x[j]   for j
        y[i] = t[i]   for i
        schedule width 1
        store t: memory[run]
        loop i in 0..len(x) { block { eq 1 } }
        loop j in 0..len(x) { block { eq 0 } }
    ")]
    fn read_too_early(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(plan = "
        schedule width 4 lanes i
        loop i in 0..len(x) step 8 { block { eq 0 } }
    ")]
    fn every_other_vector(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(lanes(i), plan = "schedule width 4 lanes i")]
    fn two_masters(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; }
    }
}

kernel! {
    #[opt(plan = "schedule width 1")]
    fn as_written(x: &[f64], y: &mut [f64]) {
        let mut i = 0;
        while i < x.len() && x[i] > 0.0 { y[i] = 2.0 * x[i]; i += 1; }
    }
}

fn main() {}
