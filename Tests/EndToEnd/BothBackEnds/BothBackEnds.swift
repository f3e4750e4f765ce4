import TestSupport
import Testing

/// The scenarios that run against the simulator in `make test` and against the real bluetoothd in `make test-bluez`.
@Suite("With either bluetoothd", .startsPrograms)
enum BothBackEnds {}
