import Testing

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
        #expect(ScreenLayout(columns: columns, rows: rows, alarmCount: 0).sizeClass == expected)
    }

    @Test(
        "the parts cover the screen from top to bottom without a gap or an overlap", arguments: [0, 1, 9],
        [false, true])
    func covers(alarmCount: Int, hasNotices: Bool) {
        for columns in [30, 36, 45, 60, 80, 100, 400] {
            for rows in 6...120 {
                let layout = ScreenLayout(columns: columns, rows: rows, alarmCount: alarmCount, hasNotices: hasNotices)
                var next = 0
                for part in [layout.header, layout.alarms, layout.notices] + layout.vitals + [
                    layout.sensors, layout.keyBar,
                ] {
                    #expect(part.row == next)
                    #expect(part.columns == columns)
                    next += part.rows
                }
                #expect(next == rows)
                #expect(layout.vitals.count == 3)
                #expect(layout.vitals.allSatisfy { $0.rows >= 1 && $0.rows == layout.vitals[0].rows })
            }
        }
    }

    @Test(
        "at every size from 1 × 1 to 400 × 120 nothing overlaps, nothing leaves the screen, and the alarms keep a row",
        arguments: [0, 1, 3, 40], [false, true])
    func everySize(alarmCount: Int, hasNotices: Bool) {
        for columns in 1...400 {
            for rows in 1...120 {
                let layout = ScreenLayout(columns: columns, rows: rows, alarmCount: alarmCount, hasNotices: hasNotices)
                guard let fault = fault(in: layout, columns, rows) else { continue }
                Issue.record("\(fault) at \(columns) × \(rows)")
                return
            }
        }
    }

    @Test("an alarm, or a notice, changes neither how the vitals are drawn nor how big, and leaves sensors in the list")
    func numbersStay() {
        for columns in [20, 30, 36, 45, 60, 80, 100, 200, 400] {
            for rows in 4...120 {
                let calm = ScreenLayout(columns: columns, rows: rows, alarmCount: 0)
                for alarmCount in [1, 2, 3, 5, 9] {
                    for hasNotices in [false, true] {
                        let layout = ScreenLayout(
                            columns: columns, rows: rows, alarmCount: alarmCount, hasNotices: hasNotices)
                        #expect(layout.form == calm.form, "\(columns) × \(rows)")
                        #expect(layout.vitals.map(\.rows) == calm.vitals.map(\.rows), "\(columns) × \(rows)")
                        if layout.sizeClass == .compact || layout.sizeClass == .full {
                            // The rule with its title counts as one.
                            #expect(layout.sensors.rows >= (rows >= 20 ? 4 : 3), "\(columns) × \(rows)")
                        }
                    }
                }
            }
        }
    }

    /// What is wrong with a division; the parts lie below each other, so it is enough to follow the rows.
    private func fault(in layout: ScreenLayout, _ columns: Int, _ rows: Int) -> String? {
        let screen = Area(column: 0, row: 0, columns: columns, rows: rows)
        var next = 0
        for part in [layout.header, layout.alarms, layout.notices] + layout.vitals + [layout.sensors, layout.keyBar] {
            if part.isEmpty { continue }
            guard screen.contains(part) else { return "a part leaves the screen" }
            guard part.row >= next else { return "parts overlap" }
            next = part.row + part.rows
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
