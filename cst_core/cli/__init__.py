"""The `cst` command."""

from cst_core.cli.app import main

__all__ = ["main"]
