"""Before the first turn: who deals, the deal, the first card and what it does (R13-R19)."""

from collections import Counter

from tests.rules.oracle.faces import COLOURS, colour_of, face_of, is_number
from tests.rules.oracle.playing import Asking, ask
from tests.rules.oracle.sheet import deck_of, may_be_first
from tests.rules.oracle.table import Table, draw, go_on_after, note, sitting


def choose_first_dealer(t: Table) -> int:
    """Return who deals the first round (R13)."""
    how = t["rules"]["first_dealer"]
    if how == "seat0":
        return 0
    if how == "random":
        dealer = int(t["supply"].first_dealer(list(t["match"])))
        assert dealer in t["match"]
        return dealer
    pool: list[str] = []
    drawing, decks = list(t["match"]), 0
    while True:
        # With too few numbers left all cards are shuffled anew, a hundred times at most.
        if len([card for card in pool if is_number(card)]) < len(drawing):
            if decks == 100:
                return drawing[0]
            pool, decks = deck_of(t["rules"]), decks + 1
            continue
        drawn = {}
        for seat in drawing:
            # A card without a number goes to the bottom and is redrawn.
            while True:
                card = t["supply"].high_card(seat, list(pool))
                assert card in pool
                note(t, "high_card", seat=seat, card=card)
                # Under the pile it is not reached again before the pile is shuffled.
                pool.remove(card)
                if is_number(card):
                    break
            drawn[seat] = int(face_of(card))
        best = [seat for seat in drawing if drawn[seat] == max(drawn.values())]
        if len(best) == 1:
            return best[0]
        drawing = best


def left_of(t: Table, seat: int) -> int:
    """Return the next seat in the match, clockwise."""
    place = (seat + 1) % t["seats"]
    while place not in t["match"]:
        place = (place + 1) % t["seats"]
    return place


def open_round(t: Table) -> Asking:
    """Deal, turn the first card, and do what it says."""
    t["round"] += 1
    t |= {
        "ring": list(t["match"]),
        "direction": 1,
        "pending": None,
        "returnable": False,
        "turns": 0,
        "idle": 0,
        "silence": [],
        "owed": [],
        "exits": [],
        "finish": {},
        "refills": {},
        "shown": {},
        "colour": "",
    }
    note(t, "round", number=t["round"], dealer=t["dealer"])
    deal(t)
    yield from first_effect(t)


def deal(t: Table) -> None:
    """Deal until a legal first card lies (R11, R15)."""
    rules = t["rules"]
    deck = deck_of(rules)
    while True:
        hands, pile = t["supply"].deal(list(deck), list(t["match"]), rules["hand_size"])
        assert Counter([c for hand in hands.values() for c in hand] + pile) == Counter(deck)
        t["hands"] = {seat: list(hands.get(seat, [])) for seat in range(t["seats"])}
        if [card for card in pile if may_be_first(rules, card)]:
            break
        note(t, "deal_again")
    note(t, "deal", hands={seat: list(hand) for seat, hand in t["hands"].items()})
    turn_first_card(t, list(pile))


def turn_first_card(t: Table, pile: list[str]) -> None:
    """Turn cards until one may be first; the others go back (R15, R16)."""
    how = t["rules"]["first_card_return"]
    whole, refused, below = len(pile), 0, 0
    while not may_be_first(t["rules"], pile[0]):
        card = pile.pop(0)
        note(t, "refused", card=card)
        refused += 1
        if how == "shuffle":
            pile = reordered(t, [card, *pile])
        if how == "bottom":
            pile.append(card)
            below += 1
        if how == "middle":
            pile.insert(len(pile) // 2, card)
            if refused == whole:
                pile, refused = reordered(t, pile), 0
    card = pile.pop(0)
    note(t, "first", card=card, colour=colour_of(card))
    t["discard"], t["colour"] = [card], colour_of(card)
    cut = len(pile) - below
    t["pile"], t["tail"] = pile[:cut], pile[cut:]
    one_pile = how == "middle" and refused > 0
    t["supply"].lies(list(t["pile"]), list(t["tail"]), one_pile)


def reordered(t: Table, pile: list[str]) -> list[str]:
    """Shuffle the pile before the first card."""
    order = t["supply"].reorder("first", list(pile))
    assert Counter(order) == Counter(pile)
    return list(order)


def first_effect(t: Table) -> Asking:
    """Do what the first card says (R17-R19), and find who begins."""
    card, dealer = t["discard"][0], t["dealer"]
    starter = t["starter"] if t["starter"] is not None else left_of(t, dealer)
    t["at"] = starter
    if face_of(card) == "+2":
        draw(t, starter, 2, "first")
    if face_of(card) == "S":
        note(t, "lost_turn", seat=starter)
    if face_of(card) in ("+2", "S"):
        go_on_after(t, starter)
    if face_of(card) == "R":
        t["direction"] = -1
        note(t, "direction", seat=None, direction=-1)
        to_the_right = t["rules"]["first_reverse"] == "right_of_dealer" and len(t["match"]) > 2
        t["at"] = dealer
        if to_the_right:
            go_on_after(t, dealer)
    if colour_of(card) == "":
        yield from name_first_colour(t)


def name_first_colour(t: Table) -> Asking:
    """Let the first player name the colour of a first wild; if that seat leaves, the next one (R19, R92)."""
    answer = None
    while answer is None:
        seat = sitting(t)
        answer = yield from ask(t, seat, "FIRST_COLOUR", lambda: (["colour " + c for c in COLOURS], []))
    t["colour"] = answer["move"].split()[1]
    if t["rules"]["silence"] == "wilds":
        t["silence"] = ["colour"]
    note(t, "first_colour", seat=seat, colour=t["colour"])
