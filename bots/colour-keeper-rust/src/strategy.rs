//! The strategy of ../../colour-keeper/README.md, step by step. It looks at one question and remembers nothing.

use crate::pb::answer::Choice;
use crate::pb::{Action, Answer, Card, Colour, EventKind, Move, QuestionKind, Turn};

/// What the hello says of this bot.
pub const DESCRIPTION: &str = "colour-keeper, Rust";

/// Choose a move for one question and set the UNO flag beside it.
pub fn answer(turn: &Turn) -> Answer {
    let index = choose(turn);
    Answer {
        table: turn.table,
        question: turn.question,
        choice: Some(Choice::Index(index as u32)),
        uno: turn.hand.len() == 2 && turn.legal.get(index).is_some_and(lays_card),
        ..Answer::default()
    }
}

fn choose(turn: &Turn) -> usize {
    if turn.legal.len() == 1 {
        return 0;
    }
    if turn.kind() == QuestionKind::Catch {
        return catch_missed(turn);
    }
    if let Some(index) = best_play(turn) {
        return index;
    }
    match turn.kind() {
        QuestionKind::FirstColour => best(&turn.legal, |choice| holds(turn, choice.colour())),
        QuestionKind::Exchange => best(&turn.legal, |choice| points(choice.card())),
        _ => first(&turn.legal, |choice| {
            matches!(
                choice.action(),
                Action::Draw | Action::Keep | Action::Accept | Action::Decline
            )
        }),
    }
}

/// Point out a missed UNO; decline when the last card was laid with a call.
fn catch_missed(turn: &Turn) -> usize {
    let called = turn
        .events
        .iter()
        .fold(false, |called, event| match event.kind() {
            EventKind::Played | EventKind::JumpedIn => false,
            EventKind::UnoCalled => true,
            _ => called,
        });
    let wanted = if called {
        Action::Decline
    } else {
        Action::CatchMissed
    };
    first(&turn.legal, |choice| choice.action() == wanted)
}

/// Coloured before wild, the colour kept, points, the smaller hand to swap with: compared from left to right.
type Merit = (bool, i64, i64, i64);

/// Return the first of the best moves that lay a card and are no bluff.
fn best_play(turn: &Turn) -> Option<usize> {
    let mut found: Option<(usize, Merit)> = None;
    for (index, choice) in turn.legal.iter().enumerate() {
        if !lays_card(choice) || turn.bluffs.contains(&(index as u32)) {
            continue;
        }
        let merit = merit_of(choice, turn);
        if found.is_none_or(|(_, top)| merit > top) {
            found = Some((index, merit));
        }
    }
    found.map(|(index, _)| index)
}

fn merit_of(choice: &Move, turn: &Turn) -> Merit {
    let card = choice.card();
    let coloured = colour_of(card) != Colour::None;
    let after = match choice.colour() {
        Colour::None => colour_of(card),
        named => named,
    };
    let held = match after {
        Colour::None => 0,
        colour => holds(turn, colour),
    };
    let swapped = match choice.seat_plus_one {
        0 => 0,
        seat => -i64::from(turn.hand_sizes[seat as usize - 1]),
    };
    // A coloured card is itself among those held.
    (coloured, held - i64::from(coloured), points(card), swapped)
}

/// Return the index of the first move with the highest value.
fn best(legal: &[Move], value: impl Fn(&Move) -> i64) -> usize {
    let mut found = 0;
    for index in 1..legal.len() {
        if value(&legal[index]) > value(&legal[found]) {
            found = index;
        }
    }
    found
}

/// Return the index of the first move that is wanted, else of the first.
fn first(legal: &[Move], wanted: impl Fn(&Move) -> bool) -> usize {
    legal.iter().position(wanted).unwrap_or(0)
}

fn lays_card(choice: &Move) -> bool {
    matches!(choice.action(), Action::Play | Action::Jump)
}

/// The colour of a card: a coloured card is 1 + 14 * (colour - 1) + rank.
fn colour_of(card: Card) -> Colour {
    if card == Card::None || card >= Card::Wild {
        return Colour::None;
    }
    Colour::try_from((card as i32 - 1) / 14 + 1).unwrap_or(Colour::None)
}

fn holds(turn: &Turn, colour: Colour) -> i64 {
    turn.hand()
        .filter(|card| colour_of(*card) == colour)
        .count() as i64
}

/// What a card is worth in a hand at the end of a round.
fn points(card: Card) -> i64 {
    match card {
        Card::None => 0,
        Card::ShuffleHands | Card::Blank => 40,
        wild if wild >= Card::Wild => 50,
        coloured => match i64::from((coloured as i32 - 1) % 14) {
            rank @ 0..=9 => rank,
            _ => 20,
        },
    }
}
