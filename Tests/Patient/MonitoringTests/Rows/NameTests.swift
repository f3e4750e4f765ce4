import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("Names of sensors")
struct NameTests {
    private func strap(_ tail: String, _ name: String = "Polar H10") -> SensorIdentity {
        SensorIdentity(address: "C0:52:49:00:\(tail)", name: name, kind: .heartRateStrap)
    }

    private func names(_ ward: Ward) -> [String] { ward.state.sensors.map(\.identity.name) }

    @Test("are distinguished by the end of the address, also in earlier values")
    func namesakes() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(
            .heartRate, 3000, from: strap("00:02"), at: 1,
            expecting: ["severe_low active high", "low active medium"])
        #expect(names(ward) == ["Polar H10"])
        ward.receive(.nearby(strap("00:03"), signalStrength: -60, services: []), at: 2)
        #expect(names(ward) == ["Polar H10 00:02", "Polar H10 00:03"])
        #expect(ward.state[.heartRate].source?.name == "Polar H10 00:02")
        #expect(ward.state[.heartRate].condition.lastSample?.sensor.name == "Polar H10 00:02")
        #expect(try #require(ward.state.alarms.first).text.contains("Polar H10 00:02"))
        ward.receive(.gone(strap("00:03")), at: 3)
        #expect(names(ward) == ["Polar H10 00:02"])
    }

    @Test("of equal ends are distinguished by the whole address, and one that has the end in its name by its own")
    func equalEnds() {
        var ward = Ward()
        for sensor in [strap("00:02"), strap("00:03"), strap("00:04", "Polar H10 00:02")] {
            ward.receive(.nearby(sensor, signalStrength: nil, services: []), at: 1)
        }
        let other = SensorIdentity(address: "D0:52:49:00:00:03", name: "Polar H10", kind: .heartRateStrap)
        ward.receive(.nearby(other, signalStrength: nil, services: []), at: 1)
        #expect(
            names(ward) == [
                "Polar H10 00:02", "Polar H10 00:03", "Polar H10 00:02 00:04", "Polar H10 D0:52:49:00:00:03",
            ])
    }

    @Test("are never shared, whatever sensors are called and whenever they are renamed")
    func unique() {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(seed))
            var ward = Ward()
            for step in 0..<60 {
                let tail = "0\(Int.random(in: 0..<3, using: &random)):0\(Int.random(in: 0..<3, using: &random))"
                let name = ["Polar", "Polar 00:01", "OH1", ""].randomElement(using: &random) ?? ""
                let sensor = strap(tail, name)
                ward.receive(
                    Int.random(in: 0..<4, using: &random) == 0
                        ? .gone(sensor) : .nearby(sensor, signalStrength: nil, services: []), at: Double(step))
                let shown = names(ward).filter { !$0.isEmpty }
                #expect(Set(shown).count == shown.count, "\(shown), seed \(seed)")
            }
        }
    }

    @Test("that are cut for a narrow place keep the end of the address")
    func short() {
        var sensor = strap("00:02", "A heart-rate strap with a long name")
        #expect(sensor.shortName().unicodeScalars.count <= 25)
        sensor.name += " 00:02"
        #expect(sensor.shortName().hasSuffix(" 00:02"))
        #expect(sensor.shortName().unicodeScalars.count <= 25)
        sensor.name = ""
        #expect(sensor.shortName() == sensor.address)
    }
}
