import Appearance
import Base
import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("Sensor list")
struct SensorListViewTests {
    private func crowded() -> Ward {
        var ward = Ward.empty()
        for number in 10..<40 {
            ward.find(
                SensorIdentity(address: "00:00:00:00:00:\(number)", name: "Strap \(number)", kind: .heartRateStrap),
                signal: -number)
        }
        return ward
    }

    @Test("the selected row is always visible, and the cursor rests on it")
    func selectionIsVisible() throws {
        var ward = crowded()
        for number in 10..<40 {
            ward.screen.list.selection = "00:00:00:00:00:\(number)"
            let grid = ward.drawn(80, 24)
            let cursor = try #require(grid.cursor)
            #expect(grid.text(row: cursor.row).contains("▶ ○ Strap \(number)"))
        }
    }

    @Test("a list that does not fit says which part is shown")
    func partIsNamed() {
        var ward = crowded()
        ward.screen.list.selection = "00:00:00:00:00:39"
        let grid = ward.drawn(80, 24)
        let text = (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("SENSORS 14–30 of 30"))
    }

    @Test("sensors of the same name are distinguished by their addresses")
    func sameNames() {
        var ward = Ward.empty()
        for number in 1...2 {
            ward.find(
                SensorIdentity(address: "AA:BB:CC:DD:EE:0\(number)", name: "HRM", kind: .heartRateStrap), signal: -50)
        }
        let grid = ward.drawn(80, 24)
        let text = (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("HRM EE:01"))
        #expect(text.contains("HRM EE:02"))
    }

    @Test("a row shows battery, signal and age")
    func numbers() throws {
        let ward = Ward.live(seconds: 3)
        let grid = ward.drawn(80, 24)
        let row = try #require((0..<24).map { grid.text(row: $0) }.first { $0.contains("CORE 1A2B  ") })
        #expect(row.contains("−58 dBm  87 %    now"))
    }

    @Test("a row whose link is lost shows no signal, until the sensor is heard again", arguments: [60, 80, 200])
    func lostLink(columns: Int) throws {
        var ward = Ward.live(seconds: 3)
        func row(_ ward: Ward) throws -> String {
            let grid = ward.drawn(columns, 60)
            return try #require((0..<60).map { grid.text(row: $0) }.last { $0.contains(" Polar") })
        }
        let bars = GlyphSet.braille.signalBars(4).first.map(String.init) ?? ""
        #expect(try row(ward).contains(bars))
        ward.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
        ward.pass(1)
        #expect(try !row(ward).contains(bars) && !row(ward).contains("dBm"))
        ward.find(Ward.strap, signal: -50)
        #expect(try row(ward).contains(bars))
    }

    @Test("a name is never shorter in a wider window")
    func names() throws {
        let ward = Ward.live(seconds: 3)
        var longest = 0
        for columns in 45...250 {
            let grid = ward.drawn(columns, 60)
            let row = try #require((0..<60).map { grid.text(row: $0) }.last { $0.contains(" Polar") })
            let whole = "Polar H10 4A2C1234"
            let name = (0...whole.count).last { row.contains(String(whole.prefix($0))) } ?? 0
            #expect(name >= longest, "\(columns): \(row)")
            longest = name
        }
        #expect(longest == 18)
    }
}
