"""The plots beside the canvas, on pyqtgraph: seconds' worth of imports that nothing loads before they are needed."""
