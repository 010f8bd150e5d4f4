"""The `cst` command."""

from __future__ import annotations

import os
import sys
import warnings


def main() -> None:
    """Run the command; a problem becomes a sentence on stderr, never a traceback."""
    try:
        _run()
    except KeyboardInterrupt:
        print("cst: stopped.", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _run() -> None:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without Greek letters still gets the rest
            stream.reconfigure(errors="replace")
    from cst_core.cli.app import app  # noqa: PLC0415 inside, so that stopping the start is quiet
    from cst_core.errors import CSTError, CSTWarning  # noqa: PLC0415

    warnings.simplefilter("ignore", CSTWarning)  # the same sentences are in the notes
    try:
        app()
    except CSTError as error:
        print(f"cst: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        raise
    except Exception as error:
        if os.environ.get("CST_DEBUG"):
            raise
        print(
            f"cst: something unexpected went wrong ({type(error).__name__}: {error}). "
            "Please report it; CST_DEBUG=1 shows the details.",
            file=sys.stderr,
        )
        sys.exit(1)
