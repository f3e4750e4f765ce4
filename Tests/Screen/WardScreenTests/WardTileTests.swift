import Appearance
import Monitoring
import TestSupport
import TextGrid
import Testing
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

@Suite("A tile of a ward")
struct WardTileTests {
    private static let values: [Vital: Int] = [.heartRate: 18_800, .oxygenSaturation: 10_000, .bodyTemperature: 4040]
    private static let roles: [Style.Role] = [.heartRate, .oxygenSaturation, .temperature, .alarmHigh]

    private static func ward(
        beds count: Int, _ alarms: [WardAlarm] = [], isSimulated: Bool = false
    ) -> CraftedWard {
        var crafted = CraftedWard()
        for number in 1...count {
            for _ in 0..<2 { crafted.bed("\(number)", values, alarms: alarms, isSimulated: isSimulated) }
        }
        return crafted
    }

    @Test(
        "has two empty cells at least between two numbers, in every size, story, unit and set of characters", .computing
    )
    func gaps() {
        let alarms = [Vital.heartRate, .oxygenSaturation, .bodyTemperature].map { vital in
            [CraftedWard.alarm(1, .severeHigh, vital, .high, text: "\(vital.shortText) above")]
        }
        var pairs = 0
        for (story, alarms) in ([[]] + alarms).enumerated() {
            for beds in [1, 4, 12, 40] {
                let crafted = Self.ward(beds: beds, alarms)
                for columns in stride(from: 26 + story % 3, through: 200, by: 5) {
                    for rows in [8, 12, 24, 40, 60] {
                        var screen = WardScreenState()
                        screen.glyphs = rows % 24 == 0 ? .ascii : columns % 2 == 0 ? .braille : .blocks
                        screen.isMotionReduced = true
                        if columns % 3 == 0 { screen.units.temperature = .fahrenheit }
                        let grid = drawWard(crafted.ward, screen, size: (columns, rows), now: crafted.moment)
                        pairs += expectGaps(grid, "\(beds) beds, \(columns) × \(rows)")
                    }
                }
            }
        }
        #expect(pairs > 10_000)
    }

    /// Whether a cell has a part of a number; a whole cell of a large digit is an empty one that is reversed.
    private static func isInk(_ cell: Cell) -> Bool {
        cell.style.attributes.contains(.bold) && (cell.scalar != " " || cell.style.attributes.contains(.reverse))
    }

    /// Expects two cells between numbers of two roles; answers how many pairs there are.
    private func expectGaps(_ grid: Grid, _ what: String) -> Int {
        var pairs = 0
        for row in 2..<max(2, grid.rows - 2) {
            var last: (column: Int, role: Style.Role)?
            for column in 0..<grid.columns {
                let cell = grid[column, row]
                guard Self.roles.contains(cell.style.role), Self.isInk(cell) else { continue }
                if let last, last.role != cell.style.role {
                    pairs += 1
                    #expect(column - last.column > 2, "\(what): \(grid.text(row: row))")
                }
                last = (column, cell.style.role)
            }
        }
        return pairs
    }

    @Test("shows a number in its alarm's colour, and in its own once there is no alarm of it")
    func color() {
        func roles(_ alarms: [WardAlarm]) -> Set<Style.Role> {
            let crafted = Self.ward(beds: 1, alarms)
            var screen = WardScreenState()
            screen.isMotionReduced = true
            let grid = drawWard(crafted.ward, screen, size: (80, 24), now: crafted.moment)
            var roles: Set<Style.Role> = []
            for row in 5..<16 {
                for column in 0..<grid.columns where Self.isInk(grid[column, row]) {
                    roles.insert(grid[column, row].style.role)
                }
            }
            // The frame of a selected bed is plain.
            return roles.subtracting([.plain])
        }
        let high = CraftedWard.alarm(1, .severeHigh, .heartRate, .high)
        #expect(roles([]) == [.heartRate, .oxygenSaturation, .temperature])
        #expect(roles([high]) == [.alarmHigh, .oxygenSaturation, .temperature])
        let answered = CraftedWard.alarm(1, .low, .oxygenSaturation, .medium, isAcknowledged: true)
        #expect(roles([answered]) == [.heartRate, .alarmMedium, .temperature])
        var (suspended, ended) = (high, high)
        suspended.state = .suspended
        (ended.state, ended.isLatched) = (.ended, true)
        #expect(roles([suspended]) == roles([]) && roles([ended]) == roles([]))
        #expect(roles([CraftedWard.alarm(1, .silent, .heartRate, .low)]) == roles([]))
    }

    @Test("says age and sensor only of a number that is old or in doubt, and a bed's own page always")
    func words() throws {
        var crafted = Self.ward(beds: 4)
        func text(_ page: WardScreenState.Page = .beds) -> String {
            var screen = WardScreenState()
            screen.page = page
            return crafted.grid(120, 40, .ascii, screen).joined(separator: "\n")
        }
        #expect(!text().contains("now") && !text().contains("Sensor"))
        #expect(text(.bed(CraftedWard.bed("1"))).contains("now") && text(.bed(CraftedWard.bed("1"))).contains("Sensor"))
        crafted.pass(4000)
        #expect(text().contains("4 s old - Sensor"))
        crafted.pass(6000)
        #expect(text().contains("at 13:50") && !text().contains("Sensor"))
    }

    @Test("shows the vital in alarm where there is no room for all")
    func room() {
        for vital in [Vital.heartRate, .oxygenSaturation, .bodyTemperature] {
            let crafted = Self.ward(beds: 12, [CraftedWard.alarm(1, .severeHigh, vital, .high, text: "Alarm")])
            let number = [Vital.heartRate: "188", .oxygenSaturation: "100", .bodyTemperature: "40.4"][vital] ?? ""
            let picture = crafted.grid(80, 24, .ascii)
            let rows = picture.filter { row in row.split(separator: " ").count { $0 == number } == 3 }
            #expect(rows.count == 4, "\(picture)")
        }
    }

    @Test("is not marked where all beds are simulated: the header says it once; with a real bed each is")
    func simulated() {
        var crafted = Self.ward(beds: 4, isSimulated: true)
        func count(_ columns: Int, _ rows: Int, _ page: WardScreenState.Page = .beds) -> Int {
            var screen = WardScreenState()
            screen.page = page
            return crafted.grid(columns, rows, .ascii, screen).joined().matches(of: /SIM/).count
        }
        for (columns, rows) in [(80, 24), (120, 40), (200, 60), (40, 12), (60, 3)] {
            #expect(count(columns, rows) == 1, "\(columns) × \(rows)")
            #expect(count(columns, rows, .bed(CraftedWard.bed("1"))) == 1)
        }
        #expect(crafted.grid(80, 24)[0].hasPrefix(" SIMULATED  WARD north"))
        #expect(count(39, 12) >= 4)
        for _ in 0..<2 { crafted.bed("5", Self.values) }
        #expect(!crafted.grid(80, 24)[0].contains("SIMULATED"))
        #expect(count(80, 24) >= 4)
    }
}

@Suite("The keys below a ward")
struct WardKeyLineTests {
    @Test("begin with the one that acknowledges while an alarm is unanswered, and end at one place on every page")
    func places() {
        let alarm = CraftedWard.alarm(1, .severeLow, .oxygenSaturation, .high)
        var crafted = CraftedWard()
        let bed = crafted.bed("1", alarms: [alarm])
        let pages: [WardScreenState.Page] = [.beds, .bed(bed), .alarms, .log, .help]
        func line(_ columns: Int, _ page: WardScreenState.Page, filter: String = "") -> String {
            var screen = WardScreenState()
            (screen.page, screen.filter) = (page, filter)
            return crafted.grid(columns, 24, .ascii, screen).last ?? ""
        }
        for columns in [60, 80, 100, 120, 200] {
            for page in pages {
                let text = line(columns, page)
                #expect(text.hasPrefix(" a acknowledge "), "\(columns): \(text)")
                let end = page == .beds ? "          ? keys  q quit" : " Esc back  ? keys  q back"
                #expect(text.hasSuffix(end) && text.count == columns - 1, "\(columns): \(text)")
            }
            #expect(line(columns, .beds, filter: "bed").hasSuffix(" Esc back  ? keys  q quit"))
        }
        #expect(line(80, .beds).contains("Enter open  g going  p pause"))
        #expect(line(120, .beds).contains("g I am going"))
        // On a narrow screen what does not fit is left out from the end.
        #expect(line(40, .bed(bed)).hasPrefix(" a acknowledge  Esc back  ? keys"))
        crafted.bed("1", alarms: [CraftedWard.alarm(1, .severeLow, .oxygenSaturation, .high, isAcknowledged: true)])
        for page in pages { #expect(!line(80, page).contains("acknowledge")) }
    }
}
