"""What Hypothesis makes texts of."""

from hypothesis import strategies as st

CHARACTERS = st.characters(exclude_categories=["Cs"])
"""All that UTF-8 has. By itself Hypothesis asks it of each character, which takes each process 2 s in a fresh copy."""
