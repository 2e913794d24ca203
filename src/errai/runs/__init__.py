"""What everything that takes long shares: a monitor, a claimed folder, checkpoints by time.

monitor     who is told how it goes, and may stop it
claim       one writer in a folder at a time
contents    what work a folder holds
schedule    when the next checkpoint is due
run         all of it: claim, begin or resume, checkpoint, save, finish
"""
