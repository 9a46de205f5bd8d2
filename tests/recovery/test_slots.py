"""Who may touch copies, what becomes of those left behind, and who writes them when."""

import errno
import os
import shutil
import stat
import subprocess
import sys
import threading

import pytest

from mlviz.files.atomic import digest_of, write_atomically
from mlviz.recovery import keeper as keeper_room
from mlviz.recovery import slots
from mlviz.recovery.keeper import CopyKeeper
from mlviz.recovery.slots import CopySlot, find_leftover_copies, keep_for_later
from mlviz.scene.defaults import default_scene
from tests.recovery.samples import copy_of, found, left_behind, names, scene_with


class TestFolder:
    def test_a_running_program_is_not_offered_and_one_that_ended_well_leaves_nothing(self, tmp_path):
        slot = CopySlot.new(tmp_path / "new" / "folder")
        slot.write(copy_of(scene_with()))
        assert found(slot.path.parent) == []
        slot.remove()
        assert list(slot.path.parent.iterdir()) == []

    def test_a_folder_that_somebody_removed_is_made_again_and_the_slot_is_still_held(self, tmp_path):
        slot = CopySlot.new(tmp_path / "copies")
        assert slot.write(copy_of(scene_with())) == ""
        shutil.rmtree(tmp_path / "copies")
        assert slot.write(copy_of(scene_with(3))) == "" and found(tmp_path / "copies") == []
        assert len(slot.read().scene.dataset) == 3
        slot.release()

    def test_copies_are_offered_newest_first_and_to_one_program_only(self, tmp_path):
        left_behind(tmp_path, scene_with(3), scene_with(4))
        first = found(tmp_path)
        assert [len(left.copy.scene.dataset) for left in first] == [4, 3]
        assert found(tmp_path) == []
        keep_for_later(first)
        again = found(tmp_path)
        assert [len(left.copy.scene.dataset) for left in again] == [4, 3]
        again[0].slot.remove()
        again[1].slot.release()
        assert names(tmp_path) == [".copy", ".lock"]

    def test_a_killed_process_lets_go_of_its_lock(self, tmp_path):
        code = (
            "import os, sys, pathlib\n"
            "from mlviz.recovery.copies import *; from mlviz.recovery.slots import *\n"
            "from mlviz.scene.defaults import default_scene\n"
            "slot = CopySlot.new(pathlib.Path(sys.argv[1]))\n"
            "slot.write(Copy(default_scene(), None, '', 1.0))\n"
            "os.kill(os.getpid(), 9)"
        )
        done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
        assert done.returncode == -9
        assert len(found(tmp_path)) == 1

    def test_a_damaged_copy_is_told_once_and_kept_aside(self, tmp_path):
        left_behind(tmp_path, scene_with(3), scene_with(4))
        damaged = sorted(tmp_path.glob("*.copy"))[0]
        damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
        left, problems = find_leftover_copies(tmp_path)
        assert len(left) == 1 and len(problems) == 1
        assert problems[0].endswith(f"It is kept as {damaged.with_suffix('.damaged')}.")
        keep_for_later(left)
        assert names(tmp_path) == [".copy", ".damaged", ".lock"]
        assert len(found(tmp_path)) == 1

    def test_a_damaged_copy_that_stays_where_it_is_is_not_held(self, tmp_path, monkeypatch):
        left_behind(tmp_path, scene_with(3))
        (damaged,) = tmp_path.glob("*.copy")
        damaged.write_bytes(b"?")
        with monkeypatch.context() as fault:
            fault.setattr(slots.os, "replace", lambda *ends: (_ for _ in ()).throw(PermissionError(13, "no")))
            assert find_leftover_copies(tmp_path)[1][0].endswith(f"It is kept as {damaged}.")
        assert find_leftover_copies(tmp_path)[1][0].endswith(f"It is kept as {damaged.with_suffix('.damaged')}.")

    def test_pipes_links_and_folders_are_neither_opened_nor_in_the_way(self, tmp_path):
        folder, other = tmp_path / "copies", tmp_path / "other"
        left_behind(folder, scene_with(3))
        other.write_bytes(copy_of(scene_with(9)).pack())
        os.mkfifo(folder / "a.copy")
        (folder / "b.copy").symlink_to(other)
        (folder / "c.copy").mkdir()
        (folder / "d.lock").symlink_to(tmp_path / "new")
        left, problems = find_leftover_copies(folder)
        assert [len(leftover.copy.scene.dataset) for leftover in left] == [3]
        assert len(problems) == 4 and all("is no file" in problem for problem in problems)
        assert any(f"{folder / 'd.lock'} is no file" in problem for problem in problems)
        assert other.exists() and not (tmp_path / "new").exists()

    def test_a_copy_is_for_nobody_else_and_replaces_a_link(self, tmp_path):
        slot, other = CopySlot.new(tmp_path / "copies"), tmp_path / "other"
        other.write_bytes(b"mine")
        slot.path.symlink_to(other)
        assert slot.write(copy_of(scene_with(3))) == "" and other.read_bytes() == b"mine"
        for path in slot.path.parent.iterdir():
            assert stat.S_IMODE(path.lstat().st_mode) == 0o600
        slot.remove()

    def test_what_was_only_begun_goes(self, tmp_path):
        slot = CopySlot.new(tmp_path)
        (tmp_path / f".{slot.path.name}.mlviz-xyz.part").write_bytes(b"half")
        slot.release()
        assert found(tmp_path) == [] and list(tmp_path.iterdir()) == []

    def test_of_many_that_were_put_off_the_newest_stay(self, tmp_path):
        left_behind(tmp_path, *[default_scene()] * (slots.MOST_KEPT_COPIES + 3))
        left = found(tmp_path)
        assert len(left) == slots.MOST_KEPT_COPIES + 3  # each is offered once at the least
        keep_for_later(left)
        assert sorted(leftover.copy.when for leftover in found(tmp_path))[0] == 103.0

    def test_a_folder_that_is_none(self, tmp_path):
        (tmp_path / "file").touch()
        assert found(tmp_path / "file") == [] and found(tmp_path / "none") == []
        with pytest.raises(OSError, match=r"exists|directory"):
            CopySlot.new(tmp_path / "file")


def refuse(number):
    def call(*_, **__):
        raise OSError(number, os.strerror(number))

    return call


class TestTrouble:
    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO])
    @pytest.mark.parametrize("call", ["os.fsync", "os.replace", "tempfile.mkstemp", "os.chmod"])
    def test_the_older_copy_stays_and_nothing_else(self, tmp_path, monkeypatch, call, number):
        slot = CopySlot.new(tmp_path)
        assert slot.write(copy_of(scene_with(3))) == ""
        with monkeypatch.context() as fault:
            fault.setattr(call, refuse(number))
            assert slot.write(copy_of(scene_with(4))) == os.strerror(number)
        assert names(tmp_path) == [".copy", ".lock"]
        assert len(slot.read().scene.dataset) == 3

    def test_a_bug_in_writing_is_told(self, tmp_path):
        assert CopySlot.new(tmp_path).write(copy_of(None)) == "the program went wrong while it wrote"

    def test_a_folder_that_cannot_be_synced_is_no_failure(self, tmp_path, monkeypatch):
        sync, calls = os.fsync, []

        def second(descriptor):
            calls.append(descriptor)
            return sync(descriptor) if len(calls) == 1 else refuse(errno.EINVAL)()

        monkeypatch.setattr("os.fsync", second)
        write_atomically(tmp_path / "a", b"new")
        assert (tmp_path / "a").read_bytes() == b"new" and len(calls) == 2

    def test_a_file_that_may_not_be_written_is_not_replaced(self, tmp_path, monkeypatch):
        path = tmp_path / "a"
        path.write_bytes(b"old")
        with monkeypatch.context() as fault:  # the mode alone would not keep the administrator from it
            fault.setattr("os.open", refuse(errno.EACCES))
            with pytest.raises(PermissionError):
                write_atomically(path, b"new")
        assert names(tmp_path) == [""] and path.read_bytes() == b"old"

    def test_what_killed_saves_left_goes_with_the_next_save_and_nothing_else(self, tmp_path):
        path, link = tmp_path / ("a[*]" + "ä" * 100), tmp_path / "link"
        link.symlink_to(path)
        code = (
            "import os, sys, pathlib; from mlviz.files import atomic\n"
            "os.fsync = lambda file: os.kill(os.getpid(), 9)\n"
            "atomic.write_atomically(pathlib.Path(sys.argv[1]), b'half')"
        )
        for place in (path, path, link):
            assert subprocess.run([sys.executable, "-c", code, str(place)], check=False).returncode == -9
        (left,) = tmp_path.glob(".*.part")  # the second save removed what the first had left, and was killed too
        start = left.name.removesuffix(".part")
        foreign = {tmp_path / f".{path.name[:50]}.abcdefgh.part", tmp_path / ".b.mlviz-abcdefgh.part"}
        for file in foreign:
            file.write_bytes(b"mine")
        (tmp_path / f"{start}folder.part").mkdir()
        (tmp_path / f"{start}link.part").symlink_to(tmp_path / ".b.mlviz-abcdefgh.part")
        os.mkfifo(tmp_path / f"{start}pipe.part")
        before = set(tmp_path.glob(".*.part")) - {left}
        assert len(before) == 5
        write_atomically(tmp_path / "other", b"new")
        assert left.exists()
        write_atomically(path, b"new")
        assert set(tmp_path.glob(".*.part")) == before and path.read_bytes() == b"new"

    def test_what_another_program_is_writing_stays(self, tmp_path, monkeypatch):
        path, sync = tmp_path / "a", os.fsync

        def save_within(descriptor):
            monkeypatch.setattr("os.fsync", sync)
            write_atomically(path, b"inner")
            sync(descriptor)

        monkeypatch.setattr("os.fsync", save_within)
        write_atomically(path, b"outer")
        assert path.read_bytes() == b"outer" and names(tmp_path) == [""]

    def test_a_part_that_another_program_took_for_stale_is_begun_anew(self, tmp_path, monkeypatch):
        held = []

        def taken(descriptor, wait=False):
            if not held:
                held.append(descriptor)
                (part,) = tmp_path.glob(".*.part")
                part.unlink()

        monkeypatch.setattr("mlviz.files.atomic.lock", taken)
        write_atomically(tmp_path / "a", b"new")
        assert (tmp_path / "a").read_bytes() == b"new" and names(tmp_path) == [""]

    def test_the_digest_of_a_file(self, tmp_path):
        (tmp_path / "a").write_bytes(b"1")
        one = digest_of(tmp_path / "a")
        (tmp_path / "a").write_bytes(b"2")
        assert one not in ("", digest_of(tmp_path / "a")) and digest_of(tmp_path / "b") == ""


class TestKeeper:
    def test_a_copy_is_there_when_keep_returns(self, tmp_path):
        slot = CopySlot.new(tmp_path)
        keeper = CopyKeeper(slot)
        for n in (3, 4):
            assert keeper.keep(copy_of(scene_with(n))) == "" and len(slot.read().scene.dataset) == n
        assert keeper.keep(None) == "" and names(tmp_path) == [".lock"]
        keeper.close()
        assert names(tmp_path) == []

    def test_a_slow_disk_is_not_waited_for_and_gets_the_newest_copy(self, tmp_path, monkeypatch):
        slot, go, written = CopySlot.new(tmp_path), threading.Event(), []
        monkeypatch.setattr(slot, "write", lambda copy: (go.wait(10), written.append(copy.when), "full")[-1])
        keeper = CopyKeeper(slot)
        assert [keeper.keep(copy_of(None, when)) for when in range(4)] == [""] * 4
        assert written == []
        monkeypatch.setattr(keeper_room, "TOO_LONG_SECONDS", 0.0)
        assert keeper.keep(copy_of(None, 4)) == "writing it takes too long"
        go.set()
        assert keeper.keep(copy_of(None, 5)) == "full"  # what went wrong meanwhile
        assert written in ([0, 4, 5], [0, 5])
        keeper.close()

    def test_an_adopted_slot_keeps_its_copy_until_there_is_a_newer_one(self, tmp_path):
        left_behind(tmp_path, scene_with(3))
        own = CopySlot.new(tmp_path)
        keeper = CopyKeeper(own)
        keeper.keep(copy_of(scene_with(4)))
        (left,) = found(tmp_path)
        keeper.adopt(left.slot)
        assert len(left.slot.read().scene.dataset) == 3 and found(tmp_path) == []
        assert keeper.keep(copy_of(scene_with(5))) == ""
        assert len(left.slot.read().scene.dataset) == 5 and names(tmp_path) == [".copy", ".lock"]
        keeper.close()
        assert names(tmp_path) == []
