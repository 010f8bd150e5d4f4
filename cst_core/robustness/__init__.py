"""How far a verdict depends on what was assumed: placebo, neighbourhood balance, and rivals.

Each question has one function that answers it:

- `balance`: are control and test groups equally near?
- `standing`: how many findings are still there when one setting is another?
- `placebo`: what does the same test find when the protected label means nothing?
- `bootstrap`: do verdicts stand when the causal model is fitted to other samples?
- `tornado`: which coefficient moves the counts most, within its own uncertainty?
- `tipping`: how much of the effect of A does a verdict need?
- `accepted_in_turn`: which arrows carry the findings?
- `confounding`: how strong would something unmeasured have to be to undo a finding?
- `in_worlds`: the same test in several causal models; `rival_worlds` compares them person by
  person, `disagreement` says which equation makes two of them disagree, and `usual_rivals` which
  rivals a model usually has.
- `under_model`: the same test under another causal model, searching only what it changes.

`CHECKS` has all of them that the command and the dashboard make, as one kind of object.
"""

from cst_core.results import JsonResult as JsonResult
from cst_core.robustness.accepted_arrows import ARROWS as ARROWS
from cst_core.robustness.accepted_arrows import ArrowsAccepted as ArrowsAccepted
from cst_core.robustness.accepted_arrows import PersonArrows as PersonArrows
from cst_core.robustness.accepted_arrows import accepted_in_turn as accepted_in_turn
from cst_core.robustness.balance import BALANCE as BALANCE
from cst_core.robustness.balance import NEAR as NEAR
from cst_core.robustness.balance import WIDE as WIDE
from cst_core.robustness.balance import Balance as Balance
from cst_core.robustness.balance import balance as balance
from cst_core.robustness.beside import Beside as Beside
from cst_core.robustness.bootstrap import BOOTSTRAP as BOOTSTRAP
from cst_core.robustness.bootstrap import FIRM as FIRM
from cst_core.robustness.bootstrap import VARIES as VARIES
from cst_core.robustness.bootstrap import Bootstrap as Bootstrap
from cst_core.robustness.bootstrap import PersonRefits as PersonRefits
from cst_core.robustness.bootstrap import bootstrap as bootstrap
from cst_core.robustness.check import NOT_CALIBRATED as NOT_CALIBRATED
from cst_core.robustness.check import Check as Check
from cst_core.robustness.check import CheckReport as CheckReport
from cst_core.robustness.check import CheckRequest as CheckRequest
from cst_core.robustness.check import CheckResult as CheckResult
from cst_core.robustness.check import Found as Found
from cst_core.robustness.check import StandingCount as StandingCount
from cst_core.robustness.coefficients import coefficient as coefficient
from cst_core.robustness.coefficients import with_coefficient as with_coefficient
from cst_core.robustness.confounding import CONFOUNDING as CONFOUNDING
from cst_core.robustness.confounding import NO_DATA_SHOWS as NO_DATA_SHOWS
from cst_core.robustness.confounding import confounding as confounding
from cst_core.robustness.confounding_found import Confounding as Confounding
from cst_core.robustness.confounding_person import NeededStrength as NeededStrength
from cst_core.robustness.confounding_person import PersonConfounding as PersonConfounding
from cst_core.robustness.disagreement import Disagreement as Disagreement
from cst_core.robustness.disagreement import disagreement as disagreement
from cst_core.robustness.distances import OtherDistances as OtherDistances
from cst_core.robustness.distances import other_distances as other_distances
from cst_core.robustness.other_model import CAUSAL_METHODS as CAUSAL_METHODS
from cst_core.robustness.other_model import CausalMethod as CausalMethod
from cst_core.robustness.other_model import under_model as under_model
from cst_core.robustness.placebo import PLACEBO as PLACEBO
from cst_core.robustness.placebo import placebo as placebo
from cst_core.robustness.placebo import usual_repeats as usual_repeats
from cst_core.robustness.placebo_counts import Placebo as Placebo
from cst_core.robustness.placebo_counts import PlaceboCounts as PlaceboCounts
from cst_core.robustness.placebo_counts import needed_repeats as needed_repeats
from cst_core.robustness.registry import CHECKS as CHECKS
from cst_core.robustness.rival_worlds import RivalWorlds as RivalWorlds
from cst_core.robustness.rival_worlds import in_worlds as in_worlds
from cst_core.robustness.rival_worlds import rival_worlds as rival_worlds
from cst_core.robustness.robustness_values import ArrowStrength as ArrowStrength
from cst_core.robustness.robustness_values import arrow_strengths as arrow_strengths
from cst_core.robustness.robustness_values import robustness_value as robustness_value
from cst_core.robustness.sampling import check_seed as check_seed
from cst_core.robustness.standing import STANDING as STANDING
from cst_core.robustness.standing import standing as standing
from cst_core.robustness.stretches import PersonTipping as PersonTipping
from cst_core.robustness.stretches import Stretch as Stretch
from cst_core.robustness.tipping import TIPPING as TIPPING
from cst_core.robustness.tipping import tipping as tipping
from cst_core.robustness.tipping import tipping_of as tipping_of
from cst_core.robustness.tipping_points import Tipping as Tipping
from cst_core.robustness.tornado import Tornado as Tornado
from cst_core.robustness.tornado import tornado as tornado
from cst_core.robustness.unmeasured import UnmeasuredArrow as UnmeasuredArrow
from cst_core.robustness.unmeasured import unmeasured_arrows as unmeasured_arrows
from cst_core.robustness.unseen_odds import evidence_odds as evidence_odds
from cst_core.robustness.unseen_odds import odds_of as odds_of
from cst_core.robustness.unseen_odds import unseen_odds as unseen_odds
from cst_core.robustness.usual_rivals import arrows as arrows
from cst_core.robustness.usual_rivals import coupled_nodes as coupled_nodes
from cst_core.robustness.usual_rivals import log_link_nodes as log_link_nodes
from cst_core.robustness.usual_rivals import rank_nodes as rank_nodes
