use loopwright::kernel;

kernel! {
    struct Cell {
        volume: f64,
        material: u32,
    }

    pub fn volumes(cells: &[Cell], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = cells[i].volume;
        }
    }
}

fn main() {
    volumes(&[Cell { volume: 1.0, material: 3 }], &mut [0.0]);
}
