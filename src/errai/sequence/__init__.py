"""Any two-player zero-sum game with perfect recall: extensive form, sequence form, LP, CFR, exact certificates.

solve, resume                       a game to a Solution, by lp, exact, normal-form or CFR
extensive_game, GameBuilder         a game from a file, a name or OpenSpiel, or node by node
write_efg                           a game as a Gambit file
sequence_form, normal_form          its matrices
Profile, uniform, profile_of_table  strategies, to evaluate
load_certificate                    a proof, to verify
"""

from errai.sequence.builder import GameBuilder
from errai.sequence.certificate import Certificate, load_certificate
from errai.sequence.efg_writer import write_efg
from errai.sequence.form import SequenceForm, SparseMatrix, sequence_form
from errai.sequence.methods import resume, solve
from errai.sequence.normal import NormalForm, normal_form
from errai.sequence.profile import Profile, profile_of_table, uniform
from errai.sequence.solution import Solution
from errai.sequence.sources import extensive_game
from errai.sequence.tree import ExtensiveGame

__all__ = [
    "Certificate",
    "ExtensiveGame",
    "GameBuilder",
    "NormalForm",
    "Profile",
    "SequenceForm",
    "Solution",
    "SparseMatrix",
    "extensive_game",
    "load_certificate",
    "normal_form",
    "profile_of_table",
    "resume",
    "sequence_form",
    "solve",
    "uniform",
    "write_efg",
]
