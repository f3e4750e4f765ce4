import Foundation
import Testing
import Vitals

@testable import Nights

/// A night with its falls as an independent program finds them, by `Reference/make_nights.py`.
struct SyntheticNight: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var interval: Int
    private var samples: String
    /// The first, the lowest and the last sample of each fall.
    var falls: [[Int]]
    /// The falls of 3 % by the toolbox pobm with its own rules; `nil` where it does not apply.
    var pobm: Int?
    /// In hundredths of a percent.
    var mean: Int
    var lowest: Int
    /// Seconds.
    var below90, below88: Int

    static let all: [SyntheticNight] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Reference/nights.json")
        return (try? JSONDecoder().decode([SyntheticNight].self, from: Data(contentsOf: path))) ?? []
    }()

    var testDescription: String { name }

    /// The saturations in percent, 0 for none.
    var values: [UInt8] { Data(base64Encoded: samples).map { [UInt8]($0) } ?? [] }

    static let ring = SensorIdentity(address: "C0:52:49:00:00:09", name: "O2Ring", kind: .oximeter)
    /// Noon.
    static let noon: Int64 = 1_795_780_800_000
    static let window = noon..<noon + 86_400_000

    /// A stored night; 0 is no value.
    static func stored(
        _ values: [UInt8], interval: Int = 1, at start: Int64 = noon + 36_000_000, pulse: UInt16? = 60,
        movement: UInt8? = 0, name: String = "20261127220000", importedFrom: String? = nil
    ) -> StoredNight {
        StoredNight(
            sensor: ring, name: name, start: start, interval: interval,
            samples: values.map { NightSample(saturation: $0 == 0 ? nil : $0, pulseRate: pulse, movement: movement) },
            importedFrom: importedFrom)
    }

    static func course(_ values: [UInt8], interval: Int = 1) -> NightCourse? {
        var builder = NightBuilder(of: window, sensor: ring)
        builder.add(stored(values, interval: interval))
        return builder.course()
    }
}

/// A curve that is written down as values and how long each lasts.
func curve(_ parts: (value: UInt8, seconds: Int)...) -> [UInt8] {
    parts.flatMap { [UInt8](repeating: $0.value, count: $0.seconds) }
}
