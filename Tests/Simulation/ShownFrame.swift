import Foundation

/// What a frame of the screen says.
struct ShownFrame {
    let time: Double
    let rows: [[UInt8]]
    /// The numbers beside the titles of the panels, as they are written.
    let numbers: [SensorTruth.Kind: String]
    /// The words in the place of a number: "OFF", "LOST".
    let words: [SensorTruth.Kind: String]
    let alarms: ShownAlarms
    /// Whether a number is called stale.
    let isStale: Bool

    /// Reads a frame.
    init(_ rows: [[UInt8]], at time: Double) {
        (self.rows, self.time) = (rows, time)
        var numbers: [SensorTruth.Kind: String] = [:]
        var words: [SensorTruth.Kind: String] = [:]
        let frames = rows.filter(Self.isFrame)
        for kind in SensorTruth.Kind.allCases {
            numbers[kind] = Self.entry(of: kind, in: frames) { 0x30...0x39 ~= $0 || $0 == 0x2E }
            words[kind] = Self.entry(of: kind, in: frames) { 0x41...0x5A ~= $0 }
        }
        (self.numbers, self.words) = (numbers, words)
        alarms = ShownAlarms(rows)
        isStale = rows.contains { $0.holds("STALE") }
    }

    /// Whether a text stands on the screen.
    func holds(_ text: String) -> Bool { rows.contains { $0.holds(text) } }

    /// Whether a row is the frame of a panel; alarms and lists name the same vitals with other numbers.
    static func isFrame(_ row: [UInt8]) -> Bool { frames.contains(where: row.starts(with:)) }

    private static let frames = ["─", "╭"].map { Array($0.utf8) }

    /// What stands beside the title of a vital's panel, where all its octets are such; `nil` where there is something else.
    private static func entry(
        of kind: SensorTruth.Kind, in frames: [[UInt8]], _ isMeant: (UInt8) -> Bool
    ) -> String? {
        for title in kind.titles {
            for row in frames {
                guard let end = row.place(of: "\(title) ") else { continue }
                // The bands of NEWS2 stand beside the same names, and are no values.
                if let band = row.place(of: "NEWS2 "), band < end { continue }
                let entry = row[end...].prefix { $0 != 0x20 }
                if !entry.isEmpty, entry.allSatisfy(isMeant),
                    !kind.titles.contains(where: { entry.elementsEqual($0.utf8) })
                {
                    return String(decoding: entry, as: UTF8.self)
                }
            }
        }
        return nil
    }
}

extension [UInt8] {
    /// Whether a text is in it.
    func holds(_ text: String) -> Bool { place(of: text) != nil }

    /// The place behind the first occurrence of a text.
    func place(of text: String) -> Int? {
        var text = text
        return withUnsafeBytes { octets in
            text.withUTF8 { wanted -> Int? in
                guard let base = octets.baseAddress, let first = wanted.baseAddress else { return nil }
                var start = 0
                while start + wanted.count <= octets.count,
                    let found = memchr(base + start, Int32(first.pointee), octets.count - wanted.count - start + 1)
                {
                    if memcmp(found, first, wanted.count) == 0 { return UnsafeRawPointer(found) - base + wanted.count }
                    start = UnsafeRawPointer(found) - base + 1
                }
                return nil
            }
        }
    }
}
