import Foundation
import Vitals

/// What sensors have said in a story, as a record of it must have it: all of it, and nothing else.
struct RecordLedger {
    private var said: [RecordedLine: Int] = [:]

    /// A sensor says something.
    mutating func say(_ reading: Reading) {
        var line = RecordedLine(reading)
        if case .measured(let value, _) = reading.outcome, !Ledger.isPossible(value, of: reading.vital) {
            (line.value, line.quality, line.absence) = (nil, nil, AbsenceReason.outOfRange.rawValue)
        }
        said[line, default: 0] += 1
    }

    /// What a record leaves out or invents; `nil` for neither.
    func fault(of lines: [RecordedLine]) -> String? {
        var missing = said
        for line in lines {
            if let count = missing[line], count > 0 {
                missing[line] = count - 1
            } else if line.value != nil || !line.isAbsenceByTime {
                return "has what was never sent: \(line)"
            }
        }
        return missing.first { $0.value > 0 }.map { "does not have \($0.key)" }
    }
}

/// A reading in a record, whatever the form of the record is; times in milliseconds since 1970.
struct RecordedLine: Hashable {
    var time: Int64
    var monotonic: Int64
    var address: String
    var vital: String
    var value: Int?
    var quality: String?
    var absence: String?
    var site: String?
    var late: String?
    var measuredFrom: Int64?
    var measuredTo: Int64?

    /// Whether it says that nothing came, which no sensor does.
    var isAbsenceByTime: Bool { absence == "silent" || absence == "link_lost" }
}

extension RecordedLine {
    /// Makes a line of a reading.
    init(_ reading: Reading) {
        time = reading.moment.wallMilliseconds
        monotonic = reading.moment.monotonicNanoseconds
        address = reading.sensor.address
        vital = reading.vital.rawValue
        switch reading.outcome {
        case .measured(let measured, let grade): (value, quality) = (measured.hundredths, grade.rawValue)
        case .noMeasurement(let reason): absence = reason.rawValue
        }
        site = reading.site?.rawValue
        late = reading.late?.source.rawValue
        measuredFrom = reading.late?.from.wallMilliseconds
        measuredTo = reading.late?.to.wallMilliseconds
    }

    /// The lines of a table of comma-separated values; `nil` when one of them is not marked as simulated.
    static func lines(ofTable text: String) -> [RecordedLine]? {
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        func time(_ text: String) -> Int64? {
            format.date(from: text).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
        }
        let rows = text.split(separator: "\r\n").map { row in
            row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard let names = rows.first else { return nil }
        var lines: [RecordedLine] = []
        for row in rows.dropFirst() {
            let fields = Dictionary(uniqueKeysWithValues: zip(names, row)).filter { !$0.value.isEmpty }
            guard fields["simulated"] == "true" else { return nil }
            lines.append(
                RecordedLine(
                    time: fields["time"].flatMap(time) ?? 0,
                    monotonic: fields["monotonic_ns"].flatMap { Int64($0) } ?? 0, address: fields["address"] ?? "",
                    vital: fields["vital"] ?? "",
                    value: fields["value"].flatMap { Double($0) }.map { Int(($0 * 100).rounded()) },
                    quality: fields["quality"], absence: fields["absence"], site: fields["site"],
                    late: fields["late"], measuredFrom: fields["measured_from"].flatMap(time),
                    measuredTo: fields["measured_to"].flatMap(time)))
        }
        return lines
    }
}
