# frozen_string_literal: true

# The strategy of ../colour-keeper/README.md, step by step. It looks at one question and remembers nothing.
module Strategy
  # What the hello says of this bot.
  DESCRIPTION = 'colour-keeper, Ruby'
  PASSIVE = %i[DRAW KEEP ACCEPT DECLINE].freeze
  LAYING = %i[PLAY JUMP].freeze
  WILD = Arena::V1::Card::CARD_WILD
  FORTY = [Arena::V1::Card::CARD_SHUFFLE_HANDS, Arena::V1::Card::CARD_BLANK].freeze

  module_function

  # Choose a move for one question and set the UNO flag beside it.
  def answer(turn)
    legal = turn.legal.to_a
    hand = turn.hand.map { |card| number(card) }
    index = legal.length == 1 ? 0 : choose(turn, legal, hand)
    uno = hand.length == 2 && LAYING.include?(legal[index].action)
    Arena::V1::Answer.new(table: turn.table, question: turn.question, index: index, uno: uno)
  end

  def choose(turn, legal, hand)
    return catch_missed(turn, legal) if turn.kind == :CATCH

    best_play(turn, legal, hand) ||
      case turn.kind
      when :FIRST_COLOUR then best(legal) { |move| holds(hand, colour(move)) }
      when :EXCHANGE then best(legal) { |move| points(number(move.card)) }
      else first(legal) { |move| PASSIVE.include?(move.action) }
      end
  end

  # Point out a missed UNO; decline when the last card was laid with a call.
  def catch_missed(turn, legal)
    called = false
    turn.events.each do |event|
      case event.kind
      when :PLAYED, :JUMPED_IN then called = false
      when :UNO_CALLED then called = true
      end
    end
    wanted = called ? :DECLINE : :CATCH_MISSED
    first(legal) { |move| move.action == wanted }
  end

  # Return the first of the best moves that lay a card and are no bluff, nil without any.
  def best_play(turn, legal, hand)
    bluffs = turn.bluffs.to_a
    plays = legal.each_index.select { |index| LAYING.include?(legal[index].action) && !bluffs.include?(index) }
    sizes = turn.hand_sizes.to_a
    merits = plays.map { |index| merit(legal[index], hand, sizes) }
    plays[merits.index(merits.max)] unless plays.empty?
  end

  # Coloured before wild, the colour kept, points, the smaller hand to swap with: compared from left to right.
  def merit(move, hand, sizes)
    card = number(move.card)
    own = colour_of(card)
    coloured = own.zero? ? 0 : 1
    after = colour(move).zero? ? own : colour(move)
    kept = after.zero? ? 0 : holds(hand, after) - coloured
    swapped = move.seat_plus_one.positive? ? -sizes[move.seat_plus_one - 1] : 0
    [coloured, kept, points(card), swapped]
  end

  # Return the index of the first move with the highest value.
  def best(legal, &value)
    values = legal.map(&value)
    values.index(values.max)
  end

  # Return the index of the first move that fits, or 0.
  def first(legal, &fits)
    legal.index(&fits) || 0
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

  def holds(hand, colour)
    hand.count { |card| colour_of(card) == colour }
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
