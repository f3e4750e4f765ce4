import SensorDrivers
import VitalDecoders
import Vitals
import Waves

/// Saturation, pulse and perfusion index as the oximeters of Viatom send them, in older and in newer protocols.
struct ViatomOximetry: Hashable, Sendable {
    /// The saturation in percent; 0, 127 and 255 stand for none.
    var saturation: UInt8
    /// The pulse a minute; 0, 255, 511 and 65535 stand for none.
    var pulse: Int
    /// The perfusion index in tenths of a percent; 0 stands for none.
    var perfusionIndex: UInt8

    /// The readings of a sensor that is worn.
    func readings(_ index: inout PerfusionIndex) -> [DriverAction] {
        // Saturation and pulse are 0 while it calibrates.
        let saturation = Reading.Outcome.oximetry(
            [127, 255].contains(saturation) ? nil : Int(saturation), of: .oxygenSaturation)
        return [
            .reading(.oxygenSaturation, saturation),
            .reading(.pulseRate, .oximetry([255, 511, 0xFFFF].contains(pulse) ? nil : pulse, of: .pulseRate)),
        ] + index.report(thousandths: Int(perfusionIndex) * 100, beside: saturation)
    }

    /// The readings of a sensor that measures nothing.
    static func absent(_ reason: AbsenceReason, _ index: PerfusionIndex) -> [DriverAction] {
        [.reading(.oxygenSaturation, .noMeasurement(reason)), .reading(.pulseRate, .noMeasurement(reason))]
            + index.absent(reason)
    }

    /// The samples of a plethysmogram.
    ///
    /// They are stored upside down: the maker's program draws 100 minus the half of each, which are the same steps
    /// twice as high here, so that none is rounded away. 156 and 246 are marks, not samples.
    static func samples(_ octets: some Sequence<UInt8>) -> [Int32] {
        octets.map { [156, 246].contains($0) ? WavePiece.missing : 200 - Int32($0) }
    }
}
