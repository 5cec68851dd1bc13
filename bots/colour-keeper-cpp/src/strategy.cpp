// The strategy of ../../colour-keeper/README.md, step by step. It looks at one question and remembers
// nothing.

#include "strategy.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace {

using namespace arena::v1;

// Coloured before wild, the colour kept, points, the smaller hand to swap with: compared from left to right.
using Merit = std::tuple<bool, int, int, int>;
using Moves = google::protobuf::RepeatedPtrField<Move>;

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

int holds(const Turn& turn, Colour colour) {
  return static_cast<int>(
      std::ranges::count_if(turn.hand(), [colour](int card) { return colour_of(card) == colour; }));
}

// The index of the first move with the highest value.
template <typename Value>
int best(const Moves& legal, Value value) {
  return static_cast<int>(std::ranges::max_element(legal, {}, value) - legal.begin());
}

// The index of the first move that is wanted, else of the first.
template <typename Wanted>
int first(const Moves& legal, Wanted wanted) {
  const auto found = std::ranges::find_if(legal, wanted);
  return found == legal.end() ? 0 : static_cast<int>(found - legal.begin());
}

Merit merit_of(const Move& move, const Turn& turn) {
  const Colour own = colour_of(move.card());
  const Colour after = move.colour() == COLOUR_NONE ? own : move.colour();
  int kept = after == COLOUR_NONE ? 0 : holds(turn, after);
  if (own != COLOUR_NONE) --kept;  // the card itself
  const int seat = static_cast<int>(move.seat_plus_one()) - 1;
  const int swapped = seat < 0 ? 0 : -static_cast<int>(turn.hand_sizes(seat));
  return {own != COLOUR_NONE, kept, points(move.card()), swapped};
}

// The first of the best moves that lay a card and are no bluff.
std::optional<int> best_play(const Turn& turn) {
  std::optional<int> found;
  Merit top;
  for (int index = 0; index < turn.legal_size(); ++index) {
    const Move& move = turn.legal(index);
    const bool bluff = std::ranges::count(turn.bluffs(), static_cast<unsigned>(index)) > 0;
    if (!lays_card(move) || bluff) continue;
    if (const Merit merit = merit_of(move, turn); !found || merit > top) {
      found = index;
      top = merit;
    }
  }
  return found;
}

// Points out a missed UNO; declines when the last card was laid with a call.
int catch_missed(const Turn& turn) {
  bool called = false;
  for (const Event& event : turn.events()) {
    if (event.kind() == PLAYED || event.kind() == JUMPED_IN) called = false;
    if (event.kind() == UNO_CALLED) called = true;
  }
  const Action wanted = called ? DECLINE : CATCH_MISSED;
  return first(turn.legal(), [wanted](const Move& move) { return move.action() == wanted; });
}

int choose(const Turn& turn) {
  const Moves& legal = turn.legal();
  if (legal.size() == 1) return 0;
  if (turn.kind() == CATCH) return catch_missed(turn);
  if (const auto play = best_play(turn)) return *play;
  if (turn.kind() == FIRST_COLOUR) {
    return best(legal, [&](const Move& move) { return holds(turn, move.colour()); });
  }
  if (turn.kind() == EXCHANGE) {
    return best(legal, [](const Move& move) { return points(move.card()); });
  }
  return first(legal, [](const Move& move) {
    const Action action = move.action();
    return action == DRAW || action == KEEP || action == ACCEPT || action == DECLINE;
  });
}

}  // namespace

const char* const kDescription = "colour-keeper, C++";

arena::v1::Answer answer(const arena::v1::Turn& turn) {
  const int index = choose(turn);
  arena::v1::Answer chosen;
  chosen.set_table(turn.table());
  chosen.set_question(turn.question());
  chosen.set_index(static_cast<unsigned>(index));
  chosen.set_uno(turn.hand_size() == 2 && lays_card(turn.legal(index)));
  return chosen;
}
