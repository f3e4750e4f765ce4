import Appearance
import Base
import TextGrid

/// The division of the distance view: a pure function of the size and of the possible width of the numbers.
struct DistanceLayout: Hashable {
    /// The areas of one vital.
    struct Place: Hashable {
        /// The name and the unit; with the freshness at the right, if vitals are above each other.
        var title: Area
        /// The digits; empty for a vital without a sensor, which has only a line.
        var body: Area
        /// Everything below the title: filled with the reason of a missing measurement.
        var text: Area
        /// The freshness, if vitals are side by side; otherwise empty.
        var freshness: Area
    }

    /// The mark of simulated data, and whatever silences alarms; empty without them.
    var banner: Area
    /// Filled with the worst alarm's colour above its line, on high screens.
    var aboveAlarms: Area
    /// The worst alarm's word in large letters; empty without one.
    var word: Area
    var alarms: Area
    /// Filled with the worst alarm's colour below the lines, on high screens.
    var belowAlarms: Area
    /// The places of the vitals; each is a line of text if ``digits`` is text.
    var vitals: [Place]
    /// The size of the digits, the same for all.
    var digits: BigDigits
    /// Whether vitals are side by side rather than above each other.
    var isSideBySide = false

    /// Divides a screen.
    ///
    /// - Parameters:
    ///   - alarmCount: The number of alarms.
    ///   - wordRows: The rows of the worst alarm's word in large letters.
    ///   - hasBanner: Whether the banner has a content.
    ///   - widest: For each vital, the widest number that must fit; `nil` without a sensor.
    init(
        columns: Int, rows: Int, alarmCount: Int, wordRows: Int = 0, hasBanner: Bool, widest: [String?],
        glyphs: GlyphSet
    ) {
        var rest = Area(column: 0, row: 0, columns: columns, rows: rows)
        banner = rest.takeTop(hasBanner && rows >= 3 ? 1 : 0)
        let padding = alarmCount == 0 ? 0 : rows >= 90 ? 2 : rows >= 36 ? 1 : 0
        aboveAlarms = rest.takeTop(padding)
        word = rest.takeTop(alarmCount == 0 ? 0 : wordRows)
        // The word of the worst takes the rows of the others, which its line counts.
        let most = rows >= 36 ? 3 : rows >= 24 && word.isEmpty ? 2 : 1
        alarms = rest.takeTop(rows >= 2 || alarmCount > 0 ? min(max(1, alarmCount), most) : 0)
        belowAlarms = rest.takeTop(padding)
        // It grows column by column, so that a wider screen never has less space.
        let margin = min(4, max(0, columns - 40))
        var body = rest.inset(left: (margin + 1) / 2, right: margin / 2)
        // A vital without a sensor has a line at the bottom, unless there are rows only for lines.
        let wishes = widest.compactMap { $0 }
        let lines = body.takeBottom(wishes.isEmpty ? 0 : min(widest.count - wishes.count, body.rows - wishes.count))

        // Above each other: a title above each number. Side by side: the freshness below it, too.
        let each = body.rows / max(1, wishes.count)
        let stacked = BigDigits.fitting(rows: each - 1, glyphs: glyphs) { size in
            wishes.allSatisfy { size.columns(of: $0) <= body.columns }
        }
        let beside = BigDigits.fitting(rows: body.rows - 2, glyphs: glyphs) { size in
            Self.width(of: wishes, size) <= body.columns
        }
        isSideBySide = wishes.count > 1 && beside.measure > stacked.measure && beside.face != .text
        digits = wishes.isEmpty ? BigDigits(face: .text, isASCII: glyphs == .ascii) : isSideBySide ? beside : stacked
        guard digits.face != .text else {
            vitals = Self.placesAboveEachOther(widest.count, digits, in: rest)
            return
        }
        var open =
            isSideBySide
            ? Self.placesSideBySide(wishes, beside, in: body)[...]
            : Self.placesAboveEachOther(wishes.count, stacked, in: body)[...]
        var closed = lines
        vitals = widest.map { widest in
            if widest != nil, let place = open.popFirst() { return place }
            let none = Area(column: 0, row: 0, columns: 0, rows: 0)
            return Place(title: closed.takeTop(1), body: none, text: none, freshness: none)
        }
    }

    /// The columns between two vitals that are side by side.
    private static let gap = 2

    private static func column(of widest: String, _ size: BigDigits) -> Int { max(size.columns(of: widest), 6) }

    private static func width(of wishes: [String], _ size: BigDigits) -> Int {
        wishes.reduce(0) { $0 + column(of: $1, size) } + gap * max(0, wishes.count - 1)
    }

    private static func placesSideBySide(_ wishes: [String], _ size: BigDigits, in body: Area) -> [Place] {
        var rest = body
        // The remaining rows are distributed between and around them.
        let spare = (body.columns - width(of: wishes, size)) / max(1, wishes.count)
        let top = (body.rows - min(body.rows, size.rows + 2)) / 2
        return wishes.map { wish in
            var place = rest.takeLeft(column(of: wish, size) + spare).inset(top: top)
            _ = rest.takeLeft(gap)
            let title = place.takeTop(1)
            let words = place
            let digits = place.takeTop(size.rows)
            return Place(title: title, body: digits, text: words, freshness: place.takeTop(1))
        }
    }

    private static func placesAboveEachOther(_ count: Int, _ size: BigDigits, in body: Area) -> [Place] {
        var rest = body
        let isText = size.face == .text
        return (0..<count).map { index in
            // The first ones get the remainder.
            let left = count - index
            var place = rest.takeTop((rest.rows + left - 1) / left)
            let title = isText ? place.takeTop(1) : place.takeTop(place.rows > size.rows ? 1 : 0)
            let none = Area(column: 0, row: 0, columns: 0, rows: 0)
            return Place(title: title, body: place, text: place, freshness: none)
        }
    }
}
