# frozen_string_literal: true

# The strategy: it looks at one question and remembers nothing.
module Strategy
  # What the hello says of this bot.
  DESCRIPTION = '@NAME@'
  LAYING = %i[PLAY JUMP].freeze
  WILD = Arena::V1::Card::CARD_WILD
  FORTY = [Arena::V1::Card::CARD_SHUFFLE_HANDS, Arena::V1::Card::CARD_BLANK].freeze

  module_function

  # Choose the move worth most, of equals the first, and call UNO with the last card but one.
  def answer(turn)
    worths = turn.legal.each_with_index.map { |move, index| worth(turn, move, index) }
    index = worths.index(worths.max)
    uno = turn.hand.length == 2 && LAYING.include?(turn.legal[index].action)
    Arena::V1::Answer.new(table: turn.table, question: turn.question, index: index, uno: uno)
  end

  # Say how good a legal move is: change this first.
  def worth(turn, move, index)
    card = number(move.card)
    case move.action
    when :PLAY, :JUMP
      return -1 if turn.bluffs.include?(index)

      named = colour(move)
      1 + points(card) + (5 * held(turn, named.zero? ? colour_of(card) : named))
    when :NAME_COLOUR then held(turn, colour(move))
    when :GIVE then points(card)
    when :CATCH_MISSED then missed_uno?(turn) ? 1 : -1
    when :CHALLENGE then -1
    else 0
    end
  end

  # Was the last card laid without calling UNO?
  def missed_uno?(turn)
    missed = false
    turn.events.each do |event|
      missed = true if %i[PLAYED JUMPED_IN].include?(event.kind)
      missed = false if event.kind == :UNO_CALLED
    end
    missed
  end

  # Count the cards of a colour in the own hand.
  def held(turn, colour)
    colour.zero? ? 0 : turn.hand.count { |card| colour_of(number(card)) == colour }
  end

  # Enumerated values come by name; the arithmetic of cards and colours is done with their numbers.
  def number(card)
    card.is_a?(Integer) ? card : Arena::V1::Card.resolve(card)
  end

  def colour(move)
    move.colour.is_a?(Integer) ? move.colour : Arena::V1::Colour.resolve(move.colour)
  end

  # A coloured card is 1 + 14 * (colour - 1) + rank.
  def colour_of(card)
    card.zero? || card >= WILD ? 0 : ((card - 1) / 14) + 1
  end

  # What a card is worth in a hand at the end of a round.
  def points(card)
    return 0 if card.zero?
    return 40 if FORTY.include?(card)
    return 50 if card >= WILD

    rank = (card - 1) % 14
    rank < 10 ? rank : 20
  end
end
