package bot;

import arena.v1.BotOuterClass.Action;
import arena.v1.BotOuterClass.Answer;
import arena.v1.BotOuterClass.Card;
import arena.v1.BotOuterClass.Colour;
import arena.v1.BotOuterClass.Event;
import arena.v1.BotOuterClass.Move;
import arena.v1.BotOuterClass.Turn;

/** The strategy: it looks at one question and remembers nothing. */
final class Strategy {
  /** What the hello says of this bot. */
  static final String DESCRIPTION = "@NAME@";

  private Strategy() {}

  /** Choose the move worth most, of equals the first, and call UNO with the last card but one. */
  static Answer answer(Turn turn) {
    int index = 0;
    for (int other = 1; other < turn.getLegalCount(); other++) {
      if (worth(turn, other) > worth(turn, index)) {
        index = other;
      }
    }
    return Answer.newBuilder()
        .setTable(turn.getTable())
        .setQuestion(turn.getQuestion())
        .setIndex(index)
        .setUno(turn.getHandCount() == 2 && laysCard(turn.getLegal(index)))
        .build();
  }

  /** Say how good the legal move with this index is: change this first. */
  private static int worth(Turn turn, int index) {
    Move move = turn.getLegal(index);
    return switch (move.getAction()) {
      case PLAY, JUMP -> turn.getBluffsList().contains(index) ? -1 : worthOfPlay(turn, move);
      case NAME_COLOUR -> held(turn, move.getColour());
      case GIVE -> points(move.getCard());
      case CATCH_MISSED -> missedUno(turn) ? 1 : -1;
      case CHALLENGE -> -1;
      default -> 0;
    };
  }

  private static int worthOfPlay(Turn turn, Move move) {
    Colour named = move.getColour();
    Colour after = named == Colour.COLOUR_NONE ? colourOf(move.getCard()) : named;
    return 1 + points(move.getCard()) + 5 * held(turn, after);
  }

  /** Was the last card laid without calling UNO? */
  private static boolean missedUno(Turn turn) {
    boolean missed = false;
    for (Event event : turn.getEventsList()) {
      switch (event.getKind()) {
        case PLAYED, JUMPED_IN -> missed = true;
        case UNO_CALLED -> missed = false;
        default -> {}
      }
    }
    return missed;
  }

  private static boolean laysCard(Move move) {
    return move.getAction() == Action.PLAY || move.getAction() == Action.JUMP;
  }

  /** Count the cards of a colour in the own hand. */
  private static int held(Turn turn, Colour colour) {
    if (colour == Colour.COLOUR_NONE) {
      return 0;
    }
    int count = 0;
    for (Card card : turn.getHandList()) {
      if (colourOf(card) == colour) {
        count++;
      }
    }
    return count;
  }

  /** Return the colour of a card: a coloured card is 1 + 14 * (colour - 1) + rank. */
  private static Colour colourOf(Card card) {
    int number = card.getNumber();
    if (number == Card.CARD_NONE_VALUE || number >= Card.CARD_WILD_VALUE) {
      return Colour.COLOUR_NONE;
    }
    return Colour.forNumber((number - 1) / 14 + 1);
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
