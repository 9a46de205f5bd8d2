#!/usr/bin/env bash
# Sets everything up on a fresh machine and runs lint, format, types and tests. Arguments go to pytest.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment "[test]"
need_libraries offscreen
PATH="$(bin):$PATH"
export QT_QPA_PLATFORM=offscreen

find mlviz tests -name '*.py' -print0 | xargs -0 wc -l | tail -n 1 | awk '{print "lines of Python: " $1}'
ruff check .
ruff format --check .
mypy
python -m pytest -q "$@"
