"""The house's own bot, a bundle: the opponent in check games."""
