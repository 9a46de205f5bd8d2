"""What is tried: good scenes, tables, copies and arrays, and what accidents make of them."""
