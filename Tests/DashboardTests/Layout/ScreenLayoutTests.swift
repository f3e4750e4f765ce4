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

    @Test("the parts cover the screen from top to bottom without a gap or an overlap", arguments: [0, 1, 9])
    func covers(alarmCount: Int) {
        for columns in [30, 36, 45, 60, 80, 100, 400] {
            for rows in 6...120 {
                let layout = ScreenLayout(columns: columns, rows: rows, alarmCount: alarmCount)
                var next = 0
                for part in [layout.header, layout.alarms] + layout.vitals + [layout.sensors, layout.keyBar] {
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
}
