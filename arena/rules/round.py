"""One round: the public face of the state.

Owns the contract of `legal_moves`, `apply`, `copy` and `leave`. What is legal stands in `legal`, what a
move does in `effects`.
"""

from arena.rules.deal import open_round
from arena.rules.drawing import fine
from arena.rules.effects import HIGHEST_PLAY, PAYING, execute, follow, pass_on, play
from arena.rules.events import MISPLAYED
from arena.rules.leaving import leave_round
from arena.rules.legal import bluffs, legal_moves, turn_moves
from arena.rules.moves import MISPLAY, PLAY, IllegalMoveError, action_of, format_move
from arena.rules.questions import CATCH, DRAWN, JUMP_IN, OVER, PENALTY, READY, TURN
from arena.rules.state import State
from arena.rules.talk import speak
from arena.rules.turns import next_turn, pass_turn


class Round(State):
    """One round of the game, mutable: ask for the legal moves, apply one, until `kind` is OVER."""

    __slots__ = ()

    def begin(self, dealer: int, starter: int) -> None:
        """Deal and put the first question; see `deal.open_round`."""
        open_round(self, dealer, starter)

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves of the seat that is asked, sorted."""
        legal = self.legal
        if legal is None:
            legal = turn_moves(self) if self.kind == TURN else legal_moves(self)
            self.legal = legal
        return legal

    def bluffs(self) -> list[int]:
        """Return the indices of the legal moves that are bluffs (R33)."""
        return bluffs(self, self.legal_moves())

    def is_forced(self) -> bool:
        """Whether there is nothing to decide: one legal move, and no flag that belongs to it."""
        legal = self.legal_moves()
        if len(legal) != 1 or self.kind == READY:
            return False
        return action_of(legal[0]) != PLAY or self.hands[self.seat].size != 2

    def apply(self, move: int, uno: bool = False, say: str = "", advice: bool = False) -> int:
        """Do a move, with the UNO flag and the line that came with it; return what counted: it, or MISPLAY.

        Raises:
            IllegalMoveError: The move is not legal and that is no misplay (R53); nothing was changed.
        """
        legal = self.legal
        if legal is None:
            legal = self.legal_moves()
        if move not in legal:
            if not self.may_misplay():
                raise IllegalMoveError(f"{format_move(move)!r} is not legal")
            move = MISPLAY
        if say:
            speak(self, say, advice)
        if self.showing and not self.is_forced():
            self.forget_shown(self.seat)
        self.legal = None
        if move > HIGHEST_PLAY:
            execute(self, move)
        elif move != MISPLAY:
            play(self, move, uno)
        else:
            misplay(self)
        return move

    def may_misplay(self) -> bool:
        """Whether an illegal answer to this question costs cards instead of being a fault (R53)."""
        return self.variant.misplay_penalty > 0 and OVER < self.kind <= JUMP_IN

    def leave(self, seats: list[int]) -> None:
        """Let seats leave the match in one moment (R92)."""
        self.legal = None
        leave_round(self, seats)

    def copy(self) -> "Round":
        """Return a round that goes on alone from here; its log is empty."""
        twin = Round(self.variant, self.seats, self.set_key, self.number)
        twin.copy_from(self)
        return twin


def misplay(s: State) -> None:
    """An illegal answer costs cards and counts as the answer that does nothing (R53)."""
    s.note(MISPLAYED, s.seat)
    drawn = fine(s, s.seat, s.variant.misplay_penalty)
    if drawn == 0 and s.kind == TURN:
        pass_turn(s)
    elif s.kind in (TURN, DRAWN):
        next_turn(s)
    elif s.kind == PENALTY:
        follow(s, PAYING)
    elif s.kind in (CATCH, JUMP_IN):
        pass_on(s)
