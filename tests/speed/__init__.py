"""Speed, measured, never in the ordinary tests: ``python -m tests.speed`` runs it and writes the README's table."""
