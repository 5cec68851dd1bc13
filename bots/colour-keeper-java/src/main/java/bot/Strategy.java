package bot;

import arena.v1.BotOuterClass.Action;
import arena.v1.BotOuterClass.Answer;
import arena.v1.BotOuterClass.Card;
import arena.v1.BotOuterClass.Colour;
import arena.v1.BotOuterClass.Event;
import arena.v1.BotOuterClass.Move;
import arena.v1.BotOuterClass.QuestionKind;
import arena.v1.BotOuterClass.Turn;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The strategy of ../colour-keeper/README.md, step by step. It looks at one question and remembers
 * nothing.
 */
final class Strategy {
  /** What the hello says of this bot. */
  static final String DESCRIPTION = "colour-keeper, Java";

  private static final Set<Action> PASSIVE =
      EnumSet.of(Action.DRAW, Action.KEEP, Action.ACCEPT, Action.DECLINE);

  private Strategy() {}

  /** Choose a move for one question and set the UNO flag beside it. */
  static Answer answer(Turn turn) {
    int index = choose(turn);
    return Answer.newBuilder()
        .setTable(turn.getTable())
        .setQuestion(turn.getQuestion())
        .setIndex(index)
        .setUno(turn.getHandCount() == 2 && laysCard(turn.getLegal(index)))
        .build();
  }

  private static int choose(Turn turn) {
    List<Move> legal = turn.getLegalList();
    if (legal.size() == 1) {
      return 0;
    }
    if (turn.getKind() == QuestionKind.CATCH) {
      return catchMissed(turn);
    }
    int play = bestPlay(turn);
    if (play >= 0) {
      return play;
    }
    return switch (turn.getKind()) {
      case FIRST_COLOUR -> best(legal, move -> holds(turn, move.getColour()));
      case EXCHANGE -> best(legal, move -> points(move.getCard()));
      default -> first(legal, move -> PASSIVE.contains(move.getAction()));
    };
  }

  /** Point out a missed UNO; decline when the last card was laid with a call. */
  private static int catchMissed(Turn turn) {
    boolean called = false;
    for (Event event : turn.getEventsList()) {
      switch (event.getKind()) {
        case PLAYED, JUMPED_IN -> called = false;
        case UNO_CALLED -> called = true;
        default -> {}
      }
    }
    Action wanted = called ? Action.DECLINE : Action.CATCH_MISSED;
    return first(turn.getLegalList(), move -> move.getAction() == wanted);
  }

  /**
   * Compared from left to right: coloured before wild, the colour kept, points, the smaller hand to
   * swap with.
   */
  private record Merit(boolean coloured, int kept, int points, int swapped)
      implements Comparable<Merit> {
    private static final Comparator<Merit> ORDER =
        Comparator.comparing(Merit::coloured)
            .thenComparingInt(Merit::kept)
            .thenComparingInt(Merit::points)
            .thenComparingInt(Merit::swapped);

    @Override
    public int compareTo(Merit other) {
      return ORDER.compare(this, other);
    }
  }

  /** Return the first of the best moves that lay a card and are no bluff, or -1. */
  private static int bestPlay(Turn turn) {
    int found = -1;
    Merit top = null;
    for (int index = 0; index < turn.getLegalCount(); index++) {
      Move move = turn.getLegal(index);
      if (!laysCard(move) || turn.getBluffsList().contains(index)) {
        continue;
      }
      Merit merit = meritOf(move, turn);
      if (top == null || merit.compareTo(top) > 0) {
        found = index;
        top = merit;
      }
    }
    return found;
  }

  private static Merit meritOf(Move move, Turn turn) {
    Colour own = colourOf(move.getCard());
    Colour after = move.getColour() == Colour.COLOUR_NONE ? own : move.getColour();
    boolean coloured = own != Colour.COLOUR_NONE;
    int held = after == Colour.COLOUR_NONE ? 0 : holds(turn, after);
    int seat = move.getSeatPlusOne() - 1;
    // A coloured card is itself among those held.
    return new Merit(
        coloured,
        coloured ? held - 1 : held,
        points(move.getCard()),
        seat < 0 ? 0 : -turn.getHandSizes(seat));
  }

  /** Return the index of the first move with the highest value. */
  private static int best(List<Move> legal, ToIntFunction<Move> value) {
    int found = 0;
    for (int index = 1; index < legal.size(); index++) {
      if (value.applyAsInt(legal.get(index)) > value.applyAsInt(legal.get(found))) {
        found = index;
      }
    }
    return found;
  }

  /** Return the index of the first move that is wanted, else of the first. */
  private static int first(List<Move> legal, Predicate<Move> wanted) {
    for (int index = 0; index < legal.size(); index++) {
      if (wanted.test(legal.get(index))) {
        return index;
      }
    }
    return 0;
  }

  private static boolean laysCard(Move move) {
    return move.getAction() == Action.PLAY || move.getAction() == Action.JUMP;
  }

  /** Return the colour of a card: a coloured card is 1 + 14 * (colour - 1) + rank. */
  private static Colour colourOf(Card card) {
    int number = card.getNumber();
    if (number == Card.CARD_NONE_VALUE || number >= Card.CARD_WILD_VALUE) {
      return Colour.COLOUR_NONE;
    }
    return Colour.forNumber((number - 1) / 14 + 1);
  }

  private static int holds(Turn turn, Colour colour) {
    int count = 0;
    for (Card card : turn.getHandList()) {
      if (colourOf(card) == colour) {
        count++;
      }
    }
    return count;
  }

  /** Return what a card is worth in a hand at the end of a round. */
  private static int points(Card card) {
    return switch (card) {
      case CARD_NONE -> 0;
      case CARD_SHUFFLE_HANDS, CARD_BLANK -> 40;
      case CARD_WILD, CARD_WILD_DRAW_FOUR, CARD_WILD_DRAW_TWO -> 50;
      default -> {
        int rank = (card.getNumber() - 1) % 14;
        yield rank < 10 ? rank : 20;
      }
    };
  }
}
