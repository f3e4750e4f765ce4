import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("In a world full of trouble")
struct TroubledWorldTests {
    @Test("every wanted sensor streams again once all faults end, whatever happened before", arguments: 0..<150)
    func findsHome(seed: Int) {
        var world = TroubledWorld(sensorCount: 3, seed: seed)
        for step in 0..<200 {
            world.trouble(step % 3)
            if step % 3 == seed % 3 { world.pass(step % 7) }
        }
        world.heal()
        // The longest rests between attempts, for one sensor after the other, and more failures on the way.
        for _ in 0..<40 {
            world.pass(30)
            if world.sensors.allSatisfy(\.isAtHome) { break }
        }
        for sensor in world.sensors { #expect(sensor.isAtHome, "\(sensor)") }
    }

    @Test("unwanted sensors are not connected by us", arguments: 0..<50)
    func finalWish(seed: Int) {
        var world = TroubledWorld(sensorCount: 3, seed: 1000 + seed)
        for step in 0..<60 {
            world.trouble(step % 3)
            world.pass(step % 4)
        }
        world.heal()
        for index in world.sensors.indices { world.want(index, false) }
        world.pass(60)
        for sensor in world.sensors {
            #expect(sensor.pendingConnect == nil && !sensor.machine.ownsLink, "\(sensor)")
            #expect([.idle, .foreign].contains(sensor.machine.phase), "\(sensor)")
        }
    }
}

extension TroubledWorld.Sensor {
    /// Whether the user has what they want.
    fileprivate var isAtHome: Bool {
        guard isWanted else {
            if case .ready = machine.phase { return false }
            return true
        }
        guard case .ready = machine.phase else { return false }
        return isLinked && isResolved
    }
}
