"""The hand without Qt: the state of the tools, gestures, tools, selection and the probe."""
