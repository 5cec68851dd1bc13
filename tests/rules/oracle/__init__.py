"""A second opinion about the rules: slow, naive, written from the rule sheet alone.

Nothing here imports the engine. Cards, moves and options are texts; a table is a dict of lists; a match is
one generator that asks its questions in the order in which the sheet tells the game. The package owns no
randomness: whoever runs a match supplies every random fact (`supply`), and it only checks what is possible.

    sheet     the options of the sheet, what each preset sets, what is refused
    faces     what can be read off the text of a card, and the order of moves
    table     the state: who sits where, hands, piles, drawing, reshuffling, leaving
    may       what is allowed: every list of legal moves
    opening   the first dealer, the deal, the first card
    playing   the steps of a play, in the sheet's order of effects
    turns     turns, answers to penalties, payment
    scores    points, totals, places, who deals next
    match     the whole match, as an object that is asked and told
    streams   which card of the pile belongs to which seat
    news      the public lines of what happened
    rulesets  options and tables by lot
    corners   tables by lot in which seldom rules meet
    supply    random facts: scripted, or drawn by lot
"""
