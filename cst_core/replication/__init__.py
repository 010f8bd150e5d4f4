"""The authors' published protocol, and nothing else.

The numbers in Alvarez and Ruggieri, "Counterfactual Situation Testing", JAIR 82 (2025) come from
runs that differ from the paper's text. This room repeats those runs, so that the printed counts
come out number for number. The rooms that hold the method follow the text and use nothing from
here.

The runs differ from the text as follows. (a) Continuous attributes are not divided by their range:
factual and counterfactual columns are each z-scored with their own population mean and standard
deviation over all rows. (b) Distances are summed attribute by attribute, nominal before
continuous, and divided by 3 in every run, whatever the number of attributes. (c) In the law-school
race runs gender is in the distance as a nominal attribute; no other run has a nominal attribute.
(d) The control group is taken from the k+1 nearest protected rows with the complainant in the
search space; she is then removed if she is among them, so that many ties can leave k+1 others.
(e) Floats are compared exactly, and of equally distant rows the later one wins. (f) CST w/ puts
the counterfactual centre into the test search space as one more row with the complainant's row
number, and reads every test decision from the counterfactual data. (g) z, Δp and the bounds are
rounded to 3 decimals before they are compared with τ. (h) The law-school decision maker admits at
0.6·UGPA + 0.4·LSAT ≥ 20.8, not only above it. (i) Law-school counterfactuals are linear in female
and non-white for LSAT as well as UGPA, where the text has an exponential LSAT; LSAT is rounded to
whole numbers before fitting, results are clipped to [10, 48] and [0, 4] and rounded to 3 decimals,
and the intersectional equations have female × non-white as their only predictor. (j) Loan
counterfactuals do not use the text's generating equations: salary is regressed on gender, balance
on salary and gender, and the noise and the results are rounded to 2 decimals; the counterfactual
decision is the text's, granted when salary + 5·balance > 225000.
"""

from cst_core.replication.authors_files import load_authors_data as load_authors_data
from cst_core.replication.protocol import Direction as Direction
from cst_core.replication.protocol import Tables as Tables
from cst_core.replication.published_numbers import METHODS as METHODS
from cst_core.replication.reproduction import Cell as Cell
from cst_core.replication.reproduction import Replication as Replication
from cst_core.replication.reproduction import compare as compare
from cst_core.replication.reproduction import replicate as replicate
from cst_core.replication.runs import RECIPE_TESTS as RECIPE_TESTS
from cst_core.replication.runs import published_recipe as published_recipe
from cst_core.replication.runs import run_published as run_published
