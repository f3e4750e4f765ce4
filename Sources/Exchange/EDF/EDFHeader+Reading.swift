import Base
import VitalDecoders

extension EDFHeader {
    /// Reads the header of a file.
    ///
    /// - Parameter octets: The file, or as much as its header.
    /// - Throws: `MalformedValueError` with the place for a file of another kind, or a header that contradicts itself.
    public init(_ octets: [UInt8]) throws(MalformedValueError) {
        var fields = Fields(octets: octets)
        guard octets.count >= Self.fixedSize else {
            throw MalformedValueError(offset: octets.count, reason: "the file ends within its header of 256 octets")
        }
        guard try fields.text(8) == "0" else {
            throw MalformedValueError(offset: 0, reason: "it does not begin as EDF does")
        }
        let (patient, recording) = (try fields.text(80), try fields.text(80))
        let start = try fields.start(recording)
        let size = try fields.whole(8, "size of the header", in: 256...256 * (Self.mostSignals + 1))
        let mark = try fields.text(44)
        let count = try fields.whole(8, "number of data records", in: -1...Self.mostRecords)
        guard count >= 0 else {
            throw MalformedValueError(
                offset: 236, reason: "it is not finished: the number of its data records is still unknown")
        }
        let duration = try fields.number(8, "length of a data record")
        guard duration >= 0, duration <= 86_400 else {
            throw MalformedValueError(offset: 244, reason: "\(duration) s are no length of a data record")
        }
        let signals = try fields.whole(4, "number of signals", in: 0...Self.mostSignals)
        guard size == Self.fixedSize * (signals + 1) else {
            throw MalformedValueError(offset: 184, reason: "\(signals) signals do not have a header of \(size) octets")
        }
        guard octets.count >= size else {
            throw MalformedValueError(offset: octets.count, reason: "the file ends within its header of \(size) octets")
        }
        self.init(
            start: start, kind: Self.kind(mark), recordCount: count, recordDuration: duration,
            signals: try fields.signals(signals))
        (self.patient, self.recording) = (patient, recording)
        if duration == 0, self.signals.contains(where: { !$0.isAnnotations }) {
            throw MalformedValueError(offset: 244, reason: "a data record of 0 s can have no samples")
        }
    }

    private static func kind(_ mark: String) -> Kind {
        mark.hasPrefix(Kind.discontinuous.mark)
            ? .discontinuous : mark.hasPrefix(Kind.continuous.mark) ? .continuous : .plain
    }
}

/// The fields of a header, one after the other.
private struct Fields {
    let octets: [UInt8]
    var place = 0

    mutating func text(_ width: Int) throws(MalformedValueError) -> String {
        let field = octets[place..<place + width]
        place += width
        // EDF demands ASCII; some programs write Latin-1, of which only the words are unreadable.
        let scalars = field.map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "?" }
        return withoutOuterSpaces(String(scalars))
    }

    mutating func number(_ width: Int, _ name: String) throws(MalformedValueError) -> Double {
        let start = place
        let text = try text(width)
        guard let number = Double(text.exchanging(",", for: ".")), number.isFinite else {
            throw MalformedValueError(offset: start, reason: "“\(sanitized(text))” is no \(name)")
        }
        return number
    }

    mutating func whole(
        _ width: Int, _ name: String, in range: ClosedRange<Int>
    ) throws(MalformedValueError) -> Int {
        let start = place
        let text = try text(width)
        guard let number = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw MalformedValueError(offset: start, reason: "“\(sanitized(text))” is no \(name)")
        }
        return number
    }

    /// The date and time of the start; the recording's own date has all digits of the year (EDF+, 2.1.3.4).
    mutating func start(_ recording: String) throws(MalformedValueError) -> DateTime {
        let start = place
        let date = try Self.numbers(text(8), at: start)
        let time = try Self.numbers(text(8), at: start + 8)
        var year = date[2] >= 85 ? 1900 + date[2] : 2000 + date[2]
        let words = recording.split(separator: " ")
        if words.count > 1, words[0] == "Startdate", let full = Int(words[1].suffix(4)), full % 100 == date[2] {
            year = full
        }
        let found = DateTime(
            year: UInt16(clamping: year), month: UInt8(clamping: date[1]), day: UInt8(clamping: date[0]),
            hour: UInt8(clamping: time[0]), minute: UInt8(clamping: time[1]), second: UInt8(clamping: time[2]))
        guard found.isCalendarDate else {
            throw MalformedValueError(offset: start, reason: "it begins at \(found), which is no time")
        }
        return found
    }

    /// Three numbers of two digits with one character between them.
    private static func numbers(_ text: String, at place: Int) throws(MalformedValueError) -> [Int] {
        let octets = Array(text.utf8)
        let numbers = stride(from: 0, to: octets.count, by: 3).compactMap { index in
            index + 2 <= octets.count ? Int(String(decoding: octets[index..<index + 2], as: UTF8.self)) : nil
        }
        guard octets.count == 8, numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else {
            throw MalformedValueError(offset: place, reason: "“\(sanitized(text))” is no date or time")
        }
        return numbers
    }

    /// The fields of the signals, each field for all signals (EDF, "The header record").
    mutating func signals(_ count: Int) throws(MalformedValueError) -> [EDFSignal] {
        func all<Value>(
            _ field: () throws(MalformedValueError) -> Value
        ) throws(MalformedValueError) -> [Value] {
            var values: [Value] = []
            for _ in 0..<count { values.append(try field()) }
            return values
        }
        let labels = try all { () throws(MalformedValueError) in try text(16) }
        let transducers = try all { () throws(MalformedValueError) in try text(80) }
        let dimensions = try all { () throws(MalformedValueError) in try text(8) }
        let low = try all { () throws(MalformedValueError) in try number(8, "physical minimum") }
        let high = try all { () throws(MalformedValueError) in try number(8, "physical maximum") }
        let digits = -32768...32767
        let digitalStart = place
        let least = try all { () throws(MalformedValueError) in try whole(8, "digital minimum", in: digits) }
        let most = try all { () throws(MalformedValueError) in try whole(8, "digital maximum", in: digits) }
        let prefilters = try all { () throws(MalformedValueError) in try text(80) }
        let samples = try all { () throws(MalformedValueError) in
            try whole(8, "number of samples in a data record", in: 0...1_000_000)
        }
        for index in 0..<count where least[index] >= most[index] {
            throw MalformedValueError(
                offset: digitalStart + 8 * index, reason: "the digital minimum \(least[index]) is not below the maximum"
            )
        }
        return (0..<count).map { index in
            EDFSignal(
                label: labels[index], transducer: transducers[index], dimension: dimensions[index],
                physical: (low[index], high[index]), digital: (least[index], most[index]),
                prefilter: prefilters[index], samplesPerRecord: samples[index])
        }
    }
}
