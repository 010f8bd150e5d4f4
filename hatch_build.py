"""Compile the search kernel when the package is built or installed in place.

The compiler comes with the build requirement `ziglang`, so the machine needs none. Where it cannot
compile, the package still works: neighbours are then found by scipy and numpy.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("cst_core") / "similarity" / "kernel.c"
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
TARGET = SOURCE.with_name(f"_kernel{SUFFIX}")
FLAGS = ["-std=c11", "-O3", "-shared", "-fPIC", "-ffp-contract=off", "-fno-sanitize=all"]


class KernelHook(BuildHookInterface[Any]):
    """Adds the compiled kernel to the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile for this machine, or for the processor named by CST_KERNEL_CPU."""
        root = Path(self.root)
        processor = os.environ.get("CST_KERNEL_CPU", "native")
        partial = root / TARGET.with_suffix(f".{os.getpid()}.tmp")
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, f"-mcpu={processor}"]
        command += ["-o", str(partial), str(root / SOURCE)]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
            partial.replace(root / TARGET)
        except (OSError, subprocess.CalledProcessError) as error:
            detail = getattr(error, "stderr", "") or error
            self.app.display_warning(f"The search kernel was not compiled: {detail}")
            return
        finally:
            partial.unlink(missing_ok=True)
        build_data["artifacts"].append(TARGET.as_posix())
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
