#pragma once

#include "bot.pb.h"

// What the hello says of this bot.
extern const char* const kDescription;

// Chooses a move for one question and sets the UNO flag beside it.
arena::v1::Answer answer(const arena::v1::Turn& turn);
