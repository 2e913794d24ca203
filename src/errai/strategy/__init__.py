"""Whatever plays: one interface, its kinds, their files, decisions and what they are worth.

strategy        the interface: Strategy, queried by a state of a hand, and Decision, its answer
limit           what the kinds of limit games share: a tree of betting, known board by board
kinds/          exact solutions, strategies on buckets, the sequence form, jam or fold, tournaments, rules
files           opening any of them by its manifest (errai.files.manifest)
values          what every action is worth
query           a decision in the words of players; `export`: tables; `info`: what a strategy says of itself
lookup          from real cards to the classes of an exact layout; `quantised`: probabilities in bytes
shipped         strategies that come with the package
"""
