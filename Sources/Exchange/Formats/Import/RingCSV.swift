import Base
import Nights
import Vitals

/// A table of a night by the programs of the maker of the rings: ViHealth, Checkme O2, O2 Insight Pro.
///
/// They name the columns `Oxygen Level` or `SpO2(%)`, `Pulse Rate` or `Pulse Rate(bpm)`, write times in several ways, and
/// 255, 65535 or `--` for no measurement, as while the ring counts down before it ends a night. Times are those of the
/// ring's clock, which nobody sets in a night: only the first one is looked up in the local time zone.
enum RingCSV {
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The columns of such a table; `nil` for another one.
    struct Columns {
        var time, saturation, pulseRate: Int
        var movement: Int?

        init?(_ columns: CSVImporter.Columns) {
            func first(_ names: [String]) -> Int? { names.lazy.compactMap { columns[$0] }.first }
            guard let time = first(["time"]),
                let saturation = first(["oxygen level", "oxygen level(%)", "spo2(%)", "spo2"]),
                let pulseRate = first(["pulse rate", "pulse rate(bpm)", "pr(bpm)"])
            else { return nil }
            (self.time, self.saturation, self.pulseRate) = (time, saturation, pulseRate)
            movement = first(["motion", "movement"])
        }
    }

    static func read(
        _ table: inout SeparatedValues, _ columns: Columns, _ context: ImportContext
    ) throws(ImportError) -> ImportedFile {
        var rows: [ImportedNights.Timed] = []
        var (zone, before): (Int64, Int64) = (0, .min)
        while let row = table.next() {
            guard let fields = row.fields else { throw refused(row.line, row.reason) }
            if fields.allSatisfy({ trimmed($0).isEmpty }) { continue }
            guard fields.count > max(columns.time, columns.saturation, columns.pulseRate),
                let local = localSecond(fields[columns.time])
            else {
                throw refused(
                    row.line, "It is no line of a night: the file is cut off, or another one. Export it again.")
            }
            guard local > before else {
                throw refused(
                    row.line,
                    "Its time, \(sanitized(fields[columns.time], limit: 32)), is not after that of the line before: the file is doubled or not in order. Export it again."
                )
            }
            if rows.isEmpty { zone = try utc(local, row.line, context) - local }
            before = local
            let sample = NightSample(
                saturation: try number(fields[columns.saturation], 1...100, [0, 127, 255], row.line)
                    .map { UInt8($0) },
                pulseRate: try number(fields[columns.pulseRate], 1...500, [0, 511, 255, 65535], row.line)
                    .map { UInt16($0) },
                movement: try columns.movement.flatMap { $0 < fields.count ? fields[$0] : nil }
                    .flatMap { (text) throws(ImportError) in try number(text, 0...254, [255], row.line) }
                    .map { UInt8($0) })
            rows.append(ImportedNights.Timed(second: local.addingSaturated(zone), sample: sample))
        }
        if let last = rows.last, last.second * 1000 > context.now.wallMilliseconds + ImportTime.tolerance {
            throw ImportError("its last line is yet to come; look at the clock of the ring")
        }
        var file = ImportedFile()
        guard rows.count > 1 else { throw ImportError("it has no two samples; export the whole night") }
        file.nights = try ImportedNights.nights(rows, of: ImportedNights.sensor(""), interval: interval).map {
            ImportedFile.Night(place: "its night", night: $0)
        }
        guard !file.nights.isEmpty else {
            throw ImportError("it has no measurement; choose a night in which the ring was worn")
        }
        return file
    }

    private static func refused(_ line: Int, _ reason: String) -> ImportError {
        ImportError(
            "line \(line) is refused, and so is the file. \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason)"
        )
    }

    /// The most frequent distance of two lines, in seconds.
    private static func interval(_ rows: ArraySlice<ImportedNights.Timed>) throws(ImportError) -> Int {
        var counts: [Int64: Int] = [:]
        for (row, next) in zip(rows, rows.dropFirst()) { counts[next.second - row.second, default: 0] += 1 }
        // A lone sample stands for a second.
        guard let usual = counts.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) })?.key else { return 1 }
        guard (1...60).contains(usual) else {
            throw ImportError(
                "its lines are \(usual) s apart; a night has at least one a minute, so export it with all of them")
        }
        return Int(usual)
    }

    /// A number of a field; `nil` for none.
    private static func number(
        _ field: String, _ possible: ClosedRange<Int>, _ none: Set<Int>, _ line: Int
    ) throws(ImportError) -> Int? {
        let text = trimmed(field)
        if text.isEmpty || text.allSatisfy({ $0 == "-" }) { return nil }
        guard let number = Int(text) else {
            throw refused(line, "“\(sanitized(text, limit: 16))” is no whole number. Export it again.")
        }
        if none.contains(number) { return nil }
        guard possible.contains(number) else {
            throw refused(
                line, "\(number) is not from \(possible.lowerBound) to \(possible.upperBound). Look at the number.")
        }
        return number
    }

    /// The moment of a time of the ring's clock, in seconds since 1970 (UTC).
    private static func utc(_ local: Int64, _ line: Int, _ context: ImportContext) throws(ImportError) -> Int64 {
        do throws(RefusedEntry) {
            return wholeSecond(try ImportTime.read(ringClock: local, now: context.now))
        } catch {
            throw refused(line, error.reason)
        }
    }

    /// A time of the ring's clock as the seconds since its 1 January 1970; `nil` for any other text.
    static func localSecond(_ text: String) -> Int64? {
        guard text.utf8.count <= 40 else { return nil }
        var words = text.split { $0 == " " || $0 == "," }
        if words.count == 1, let iso = words.first?.split(separator: "T"), iso.count == 2 { words = iso }
        guard let place = words.firstIndex(where: { $0.contains(":") }) else { return nil }
        var time = words.remove(at: place)
        var half = words.first { ["AM", "PM"].contains($0.uppercased()) }.map { $0.uppercased() }
        words.removeAll { ["AM", "PM"].contains($0.uppercased()) }
        if half == nil, ["AM", "PM"].contains(time.suffix(2).uppercased()) {
            half = time.suffix(2).uppercased()
            time = time.dropLast(2)
        }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { wholeNumber($0, digits: 2) }
        guard clock.count == 3, var hour = clock[0], let minute = clock[1], let second = clock[2],
            let (year, month, day) = date(words)
        else { return nil }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "PM" ? 12 : 0)
        }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return wallMilliseconds(
            ofTimestamp: "\(year)-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second)).000Z"
        ).map(wholeSecond)
    }

    /// `Sep 21 2026`, `21/09/2026` (as the maker's program for telephones writes it), `2026-09-21`.
    private static func date(_ words: [Substring]) -> (year: Int, month: Int, day: Int)? {
        if words.count == 3 {
            guard let month = months.firstIndex(where: { $0.lowercased() == words[0].prefix(3).lowercased() }),
                let day = wholeNumber(words[1], digits: 2), let year = wholeNumber(words[2], digits: 4), year > 999
            else { return nil }
            return (year, month + 1, day)
        }
        guard words.count == 1 else { return nil }
        let parts = words[0].split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "-" }
        let numbers = parts.compactMap { wholeNumber($0, digits: 4) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        if numbers[0] > 999 { return (numbers[0], numbers[1], numbers[2]) }
        guard numbers[2] > 999 else { return nil }
        return numbers[1] > 12 ? (numbers[2], numbers[0], numbers[1]) : (numbers[2], numbers[1], numbers[0])
    }
}

extension ImportTime {
    /// The moment of a time of a clock on the wall, in milliseconds since 1970 (UTC), by the rule for times without a zone.
    ///
    /// - Parameter local: Seconds since 1 January 1970 by that clock.
    static func read(ringClock local: Int64, now: Moment) throws(RefusedEntry) -> Int64 {
        let text = timestamp(ofWallMilliseconds: local.multipliedSaturated(by: 1000))
        return try read("\(text.prefix(10)) \(text.dropFirst(11).prefix(8))", now: now)
    }
}
