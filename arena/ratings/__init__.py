"""Who is better and how sure that is: pure mathematics on arrays, in any order of the matches.

    facts.py      what goes in: one row a match, one column a seat
    tally.py      complete deal sets, counted in integers
    fit.py        joint Bradley-Terry strengths of greatest likelihood
    spread.py     how sure they are: covariance from deal sets as clusters
    comparison.py every pair: likelihood of superiority, ranges of ranks, deal sets still needed
    margin.py     points per round, the faster second measure
    figures.py    sums over an entry's matches
    standing.py   what comes out: the rows of a standing
    noise.py      how far apart twins are, which are equal by nature
    online.py     Glicko-2 and OpenSkill, for those who want one beside it
    needs.py      which tables of a ladder tell most
    crosstable.py and every entry against every other
    sequential.py when two bots are told apart, deal set by deal set

The written statistics are in `docs/statistics.md`; why they are so is in `docs/decisions/0004-rating.md`.
"""
