# Writes what R's fisher.test gives for tables under unequal odds, and where its p-value is alpha.
#
#   Rscript tests/golden/make_unseen_odds.R > tests/golden/unseen_odds.json
#
# R's own interval for the odds ratio is found to four digits only, so the root is taken of its
# p-value, which is exact: Fisher's noncentral hypergeometric distribution.

tables <- list(c(15, 15, 0, 15), c(10, 15, 3, 15), c(45, 50, 30, 50), c(15, 15, 3, 15),
               c(9, 10, 2, 25), c(80, 100, 60, 100), c(200, 250, 150, 250), c(1, 1, 0, 20),
               c(30, 51, 12, 51), c(7, 15, 6, 15), c(3, 15, 10, 15), c(0, 15, 0, 15))
p <- function(row, odds) {
  both <- matrix(c(row[1], row[2] - row[1], row[3], row[4] - row[3]), 2)
  fisher.test(both, or = odds, alternative = "greater", conf.int = FALSE)$p.value
}
turning <- function(row, alpha) {
  if (p(row, 1) >= alpha) return(1)
  exp(uniroot(function(x) log(p(row, exp(x)) / alpha), c(0, log(1e6)), tol = 1e-12)$root)
}
lines <- character()
for (row in tables) for (alpha in c(0.05, 0.01)) {
  lines <- c(lines, sprintf(
    '  {"counts": [%d, %d, %d, %d], "alpha": %s, "p": %.15g, "p_at_2": %.15g, "odds": %.12g}',
    row[1], row[2], row[3], row[4], format(alpha), p(row, 1), p(row, 2), turning(row, alpha)))
}
cat('{"made_by": "', R.version.string, '",\n "tables": [\n', sep = "")
cat(lines, sep = ",\n")
cat("\n ]}\n")
