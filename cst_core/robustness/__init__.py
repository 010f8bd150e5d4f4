"""How far a verdict depends on what was assumed: placebo, neighbourhood balance, and rivals.

Each module holds one question and the function that answers it:

- `balance.balance`: are control and test groups equally near?
- `placebo.placebo`: what does the same test find when the protected label means nothing?
- `bootstrap.bootstrap`: do verdicts stand when the causal model is fitted to other samples?
- `tornado.tornado`: which coefficient moves the counts most, within its own uncertainty?
- `tipping.tipping`: how much of the effect of A does a verdict need?
  `tipping.coefficient_tipping`: at which value of one coefficient does it turn?
- `rival_worlds.run_worlds`, `rival_worlds.in_worlds`: the same test in several causal models;
  `rival_worlds.rival_worlds` compares them person by person, and `reasons.reasons` says which
  equation makes two of them disagree.
- `recentred.recentred`: the same test under another causal model, searching only what it changes.
"""
