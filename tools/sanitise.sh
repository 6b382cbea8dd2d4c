#!/usr/bin/env bash
# Looks for accesses outside of what is allocated, in what this machine has the tools for:
#   tools/sanitise.sh small    minutes: random kernels under AddressSanitizer, the run time under it and under Miri
#   tools/sanitise.sh          also all tests, more random kernels, and kernels under Miri
# AddressSanitizer comes with the released compiler, behind a flag of its own; Miri is a component of
# nightly ones (`rustup +nightly component add miri`). What is missing is skipped, and said so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

size=${1:-all}
target=$(rustc -vV | sed -n 's/^host: //p')
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT

step() {
    printf '\n--> %s\n' "$*"
    "$@"
}

# Tests of a package or of all of them, compiled for AddressSanitizer. Procedural macros are not: they
# run in the compiler, which is why a target is named.
sanitised_tests() {
    step env RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address" ASAN_OPTIONS=detect_leaks=1 \
        cargo test --target "$target" --target-dir target/sanitised "$@"
}

# The interpreter takes one core for a minute and a half, in a folder of its own.
if cargo +nightly miri --version >/dev/null 2>&1; then
    # Without the second flag it gives each result of a function like `powi` an error of its own.
    export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-deterministic-floats"
    step cargo +nightly miri test --target-dir target/miri -p loopwright-runtime --lib >"$folder/run_time" 2>&1 &
    run_time=$!
fi

echo 'fn main() {}' >"$folder/empty.rs"
if RUSTC_BOOTSTRAP=1 rustc -Zsanitizer=address "$folder/empty.rs" -o "$folder/empty" 2>"$folder/why" \
    && "$folder/empty"; then
    case $size in
        small) kernels=150 ;;
        *) kernels=2000 ;;
    esac
    # Guards around the arguments are poisoned: reads beside them are errors too.
    # With the features of all tests, so that what these have built is not built again.
    step cargo test --workspace --test differential --no-run
    step "${CARGO_TARGET_DIR:-target}/debug/loopwright-differential" \
        --sanitise --one-level --kernels "$kernels" --batch 50 --seed 23
    sanitised_tests -p loopwright-runtime --lib
    if [ "$size" != small ]; then
        # Documentation tests compile each on its own, the messages of errors have no code to run.
        sanitised_tests --workspace --tests --exclude loopwright-ui
    fi
else
    echo "AddressSanitizer: skipped, this compiler cannot link it: $(head -n 1 "$folder/why")"
fi

if [ -n "${run_time:-}" ]; then
    wait "$run_time" || { cat "$folder/run_time"; exit 1; }
    cat "$folder/run_time"
    # Miri knows the instructions of AVX2, and not all of AVX-512.
    for isa in scalar avx2; do
        [ "$size" != small ] || continue
        export LOOPWRIGHT_MAX_ISA=$isa RUSTFLAGS="-Ctarget-feature=+avx2,+fma"
        step cargo +nightly miri test --target-dir target/miri --test bounds --test language
        # All layouts of all sizes would take an hour.
        step cargo +nightly miri test --target-dir target/miri --test views -- --skip all_layouts
    done
else
    echo "Miri: skipped, it is not installed (rustup +nightly component add miri)"
fi
