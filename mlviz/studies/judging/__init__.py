"""Studies that judge predictions: tables and curves that one threshold moves."""
