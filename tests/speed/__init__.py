"""Speed, measured, never in the ordinary tests: ``python -m tests.speed`` writes RESULTS.md and the README's table."""
