"""What a seat may do: one complete, sorted list of moves for each kind of question.

Owns legality (R20-R25, R30-R33, R39-R44, R60, R65) and says which legal moves are bluffs. Refuses to change
anything. A list is a tuple that never changes, with one entry per kind of card, and per colour or seat that
the card must name.
"""

from typing import Final

from arena.rules.cards import COLOURS, DRAW_TWO, KINDS, RANKS, REVERSE, SKIP, WILD, WILD_FOUR
from arena.rules.moves import (
    ACTION_SHIFT,
    CARD_SHIFT,
    COLOUR_SHIFT,
    GIVE,
    JUMP,
    MOVE_ACCEPT,
    MOVE_CATCH,
    MOVE_CHALLENGE,
    MOVE_KEEP,
    MOVE_NO,
    MOVE_READY,
    NAME,
    PLAY,
    pack,
)
from arena.rules.offers import ONE_COLOUR, ONLY_DRAW, one_colour_moves, plain_moves
from arena.rules.questions import (
    A_FOUR,
    A_SKIP,
    A_TEN,
    A_TWO,
    CATCH,
    DRAWN,
    EXCHANGE,
    FIRST_COLOUR,
    JUMP_IN,
    NOTHING,
    PENALTY,
    READY,
    TURN,
)
from arena.rules.state import State
from arena.rules.variant import (
    ALL,
    ALWAYS,
    BITS,
    COLOUR_MASKS,
    DEFLECT,
    DRAWS,
    FOUR_BIT,
    NO_CARD_OF_COLOUR,
    NONE,
    RANK_MASKS,
    STACK,
)

JUMPING: Final = JUMP - PLAY << ACTION_SHIFT
"""What makes a play out of turn of a play."""
NAMINGS: Final = tuple(NAME << ACTION_SHIFT | (colour + 1) << COLOUR_SHIFT for colour in range(COLOURS))
"""The ways to name the colour of a first wild (R19)."""
ONLY_KEEP: Final[tuple[int, ...]] = (MOVE_KEEP,)
ONLY_ACCEPT: Final[tuple[int, ...]] = (MOVE_ACCEPT,)
ACCEPT_OR_CHALLENGE: Final[tuple[int, ...]] = (MOVE_ACCEPT, MOVE_CHALLENGE)
NOTHING_ELSE: Final[tuple[int, ...]] = ()


def legal_moves(s: State) -> tuple[int, ...]:
    """Return every legal move of the seat that is asked, sorted; nothing when the round is over."""
    kind = s.kind
    if kind == TURN:
        return turn_moves(s)
    if kind == DRAWN:
        return drawn_moves(s)
    if kind == PENALTY:
        return penalty_moves(s)
    if kind == CATCH:
        return (MOVE_CATCH, MOVE_NO)
    if kind == JUMP_IN:
        return (*[move + JUMPING for move in plays(s, BITS[s.top], NOTHING_ELSE)], MOVE_NO)
    if kind == FIRST_COLOUR:
        return NAMINGS
    if kind == EXCHANGE:
        return gifts(s)
    if kind == READY:
        return (MOVE_READY,)
    return ()


def turn_moves(s: State) -> tuple[int, ...]:
    """Play a card, or draw (R20-R23, R33)."""
    variant = s.variant
    colour = s.colour
    fit = variant.fits[colour][s.top]
    hand = s.hands[s.seat].kinds
    kinds = hand & fit.allowed
    if variant.depending and hand & variant.depending:
        kinds |= playable_kinds(s, s.seat)
    if variant.plain_turns:
        if kinds & fit.other_colours:
            return plain_moves(variant, kinds)
        ranks = kinds >> colour * RANKS
        return ONE_COLOUR[colour][ranks] or one_colour_moves(colour, ranks)
    if not kinds:
        return ONLY_DRAW
    must_play = variant.only_when_stuck and playable_kinds(s, s.seat)
    return plays(s, kinds, NOTHING_ELSE if must_play else ONLY_DRAW)


def drawn_moves(s: State) -> tuple[int, ...]:
    """Play the drawn card, and only that one (R25), or keep it unless it must be played (R24)."""
    card = s.drawn
    must_play = s.variant.forced and playable_kinds(s, s.seat) & BITS[card]
    return (s.variant.ways[card] or seat_namings(s, card)) + (NOTHING_ELSE if must_play else ONLY_KEEP)


def penalty_moves(s: State) -> tuple[int, ...]:
    """Answer with a card (R40-R44), accept, or challenge (R33)."""
    others = ACCEPT_OR_CHALLENGE if s.doubtful else ONLY_ACCEPT
    return plays(s, answering_kinds(s, s.seat), others)


def gifts(s: State) -> tuple[int, ...]:
    """Choose the card to give away in an exchange (R65)."""
    moves: list[int] = []
    kinds = s.hands[s.seat].kinds
    for card in range(KINDS):
        if kinds & BITS[card]:
            moves.append(GIVE << ACTION_SHIFT | (card + 1) << CARD_SHIFT)
    return tuple(moves)


def playable_kinds(s: State, seat: int) -> int:
    """Return the kinds in a hand that may be played without breaking any rule (R20, R21, R32, R39)."""
    variant = s.variant
    hand = s.hands[seat].kinds
    playable = hand & variant.fits[s.colour][s.top].fits
    if hand & FOUR_BIT and may_play_four(s, hand):
        playable |= FOUR_BIT
    if hand & variant.restricted and may_play_wild(s, hand):
        playable |= hand & variant.restricted
    return playable


def bluff_kinds(s: State, seat: int) -> int:
    """Return the wild +4 where it may be played only as a bluff (R33), else nothing."""
    if s.variant.challenge:
        hand = s.hands[seat].kinds
        if hand & FOUR_BIT and not may_play_four(s, hand):
            return FOUR_BIT
    return 0


def may_play_four(s: State, hand: int) -> bool:
    """Whether a hand may play the wild +4 without bluffing (R32)."""
    rule = s.variant.four_rule
    if rule == ALWAYS:
        return True
    if hand & COLOUR_MASKS[s.colour]:
        return False
    return rule == NO_CARD_OF_COLOUR or not hand & RANK_MASKS[s.rank]


def may_play_wild(s: State, hand: int) -> bool:
    """Whether a hand may play a restricted wild: it holds no card of the active colour (R39)."""
    return not hand & COLOUR_MASKS[s.colour]


def answering_kinds(s: State, seat: int) -> int:
    """Return the kinds in a hand that answer what is pending."""
    hand = s.hands[seat].kinds
    kind = s.pending
    answers = reverse_answers(s, hand)
    if kind == A_TWO:
        answers |= draw_two_answers(s, hand)
    elif kind == A_FOUR:
        answers |= draw_four_answers(s, seat, hand)
    elif kind == A_SKIP:
        answers |= skip_answers(s, hand)
    return answers


def draw_two_answers(s: State, hand: int) -> int:
    """Any +2 passes a +2 on, or adds to it (R40)."""
    return 0 if s.variant.two_answer == NONE else hand & RANK_MASKS[DRAW_TWO]


def draw_four_answers(s: State, seat: int, hand: int) -> int:
    """A +2 of the declared colour turns a wild +4 into itself; or a wild +4 adds to it (R41, R42)."""
    rule = s.variant.four_answer
    if rule == DEFLECT:
        return hand & BITS[s.colour * RANKS + DRAW_TWO]
    if rule == STACK and hand & FOUR_BIT:
        return FOUR_BIT if may_play_four(s, hand) else bluff_kinds(s, seat)
    return 0


def skip_answers(s: State, hand: int) -> int:
    """The identical skip passes a skip on; nothing is identical to a reverse between two (R43)."""
    if s.variant.skip_answer and s.pending_card % RANKS == SKIP:
        return hand & BITS[s.pending_card]
    return 0


def reverse_answers(s: State, hand: int) -> int:
    """A reverse of the active colour sends the effect back to its source, if that is still there (R44)."""
    rule = s.variant.reverse_answer
    kind = s.pending
    draws = kind in (A_TWO, A_FOUR, A_TEN)
    if ((draws and rule >= DRAWS) or (kind == A_SKIP and rule == ALL)) and s.inside[s.source]:
        return hand & BITS[s.colour * RANKS + REVERSE]
    return 0


def has_answer(s: State) -> bool:
    """Whether the victim can do anything but accept."""
    return s.doubtful or answering_kinds(s, s.victim) != 0


def may_be_jumped_on(s: State) -> bool:
    """Whether the top card lets the identical one be played out of turn: nothing is pending (R60)."""
    return not s.pending and s.top <= WILD and s.variant.effects[s.top] == NOTHING


def plays(s: State, kinds: int, others: tuple[int, ...]) -> tuple[int, ...]:
    """Return the moves that play the given kinds of card, and the other moves behind them."""
    ways = s.variant.ways
    moves = others
    while kinds:
        card = kinds.bit_length() - 1
        kinds ^= BITS[card]
        moves = (ways[card] or seat_namings(s, card)) + moves
    return moves


def seat_namings(s: State, card: int) -> tuple[int, ...]:
    """Return a play once for each seat that it can name (R63, R65)."""
    move = pack(PLAY, card)
    if s.hands[s.seat].size == 1:
        return (move,)  # A card that empties the hand has no effect on hands (R66), so it names nobody.
    others = [move | (seat + 1) for seat in range(s.seats) if seat != s.seat and s.inside[seat]]
    return (move, *others) if card % RANKS == 5 else tuple(others)


def bluffs(s: State, moves: tuple[int, ...]) -> list[int]:
    """Return which of the legal moves, by index, play a wild +4 that breaks R32."""
    if s.kind > PENALTY or not bluff_kinds(s, s.seat):
        return []
    four = PLAY << ACTION_SHIFT | (WILD_FOUR + 1) << CARD_SHIFT
    return [
        index
        for index, move in enumerate(moves)
        if move & four == four and move >> CARD_SHIFT == four >> CARD_SHIFT
    ]


def may_be_played(s: State, card: int) -> bool:
    """Whether the drawn card leaves anything to decide: it can be played, be it as a bluff (R25)."""
    variant = s.variant
    if variant.depending and BITS[card] & variant.depending:
        return playable_kinds(s, s.seat) & BITS[card] != 0
    return variant.fits[s.colour][s.top].allowed & BITS[card] != 0
