import VitalDecoders
import Vitals

/// The memory of a FreeStyle Libre 1 sensor, 43 blocks of 8 octets, as a bridge reads it.
///
/// The details of the factory calibration are not public, so the values are raw estimates.
struct LibreMemory: Hashable, Sendable {
    /// The number of octets.
    static let length = 344

    private let octets: [UInt8]

    /// Creates a memory from an image; `nil` for another length.
    init?(_ octets: [UInt8]) {
        guard octets.count == Self.length else { return nil }
        self.octets = octets
    }

    /// Whether the checksums of header, body and footer fit.
    var isIntact: Bool {
        [0..<24, 24..<320, 320..<344].allSatisfy { region in
            let sum = UInt16(octets[region.lowerBound]) | UInt16(octets[region.lowerBound + 1]) << 8
            return Checksum.libre(octets[(region.lowerBound + 2)..<region.upperBound]) == sum
        }
    }

    /// Why the sensor has no value; `nil` while it is active.
    var absence: AbsenceReason? {
        switch octets[4] {
        case 3: nil
        case 1, 2: .calibrating
        default: .equipment
        }
    }

    /// The minutes since the sensor was started.
    var age: Int { Int(octets[316]) | Int(octets[317]) << 8 }

    /// A raw estimate with its minute of the sensor's life.
    struct Estimate: Hashable, Sendable {
        var minute: Int
        var value: VitalValue
    }

    /// The estimates of the last 16 minutes and of the last 8 hours, the oldest first, one per minute.
    var estimates: [Estimate] {
        let trend = Int(octets[26]), history = Int(octets[27])
        guard trend < 16, history < 32 else { return [] }
        let recent = (0..<16).map { back in
            estimate(at: 28 + 6 * ((trend - 1 - back + 32) % 16), minute: age - back)
        }
        // A quarter-hour mean is written some minutes late.
        let newest = age - ((age + 12) % 15 + 3)
        let earlier = (0..<32).map { back in
            estimate(at: 124 + 6 * ((history - 1 - back + 64) % 32), minute: newest - 15 * back)
        }
        let first = recent.last?.minute ?? age
        return (earlier.filter { $0.minute < first } + recent).filter { $0.minute > 0 && $0.value.hundredths > 0 }
            .sorted { $0.minute < $1.minute }
    }

    private func estimate(at place: Int, minute: Int) -> Estimate {
        let raw = Int(octets[place + 1] & 0x1F) << 8 | Int(octets[place])
        return Estimate(minute: minute, value: VitalValue(hundredths: (raw * 117_647 + 5000) / 10_000))
    }
}
