#!/bin/sh
# Builds the FFCx kernels that `cargo bench --bench assembly` and `--bench forms` compare with:
#
#     benches/peers/ffcx.sh
#
# installs FFCx from the Python package index into benches/peers/.venv, generates
# C for every form (ffcx_forms.py), compiles it into
# benches/peers/build/libffcx_forms.so and checks it against the test data
# (ffcx_check.py). Needs python3 with venv, and gcc (or CC). The benchmark runs
# without the library too; nothing else uses it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
venv=$here/.venv
build=$here/build
mode=${1:-}
[ -z "$mode" ] || [ "$mode" = --tight ] || { echo "usage: ffcx.sh [--tight]" >&2; exit 2; }

[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -c 'import ffcx, basix, ufl' 2>/dev/null ||
    "$venv/bin/python" -m pip install --quiet 'fenics-ffcx==0.11.*'
"$venv/bin/python" -m pip list 2>/dev/null | grep '^fenics-'

# `--tight` builds an oracle instead of a peer: see ffcx_forms.py.
name=ffcx_forms${mode:+_tight}
sources=$build/$name
"$venv/bin/python" "$here/ffcx_forms.py" "$sources" $mode >/dev/null

include=$("$venv/bin/python" -c 'import ffcx.codegeneration as c; print(c.get_include_path())')
flags='-O3 -march=native -ffast-math'
[ -z "$mode" ] || flags='-O2'
for source in "$sources"/*.c; do
    # shellcheck disable=SC2086
    "${CC:-gcc}" -std=c17 $flags -fPIC -fno-semantic-interposition \
        -I"$include" -c "$source" -o "${source%.c}.o"
done
# Linked without -ffast-math: with it, gcc adds start-up code that makes the
# whole process flush denormals to zero.
"${CC:-gcc}" -shared -o "$build/lib$name.so" "$sources"/*.o -lm
echo "$build/lib$name.so"

[ -n "$mode" ] || "$venv/bin/python" "$here/ffcx_check.py" "$build/lib$name.so"
