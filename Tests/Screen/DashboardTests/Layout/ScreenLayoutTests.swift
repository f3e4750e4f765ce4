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
                        if layout.hasLog { #expect(layout.sensors.rows >= 1 + RecentLogView.leastRows) }
                        if layout.sizeClass == .compact || layout.sizeClass == .full, !layout.isSideBySide {
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
            #expect(one.sensors.rows >= 6)
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
