#!/usr/bin/env bash
# Sets everything up on a fresh machine and opens mlviz. Arguments go to the program: bash packaging/run.sh my-scene.json
set -euo pipefail
here=$PWD
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment ""
if on_linux && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    need_libraries offscreen
    if [ $# -gt 0 ]; then
        cd "$here"
        exec "$(bin)/mlviz" "$@"
    fi
    picture="$here/mlviz-demo.png"
    "$(bin)/mlviz" render assets/data/penguins.csv --columns bill_length,bill_depth --target species --algorithm svm -o "$picture"
    say "there is no display (DISPLAY and WAYLAND_DISPLAY are empty), so no window can open; a demo scene is in $picture"
    exit 0
fi
need_libraries window
cd "$here"
exec "$(bin)/mlviz" "$@"
