#!/usr/bin/env bash
# Sets everything up on a fresh machine and runs lint, format, types and tests, two at a time. With --fast, tests that
# take long are left out. Other arguments go to pytest, which then runs one test after the other unless -n asks for more.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment "[test]"
need_libraries offscreen
PATH="$(bin):$PATH"
export QT_QPA_PLATFORM=offscreen

both=(-n 2 --dist worksteal)
if [ $# = 0 ]; then
    set -- "${both[@]}"
elif [ "$1" = --fast ]; then
    shift
    set -- "${both[@]}" -m "not slow" "$@"
fi

python packaging/statements.py
ruff check .
ruff format --check .
mypy
python -m pytest -q "$@"
