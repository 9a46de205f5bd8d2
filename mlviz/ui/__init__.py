"""The window: canvas, tools, controls, link to the worker, player, theme, painter. Qt lives here and nowhere else."""
