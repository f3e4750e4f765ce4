import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Dashboard

@Suite("The order of the sensor list")
struct SensorListTests {
    private func names(_ ward: Ward) -> [String] {
        var screen = ward.screen
        screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
        return screen.list.order.compactMap { ward.state.sensor(address: $0)?.identity.name }
    }

    private func prepared(_ ward: inout Ward) -> [String] {
        ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
        return names(ward)
    }

    /// Lets signal strengths settle at new values, and the list follow.
    private func hear(_ strengths: [Int: Int], _ ward: inout Ward) {
        for _ in 0..<20 {
            for (number, strength) in strengths.sorted(by: { $0.key < $1.key }) {
                ward.find(Ward.stranger(number), signal: strength)
            }
            ward.pass(1)
            _ = prepared(&ward)
        }
    }

    @Test("begins with what the user has to do with, in the order in which that began, then the strongest nearby")
    func groups() {
        var ward = Ward.empty()
        ward.find(Ward.stranger(1), signal: -80)
        ward.find(Ward.stranger(2), signal: -50)
        ward.find(Ward.oximeter, signal: -90)
        ward.find(Ward.strap, signal: -40)
        ward.connect(Ward.oximeter)
        _ = prepared(&ward)
        ward.connect(Ward.strap)
        ward.remember(Ward.thermometer, isWanted: false)
        ward.pass(3)
        #expect(prepared(&ward) == ["e-Oximeter", "Polar H10 4A2C1234", "Strap 2", "Strap 1", "Thermometer X"])
    }

    @Test("changes only when one is clearly stronger than the one above")
    func hysteresis() {
        var ward = Ward.empty()
        hear([1: -60, 2: -62], &ward)
        #expect(prepared(&ward) == ["Strap 1", "Strap 2"])
        hear([1: -64, 2: -60], &ward)
        #expect(prepared(&ward) == ["Strap 1", "Strap 2"])
        hear([1: -70, 2: -60], &ward)
        #expect(prepared(&ward) == ["Strap 2", "Strap 1"])
    }

    @Test("does not change at all while the user is at the keyboard; what is new comes last")
    func frozen() {
        var ward = Ward.empty()
        hear([1: -50, 2: -70], &ward)
        ward.press(.down)
        ward.press(.up)
        for _ in 0..<4 { ward.find(Ward.stranger(2), signal: -30) }
        ward.find(Ward.stranger(3), signal: -20)
        ward.now = ward.now.advanced(by: .milliseconds(2900))
        #expect(prepared(&ward) == ["Strap 1", "Strap 2", "Strap 3"])
        ward.press(.escape)
        ward.screen.list.selection = nil
        ward.pass(3)
        #expect(prepared(&ward).first == "Strap 3")
    }

    @Test("fades and then drops one that is not heard, unless it is wanted or remembered")
    func fading() {
        var ward = Ward.empty()
        ward.find(Ward.stranger(1), signal: -50)
        ward.remember(Ward.oximeter, isWanted: false)
        ward.pass(14)
        func sensor() -> SensorState? { ward.state.sensor(address: Ward.stranger(1).address) }
        #expect(sensor()?.isFading(at: ward.now) == false)
        ward.pass(1)
        #expect(sensor()?.isFading(at: ward.now) == true)
        let grid = ward.drawn(80, 24)
        #expect((0..<24).contains { grid.text(row: $0).contains("not heard lately") })
        ward.pass(44)
        #expect(prepared(&ward) == ["Strap 1", "e-Oximeter"])
        ward.pass(1)
        #expect(prepared(&ward) == ["e-Oximeter"])
    }

    @Test("hides what is weaker than the floor, but nothing that the user has spoken of, and does not flicker")
    func floor() {
        var ward = Ward.empty()
        ward.remember(Ward.oximeter, isWanted: false)
        ward.find(Ward.oximeter, signal: -95)
        hear([1: -79, 2: -81], &ward)
        for expected in [-90, -80] {
            ward.press(.character("w"))
            #expect(ward.screen.list.strengthFloor == expected)
        }
        ward.screen.list.selection = Ward.oximeter.address
        #expect(prepared(&ward).sorted() == ["Strap 1", "e-Oximeter"])
        hear([1: -83, 2: -83], &ward)
        #expect(prepared(&ward).sorted() == ["Strap 1", "e-Oximeter"])
        hear([1: -95, 2: -60], &ward)
        #expect(prepared(&ward).sorted() == ["Strap 2", "e-Oximeter"])
        for _ in 0..<3 { ward.press(.character("w")) }
        #expect(ward.screen.list.strengthFloor == nil)
    }

    /// The line of the list that the selected sensor is drawn in.
    private func line(_ ward: Ward) -> Int? {
        let list = ward.screen.list
        return list.order.firstIndex { $0 == ward.screen.list.selection }.map {
            $0 - list.visible.lowerBound + list.firstLine
        }
    }

    @Test("keeps the selected sensor selected and on its line under any events, unless the user moves")
    func stableUnderTheCursor() {
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var ward = Ward.empty()
            for number in 0..<Int.random(in: 2..<30, using: &random) {
                ward.find(Ward.stranger(number), signal: Int.random(in: -90 ... -40, using: &random))
            }
            for _ in 0..<Int.random(in: 1..<12, using: &random) { ward.press(.down) }
            ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
            let selected = ward.screen.list.selection
            var place = line(ward)
            #expect(place.map { 0..<ward.screen.list.rows ~= $0 } == true)
            for _ in 0..<100 {
                happen(to: &ward, sparing: selected, &random)
                ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
                #expect(ward.screen.list.selection == selected, "seed \(seed)")
                // A further alarm takes its line from the list: what was on the last one stays in sight.
                place = place.map { min($0, ward.screen.list.rows - 1) }
                #expect(line(ward) == place, "seed \(seed)")
                #expect(Set(ward.screen.list.order).count == ward.screen.list.order.count)
            }
        }
    }

    /// Something happens to some sensor; the selected one may do anything but go.
    private func happen(to ward: inout Ward, sparing selected: String?, _ random: inout SeededGenerator) {
        let sensor = Ward.stranger(Int.random(in: 0..<40, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where sensor.address != selected: ward.apply(.gone(sensor))
        case 1: ward.connect(sensor)
        case 2: ward.remember(sensor, label: "Mine", isWanted: Bool.random(using: &random))
        case 3 where sensor.address != selected: ward.apply(.forgotten(sensor))
        case 4: ward.apply(.connection(sensor, ConnectionState(phase: .disconnected, reason: .user)))
        case 5:
            ward.pass(Int.random(in: 0..<9, using: &random))
            // The selected one is still heard: one that falls silent for good goes.
            selected.flatMap { ward.state.sensor(address: $0)?.identity }.map { ward.find($0, signal: -70) }
        default: ward.find(sensor, signal: Int.random(in: -95 ... -30, using: &random))
        }
    }

    @Test("the row that replaces a removed one is selected")
    func selectedGoes() {
        var ward = Ward.empty()
        hear([1: -50, 2: -60, 3: -70], &ward)
        ward.press(.down)
        ward.apply(.gone(Ward.stranger(2)))
        ward.pass(5)
        _ = prepared(&ward)
        #expect(ward.screen.list.selection == Ward.stranger(3).address)
    }
}
