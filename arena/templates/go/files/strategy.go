package main

import pb "bot/arenapb"

// description is what the hello says of this bot.
const description = "@NAME@"

// answer chooses the move worth most, of equals the first, and calls UNO with the last card but one.
func answer(turn *pb.Turn) *pb.Answer {
	index := 0
	for other := range turn.GetLegal() {
		if worth(turn, other) > worth(turn, index) {
			index = other
		}
	}
	return &pb.Answer{
		Table:    turn.GetTable(),
		Question: turn.GetQuestion(),
		Choice:   &pb.Answer_Index{Index: uint32(index)},
		Uno:      len(turn.GetHand()) == 2 && laysCard(turn.GetLegal()[index]),
	}
}

// worth says how good the legal move with this index is: change this first.
func worth(turn *pb.Turn, index int) int {
	move := turn.GetLegal()[index]
	switch move.GetAction() {
	case pb.Action_PLAY, pb.Action_JUMP:
		if isBluff(turn, index) {
			return -1
		}
		after := max(move.GetColour(), colourOf(move.GetCard()))
		return 1 + points(move.GetCard()) + 5*held(turn, after)
	case pb.Action_NAME_COLOUR:
		return held(turn, move.GetColour())
	case pb.Action_GIVE:
		return points(move.GetCard())
	case pb.Action_CATCH_MISSED:
		return missedUno(turn)
	case pb.Action_CHALLENGE:
		return -1
	}
	return 0
}

// missedUno returns 1 when the last card was laid without calling UNO, else -1.
func missedUno(turn *pb.Turn) int {
	missed := -1
	for _, event := range turn.GetEvents() {
		switch event.GetKind() {
		case pb.EventKind_PLAYED, pb.EventKind_JUMPED_IN:
			missed = 1
		case pb.EventKind_UNO_CALLED:
			missed = -1
		}
	}
	return missed
}

func laysCard(move *pb.Move) bool {
	return move.GetAction() == pb.Action_PLAY || move.GetAction() == pb.Action_JUMP
}

func isBluff(turn *pb.Turn, index int) bool {
	for _, bluff := range turn.GetBluffs() {
		if int(bluff) == index {
			return true
		}
	}
	return false
}

// held counts the cards of a colour in the own hand.
func held(turn *pb.Turn, colour pb.Colour) int {
	count := 0
	for _, card := range turn.GetHand() {
		if colour != pb.Colour_COLOUR_NONE && colourOf(card) == colour {
			count++
		}
	}
	return count
}

// colourOf returns the colour of a card: a coloured card is 1 + 14 * (colour - 1) + rank.
func colourOf(card pb.Card) pb.Colour {
	if card == pb.Card_CARD_NONE || card >= pb.Card_CARD_WILD {
		return pb.Colour_COLOUR_NONE
	}
	return pb.Colour((card-1)/14 + 1)
}

// points returns what a card is worth in a hand at the end of a round.
func points(card pb.Card) int {
	switch {
	case card == pb.Card_CARD_NONE:
		return 0
	case card == pb.Card_CARD_SHUFFLE_HANDS || card == pb.Card_CARD_BLANK:
		return 40
	case card >= pb.Card_CARD_WILD:
		return 50
	}
	if rank := int(card-1) % 14; rank < 10 {
		return rank
	}
	return 20
}
