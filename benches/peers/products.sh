#!/bin/sh
# Builds the wrapper of libxsmm that `cargo bench --bench products` compares with:
#
#     benches/peers/products.sh
#
# fetches Debian's libxsmm-dev, unpacks it into benches/peers/build/libxsmm and compiles products.c into
# benches/peers/build/libproducts.so. Needs apt-get, dpkg-deb and gcc (or CC), and no rights. The benchmark
# runs without the library too; nothing else uses it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=$here/build
own=$build/libxsmm
mkdir -p "$own"
if [ ! -e "$own/usr/lib/libxsmm.a" ]; then
    (cd "$own" && apt-get download libxsmm-dev && dpkg-deb -x libxsmm-dev_*.deb .)
fi
"${CC:-gcc}" -std=c17 -O3 -march=native -fPIC -I"$own/usr/include" -shared -o "$build/libproducts.so" \
    "$here/products.c" "$own/usr/lib/libxsmm.a" "$own/usr/lib/libxsmmnoblas.a" -ldl -lpthread -lm
echo "$build/libproducts.so"
