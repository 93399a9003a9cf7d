# Shared by the scripts of this folder: where things are, and how to say things.
# Everything that is installed goes below one cache folder; nothing goes into the person's own bin.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${PORTHOLE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/porthole}
mkdir -p "$cache/bin"

trunk_version=0.21.14
binaryen_version=132.0.0
# Debian's wasm-opt 108 writes a module that fails in the browser.
wasm_opt_minimum=132

export PATH="$cache/bin:$cache/node/node_modules/.bin:$PATH"

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# The version of a crate in Cargo.lock.
locked() { awk -v crate="$1" '$0 == "name = \"" crate "\"" { getline; gsub(/version = |"/, ""); print; exit }' "$root/Cargo.lock"; }

# kubectl of the local control plane: the same version as its server.
kubectl() { "$cache/bin/control-plane" kubectl "$@"; }

# A Chromium: the one that CHROMIUM names, or one on the PATH.
chromium_path() {
    local name
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
        [ -n "$name" ] && command -v "$name" && return
    done
    return 1
}

# How the page is compiled. Leptos boxes the views of components instead of nesting their types, which is a third
# less code; paths of this machine do not go into the module.
wasm_flags() {
    local registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
    local flags="--cfg erase_components --remap-path-prefix=$root="
    local source
    for source in "$registry"/*/; do flags="$flags --remap-path-prefix=$source="; done
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$flags"
}
