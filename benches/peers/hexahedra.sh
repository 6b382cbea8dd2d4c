#!/bin/sh
# Builds the operators of deal.II that `cargo bench --bench hexahedra` compares with:
#
#     benches/peers/hexahedra.sh
#
# fetches Debian's libdeal.ii-dev with all that it needs (500 MB) into benches/peers/build/dealii, unpacks
# it there (2 GB) with vectors as wide as this processor's, and compiles hexahedra.cc into
# benches/peers/build/libhexahedra.so, which takes a minute. Needs apt-get, dpkg-deb and g++ (or CXX) of the
# same release of Debian, and no rights. The benchmark runs without the library too; nothing else uses it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=$here/build
own=$build/dealii
root=$own/root
mkdir -p "$own/archives/partial" "$root"

if [ ! -e "$own/unpacked" ]; then
    # As if nothing were installed: what is may be of other versions than deal.II's package wants.
    : >"$own/status"
    apt-get -qq -y --no-install-recommends --download-only -o "Dir::State::status=$own/status" \
        -o "Dir::Cache::archives=$own/archives" -o Debug::NoLocking=1 install libdeal.ii-dev
    for archive in "$own"/archives/*.deb; do
        # The compiler and its libraries are this machine's.
        case ${archive##*/} in
            libc6* | linux-libc* | libstdc* | libgcc* | gcc* | g++* | cpp* | binutils* | perl* | libperl* | python*) ;;
            *) dpkg-deb -x "$archive" "$root" ;;
        esac
    done
    touch "$own/unpacked"
fi

# The package is built for the oldest processors. Only code that is compiled here sees this.
width=128
! grep -q avx2 /proc/cpuinfo || width=256
! grep -q avx512f /proc/cpuinfo || width=512
sed -i "s/\(define DEAL_II_VECTORIZATION_WIDTH_IN_BITS\) .*/\1 $width/" "$root/usr/include/deal.II/base/config.h"

library=$root/usr/lib/x86_64-linux-gnu
include="-isystem $root/usr/include -isystem $root/usr/include/x86_64-linux-gnu -isystem $root/usr/include/trilinos"
for header in petsc.h slepc.h; do
    folder=$(find "$root/usr/lib" -name "$header" -not -path '*/finclude/*' -printf '%h' -quit)
    include="$include -isystem $folder"
done
# shellcheck disable=SC2086
"${CXX:-g++}" -std=c++17 -O3 -march=native -ffast-math -fPIC -DNDEBUG $include -isystem "$library/openmpi/include" \
    -c "$here/hexahedra.cc" -o "$build/hexahedra.o"

# Libraries are looked for in all folders that have some, also those that other libraries want.
folders=$(find "$root/usr/lib" -name '*.so*' -printf '%h\n' | sort -u | grep -v '/dri$\|/gconv\|/pmix' | tr '\n' ':')
wanted=
while :; do
    # shellcheck disable=SC2086
    "${CXX:-g++}" -shared -o "$build/libhexahedra.so" "$build/hexahedra.o" -Wl,--no-as-needed $wanted \
        -L"$library" -ldeal.ii -Wl,--allow-shlib-undefined -Wl,--disable-new-dtags -Wl,-rpath,"$folders"
    missing=$(ldd "$build/libhexahedra.so" | awk '/not found/ { print $1 }' | sort -u)
    [ -n "$missing" ] || break
    # Those that libraries look for in folders of their own are loaded first.
    for name in $missing; do
        found=$(find "$root/usr/lib" -name "$name" -print -quit)
        case " $wanted " in
            *" $found "*) echo "$name: not found" >&2; exit 1 ;;
        esac
        wanted="$wanted $found"
    done
done
echo "$build/libhexahedra.so"
