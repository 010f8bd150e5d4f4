"""The numbers that the paper prints, and nothing else.

Alvarez and Ruggieri, "Counterfactual Situation Testing", JAIR 82 (2025). Each constant names its
table by number, in the order of the paper's LaTeX source, and by LaTeX label.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

#: The four methods of every count table, as the paper orders them.
Method = Literal["CST_wo", "ST", "CST_w", "CF"]
METHODS: Final[tuple[Method, ...]] = get_args(Method)

#: Neighbourhood sizes k of the six count tables.
K: Final = (15, 30, 50, 100, 250)

#: Neighbourhood sizes k of the tables at τ = 0.05.
K_TAU_005: Final = (15, 30, 50, 100)

#: Table, method, then (all cases, significant cases), one number for each k; τ = 0, α = 0.05.
COUNTS: Final[Mapping[str, Mapping[Method, tuple[tuple[int, ...], tuple[int, ...]]]]] = {
    "loan_gender": {  # Table 1, table:k-results
        "CST_wo": ((288, 313, 342, 395, 534), (272, 306, 331, 383, 519)),
        "ST": ((55, 65, 84, 107, 204), (44, 57, 65, 85, 148)),
        "CST_w": ((420, 434, 453, 480, 557), (272, 307, 334, 385, 520)),
        "CF": ((376, 376, 376, 376, 376), (241, 253, 265, 288, 352)),
    },
    "loan_gender_positive": {  # Table 15, table:k-results_pos
        "CST_wo": ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
        "ST": ((45, 50, 77, 118, 159), (41, 48, 55, 93, 120)),
        "CST_w": ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
        "CF": ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
    },
    "law_race": {  # Table 10, table:k-results_RACE
        "CST_wo": ((256, 309, 337, 400, 503), (244, 301, 323, 391, 494)),
        "ST": ((33, 51, 61, 64, 78), (28, 28, 45, 47, 61)),
        "CST_w": ((286, 309, 337, 400, 503), (244, 301, 323, 391, 494)),
        "CF": ((231, 231, 231, 231, 231), (190, 231, 231, 231, 231)),
    },
    "law_gender": {  # Table 11, table:k-results_GENDER
        "CST_wo": ((78, 120, 253, 296, 493), (43, 88, 160, 221, 341)),
        "ST": ((77, 101, 229, 258, 484), (57, 69, 111, 124, 366)),
        "CST_w": ((99, 129, 267, 296, 493), (54, 92, 160, 221, 341)),
        "CF": ((56, 56, 56, 56, 56), (20, 15, 30, 21, 32)),
    },
    "law_multiple": {  # Table 12, table:k-results_Multiple
        "CST_wo": ((8, 10, 20, 20, 40), (4, 6, 11, 17, 24)),
        "ST": ((5, 5, 12, 19, 24), (0, 0, 5, 5, 15)),
        "CST_w": ((9, 10, 21, 20, 40), (4, 9, 11, 17, 24)),
        "CF": ((5, 5, 5, 5, 5), (0, 3, 1, 1, 2)),
    },
    "law_intersectional": {  # Table 13, table:k-results_Intersectional
        "CST_wo": ((130, 138, 148, 160, 199), (130, 138, 148, 160, 199)),
        "ST": ((14, 14, 17, 24, 29), (14, 14, 13, 23, 26)),
        "CST_w": ((130, 138, 148, 160, 199), (130, 138, 148, 160, 199)),
        "CF": ((113, 113, 113, 113, 113), (113, 113, 113, 113, 113)),
    },
}

#: Table, method, then all cases at τ = 0.05, one number for each k of `K_TAU_005`.
COUNTS_TAU_005: Final[Mapping[str, Mapping[Method, tuple[int, ...]]]] = {
    "loan_gender": {  # Table 16, table:k-results_tau005
        "CST_wo": (288, 307, 331, 360),
        "ST": (55, 60, 75, 79),
        "CST_w": (420, 309, 334, 363),
        "CF": (376, 376, 376, 376),
    },
    "law_race": {  # Table 17, table:k-results_RACE_tau005
        "CST_wo": (256, 301, 323, 376),
        "ST": (33, 48, 57, 46),
        "CST_w": (286, 301, 323, 376),
        "CF": (231, 231, 231, 231),
    },
    "law_gender": {  # Table 18, table:k-results_GENDER_tau005
        "CST_wo": (78, 105, 224, 231),
        "ST": (77, 92, 181, 185),
        "CST_w": (99, 105, 224, 231),
        "CF": (56, 56, 56, 56),
    },
}

#: Row of the loan file, then p_c, p_t, Δp, one-sided lower bound, two-sided interval, for CST w/
#: at k = 15. The first five are also counterfactual-fairness cases (Table 4, table:CFwithCIs), the
#: others are not (Table 5, table:NotinCFwithCIs).
INDIVIDUALS: Final[Mapping[int, tuple[float, float, float, float, tuple[float, float]]]] = {
    44: (1.0, 0.0, 1.0, 1.0, (1.0, 1.0)),
    55: (0.81, 0.0, 0.81, 0.65, (0.62, 1.0)),
    150: (1.0, 0.94, 0.06, -0.04, (-0.06, 0.18)),
    203: (1.0, 0.87, 0.13, -0.01, (-0.04, 0.29)),
    218: (0.56, 0.0, 0.56, 0.36, (0.32, 0.81)),
    5: (0.06, 0.0, 0.06, -0.04, (-0.06, 0.18)),
    147: (0.5, 0.0, 0.5, 0.29, (0.26, 0.75)),
    435: (0.38, 0.0, 0.38, 0.18, (0.14, 0.61)),
    1958: (0.13, 0.0, 0.13, -0.01, (-0.04, 0.29)),
    2926: (0.75, 0.0, 0.75, 0.57, (0.54, 0.96)),
}
INDIVIDUALS_ALSO_CF: Final = (44, 55, 150, 203, 218)

#: Averages over loan complainants at k = 15: number and share of negative decisions, mean and
#: standard deviation of salary, mean and standard deviation of balance (Table 2,
#: table:k-results_for_STandCST, and Table 3, table:k-results_for_CSTnotinST).
GROUP_SUMMARIES: Final[Mapping[str, Mapping[str, tuple[float, ...]]]] = {
    "ST_and_CST_wo_cases": {
        "control": (8.82, 0.59, 94372.12, 1646.29, 26092.93, 558.3),
        "test_ST": (2.22, 0.15, 96181.82, 611.57, 26347.46, 352.78),
        "test_CST_wo": (0.0, 0.0, 106569.7, 286.34, 30141.28, 273.45),
    },
    "CST_wo_only_cases": {
        "control": (13.74, 0.92, 86332.47, 1524.33, 24734.11, 482.15),
        "test_ST": (14.79, 0.99, 85911.3, 906.11, 24790.05, 152.07),
        "test_CST_wo": (0.78, 0.05, 96898.43, 391.49, 28677.11, 171.61),
    },
}

#: Average p_c and p_t by gender, by race and by their intersection, for CST w/o at k = 15
#: (Table 14, table:MultivsInter).
MULTIPLE_VS_INTERSECTIONAL: Final[Mapping[str, tuple[float, ...]]] = {
    "multiple_and_intersectional": (0.59, 0.33, 0.51, 0.0, 0.66, 0.0),
    "intersectional_only": (0.96, 0.94, 0.93, 0.23, 0.93, 0.01),
}
