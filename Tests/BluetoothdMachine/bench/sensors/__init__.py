"""What advertises and measures: sensors, and strangers that are none."""
