// The strategy of ../../colour-keeper/README.md, step by step. It looks at one question and remembers nothing.

import { create } from "@bufbuild/protobuf";
import {
  Action,
  type Answer,
  AnswerSchema,
  Card,
  Colour,
  EventKind,
  type Move,
  QuestionKind,
  type Turn,
} from "./pb/bot_pb";

const PASSIVE = new Set([Action.DRAW, Action.KEEP, Action.ACCEPT, Action.DECLINE]);

/** What the hello says of this bot. */
export const DESCRIPTION = "colour-keeper, Node";

/** Choose a move for one question and set the UNO flag beside it. */
export function answer(turn: Turn): Answer {
  const index = choose(turn);
  const move = turn.legal[index];
  return create(AnswerSchema, {
    table: turn.table,
    question: turn.question,
    choice: { case: "index", value: index },
    uno: turn.hand.length === 2 && move !== undefined && laysCard(move),
  });
}

function choose(turn: Turn): number {
  if (turn.legal.length === 1) return 0;
  if (turn.kind === QuestionKind.CATCH) return catchMissed(turn);
  const play = bestPlay(turn);
  if (play !== undefined) return play;
  if (turn.kind === QuestionKind.FIRST_COLOUR)
    return best(turn.legal, (move) => holds(turn.hand, move.colour));
  if (turn.kind === QuestionKind.EXCHANGE) return best(turn.legal, (move) => points(move.card));
  return first(turn.legal, (move) => PASSIVE.has(move.action));
}

/** Point out a missed UNO; decline when the last card was laid with a call. */
function catchMissed(turn: Turn): number {
  let called = false;
  for (const event of turn.events) {
    if (event.kind === EventKind.PLAYED || event.kind === EventKind.JUMPED_IN) called = false;
    if (event.kind === EventKind.UNO_CALLED) called = true;
  }
  const wanted = called ? Action.DECLINE : Action.CATCH_MISSED;
  return first(turn.legal, (move) => move.action === wanted);
}

/** Coloured before wild, the colour kept, points, the smaller hand to swap with: compared from left to right. */
type Merit = [coloured: number, kept: number, points: number, swapped: number];

/** Return the first of the best moves that lay a card and are no bluff. */
function bestPlay(turn: Turn): number | undefined {
  const bluffs = new Set(turn.bluffs);
  let found: number | undefined;
  let top: Merit | undefined;
  turn.legal.forEach((move, index) => {
    if (!laysCard(move) || bluffs.has(index)) return;
    const merit = meritOf(move, turn);
    if (top === undefined || isBetter(merit, top)) {
      found = index;
      top = merit;
    }
  });
  return found;
}

function meritOf(move: Move, turn: Turn): Merit {
  const own = colourOf(move.card);
  const coloured = own === Colour.COLOUR_NONE ? 0 : 1;
  const after = move.colour === Colour.COLOUR_NONE ? own : move.colour;
  const kept = after === Colour.COLOUR_NONE ? 0 : holds(turn.hand, after) - coloured;
  const swapped = move.seatPlusOne > 0 ? -(turn.handSizes[move.seatPlusOne - 1] ?? 0) : 0;
  return [coloured, kept, points(move.card), swapped];
}

function isBetter(one: Merit, other: Merit): boolean {
  for (const place of [0, 1, 2, 3] as const) {
    if (one[place] !== other[place]) return one[place] > other[place];
  }
  return false;
}

/** Return the index of the first move with the highest value. */
function best(legal: Move[], value: (move: Move) => number): number {
  const values = legal.map(value);
  return values.indexOf(Math.max(...values));
}

/** Return the index of the first move that fits, or 0. */
function first(legal: Move[], fits: (move: Move) => boolean): number {
  return Math.max(legal.findIndex(fits), 0);
}

function laysCard(move: Move): boolean {
  return move.action === Action.PLAY || move.action === Action.JUMP;
}

/** A coloured card is 1 + 14 * (colour - 1) + rank. */
function colourOf(card: Card): Colour {
  if (card === Card.NONE || card >= Card.WILD) return Colour.COLOUR_NONE;
  return Math.floor((card - 1) / 14) + 1;
}

function holds(hand: Card[], colour: Colour): number {
  return hand.filter((card) => colourOf(card) === colour).length;
}

/** What a card is worth in a hand at the end of a round. */
function points(card: Card): number {
  if (card === Card.NONE) return 0;
  if (card === Card.SHUFFLE_HANDS || card === Card.BLANK) return 40;
  if (card >= Card.WILD) return 50;
  const rank = (card - 1) % 14;
  return rank < 10 ? rank : 20;
}
