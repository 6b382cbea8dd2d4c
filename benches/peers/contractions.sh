#!/bin/sh
# Builds the C loops that `cargo bench --bench contractions` compares with:
#
#     benches/peers/contractions.sh
#
# compiles contractions.c into benches/peers/build/libcontractions.so. Needs gcc
# (or CC). The benchmark runs without the library too; nothing else uses it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=$here/build
mkdir -p "$build"
"${CC:-gcc}" -std=c17 -O3 -march=native -ffast-math -fPIC -fno-semantic-interposition \
    -c "$here/contractions.c" -o "$build/contractions.o"
# Linked without -ffast-math: with it, gcc adds start-up code that makes the
# whole process flush denormals to zero.
"${CC:-gcc}" -shared -o "$build/libcontractions.so" "$build/contractions.o"
echo "$build/libcontractions.so"
