package main

import pb "bot/arenapb"

// description is what the hello says of this bot.
const description = "colour-keeper, Go"

// answer chooses a move for one question and sets the UNO flag beside it.
func answer(turn *pb.Turn) *pb.Answer {
	index := choose(turn)
	return &pb.Answer{
		Table:    turn.GetTable(),
		Question: turn.GetQuestion(),
		Choice:   &pb.Answer_Index{Index: uint32(index)},
		Uno:      len(turn.GetHand()) == 2 && laysCard(turn.GetLegal()[index]),
	}
}

// choose follows the steps of ../colour-keeper/README.md and returns an index into the legal moves.
func choose(turn *pb.Turn) int {
	legal := turn.GetLegal()
	if len(legal) == 1 {
		return 0
	}
	if turn.GetKind() == pb.QuestionKind_CATCH {
		return catch(turn)
	}
	if index, ok := bestPlay(turn); ok {
		return index
	}
	switch turn.GetKind() {
	case pb.QuestionKind_FIRST_COLOUR:
		return best(legal, func(move *pb.Move) int { return holds(turn.GetHand(), move.GetColour()) })
	case pb.QuestionKind_EXCHANGE:
		return best(legal, func(move *pb.Move) int { return points(move.GetCard()) })
	}
	for index, move := range legal {
		switch move.GetAction() {
		case pb.Action_DRAW, pb.Action_KEEP, pb.Action_ACCEPT, pb.Action_DECLINE:
			return index
		}
	}
	return 0
}

// catch points out a missed UNO, and declines when the last card was laid with a call.
func catch(turn *pb.Turn) int {
	called := false
	for _, event := range turn.GetEvents() {
		switch event.GetKind() {
		case pb.EventKind_PLAYED, pb.EventKind_JUMPED_IN:
			called = false
		case pb.EventKind_UNO_CALLED:
			called = true
		}
	}
	wanted := pb.Action_CATCH_MISSED
	if called {
		wanted = pb.Action_DECLINE
	}
	for index, move := range turn.GetLegal() {
		if move.GetAction() == wanted {
			return index
		}
	}
	return 0
}

// merit compares plays: coloured before wild, the colour kept, points, the smaller hand to swap with.
type merit struct {
	coloured, kept, points, swapped int
}

func (m merit) better(other merit) bool {
	if m.coloured != other.coloured {
		return m.coloured > other.coloured
	}
	if m.kept != other.kept {
		return m.kept > other.kept
	}
	if m.points != other.points {
		return m.points > other.points
	}
	return m.swapped > other.swapped
}

// bestPlay returns the first of the best moves that lay a card and are no bluff.
func bestPlay(turn *pb.Turn) (int, bool) {
	bluff := make(map[int]bool, len(turn.GetBluffs()))
	for _, index := range turn.GetBluffs() {
		bluff[int(index)] = true
	}
	found, top := -1, merit{}
	for index, move := range turn.GetLegal() {
		if !laysCard(move) || bluff[index] {
			continue
		}
		if m := meritOf(move, turn); found < 0 || m.better(top) {
			found, top = index, m
		}
	}
	return found, found >= 0
}

func meritOf(move *pb.Move, turn *pb.Turn) merit {
	card := move.GetCard()
	after := move.GetColour()
	if after == pb.Colour_COLOUR_NONE {
		after = colourOf(card)
	}
	m := merit{points: points(card)}
	if after != pb.Colour_COLOUR_NONE {
		m.kept = holds(turn.GetHand(), after)
	}
	if colourOf(card) != pb.Colour_COLOUR_NONE {
		m.coloured = 1
		m.kept-- // the card itself
	}
	if seat := int(move.GetSeatPlusOne()) - 1; seat >= 0 {
		m.swapped = -int(turn.GetHandSizes()[seat])
	}
	return m
}

// best returns the index of the first move with the highest value.
func best(legal []*pb.Move, value func(*pb.Move) int) int {
	found := 0
	for index, move := range legal {
		if value(move) > value(legal[found]) {
			found = index
		}
	}
	return found
}

func laysCard(move *pb.Move) bool {
	return move.GetAction() == pb.Action_PLAY || move.GetAction() == pb.Action_JUMP
}

// colourOf returns the colour of a card: a coloured card is 1 + 14 * (colour - 1) + rank.
func colourOf(card pb.Card) pb.Colour {
	if card == pb.Card_CARD_NONE || card >= pb.Card_CARD_WILD {
		return pb.Colour_COLOUR_NONE
	}
	return pb.Colour((card-1)/14 + 1)
}

func holds(hand []pb.Card, colour pb.Colour) int {
	count := 0
	for _, card := range hand {
		if colourOf(card) == colour {
			count++
		}
	}
	return count
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
