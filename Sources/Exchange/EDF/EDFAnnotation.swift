import Base

/// A note with its time in an EDF+ file.
///
/// Source: EDF+, section 2.2.2 "Time-stamped Annotations Lists (TALs)" (<https://www.edfplus.info>): `+onset`, perhaps
/// 15h and a duration, then 14h, texts that each end with 14h, and 00h.
public struct EDFAnnotation: Hashable, Sendable {
    /// When it begins, in milliseconds after the start of the file.
    public var onset: Int64
    /// How long it lasts, in milliseconds; `nil` where that is unknown or means nothing.
    public var duration: Int64?
    /// What it says.
    public var text: String

    public init(onset: Int64, duration: Int64? = nil, _ text: String) {
        (self.onset, self.duration, self.text) = (onset, duration, text)
    }

    private static let (end, separator, durationMark): (UInt8, UInt8, UInt8) = (0x00, 0x14, 0x15)
    /// The most characters of a text.
    private static let limit = 200

    /// The list by which a data record says when it begins (EDF+, 2.2.4 "Time keeping of data records").
    public static func timekeeping(_ onset: Int64) -> [UInt8] {
        Array(number(onset).utf8) + [separator, separator, end]
    }

    /// The annotation as a list of its own.
    public func octets() -> [UInt8] {
        var octets = Array(Self.number(onset).utf8)
        if let duration { octets += [Self.durationMark] + Self.number(duration).dropFirst().utf8 }
        return octets + [Self.separator] + sanitized(text, limit: Self.limit).utf8 + [Self.separator, Self.end]
    }

    /// Seconds with their sign, and with decimals only where there are some.
    private static func number(_ milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        let decimals = rest == 0 ? "" : "." + EDFHeader.padded(Int(rest), to: 3)
        return "\(milliseconds < 0 ? "-" : "+")\(seconds)\(decimals)"
    }
}

extension EDFAnnotation {
    /// Reads the lists in the annotations of a data record.
    ///
    /// - Parameter octets: The octets of one signal of annotations in one data record.
    /// - Returns: When the record begins, if its first list says that; the annotations. What is malformed is left out.
    public static func lists(
        in octets: ArraySlice<UInt8>
    ) -> (start: Int64?, annotations: [EDFAnnotation]) {
        var (start, annotations): (Int64?, [EDFAnnotation]) = (nil, [])
        for (index, list) in octets.split(separator: end).enumerated() {
            let parts = list.split(separator: separator, omittingEmptySubsequences: false)
            guard let times = parts.first?.split(separator: durationMark, omittingEmptySubsequences: false),
                let onset = times.first.flatMap({ milliseconds($0, isSigned: true) })
            else { continue }
            let duration = times.count > 1 ? milliseconds(times[1], isSigned: false) : nil
            if index == 0, parts.count > 1, parts[1].isEmpty { start = onset }
            annotations += parts.dropFirst().filter { !$0.isEmpty }.map { text in
                EDFAnnotation(
                    onset: onset, duration: duration,
                    sanitized(String(decoding: text, as: UTF8.self), limit: Self.limit))
            }
        }
        return (start, annotations)
    }

    /// The milliseconds of a number of seconds; `nil` for anything else.
    private static func milliseconds(_ octets: ArraySlice<UInt8>, isSigned: Bool) -> Int64? {
        var digits = octets
        let sign = isSigned ? digits.popFirst() : nil
        if isSigned, sign != UInt8(ascii: "+"), sign != UInt8(ascii: "-") { return nil }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), digits.count <= 24, !parts[0].isEmpty,
            parts.allSatisfy({ $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let seconds = Int64(String(decoding: parts[0], as: UTF8.self))
        else { return nil }
        let decimals = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
        let thousandths = Int64((decimals + "000").prefix(3)) ?? 0
        let total = seconds.multipliedSaturated(by: 1000).addingSaturated(thousandths)
        return sign == UInt8(ascii: "-") ? -total : total
    }
}
