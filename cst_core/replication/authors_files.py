"""The authors' six files, read by their own names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pandas as pd

from cst_core.errors import DataError
from cst_core.replication.people import RECIPE_COLUMNS

#: Field of `AuthorsData`, then the file's name and the columns that are read from it.
FILES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "loan": ("LoanApplication_v2.csv", RECIPE_COLUMNS["loan"]),
    "loan_do_male": ("cf_LoanApplication_v2.csv", ("AnnualSalary", "AccountBalance")),
    "law": ("clean_LawSchool.csv", ("sex", "race_nonwhite", "LSAT", "UGPA")),
    "law_do_male": ("cf_LawSchool_lev3_doMale.csv", ("scf_LSAT", "scf_UGPA")),
    "law_do_white": ("cf_LawSchool_lev3_doWhite.csv", ("scf_LSAT", "scf_UGPA")),
    "law_do_male_white": ("cf_LawSchool_lev3_doMaleWhite.csv", ("scf_LSAT", "scf_UGPA")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorsData:
    """The authors' two datasets, and their counterfactuals of them.

    Attributes
    ----------
    loan, law : DataFrame
        The people, with the column names and codes that `run_published` reads.
    loan_do_male, law_do_male, law_do_white, law_do_male_white : DataFrame
        The authors' counterfactual files, only used to check ours.
    """

    loan: pd.DataFrame
    law: pd.DataFrame
    loan_do_male: pd.DataFrame
    law_do_male: pd.DataFrame
    law_do_white: pd.DataFrame
    law_do_male_white: pd.DataFrame


def load_authors_data(directory: str | Path) -> AuthorsData:
    """Read the authors' six files by their own names.

    Parameters
    ----------
    directory : str or Path
        A folder with the files of the authors' repository ('|' delimited).

    Raises
    ------
    DataError
        If a file or a column is missing; the message names it.
    """
    frames = {}
    for key, (name, columns) in FILES.items():
        path = Path(directory) / name
        if not path.is_file():
            raise DataError(
                f"{path}: the file is missing. The replication needs the authors' {name}; copy it "
                "from the data folder of their repository, or give the folder that holds it."
            )
        frame = pd.read_csv(path, sep="|").reset_index(drop=True)
        for column in columns:
            if column not in frame.columns:
                raise DataError(
                    f"{path}: the column {column!r} is missing, found {list(frame.columns)}. "
                    "Use the authors' file as they publish it, '|' delimited."
                )
        frames[key] = frame[list(columns)]
    law = frames.pop("law")
    law = pd.DataFrame(
        {
            "gender": law["sex"].str.lower(),
            "race": law["race_nonwhite"].str.lower().replace("nonwhite", "non-white"),
            "LSAT": law["LSAT"],
            "UGPA": law["UGPA"],
        }
    )
    return AuthorsData(law=law, **frames)
