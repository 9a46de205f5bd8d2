"""The plots beside the canvas. What stands on pyqtgraph is loaded late: see `loading`."""
