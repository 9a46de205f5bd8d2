#!/usr/bin/env bash
# Runs the numerical tests with two of OpenBLAS's kernels besides the one that this processor gets by itself: each test
# with one of them, chosen by its name, so that each has seen two kernels. A kernel decides in which order sums are
# taken, and no test may depend on the last digits. Both run at the same time, a process each, and are told one after the
# other. Arguments go to pytest.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

if [ "$(uname -sm)" != "Linux x86_64" ]; then
    say "OpenBLAS's kernels for other processors are tried on Linux on x86-64 only: skipped on $(uname -sm)"
    exit 0
fi
make_environment "[test]"
need_libraries offscreen
PATH="$(bin):$PATH"
export QT_QPA_PLATFORM=offscreen

# What NumPy computes with: "Haswell" for kernel "Zen" too, where the build has nothing of its own for it.
core() { OPENBLAS_VERBOSE=2 python -c 'import numpy' 2>&1 | sed -n '/^Core: /{s///p;q}'; }

has() { # flags of the processor
    local flag
    for flag in "$@"; do grep -q "^flags.* $flag\( \|$\)" /proc/cpuinfo || return 1; done
}

able() { # kernel; one that the processor lacks would kill the interpreter
    case "$1" in
        Haswell | Zen) has avx2 fma ;;
        Nehalem) has sse4_2 ;;
        SkylakeX) has avx2 fma avx512f avx512cd avx512bw avx512dq avx512vl ;;
        Sandybridge) has avx ;;
    esac
}

own=$(core)
if [ -z "$own" ]; then
    say "NumPy does not compute with an OpenBLAS that has a kernel to choose: skipped"
    exit 0
fi
say "test.sh computes with OpenBLAS's kernel $own"
chosen=()
tried=" $own "
for kernel in Haswell Zen Nehalem SkylakeX Sandybridge; do
    [ "${#chosen[@]}" -lt 2 ] || break
    if ! able "$kernel"; then
        say "kernel $kernel is skipped: this processor lacks what it needs"
        continue
    fi
    name=$(OPENBLAS_CORETYPE=$kernel core)
    case "$tried" in *" $name "*) continue ;; esac
    chosen+=("$kernel")
    tried="$tried$name "
done
[ "${#chosen[@]}" = 2 ] || say "$((2 - ${#chosen[@]})) of 2 kernels can't be tried on this processor"
told=$(mktemp -d)
trap 'rm -rf "$told"' EXIT
running=()
for i in "${!chosen[@]}"; do
    # The catalogue of methods computes nothing, and waits for other processes; how often a fit pauses is the same under
    # any kernel. Pictures of every method are left to test.sh, fits and fields of the same samples are not.
    MLVIZ_TESTS_PART="$((i + 1))/${#chosen[@]}" OPENBLAS_CORETYPE=${chosen[$i]} \
        python -m pytest -q tests/numerics tests/algorithms tests/pipeline \
        --ignore=tests/algorithms/test_catalog.py --ignore=tests/algorithms/test_pauses.py \
        -k "not draws_every and not draws_degenerate and not five_classes and not scene_file and not sane_marks" \
        "$@" >"$told/$i" 2>&1 &
    running+=($!)
done
failed=0
for i in "${!chosen[@]}"; do
    wait "${running[$i]}" || failed=$?
    say "numerical tests with kernel ${chosen[$i]}, part $((i + 1)) of ${#chosen[@]}"
    cat "$told/$i"
done
exit "$failed"
