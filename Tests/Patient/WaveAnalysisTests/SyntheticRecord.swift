import Foundation
import Testing
import Vitals
import Waves

/// A record of a chest strap with known beats and breaths, by `Reference/make_records.py`.
struct SyntheticRecord: Decodable, Sendable, CustomTestStringConvertible {
    var heartRate: Double
    var breathing: Double
    var rhythm: String
    var motion: String
    /// The times of the true breaths and beats, in seconds.
    var breaths: [Double]
    var beats: [Double]
    private var ecg: String
    private var acceleration: String

    static let sensor = SensorIdentity(address: "C0:52:49:00:00:01", name: "Polar H10", kind: .heartRateStrap)
    static let rate = 130.0
    private static let accelerationRate = 26.0
    private static let start: Int64 = 1_000_000_000_000

    static let all: [SyntheticRecord] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Reference/records.json")
        return (try? JSONDecoder().decode([SyntheticRecord].self, from: Data(contentsOf: path))) ?? []
    }()

    var testDescription: String { "\(rhythm), \(motion), \(heartRate) beats and \(breathing) breaths a minute" }

    /// Whether breathing can be seen in it.
    var isClear: Bool { rhythm == "sinus" && motion == "rest" && heartRate > 2 * breathing + 6 }

    /// The samples of the electrocardiogram, in µV.
    var electrocardiogram: [Int32] { Self.integers(ecg) }

    static func moment(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: start + Int64((seconds * 1e9).rounded()))
    }

    static func seconds(_ time: MonotonicTime) -> Double { Double(time.nanoseconds - start) / 1e9 }

    /// Both signals as blocks in the order in which they arrive.
    var blocks: [WaveBlock] {
        let cut =
            Self.cut(.electrocardiogram, electrocardiogram, Self.rate, 73)
            + Self.cut(.acceleration, Self.integers(acceleration), Self.accelerationRate, 36)
        return cut.sorted { $0.arrived.monotonic < $1.arrived.monotonic }
    }

    /// Breaths a minute in the 32 s before a time.
    func trueRate(before end: MonotonicTime) -> Double? {
        let seconds = Self.seconds(end)
        let breaths = breaths.filter { $0 >= seconds - 32 && $0 < seconds }
        guard breaths.count > 2, let first = breaths.first, let last = breaths.last else { return nil }
        return 60 * Double(breaths.count - 1) / (last - first)
    }

    static func cut(_ kind: WaveKind, _ values: [Int32], _ rate: Double, _ length: Int) -> [WaveBlock] {
        let channels = kind.traits.channels
        let count = values.count / channels
        return stride(from: 0, to: count, by: length).map { first in
            let end = min(count, first + length)
            let arrived = moment(Double(end) / rate)
            return WaveBlock(
                sensor: sensor, kind: kind, samples: Array(values[first * channels..<end * channels]),
                start: moment(Double(first) / rate), interval: 1e9 / rate, isContinuing: first > 0,
                arrived: Moment(monotonicNanoseconds: arrived.nanoseconds, wallMilliseconds: 0))
        }
    }

    private static func integers(_ text: String) -> [Int32] {
        let octets = [UInt8](Data(base64Encoded: text) ?? Data())
        return stride(from: 0, to: octets.count - 1, by: 2).map { index in
            Int32(Int16(bitPattern: UInt16(octets[index]) | UInt16(octets[index + 1]) << 8))
        }
    }
}
