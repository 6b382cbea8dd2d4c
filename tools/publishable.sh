#!/usr/bin/env bash
# Whether the packages that users get can be published, as far as that can be said without building them or asking
# the registry: each can be packaged, and has its licences, README, keywords and categories.
#
#     tools/publishable.sh              # seconds
#     tools/publishable.sh --dry-run    # and what `cargo publish` checks, which asks the registry
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folders=(. compiler macros runtime tools/cargo-loopwright)

failed=0
say() {
    printf 'error: %s\n' "$*" >&2
    failed=1
}

packages=()
for folder in "${folders[@]}"; do
    manifest=$folder/Cargo.toml
    for key in description license repository keywords categories readme; do
        # The first package table; what is inherited counts.
        sed -n '/^\[package\]/,/^\[[^p]/p' "$manifest" | grep -Eq "^$key(\.workspace)? *=" || say "$manifest has no $key"
    done
    name=$(sed -n '/^\[package\]/,$s/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)
    packages+=(-p "$name")
    files=$(cargo package -p "$name" --list --allow-dirty --offline 2>/dev/null)
    for file in LICENSE-APACHE LICENSE-MIT README.md; do
        grep -qx "$file" <<<"$files" || say "$name would be published without $file"
    done
done

# Packages that nobody has said of whether they are published.
while read -r manifest; do
    folder=$(dirname "$manifest")
    grep -q '^publish = false' "$manifest" || [[ " ${folders[*]} " == *" ${folder#./} "* ]] ||
        say "$manifest says nothing of publishing, and is not in $0"
done < <(find . -name Cargo.toml -not -path './target/*')

cargo package "${packages[@]}" --no-verify --allow-dirty --offline --quiet 2>/dev/null ||
    cargo package "${packages[@]}" --no-verify --allow-dirty --offline || say "not all can be packaged"
if [ "${1:-}" = --dry-run ]; then
    cargo publish --workspace --dry-run --no-verify --allow-dirty
fi
[ "$failed" = 0 ] && echo "${#folders[@]} packages can be published"
exit "$failed"
