"""What two methods or more draw on the data or in a chart of their own."""
