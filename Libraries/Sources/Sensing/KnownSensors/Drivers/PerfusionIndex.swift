import SensorDrivers
import Vitals

/// The perfusion index of an oximeter with a protocol of its maker.
///
/// These oximeters send 0 for "none", and some models never send anything else: the index is reported from the first
/// number on. From then on, what ends the saturation ends the index, too.
struct PerfusionIndex: Hashable, Sendable {
    private var isSent = false

    /// What to report of a number beside the saturation that came with it.
    ///
    /// - Parameter thousandths: Thousandths of a percent, which are rounded half up.
    mutating func report(thousandths: Int, beside saturation: Reading.Outcome) -> [DriverAction] {
        // Without a saturation it is left over from before.
        guard case .measured(_, let quality) = saturation, thousandths > 0 else { return absent(.searching) }
        isSent = true
        let outcome = Reading.Outcome(hundredths: (thousandths + 5) / 10, of: .perfusionIndex, quality)
        return [.reading(.perfusionIndex, outcome)]
    }

    /// What to report where the oximeter measures nothing.
    func absent(_ reason: AbsenceReason) -> [DriverAction] {
        isSent ? [.reading(.perfusionIndex, .noMeasurement(reason))] : []
    }
}
