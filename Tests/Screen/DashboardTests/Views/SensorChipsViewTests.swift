import Appearance
import Base
import Monitoring
import Testing
import TextGrid
import Vitals

@testable import Dashboard

@Suite("The sensors as a row")
struct SensorChipsViewTests {
    private func lines(_ ward: Ward, _ columns: Int = 100, _ rows: Int = 30, _ glyphs: GlyphSet = .braille) -> [String]
    {
        let grid = ward.drawn(columns, rows, glyphs)
        return (0..<rows).map { grid.text(row: $0) }
    }

    /// The rows from the title of the sensors on.
    private func chips(_ lines: [String]) -> [String] {
        Array(lines.drop { !$0.contains("SENSORS ") }.dropFirst().dropLast())
    }

    /// A ward whose division for a size is known, as a key finds it.
    private func seen(_ ward: Ward, _ columns: Int = 100, _ rows: Int = 30) -> Ward {
        var ward = ward
        ward.screen.prepare(for: ward.state, size: (columns, rows), at: ward.now)
        return ward
    }

    @Test("name each connected sensor with battery and signal, and say what else is nearby")
    func row() throws {
        let lines = lines(Ward.live(seconds: 5))
        let row = try #require(chips(lines).first)
        #expect(row.hasPrefix("  ● CORE 1A2B 87 % "))
        #expect(row.contains("   ● Polar H10 4A2C1234 64 % "))
        #expect(row.contains("   ● e-Oximeter"))
        #expect(!lines.contains { $0.contains("Thermometer X") })
        #expect(lines.contains { $0.contains("─ SENSORS 3 ─") && $0.hasSuffix(" +1 nearby ─") })
    }

    @Test("say of a sensor that is off or lost what is wrong, instead of its battery")
    func trouble() throws {
        var ward = Ward.live(seconds: 5)
        ward.miss(Ward.strap, .heartRate, .noContact)
        ward.apply(.connection(Ward.oximeter, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 2)))
        let row = try #require(chips(lines(ward)).first)
        #expect(row.contains("! Polar H10 4A2C1234 no contact   "))
        #expect(row.contains("! e-Oximeter reconnecting (2nd try)"))
        #expect(!row.contains("64 %"))
    }

    @Test("count those for which there is no room, and never truncate one", arguments: GlyphSet.allCases)
    func many(glyphs: GlyphSet) {
        var ward = Ward.live(seconds: 5)
        for number in 10..<30 {
            let sensor = SensorIdentity(
                address: "00:00:00:00:00:\(number)", name: "Strap \(number)", kind: .heartRateStrap)
            ward.find(sensor, signal: -50)
            ward.connect(sensor, battery: 50)
        }
        for columns in [30, 45, 60, 80, 100, 120, 200] {
            let rows = chips(lines(ward, columns, 30, glyphs)).prefix(2)
            let text = rows.joined(separator: "\n")
            let shown = text.unicodeScalars.count { "●◐◘*~".unicodeScalars.contains($0) }
            #expect(text.contains("+\(23 - shown)") && shown > 0, "\(columns) columns:\n\(text)")
        }
    }

    @Test("all sensors that measure are there, whatever the list is filtered by")
    func filter() {
        var ward = Ward.live(seconds: 5)
        ward.screen.list.setFilter("nothing has this name")
        let row = chips(lines(ward)).first ?? ""
        #expect(row.contains("CORE 1A2B") && row.contains("Polar H10 4A2C1234") && row.contains("e-Oximeter"))
    }

    @Test("while no sensor is wanted, or none has measured, the list itself is there")
    func list() {
        var ward = Ward.empty()
        ward.find(Ward.strap, signal: -60)
        #expect(lines(ward).contains { $0.contains("▶ ○ Polar H10 4A2C1234") })
        ward.connect(Ward.strap)
        #expect(lines(ward).contains { $0.contains("▶ ◐ Polar H10 4A2C1234") })
        ward.measure(Ward.strap, .heartRate, 7200)
        #expect(!lines(ward).contains { $0.contains("▶") })
        ward.apply(.connection(Ward.strap, ConnectionState(phase: .disconnected, reason: .user)))
        #expect(lines(ward).contains { $0.contains("▶ ○ Polar H10 4A2C1234") })
    }

    @Test("the newest events are below where rows are left, and alarms take these rows, never a strip's")
    func events() {
        let (calm, alarmed) = (seen(Ward.live(seconds: 5), 120, 40), seen(Ward.several(), 120, 40))
        #expect(lines(Ward.high(), 200, 60).contains { $0.contains("─ LATEST ALARMS ─") })
        let layouts = [calm, alarmed].map(\.screen.layout)
        #expect(layouts[0].vitals.map(\.rows) == layouts[1].vitals.map(\.rows))
        #expect(layouts[0].sensors.rows > layouts[1].sensors.rows)
    }

    // MARK: Keys

    @Test("Enter opens the page of all sensors, and another Enter connects the selected one there")
    func enter() {
        var ward = seen(Ward.live(seconds: 5))
        #expect(ward.press(.enter) == nil)
        #expect(ward.screen.pages.current == .sensors)
        let page = lines(ward)
        #expect(page.contains { $0.hasPrefix("╭─ SENSORS 4 ─") })
        #expect(page.contains { $0.contains("HR 7") && $0.contains("SpO₂ 9") })
        #expect(page.contains { $0.contains("▶ ● Polar H10 4A2C1234") && $0.contains("connected") })
        ward.press(.end)
        #expect(ward.press(.enter) == .sensor(.connect(address: Ward.thermometer.address)))
        #expect(ward.screen.pages.current == .sensors)
        ward.press(.escape)
        #expect(ward.screen.pages.current == nil)
    }

    @Test("from the page of one sensor, which Enter opens, the way back is to the list")
    func pages() {
        var ward = seen(Ward.live(seconds: 5))
        ward.press(.enter)
        #expect(ward.press(.enter) == .sensor(.inspect(address: Ward.strap.address)))
        #expect(ward.screen.pages.current == .sensor)
        #expect(ward.press(.escape) == .sensor(.inspect(address: nil)))
        #expect(ward.screen.pages.current == .sensors)
    }

    @Test("d asks at once, on the page where the sensor is seen; arrows select there")
    func listKeys() {
        var ward = seen(Ward.live(seconds: 5))
        ward.press(.character("d"))
        #expect(ward.screen.pages.current == .sensors)
        let text = lines(ward)
        #expect(text.last?.contains("Disconnect Polar H10 4A2C1234?") == true)
        #expect(text.contains { $0.contains("▶ ● Polar H10 4A2C1234") })
        #expect(ward.press(.character("y")) == .sensor(.disconnect(address: Ward.strap.address)))
        var other = seen(Ward.live(seconds: 5))
        other.press(.home)
        #expect(other.screen.pages.current == .sensors)
        #expect(other.screen.selectedSensor(in: other.state)?.identity == Ward.core)
    }

    @Test("what acts at once on a sensor acts only where it is seen which", arguments: ["c", "v"] as [Unicode.Scalar])
    func actsAtOnce(key: Unicode.Scalar) {
        var ward = seen(Ward.live(seconds: 5))
        #expect(ward.press(.character(key)) == nil)
        #expect(ward.screen.pages.current == .sensors)
        #expect(ward.screen.dialogs.message == "Select the sensor, then press \(key) once more.")
        if key == "c" {
            #expect(ward.press(.character(key)) == .patient(.pauseForCare(address: Ward.strap.address, nil)))
        }
    }

    @Test("Esc on the page ends the filter first, and the key line names what works where")
    func keyLine() {
        var ward = seen(Ward.live(seconds: 5))
        let main = lines(ward).last ?? ""
        #expect(main.contains("Enter sensors") && main.contains("d disconnect"))
        #expect(!main.contains("filter") && !main.contains("name"))
        ward.press(.character("/"))
        for key in "polar".unicodeScalars { ward.press(.character(key)) }
        ward.press(.enter)
        #expect(lines(ward).contains { $0.contains("SENSORS 1 · /polar") })
        ward.press(.escape)
        #expect(ward.screen.pages.current == .sensors && ward.screen.list.filter.isEmpty)
        #expect(lines(ward).last?.contains("Esc back") == true)
        ward.press(.escape)
        #expect(ward.screen.pages.current == nil)
    }

    @Test("a click on a sensor opens the list with it; the wheel, which scrolls nothing here, does nothing")
    func mouse() throws {
        var ward = seen(Ward.live(seconds: 5))
        let grid = ward.drawn(100, 30)
        let spot = try #require(
            grid.spots.first { $0.target as? Target == .sensor(address: Ward.oximeter.address) }?.area)
        _ = ward.screen.mouse(.wheelDown, on: grid, in: ward.state, at: ward.now)
        #expect(ward.screen.pages.current == nil)
        _ = ward.screen.mouse(.click(column: spot.column, row: spot.row), on: grid, in: ward.state, at: ward.now)
        #expect(ward.screen.pages.current == .sensors)
        #expect(ward.screen.selectedSensor(in: ward.state)?.identity == Ward.oximeter)
    }
}
