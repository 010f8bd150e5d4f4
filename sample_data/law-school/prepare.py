"""Make ``law-school.csv`` from the survey file in DoWhy 0.14's source distribution.

Run ``python sample_data/law-school/prepare.py`` from the repository's root: it fetches the source
distribution with pip into a temporary directory. With the path of an already fetched
``dowhy-0.14.tar.gz`` as the only argument it fetches nothing. What was kept, renamed and dropped
is in ``NOTE.md``. Needs the standard library only.
"""

import csv
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

MEMBER = "dowhy-0.14/docs/source/example_notebooks/datasets/law_data.csv"
MEMBER_SHA256 = "934f04f595a9176e09f482e26ca51fde745be1cbd1f12cb6d6b706721dbb1aee"
GENDERS = {"1": "female", "2": "male"}
DROPPED_REGION = "PO"
COLUMNS = ("gender", "race", "race_detail", "LSAT", "UGPA")


def fetch(directory: Path) -> Path:
    """Download DoWhy's source distribution into ``directory`` and return its path."""
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", "dowhy"]
    subprocess.run([*pip, "--dest", str(directory), "dowhy==0.14"], check=True)
    return directory / "dowhy-0.14.tar.gz"


def extract(archive: Path) -> str:
    """Return the survey file's text, refusing a file that is not the one described in NOTE.md."""
    with tarfile.open(archive) as opened:
        member = opened.extractfile(MEMBER)
        if member is None:
            raise SystemExit(f"{archive.name}: {MEMBER} is not a regular file")
        content = member.read()
    digest = hashlib.sha256(content).hexdigest()
    if digest != MEMBER_SHA256:
        raise SystemExit(f"{MEMBER}: expected SHA-256 {MEMBER_SHA256}, got {digest}")
    return content.decode("utf-8")


def convert(source: str) -> str:
    """Turn the survey file's text into the sample's, row for row and number for number.

    Numbers are copied as text, never parsed, so that none changes its last digit.
    """
    converted = io.StringIO()
    writer = csv.writer(converted, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in csv.DictReader(io.StringIO(source)):
        if row["region_first"] == DROPPED_REGION:
            continue
        race = "white" if row["race"] == "White" else "non-white"
        writer.writerow([GENDERS[row["sex"]], race, row["race"], row["LSAT"], row["UGPA"]])
    return converted.getvalue()


def main(arguments: list[str]) -> None:
    """Write ``law-school.csv`` beside this script."""
    with tempfile.TemporaryDirectory() as directory:
        archive = Path(arguments[0]) if arguments else fetch(Path(directory))
        sample = convert(extract(archive))
    Path(__file__).with_name("law-school.csv").write_bytes(sample.encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
