"""`arena compare` as a user gives it: real servers, real bots in their sandboxes."""

import json

import pytest

from tests.fix_user_home import QUICK, Home

pytestmark = pytest.mark.xdist_group("acceptance")


def test_two_bots_are_compared_until_it_is_known(home: Home) -> None:
    """A far better bot is told apart long before the limit; the same command prints the verdict again."""
    arguments = ("compare", "greedy", "random", "--elo", "40", "--json", *home.sandbox)
    ended = home.arena(*arguments, **QUICK)

    assert ended.code == 0, ended.err
    told = json.loads(ended.out)
    assert (told["verdict"], told["decided"]) == ("first is better", True)
    assert 30 <= told["sets"] < 2000
    assert json.loads(home.arena(*arguments).out) == told
    assert home.processes() == []


def test_too_few_deal_sets_tell_nothing(home: Home) -> None:
    """With `--at-most` it ends there and says that nothing is known."""
    ended = home.arena("compare", "greedy", "first-legal", "--at-most", "2", *home.sandbox, **QUICK)

    assert ended.code == 0, ended.err
    assert "not told apart" in ended.out or "identical so far" in ended.out
    assert "2 deal sets" in ended.out
