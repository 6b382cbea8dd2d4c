#!/bin/sh
# Builds the C loops that `cargo bench --bench stencils` compares with:
#
#     benches/peers/stencils.sh
#
# compiles stencils.c into benches/peers/build/libstencils.so. Needs gcc (or CC).
# The benchmark runs without the library too; nothing else uses it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=$here/build
mkdir -p "$build"
compile() {
    "${CC:-gcc}" -std=c17 -O3 -march=native -ffast-math -fPIC -fno-semantic-interposition \
        "-DT=$1" "-DNAME(name)=name##_$2" "-DROOT=$3" -c "$here/stencils.c" -o "$build/stencils_$2.o"
}
compile double f64 sqrt
compile float f32 sqrtf
# Linked without -ffast-math: with it, gcc adds start-up code that makes the
# whole process flush denormals to zero.
"${CC:-gcc}" -shared -o "$build/libstencils.so" "$build/stencils_f64.o" "$build/stencils_f32.o" -lm
echo "$build/libstencils.so"
