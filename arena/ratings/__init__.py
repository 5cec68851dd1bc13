"""Who is better and how sure that is: pure mathematics on arrays, in any order of the matches.

    facts.py      what goes in: one row a match, one column a seat
    tally.py      complete deal sets, counted in integers
    fit.py        joint Bradley-Terry strengths of greatest likelihood
    spread.py     how sure they are: covariance from deal sets as clusters
    standing.py   what comes out: the rows of a standing

The written statistics are in `docs/statistics.md`; why they are so is in `docs/decisions/0004-rating.md`.
"""
