import Appearance
import Base
import TestSupport
import Testing
import TextGrid
import Vitals

@testable import Dashboard

@Suite("Large digits")
struct BigDigitsTests {
    private func picture(_ text: String, _ size: BigDigits) -> [String] {
        var grid = Grid(columns: size.columns(of: text), rows: size.rows, isASCII: size.isASCII)
        size.draw(text, .plain, in: grid.area, on: &grid)
        return (0..<grid.rows).map { grid.text(row: $0) }
    }

    @Test("the smallest half-block digits are three rows high")
    func small() {
        #expect(
            picture("36.8", BigDigits(face: .small, isASCII: false)) == [
                "▀▀█ █     █▀█", " ▀█ █▀█   █▀█", "▀▀▀ ▀▀▀ ▀ ▀▀▀",
            ])
    }

    @Test("the smallest ASCII digits are made of lines")
    func lines() {
        #expect(picture("27", BigDigits(face: .lines, isASCII: true)) == [" _   _", " _|   |", "|_    |"])
    }

    @Test(
        "no two digits of a size look alike", arguments: GlyphSet.allCases,
        [(9, 3), (8, 5), (9, 6), (20, 4), (40, 5), (60, 10), (200, 40)])
    func digitsDiffer(glyphs: GlyphSet, room: (columns: Int, rows: Int)) {
        let size = BigDigits.fitting("88", columns: room.columns, rows: room.rows, glyphs: glyphs)
        let pictures = (0...9).map { picture("\($0)", size) }
        #expect(Set(pictures).count == 10)
    }

    @Test("the largest size that fits is taken, and never one that does not", arguments: GlyphSet.allCases)
    func fitting(glyphs: GlyphSet) {
        var former = 0
        for rows in 1...60 {
            let size = BigDigits.fitting("188.8", columns: 300, rows: rows, glyphs: glyphs)
            #expect(size.rows <= rows)
            #expect(size.columns(of: "188.8") <= 300)
            #expect(size.measure >= former)
            former = size.measure
        }
        #expect(former >= 180)
        #expect(BigDigits.fitting("188.8", columns: 4, rows: 60, glyphs: glyphs).face == .text)
    }

    @Test("a digit that does not fit is left out whole")
    func noHalfDigit() {
        var grid = Grid(columns: 6, rows: 3)
        BigDigits(face: .small, isASCII: false).draw("12", .plain, in: grid.area, on: &grid)
        #expect((0..<3).map { grid.text(row: $0) } == ["▄█", " █", "▀▀▀"])
    }

    @Test(
        "what a width allows is used: between 20 and 120 columns hardly a column is wasted",
        arguments: GlyphSet.allCases)
    func usesWidth(glyphs: GlyphSet) {
        for columns in 24...120 {
            let size = BigDigits.fitting("188", columns: columns, rows: 60, glyphs: glyphs)
            #expect(columns - size.columns(of: "188") <= 3 + columns / 20, "\(columns)")
        }
    }

    /// Sizes of digits that a screen up to 60 × 20 may have.
    private static func sizes(_ glyphs: GlyphSet) -> Set<BigDigits> {
        var sizes: Set<BigDigits> = []
        for rows in 1...20 {
            for columns in stride(from: 3, through: 60, by: 3) {
                sizes.insert(.fitting("188", columns: columns, rows: rows, glyphs: glyphs))
            }
        }
        return sizes
    }

    /// A cell's ink as a terminal shows it: the character, and a line beneath where the terminal draws one.
    private struct Ink: Hashable {
        var scalar: Unicode.Scalar
        var isUnderlined: Bool
    }

    private func ink(_ text: String, _ size: BigDigits, _ style: Style, _ depth: ColorDepth) -> [[Ink]] {
        var grid = Grid(columns: size.columns(of: text), rows: size.rows, isASCII: size.isASCII)
        size.draw(text, style, in: grid.area, on: &grid)
        var looks: [Style: Theme.Look] = [:]
        return (0..<grid.rows).map { row in
            (0..<grid.columns).map { column in
                let cell = grid[column, row]
                // An unlit cell belongs to the ground, which has no attributes of its own.
                let look = looks[cell.style] ?? Theme.dark.look(of: cell.style, at: depth)
                looks[cell.style] = look
                return Ink(
                    scalar: cell.scalar,
                    isUnderlined: look.attributes.contains(.underline) && cell.scalar != "_")
            }
        }
    }

    /// The face, or nothing for all that are made of segments, which differ in size only.
    private static func family(_ face: BigDigits.Face) -> BigDigits.Face? {
        if case .segments = face { nil } else { face }
    }

    @Test(
        "in every size and style, a number is read from its cells as the terminal shows them", .computing,
        arguments: GlyphSet.allCases)
    func readBack(glyphs: GlyphSet) {
        let sizes = Self.sizes(glyphs).filter { $0.face != .text }
        #expect(sizes.count > 10)
        let digits = "0123456789"
        let attributes: [Style.Attributes] = [[], .bold, [.bold, .reverse], [.dim, .underline], .all]
        let styles = Style.Role.allCases.flatMap { role in attributes.map { Style(role, $0) } }
        var faces: Set<BigDigits.Face?> = []
        for (number, size) in sizes.sorted(by: { $0.measure < $1.measure }).enumerated() {
            // As they are meant to look; that no two look alike is tested above.
            let meant = ink(digits, size, .plain, .palette)
            // The smallest size of each face has every style, and every larger one another style.
            for style in faces.insert(Self.family(size.face)).inserted ? styles : [styles[number * 7 % styles.count]] {
                for depth in [ColorDepth.none, .basic] {
                    guard ink(digits, size, style, depth) != meant else { continue }
                    Issue.record("\(size) cannot be read in \(style) at \(depth)")
                    return
                }
            }
        }
    }

    /// The quarters of each cell that have ink; in ASCII all four or none.
    private func quarters(_ text: String, _ size: BigDigits) -> [[Int]] {
        let blocks = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars)
        return ink(text, size, .plain, .palette).map { row in
            row.map { blocks.firstIndex(of: $0.scalar) ?? 15 }
        }
    }

    /// Whether there is ink at a place, in columns and half rows.
    private func isInked(_ quarters: [[Int]], _ column: Int, _ half: Int) -> Bool {
        quarters[half / 2][column] & (half % 2 == 0 ? 0b0011 : 0b1100) != 0
    }

    @Test(
        "from five rows on, upright and lying strokes are at least a sixth of the height, with holes between them",
        arguments: GlyphSet.allCases)
    func strokes(glyphs: GlyphSet) {
        let sizes = Self.sizes(glyphs).union(
            (5...60).map { .fitting("188", columns: 200, rows: $0, glyphs: glyphs) })
        var seen = 0
        for size in sizes where size.rows >= 5 && size.face != .text {
            let eight = quarters("8", size)
            let (columns, halves) = (eight[0].count, size.rows * 2)
            // Through the middle from above: a stroke, a hole, a stroke, a hole, a stroke; and across the upper half.
            let lying = runs((0..<halves).map { isInked(eight, columns / 2, $0) })
            let upright = runs((0..<columns).map { isInked(eight, $0, halves * 3 / 10) })
            #expect(lying.count == 5 && upright.count == 3, "\(size): \(lying), \(upright)")
            // A column is as wide as half a row is high.
            for stroke in [upright.first, upright.last] {
                #expect((stroke ?? 0) * 6 >= halves, "\(size): \(upright)")
            }
            for stroke in [lying.first, lying.last] {
                // Seven whole rows have no room for two strokes more and their holes.
                let isEnough = size.isASCII ? (stroke ?? 0) / 2 >= size.rows / 6 : (stroke ?? 0) * 6 >= halves
                #expect(isEnough, "\(size): \(lying)")
            }
            seen += 1
        }
        #expect(seen > 10)
    }

    /// The lengths of equal stretches.
    private func runs(_ bits: [Bool]) -> [Int] {
        bits.indices.reduce(into: [Int]()) { lengths, index in
            if index > 0, bits[index] == bits[index - 1] { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
        }
    }

    @Test("no two digits differ in one dot only, nor does the S of a word from 5 and 6", arguments: GlyphSet.allCases)
    func distances(glyphs: GlyphSet) {
        for size in Self.sizes(glyphs) where size.face != .text && size.face != .lines {
            let isBitmap = Self.family(size.face) != nil
            let characters = Array("0123456789" + ((size.face == .small || size.face == .narrowSmall) ? "S" : ""))
            let shapes = characters.map { quarters(String($0), size).flatMap(\.self) }
            // A dot is a quarter of a cell where four fit in, else half of one.
            let isNarrow = size.face == .narrowSmall || size.face == .narrowMedium
            let dot = size.isASCII ? 4 : isNarrow ? 1 : 2
            for one in characters.indices {
                for other in characters.indices.dropFirst(one + 1) {
                    let bits = zip(shapes[one], shapes[other]).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
                    #expect(bits >= 2 * dot, "\(characters[one]) and \(characters[other]) of \(size), \(isBitmap)")
                }
            }
        }
    }

    @Test(
        "where two rows more than the least are free, no digit is of the smallest shapes", arguments: GlyphSet.allCases)
    func leastShapes(glyphs: GlyphSet) {
        for rows in 5...20 {
            // Without quarters of a cell the next shapes are wider.
            for columns in (glyphs == .blocks ? 25 : 23)...60 {
                let face = BigDigits.fitting("188.8", columns: columns, rows: rows, glyphs: glyphs).face
                #expect(face != .small && face != .narrowSmall && face != .text, "\(columns) × \(rows)")
            }
        }
    }

    @Test("121 does not look like 12 1: the digits stand equally far apart", arguments: GlyphSet.allCases)
    func evenlySpaced(glyphs: GlyphSet) {
        for size in Self.sizes(glyphs) where size.face != .text {
            let picture = ink("121", size, .plain, .palette)
            let blank = (0..<picture[0].count).map { column in picture.allSatisfy { $0[column].scalar == " " } }
            let inner = blank.drop { $0 }.reversed().drop { $0 }.reversed()
            let gaps = inner.split(separator: false).map(\.count)
            #expect((gaps.max() ?? 0) - (gaps.min() ?? 0) <= 1, "\(size): \(gaps)")
            #expect(gaps.allSatisfy { $0 <= size.columns(of: "8") }, "\(size): \(gaps)")
        }
    }

    @Test(
        "every letter of the words that replace a number has a shape of its own in every size",
        arguments: GlyphSet.allCases)
    func letters(glyphs: GlyphSet) {
        let words = Set(AbsenceReason.allCases.map(\.word))
        let letters = Set(words.joined())
        for size in Self.sizes(glyphs) where size.face != .text {
            for word in words {
                let shown = size.size(forWord: word, columns: 80)
                #expect(shown.face != .text && shown.rows == size.rows, "\(word) at \(size)")
            }
            let one = size.size(forWord: "L", columns: 80)
            let shapes = letters.map { ink(String($0), one, .plain, .palette) }
            #expect(Set(shapes).count == letters.count, "\(one)")
            #expect(shapes.allSatisfy { $0.contains { $0.contains { $0.scalar != " " } } })
        }
    }
}
