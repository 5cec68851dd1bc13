// The strategy: it looks at one question and remembers nothing.

#include "strategy.h"

#include <algorithm>

namespace {

using namespace arena::v1;

bool lays_card(const Move& move) { return move.action() == PLAY || move.action() == JUMP; }

// A coloured card is 1 + 14 * (colour - 1) + rank.
Colour colour_of(int card) {
  if (card == CARD_NONE || card >= CARD_WILD) return COLOUR_NONE;
  return static_cast<Colour>((card - 1) / 14 + 1);
}

// What a card is worth in a hand at the end of a round.
int points(int card) {
  if (card == CARD_NONE) return 0;
  if (card == CARD_SHUFFLE_HANDS || card == CARD_BLANK) return 40;
  if (card >= CARD_WILD) return 50;
  const int rank = (card - 1) % 14;
  return rank < 10 ? rank : 20;
}

// How many cards of a colour are in the own hand.
int held(const Turn& turn, Colour colour) {
  if (colour == COLOUR_NONE) return 0;
  return static_cast<int>(
      std::ranges::count_if(turn.hand(), [colour](int card) { return colour_of(card) == colour; }));
}

// Was the last card laid without calling UNO?
bool missed_uno(const Turn& turn) {
  bool missed = false;
  for (const Event& event : turn.events()) {
    if (event.kind() == PLAYED || event.kind() == JUMPED_IN) missed = true;
    if (event.kind() == UNO_CALLED) missed = false;
  }
  return missed;
}

// How good the legal move with this index is: change this first.
int worth(const Turn& turn, int index) {
  const Move& move = turn.legal(index);
  switch (move.action()) {
    case PLAY:
    case JUMP: {
      if (std::ranges::count(turn.bluffs(), static_cast<unsigned>(index)) > 0) return -1;
      const Colour after = std::max(move.colour(), colour_of(move.card()));
      return 1 + points(move.card()) + 5 * held(turn, after);
    }
    case NAME_COLOUR:
      return held(turn, move.colour());
    case GIVE:
      return points(move.card());
    case CATCH_MISSED:
      return missed_uno(turn) ? 1 : -1;
    case CHALLENGE:
      return -1;
    default:
      return 0;
  }
}

}  // namespace

const char* const kDescription = "@NAME@";

// Chooses the move worth most, of equals the first, and calls UNO with the last card but one.
arena::v1::Answer answer(const arena::v1::Turn& turn) {
  int index = 0;
  for (int other = 1; other < turn.legal_size(); ++other) {
    if (worth(turn, other) > worth(turn, index)) index = other;
  }
  arena::v1::Answer chosen;
  chosen.set_table(turn.table());
  chosen.set_question(turn.question());
  chosen.set_index(static_cast<unsigned>(index));
  chosen.set_uno(turn.hand_size() == 2 && lays_card(turn.legal(index)));
  return chosen;
}
