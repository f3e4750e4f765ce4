import Base
import Nights
import Vitals

/// Writes nights of one oximeter as the maker of the rings writes them (ViHealth, Checkme O2), which SleepHQ takes.
///
/// A line for each sample: the local time, the saturation, the pulse rate, the movement, and two columns of reminders,
/// which are 0 because they are not kept. No measurement is 255 and 65535, as in the maker's own files. Source: public
/// files of that program, and programs that read them.
public struct RingCSVEncoder {
    /// The columns as the maker names them.
    static let columns = "Time,Oxygen Level,Pulse Rate,Motion,O2 Reminder,PR Reminder"
    static let (noSaturation, noPulseRate): (Int64, Int64) = (255, 65535)

    /// The bytes since the buffer was emptied.
    public private(set) var bytes: [UInt8] = []
    private let offset: (Int64) -> Int
    private var clock: (shift: Int64, last: Int64)?
    private var pending: (second: Int64, sample: NightSample)?

    /// - Parameter offset: The local time's offset from UTC at a wall time in milliseconds, in seconds to the east.
    public init(offset: @escaping (Int64) -> Int) { self.offset = offset }

    /// Writes the names of the columns.
    public mutating func begin() { bytes += Self.columns.utf8 + CSVField.lineEnd }

    /// Writes a night that the sensor stored itself.
    public mutating func write(_ night: StoredNight) {
        flush()
        for (index, sample) in night.samples.enumerated() { line(wholeSecond(night.start(of: index)), sample) }
    }

    /// Writes a reading of the sensor, in the order in which they came; others than of the two vitals are left out.
    public mutating func write(_ recorded: RecordedReading) {
        let reading = recorded.reading
        guard reading.late == nil, [.oxygenSaturation, .pulseRate].contains(reading.vital) else { return }
        let second = wholeSecond(reading.moment.wallMilliseconds)
        if let before = pending?.second, before != second { flush() }
        var sample = pending?.sample ?? NightSample(saturation: nil, pulseRate: nil)
        if case .measured(let value, _) = reading.outcome {
            let whole = (value.hundredths + 50) / 100
            if reading.vital == .oxygenSaturation {
                sample.saturation = UInt8(clamping: whole)
            } else {
                sample.pulseRate = UInt16(clamping: whole)
            }
        }
        pending = (second, sample)
    }

    /// Writes what waits for more of its second.
    public mutating func end() { flush() }

    private mutating func flush() {
        if let pending { line(pending.second, pending.sample) }
        pending = nil
    }

    private mutating func line(_ second: Int64, _ sample: NightSample) {
        guard let text = time(second) else { return }
        bytes += text.utf8
        let numbers: [Int64] = [
            sample.saturation.map { Int64($0) } ?? Self.noSaturation,
            sample.pulseRate.map { Int64($0) } ?? Self.noPulseRate, sample.movement.map { Int64($0) } ?? 0, 0, 0,
        ]
        for number in numbers {
            bytes.append(UInt8(ascii: ","))
            CSVField.append(number, to: &bytes)
        }
        bytes += CSVField.lineEnd
    }

    /// The time by a clock on the wall that nobody sets during a night: `23:10:01 Sep 21 2026`.
    ///
    /// - Returns: `nil` for a second that is written already, after the clock of the computer was set back.
    private mutating func time(_ second: Int64) -> String? {
        var shift = Int64(offset(second.multipliedSaturated(by: 1000)))
        if let clock {
            guard second > clock.last else { return nil }
            // Not set in a night, and never back.
            if second - clock.last < ImportedNights.longestGap || second + shift <= clock.last + clock.shift {
                shift = clock.shift
            }
        }
        clock = (shift, second)
        let text = timestamp(ofWallMilliseconds: second.addingSaturated(shift).multipliedSaturated(by: 1000))
        let month = Int(text.dropFirst(5).prefix(2)).map { RingCSV.months[max(0, min(11, $0 - 1))] } ?? ""
        return "\(text.dropFirst(11).prefix(8)) \(month) \(text.dropFirst(8).prefix(2)) \(text.prefix(4))"
    }

    /// Empties the buffer and keeps its capacity.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
