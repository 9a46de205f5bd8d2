"""Random gestures and commands on the real window: `python -m tests.monkey [ACTIONS] [--seed S] [--kill]`."""
