"""The tests: single, multiple, intersectional, and the paper's summaries of them."""

from cst_core.testing.calibration import Ask as Ask
from cst_core.testing.calibration import KeepingCalibrator as KeepingCalibrator
from cst_core.testing.calibration import calibrate as calibrate
from cst_core.testing.calibration import calibrate_result as calibrate_result
from cst_core.testing.deals import Redrawn as Redrawn
from cst_core.testing.deciding import decide_there as decide_there
from cst_core.testing.kinds import INTERSECTIONAL as INTERSECTIONAL
from cst_core.testing.kinds import K_MAX as K_MAX
from cst_core.testing.kinds import MULTIPLE as MULTIPLE
from cst_core.testing.kinds import SEVERAL as SEVERAL
from cst_core.testing.kinds import DiscriminationTest as DiscriminationTest
from cst_core.testing.kinds import allowed_tests as allowed_tests
from cst_core.testing.kinds import largest_k as largest_k
from cst_core.testing.kinds import paired_tests as paired_tests
from cst_core.testing.kinds import parse_test as parse_test
from cst_core.testing.notes import causal_notes as causal_notes
from cst_core.testing.several import Overlap as Overlap
from cst_core.testing.several import multiple_from as multiple_from
from cst_core.testing.several import overlap as overlap
from cst_core.testing.several import run_intersectional as run_intersectional
from cst_core.testing.several import run_multiple as run_multiple
from cst_core.testing.several_cores import Progress as Progress
from cst_core.testing.single import ExecutorChoice as ExecutorChoice
from cst_core.testing.single import run_intervention as run_intervention
from cst_core.testing.single import run_single as run_single
from cst_core.testing.value_notes import value_notes as value_notes
