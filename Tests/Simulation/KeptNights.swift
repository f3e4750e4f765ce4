import Testing

/// Nights that have found a fault, each as short as it could be made.
///
/// They are written out, because a number means another night as soon as more can happen in one.
enum KeptNights {
    /// A night, and the fault that it has found.
    struct KeptNight: Sendable, CustomTestStringConvertible {
        var fault: String
        var night: Night

        var testDescription: String { fault }
    }

    static let all = [
        KeptNight(
            fault: "after the computer's sleep every sensor was blamed for the silence",
            night: Night(number: 114, length: 290, faults: [fault(.suspension, .thermometer, 25, 193, strength: 163)])),
        KeptNight(
            fault: "a silenced simulated oximeter sent a spot-check when its connection was renewed",
            night: Night(
                number: 120, length: 190,
                faults: [fault(.daemonRestart, .oximeter, 28, 28), fault(.silence, .oximeter, 39, 90)])),
        KeptNight(
            fault: "a reading from just before the clock was set never reached the collector",
            night: published(
                Night(
                    number: 36, length: 180,
                    faults: [
                        fault(.busHang, .thermometer, 29.311817346, 37.485234451),
                        fault(.clockForward, .thermometer, 38.267783062, 38.267783062, strength: 5_859_303),
                    ]))),
        KeptNight(
            fault: "an adapter that was still missing when the bus was there again was no alarm any more",
            night: Night(
                number: 322, length: 180,
                faults: [fault(.unplug, .thermometer, 30, 90), fault(.drop, .thermometer, 36, 36)])),
        KeptNight(
            fault: "values that waited while the clock was set back were stored in the future",
            night: Night(
                number: 3650, length: 180,
                faults: [
                    fault(.busHang, .thermometer, 26, 61),
                    fault(.clockBack, .thermometer, 43, 43, strength: 1_817_000),
                ])),
        KeptNight(
            fault: "a silent sensor that could not be subscribed to again was never subscribed to again",
            night: Night(
                number: 860, length: 190,
                faults: [fault(.silence, .strap, 40, 100), fault(.denial, .strap, 56, 64)])),
    ]

    private static func published(_ night: Night) -> Night {
        var night = night
        (night.hasWard, night.printsLines) = (true, false)
        return night
    }

    private static func fault(
        _ kind: Fault.Kind, _ sensor: SensorTruth.Kind, _ start: Double, _ end: Double, strength: UInt64 = 0
    ) -> Fault {
        Fault(kind: kind, sensor: sensor.index, start: start, end: end, strength: strength)
    }
}
