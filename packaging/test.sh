#!/usr/bin/env bash
# Sets everything up on a fresh machine and runs lint, format, types and tests, two at a time. With --fast, tests that
# take long are left out; with --all-cases, sweeps over the methods try all of their cases instead of a choice. Other
# arguments go to pytest, which then runs one test after the other unless -n asks for more. Lint and types are checked
# while the tests run, and told after them; either failing fails the whole.
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
elif [ "$1" = --all-cases ]; then
    set -- "${both[@]}" "$@"
fi

checks() { python packaging/statements.py && ruff check . && ruff format --check . && mypy; }

told=$(mktemp)
trap 'rm -f "$told"' EXIT
checks >"$told" 2>&1 &
checking=$!
failed=0
python -m pytest -q "$@" || failed=$?
wait "$checking" || failed=$?
cat "$told"
exit "$failed"
