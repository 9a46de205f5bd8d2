# Sourced by run.sh and test.sh: makes the program's own environment in .venv and sees to the system libraries.
# Quick when nothing has changed.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
venv="$root/.venv"

# The program and its tests start Python a hundred times: what is compiled is kept, whatever the shell says.
unset PYTHONDONTWRITEBYTECODE

say() { printf 'mlviz: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

on_linux() { [ "$(uname -s)" = Linux ]; }

# Installs Debian packages where that is allowed, otherwise prints the one line that does, and stops.
need_packages() { # why, package...
    local why=$1 sudo=
    shift
    if ! command -v apt-get >/dev/null 2>&1; then
        fail "$why. Install what these Debian packages hold with your system's package manager, then run this again: $*"
    fi
    if [ "$(id -u)" != 0 ]; then
        fail "$why. Run this line, then this script again:
    sudo apt-get install -y --no-install-recommends $*"
    fi
    say "$why; installing $*"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } \
        >"$root/.apt.log" 2>&1 || { tail -n 5 "$root/.apt.log" >&2; fail "the packages could not be installed; the log is in .apt.log"; }
    rm -f "$root/.apt.log"
}

find_python() {
    local candidate
    for candidate in python3.13 python3.12 python3.11 python3.14 python3 python; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

bin() { if [ -d "$venv/Scripts" ]; then printf '%s' "$venv/Scripts"; else printf '%s' "$venv/bin"; fi; }

make_environment() { # extras, such as "[test]", or nothing
    local python stamp want
    stamp="$venv/.ready$1"
    # An environment holds absolute paths: one that was copied along with the folder is made anew.
    want="$root $(cksum <pyproject.toml)"
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ] && "$(bin)/python" -c '' 2>/dev/null && return
    if ! python=$(find_python); then
        need_packages "Python 3.11 or newer is needed" python3 python3-venv
        python=$(find_python) || fail "Python 3.11 or newer is needed and could not be found"
    fi
    if ! { [ -f "$venv/.place" ] && [ "$(cat "$venv/.place")" = "$root" ] && "$(bin)/python" -c '' 2>/dev/null; }; then
        rm -rf "$venv"
        if ! "$python" -m venv "$venv" 2>/dev/null; then
            rm -rf "$venv"
            need_packages "Python's venv module is missing" python3-venv
            "$python" -m venv "$venv" || fail "no virtual environment could be made with $python"
        fi
        printf '%s' "$root" >"$venv/.place"
    fi
    say "installing what the program needs into .venv (a minute the first time)"
    # What is never imported need not be compiled, and the rest is when it is.
    "$(bin)/python" -m pip install --quiet --disable-pip-version-check --no-compile -e ".$1" || fail "the installation with pip failed, see above"
    printf '%s' "$want" >"$stamp"
}

# The libraries that Qt itself is linked to; "window" adds those of a window on an X display.
need_libraries() { # offscreen | window
    on_linux || return 0
    local qt
    if ! "$(bin)/python" -c 'from PySide6 import QtGui, QtSvg, QtWidgets' 2>/dev/null || ! fonts_found; then
        need_packages "Qt lacks system libraries" libglib2.0-0 libgl1 libegl1 libxkbcommon0 libfontconfig1 libdbus-1-3 fonts-dejavu-core
    fi
    [ "$1" = window ] || return 0
    qt=$("$(bin)/python" -c 'import PySide6, pathlib; print(pathlib.Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so")')
    if command -v ldd >/dev/null 2>&1 && ldd "$qt" 2>/dev/null | grep -q 'not found'; then
        need_packages "Qt lacks the libraries for a window" libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 \
            libxcb-image0 libxcb-render-util0 libxcb-xinerama0
    fi
}

fonts_found() {
    [ -n "$(find /usr/share/fonts /usr/local/share/fonts "${HOME:-/root}/.fonts" "${HOME:-/root}/.local/share/fonts" \
        \( -name '*.ttf' -o -name '*.otf' -o -name '*.ttc' \) -print -quit 2>/dev/null)" ]
}
