#pragma once

#include "bot.pb.h"

// Chooses a move for one question and sets the UNO flag beside it.
arena::v1::Answer answer(const arena::v1::Turn& turn);
