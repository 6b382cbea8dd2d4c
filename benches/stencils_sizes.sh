#!/bin/sh
# Prints the machine code of each stencil of `cargo bench --bench stencils`, all of its
# variants and its checks together, in KiB, the largest first:
#
#     cargo bench --bench stencils --no-run
#     benches/stencils_sizes.sh target/release/deps/stencils-…
#
# Needs nm of GNU binutils.
set -eu

nm --demangle --radix=d --print-size "$1" | awk '
    match($0, /suite::f(32|64)::kernels::[a-z_0-9]+/) {
        split(substr($0, RSTART, RLENGTH), path, "::")
        sizes[path[4] "_" path[2]] += $2
    }
    END { for (name in sizes) printf "%6.1f %s\n", sizes[name] / 1024, name }
' | sort -rn
