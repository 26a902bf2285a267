// Every test of the commands starts the built programs.
@_exported import ProgramHarness
@_exported import TestSupport
