#!/usr/bin/env bash
# Sets everything up on a fresh machine and runs lint, format, types and tests, three at a time: many wait for another
# process, and two cores would wait with them. With --fast, tests that take long are left out; with --all-cases, sweeps
# over the methods try all of their cases instead of a choice. Other arguments go to pytest, which then runs one test
# after the other unless -n asks for more. Lint and types are checked while the tests run, and told after them; either
# failing fails the whole.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment "[test]"
need_libraries offscreen
PATH="$(bin):$PATH"
export QT_QPA_PLATFORM=offscreen

three=(-n 3 --dist worksteal)
if [ $# = 0 ]; then
    set -- "${three[@]}"
elif [ "$1" = --fast ]; then
    shift
    set -- "${three[@]}" -m "not slow" "$@"
elif [ "$1" = --all-cases ]; then
    set -- "${three[@]}" "$@"
fi

checks() { python packaging/statements.py && ruff check . && ruff format --check . && mypy; }

told=$(mktemp)
trap 'rm -f "$told"' EXIT
checks >"$told" 2>&1 &
checking=$!
# What pytest makes of the tests' files is kept. Of a fresh copy one process reads them first: three at once would each
# do all of it, while the types are checked on the other core.
[ -d tests/__pycache__ ] || python -m pytest -q --collect-only >/dev/null || true
failed=0
python -m pytest -q "$@" || failed=$?
wait "$checking" || failed=$?
cat "$told"
exit "$failed"
