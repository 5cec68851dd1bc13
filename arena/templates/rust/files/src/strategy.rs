//! The strategy: it looks at one question and remembers nothing.

use crate::pb::answer::Choice;
use crate::pb::{Action, Answer, Card, Colour, EventKind, Move, Turn};

/// What the hello says of this bot.
pub const DESCRIPTION: &str = "@NAME@";

/// Choose the move worth most, of equals the first, and call UNO with the last card but one.
pub fn answer(turn: &Turn) -> Answer {
    let mut index = 0;
    for other in 1..turn.legal.len() {
        if worth(turn, other) > worth(turn, index) {
            index = other;
        }
    }
    Answer {
        table: turn.table,
        question: turn.question,
        choice: Some(Choice::Index(index as u32)),
        uno: turn.hand.len() == 2 && turn.legal.get(index).is_some_and(lays_card),
        ..Answer::default()
    }
}

/// Say how good the legal move with this index is: change this first.
fn worth(turn: &Turn, index: usize) -> i64 {
    let choice = &turn.legal[index];
    match choice.action() {
        Action::Play | Action::Jump if turn.bluffs.contains(&(index as u32)) => -1,
        Action::Play | Action::Jump => {
            let after = choice.colour().max(colour_of(choice.card()));
            1 + points(choice.card()) + 5 * held(turn, after)
        }
        Action::NameColour => held(turn, choice.colour()),
        Action::Give => points(choice.card()),
        Action::CatchMissed if missed_uno(turn) => 1,
        Action::CatchMissed | Action::Challenge => -1,
        _ => 0,
    }
}

/// Was the last card laid without calling UNO?
fn missed_uno(turn: &Turn) -> bool {
    turn.events
        .iter()
        .fold(false, |missed, event| match event.kind() {
            EventKind::Played | EventKind::JumpedIn => true,
            EventKind::UnoCalled => false,
            _ => missed,
        })
}

fn lays_card(choice: &Move) -> bool {
    matches!(choice.action(), Action::Play | Action::Jump)
}

/// Count the cards of a colour in the own hand.
fn held(turn: &Turn, colour: Colour) -> i64 {
    let of_colour = |card: &Card| colour != Colour::None && colour_of(*card) == colour;
    turn.hand().filter(of_colour).count() as i64
}

/// The colour of a card: a coloured card is 1 + 14 * (colour - 1) + rank.
fn colour_of(card: Card) -> Colour {
    if card == Card::None || card >= Card::Wild {
        return Colour::None;
    }
    Colour::try_from((card as i32 - 1) / 14 + 1).unwrap_or(Colour::None)
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
