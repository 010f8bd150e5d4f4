"""Start the dashboard: ``python -m dashboard [--port 8501] [--store URL] [--no-browser]``."""

from __future__ import annotations

import argparse
import os


def main() -> None:
    """Read the options and serve."""
    parser = argparse.ArgumentParser(
        prog="cst dashboard", description="Open the dashboard in the browser."
    )
    parser.add_argument("--port", type=int, default=8501, help="the port to listen on")
    parser.add_argument(
        "--store",
        help="where workspaces are kept: sqlite:///file or postgresql://… "
        "(by default a file in your own data folder)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    options = parser.parse_args()
    # Many people share the processor; several threads for one small fit get in each other's way.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    from dashboard.server import serve  # noqa: PLC0415  (--help answers at once)

    serve(port=options.port, store=options.store, open_browser=not options.no_browser)


if __name__ == "__main__":
    main()
