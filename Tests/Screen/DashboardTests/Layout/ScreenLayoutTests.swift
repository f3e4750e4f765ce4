import Appearance
import Base
import TestSupport
import Testing
import TextGrid

@testable import Dashboard

@Suite("Layout")
struct ScreenLayoutTests {
    @Test(
        "the size classes begin where they should",
        arguments: [
            (100, 30, ScreenLayout.SizeClass.full), (99, 30, .compact), (100, 29, .compact), (60, 16, .compact),
            (59, 16, .strip), (60, 15, .strip), (30, 6, .strip), (29, 6, .minimal), (30, 5, .minimal), (1, 1, .minimal),
        ])
    func classes(columns: Int, rows: Int, expected: ScreenLayout.SizeClass) {
        #expect(ScreenLayout(columns: columns, rows: rows).sizeClass == expected)
    }

    /// What may be measured, and of how many sensors: all, some, none.
    private static let contents: [ScreenLayout.Content] = [
        ScreenLayout.Content(), ScreenLayout.Content(widest: ["188", nil, nil], sensorCount: 2),
        ScreenLayout.Content(widest: [nil, "188", "188.8"], sensorCount: 9),
        ScreenLayout.Content(widest: [nil, nil, nil], sensorCount: 40),
        ScreenLayout.Content(widest: ["188", "188", "188.8"], sensorCount: 3),
        ScreenLayout.Content(widest: [nil, nil, "38.8"], sensorCount: 3, hasWantedSensor: false),
    ]

    private func content(
        _ content: ScreenLayout.Content, alarmCount: Int, hasNotices: Bool = false
    ) -> ScreenLayout.Content {
        var content = content
        (content.alarmCount, content.hasNotices) = (alarmCount, hasNotices)
        return content
    }

    @Test(
        "the parts cover the screen from top to bottom without a gap or an overlap", arguments: [0, 1, 9],
        contents)
    func covers(alarmCount: Int, content: ScreenLayout.Content) {
        for columns in [30, 36, 45, 60, 80, 100, 400] {
            for rows in 6...120 {
                let layout = ScreenLayout(
                    columns: columns, rows: rows,
                    content: self.content(content, alarmCount: alarmCount, hasNotices: rows.isMultiple(of: 2)))
                var covered = Array(repeating: 0, count: rows)
                for part in [layout.header, layout.alarms, layout.notices, layout.sensors, layout.keyBar]
                    + layout.vitals
                {
                    for row in part.row..<part.row + part.rows { covered[row] += part.columns }
                }
                // Side by side a column or two may be left over.
                #expect(covered.allSatisfy { columns - $0 < 3 && $0 <= columns }, "\(columns) × \(rows)")
                #expect(layout.vitals.count == 3)
                for (area, widest) in zip(layout.vitals, content.widest) {
                    #expect(widest == nil ? area.rows == 1 : area.rows >= 1, "\(columns) × \(rows)")
                }
            }
        }
    }

    @Test(
        "at every size from 1 × 1 to 400 × 120 nothing overlaps, nothing leaves the screen, and the alarms keep a row",
        .computing,
        arguments: [0, 1, 3, 40], contents)
    func everySize(alarmCount: Int, content: ScreenLayout.Content) {
        for columns in RandomCases.share(4, of: Array(1...60) + Array(stride(from: 61, through: 400, by: 3))) {
            for rows in 1...120 {
                let layout = ScreenLayout(
                    columns: columns, rows: rows,
                    content: self.content(
                        content, alarmCount: alarmCount, hasNotices: (columns + rows).isMultiple(of: 2)),
                    glyphs: GlyphSet.allCases[(columns + rows) % 3])
                guard let fault = fault(in: layout, columns, rows) else { continue }
                Issue.record("\(fault) at \(columns) × \(rows)")
                return
            }
        }
    }

    @Test(
        "an alarm, or a notice, changes neither how the vitals are drawn nor how big, and leaves sensors and log",
        arguments: contents)
    func numbersStay(content: ScreenLayout.Content) {
        for columns in [20, 30, 36, 45, 60, 80, 100, 200, 400] {
            for rows in 4...120 {
                let calm = ScreenLayout(columns: columns, rows: rows, content: content)
                for alarmCount in [1, 2, 3, 5, 9] {
                    for hasNotices in [false, true] {
                        let layout = ScreenLayout(
                            columns: columns, rows: rows,
                            content: self.content(content, alarmCount: alarmCount, hasNotices: hasNotices))
                        #expect(layout.forms == calm.forms, "\(columns) × \(rows)")
                        #expect(layout.digits == calm.digits, "\(columns) × \(rows)")
                        #expect(layout.hasLog == calm.hasLog, "\(columns) × \(rows)")
                        #expect(layout.vitals.map(\.rows) == calm.vitals.map(\.rows), "\(columns) × \(rows)")
                        if layout.hasLog, !layout.hasChips {
                            #expect(layout.sensors.rows >= 1 + RecentLogView.leastRows)
                        }
                        if layout.hasChips {
                            #expect(
                                layout.sensors.rows >= 1 || layout.sizeClass == .strip || layout.sizeClass == .minimal)
                        } else if layout.sizeClass == .compact || layout.sizeClass == .full, !layout.isSideBySide {
                            // The rule with its title counts as one.
                            #expect(layout.sensors.rows >= (rows >= 20 ? 4 : 3), "\(columns) × \(rows)")
                        }
                        if layout.isSideBySide { #expect(layout.sensors.rows >= 2, "\(columns) × \(rows)") }
                    }
                }
            }
        }
    }

    @Test(
        "digits are large on narrow and tall screens, on wide and low ones, and on small ones",
        arguments: GlyphSet.allCases)
    func largeDigits(glyphs: GlyphSet) {
        for (columns, rows) in [(34, 50), (200, 10), (80, 12), (80, 24), (45, 20), (120, 40)] {
            let layout = ScreenLayout(columns: columns, rows: rows, glyphs: glyphs)
            #expect(layout.digits.rows >= 3, "\(columns) × \(rows)")
        }
        #expect(ScreenLayout(columns: 200, rows: 10).isSideBySide)
        #expect(ScreenLayout(columns: 34, rows: 50).hasDigitsAbove)
    }

    @Test("strips are aligned, and the parts of a field lie in it, side by side", arguments: contents)
    func fields(content: ScreenLayout.Content) {
        for columns in [30, 36, 45, 60, 80, 99, 100, 120, 160, 200, 400] {
            for rows in 6...80 {
                let layout = ScreenLayout(
                    columns: columns, rows: rows, content: content, glyphs: GlyphSet.allCases[rows % 3])
                let titled = layout.vitals.indices.filter { layout.forms[$0] == .titled }
                let places = titled.compactMap { layout.places(ofVital: $0, .celsius) }
                if !layout.isSideBySide {
                    #expect(Set(places.map { [$0.graph.column, $0.graph.columns] }).count <= 1, "\(columns) × \(rows)")
                    #expect(Set(places.map { [$0.digits.column, $0.digits.columns] }).count <= 1)
                }
                guard !layout.hasDigitsAbove else { continue }
                for place in places {
                    let parts = [place.digits, place.limits, place.facts]
                    #expect(parts.allSatisfy { place.field.contains($0) }, "\(columns) × \(rows)")
                    for (index, part) in parts.enumerated() {
                        #expect(!parts.dropFirst(index + 1).contains(where: part.overlaps), "\(columns) × \(rows)")
                    }
                    #expect(place.digits.columns >= layout.field.digitColumns)
                    #expect(place.digits.rows >= layout.digits.rows)
                    #expect(!place.field.overlaps(place.content) && place.content.contains(place.graph))
                    #expect(!place.title.overlaps(place.fieldTitle))
                }
                if !titled.isEmpty, !layout.isSideBySide {
                    #expect(layout.field.columns >= (columns >= 100 ? 36 : columns >= 60 ? 28 : 0))
                    // The strip keeps at least half of the columns.
                    #expect(layout.field.columns <= columns / 2)
                }
            }
        }
    }

    @Test("rows that are left over are the strips', and none is more than one row higher than another")
    func leftOver() {
        for rows in 24...80 {
            for columns in [80, 100, 120, 200] {
                let layout = ScreenLayout(columns: columns, rows: rows)
                guard !layout.isSideBySide, !layout.hasDigitsAbove else { continue }
                let heights = layout.vitals.map(\.rows)
                #expect(heights == heights.sorted(by: >) && heights[0] - heights[2] <= 1, "\(columns) × \(rows)")
                // Besides title and chips there are the rows of the alarms and notices that are not there.
                #expect(layout.sensors.rows <= (rows >= 45 ? 7 : rows >= 30 ? 5 : 4), "\(columns) × \(rows)")
            }
        }
    }

    /// The rows and columns of a digit when the list of sensors was always below the vitals, by the order of the glyph sets.
    private static let formerDigits: [(columns: Int, rows: Int, isFahrenheit: Bool, digits: [(Int, Int)])] = [
        (34, 50, false, [(4, 5), (4, 5), (3, 3)]),
        (40, 20, false, [(3, 3), (3, 3), (3, 3)]),
        (45, 20, false, [(3, 3), (3, 3), (3, 3)]),
        (60, 16, false, [(3, 3), (3, 3), (3, 3)]),
        (60, 24, false, [(4, 5), (4, 5), (3, 3)]),
        (70, 40, false, [(4, 5), (4, 5), (5, 8)]),
        (80, 24, false, [(4, 5), (4, 5), (3, 3)]),
        (80, 30, false, [(4, 5), (4, 5), (5, 8)]),
        (80, 50, false, [(8, 12), (8, 12), (8, 12)]),
        (90, 40, false, [(6, 6), (6, 6), (6, 6)]),
        (100, 24, false, [(4, 5), (4, 5), (3, 3)]),
        (100, 30, false, [(5, 7), (5, 7), (5, 7)]),
        (100, 40, false, [(6, 7), (6, 7), (6, 7)]),
        (120, 24, false, [(4, 5), (4, 5), (6, 6)]),
        (120, 30, false, [(5, 7), (5, 7), (5, 8)]),
        (120, 40, false, [(8, 9), (8, 9), (8, 9)]),
        (132, 24, false, [(4, 5), (4, 5), (6, 7)]),
        (132, 43, false, [(9, 10), (9, 10), (9, 10)]),
        (160, 30, false, [(9, 9), (9, 9), (9, 9)]),
        (160, 50, false, [(10, 13), (10, 13), (10, 13)]),
        (200, 10, false, [(3, 3), (3, 3), (3, 3)]),
        (200, 40, false, [(8, 12), (8, 12), (8, 12)]),
        (200, 60, false, [(13, 15), (13, 15), (13, 15)]),
        (238, 67, false, [(15, 19), (15, 19), (15, 19)]),
        (34, 50, true, [(4, 5), (4, 5), (3, 3)]),
        (40, 20, true, [(3, 3), (3, 3), (3, 3)]),
        (45, 20, true, [(3, 3), (3, 3), (3, 3)]),
        (60, 16, true, [(3, 3), (3, 3), (3, 3)]),
        (60, 24, true, [(4, 5), (4, 5), (3, 3)]),
        (70, 40, true, [(4, 5), (4, 5), (5, 8)]),
        (80, 24, true, [(4, 5), (4, 5), (3, 3)]),
        (80, 30, true, [(4, 5), (4, 5), (5, 8)]),
        (80, 50, true, [(8, 12), (8, 12), (8, 12)]),
        (90, 40, true, [(6, 6), (6, 6), (6, 6)]),
        (100, 24, true, [(4, 5), (4, 5), (3, 3)]),
        (100, 30, true, [(5, 7), (5, 7), (5, 7)]),
        (100, 40, true, [(6, 7), (6, 7), (6, 7)]),
        (120, 24, true, [(4, 5), (4, 5), (6, 6)]),
        (120, 30, true, [(5, 7), (5, 7), (5, 8)]),
        (120, 40, true, [(8, 9), (8, 9), (8, 9)]),
        (132, 24, true, [(4, 5), (4, 5), (6, 7)]),
        (132, 43, true, [(9, 10), (9, 10), (9, 10)]),
        (160, 30, true, [(9, 9), (9, 9), (9, 9)]),
        (160, 50, true, [(10, 13), (10, 13), (10, 13)]),
        (200, 10, true, [(3, 3), (3, 3), (3, 3)]),
        (200, 40, true, [(8, 12), (8, 12), (8, 12)]),
        (200, 60, true, [(13, 15), (13, 15), (13, 15)]),
        (238, 67, true, [(15, 19), (15, 19), (15, 19)]),
    ]

    @Test("no number is smaller than when the list of sensors was always below the vitals")
    func noSmaller() {
        for former in Self.formerDigits {
            for (place, glyphs) in GlyphSet.allCases.enumerated() {
                let (rows, columns) = former.digits[place]
                guard rows > 0 else { continue }
                let layout = ScreenLayout(
                    columns: former.columns, rows: former.rows,
                    content: ScreenLayout.Content(widest: ["188", "188", former.isFahrenheit ? "188.8" : "38.8"]),
                    glyphs: glyphs)
                let digits = (rows: layout.digits.rows, columns: layout.digits.columns(of: "0"))
                // The limiting dimension of a digit; a digit of the same height may be a column narrower.
                let measure = min(rows * 6, columns * 5)
                #expect(
                    layout.digits.measure >= measure || digits.rows >= rows && digits.columns >= columns - 1,
                    "\(former.columns) × \(former.rows) \(glyphs): \(digits), formerly \((rows, columns))")
            }
        }
    }

    @Test(
        "what is measured gets the room of what is not, and the list the rows that it needs",
        arguments: GlyphSet.allCases)
    func room(glyphs: GlyphSet) {
        for (columns, rows) in [(80, 24), (100, 30), (120, 40), (200, 60)] {
            let all = ScreenLayout(columns: columns, rows: rows, glyphs: glyphs)
            let one = ScreenLayout(
                columns: columns, rows: rows,
                content: ScreenLayout.Content(widest: ["188", nil, nil], sensorCount: 5), glyphs: glyphs)
            #expect(one.digits.measure > all.digits.measure, "\(columns) × \(rows)")
            let none = ScreenLayout(
                columns: columns, rows: rows, content: ScreenLayout.Content(widest: [nil, nil, nil]), glyphs: glyphs)
            #expect(none.vitals.map(\.rows) == [1, 1, 1])
            #expect(none.sensors.rows >= rows - 7)
        }
    }

    /// What is wrong with a division.
    private func fault(in layout: ScreenLayout, _ columns: Int, _ rows: Int) -> String? {
        let screen = Area(column: 0, row: 0, columns: columns, rows: rows)
        let parts = ([layout.header, layout.alarms, layout.notices, layout.sensors, layout.keyBar] + layout.vitals)
            .filter { !$0.isEmpty }
        for (index, part) in parts.enumerated() {
            guard screen.contains(part) else { return "a part leaves the screen" }
            guard !parts.dropFirst(index + 1).contains(where: part.overlaps) else { return "parts overlap" }
        }
        guard screen.contains(layout.body), screen.contains(layout.page) else { return "a page leaves the screen" }
        if layout.sizeClass != .minimal {
            guard layout.alarms.rows >= 1 else { return "no row for alarms" }
            guard !layout.page.overlaps(layout.alarms), !layout.page.overlaps(layout.header) else {
                return "a page covers the alarms"
            }
        } else if rows > 1 {
            // The smallest screens have the alarm in their first or second row.
            guard layout.page.row >= 1 else { return "a page covers the alarms" }
        }
        return nil
    }
}

extension Area {
    /// Whether all of another area lies in this one.
    fileprivate func contains(_ other: Area) -> Bool {
        other.isEmpty
            || other.column >= column && other.row >= row && other.column + other.columns <= column + columns
                && other.row + other.rows <= row + rows
    }

    /// Whether a cell lies in both.
    fileprivate func overlaps(_ other: Area) -> Bool {
        !isEmpty && !other.isEmpty && column < other.column + other.columns && other.column < column + columns
            && row < other.row + other.rows && other.row < row + rows
    }
}
