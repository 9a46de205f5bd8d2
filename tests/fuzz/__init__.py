"""Files that were damaged at random, through every door of the program.

`python -m tests.fuzz --seconds 3600 --seed N` tries scenes, tables, copies of unsaved work, odd places of files and odd
arrays on the command line, in Python and in the window; every outcome has to be a picture or one sentence, in time.
"""
