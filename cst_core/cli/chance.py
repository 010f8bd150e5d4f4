"""Whether the findings of a test are more than chance gives, as far as a command asks."""

from __future__ import annotations

from dataclasses import dataclass

from cst_core.cli.options import Options
from cst_core.errors import CancelledError, CSTError
from cst_core.results import Result
from cst_core.robustness import Placebo, placebo, usual_repeats
from cst_core.testing import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedChance:
    """How many findings a label without meaning gives; else None, and why not where it failed."""

    found: Placebo | None = None
    why_not: str = ""


def ask_chance(result: Result, options: Options, progress: Progress | None) -> AskedChance:
    """Deal out the label as often as was asked; what cannot be done ends nothing else."""
    asked = [options.evidence_settings(result.name, k) for k in options.k]
    times = options.chance
    if times is None:
        times = usual_repeats(result, asked[0].significance_level)
    if not times or any(one.calibration != "none" for one in asked):
        return AskedChance()
    try:
        found = placebo(
            result,
            settings=asked,
            methods=result.methods,
            repeats=times,
            seed=options.seed,
            progress=progress,
        )
    except CancelledError:
        raise
    except CSTError as error:
        return AskedChance(
            why_not="Whether the counts are more than chance gives could not be found out, as the "
            f"test could not be made with the label dealt out anew: {error}"
        )
    return AskedChance(found=found)
