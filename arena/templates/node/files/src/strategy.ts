// The strategy: it looks at one question and remembers nothing.

import { create } from "@bufbuild/protobuf";
import {
  Action,
  type Answer,
  AnswerSchema,
  Card,
  Colour,
  EventKind,
  type Move,
  type Turn,
} from "./pb/bot_pb";

/** What the hello says of this bot. */
export const DESCRIPTION = "@NAME@";

/** Choose the move worth most, of equals the first, and call UNO with the last card but one. */
export function answer(turn: Turn): Answer {
  const worths = turn.legal.map((move, index) => worth(turn, move, index));
  const index = worths.indexOf(Math.max(...worths));
  const move = turn.legal[index];
  return create(AnswerSchema, {
    table: turn.table,
    question: turn.question,
    choice: { case: "index", value: index },
    uno: turn.hand.length === 2 && move !== undefined && laysCard(move),
  });
}

/** Say how good a legal move is: change this first. */
function worth(turn: Turn, move: Move, index: number): number {
  switch (move.action) {
    case Action.PLAY:
    case Action.JUMP:
      if (turn.bluffs.includes(index)) return -1;
      return 1 + points(move.card) + 5 * held(turn, move.colour || colourOf(move.card));
    case Action.NAME_COLOUR:
      return held(turn, move.colour);
    case Action.GIVE:
      return points(move.card);
    case Action.CATCH_MISSED:
      return missedUno(turn) ? 1 : -1;
    case Action.CHALLENGE:
      return -1;
    default:
      return 0;
  }
}

/** Was the last card laid without calling UNO? */
function missedUno(turn: Turn): boolean {
  let missed = false;
  for (const event of turn.events) {
    if (event.kind === EventKind.PLAYED || event.kind === EventKind.JUMPED_IN) missed = true;
    if (event.kind === EventKind.UNO_CALLED) missed = false;
  }
  return missed;
}

function laysCard(move: Move): boolean {
  return move.action === Action.PLAY || move.action === Action.JUMP;
}

/** Count the cards of a colour in the own hand. */
function held(turn: Turn, colour: Colour): number {
  if (colour === Colour.COLOUR_NONE) return 0;
  return turn.hand.filter((card) => colourOf(card) === colour).length;
}

/** A coloured card is 1 + 14 * (colour - 1) + rank. */
function colourOf(card: Card): Colour {
  if (card === Card.NONE || card >= Card.WILD) return Colour.COLOUR_NONE;
  return Math.floor((card - 1) / 14) + 1;
}

/** What a card is worth in a hand at the end of a round. */
function points(card: Card): number {
  if (card === Card.NONE) return 0;
  if (card === Card.SHUFFLE_HANDS || card === Card.BLANK) return 40;
  if (card >= Card.WILD) return 50;
  const rank = (card - 1) % 14;
  return rank < 10 ? rank : 20;
}
