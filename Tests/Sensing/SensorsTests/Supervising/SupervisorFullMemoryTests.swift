import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("A supervisor that remembers as many sensors as it can", .timeLimit(.minutes(10)))
struct SupervisorFullMemoryTests {
    private func sensor(_ number: Int, isWanted: Bool?) -> RememberedSensor {
        func hex(_ octet: Int) -> String {
            let digits = String(octet, radix: 16, uppercase: true)
            return digits.count == 1 ? "0\(digits)" : digits
        }
        return RememberedSensor(
            address: "D0:00:00:00:\(hex(number / 256)):\(hex(number % 256))", name: "Sensor \(number)",
            kind: .heartRateStrap, isWanted: isWanted)
    }

    @Test("never forgets a wanted one for another, which is refused with a sentence, and connected all the same")
    func full() async throws {
        let bench = await SupervisorBench()
        var sentences = await bench.supervisor.warnings().makeAsyncIterator()
        let others = (0..<SensorMemory.limit).map { sensor($0, isWanted: true) }
        await bench.supervisor.remember(others)
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.supervisor.connect(SupervisorBench.strap)
        let events = try await bench.read { $0.connection(of: SupervisorBench.strap)?.phase == .ready }
        let remembered = events.compactMap { if case .remembered(let sensor) = $0 { sensor } else { nil } }
        #expect(remembered == others)
        #expect(!events.contains { if case .forgotten = $0 { true } else { false } })
        #expect(
            await sentences.next() == """
                Polar H10 1234 is not remembered: 256 sensors are remembered already, and all of them are wanted. \
                Forget one on the screen (x) to make room.
                """)
        // With room again it is remembered.
        await bench.supervisor.forget(others[3].address)
        await bench.supervisor.connect(SupervisorBench.strap)
        try await bench.read {
            if case .remembered(let new) = $0 { new.address == SupervisorBench.strap } else { false }
        }
    }

    @Test("says which one it forgets for another, though that was never heard in this run")
    func givenUp() async throws {
        let bench = await SupervisorBench()
        let unwanted = sensor(9, isWanted: nil)
        await bench.supervisor.remember((0..<SensorMemory.limit).map { sensor($0, isWanted: $0 == 9 ? nil : true) })
        await bench.supervisor.start()
        await bench.supervisor.dropSession(unwanted.address)
        await bench.addStrap()
        await bench.supervisor.connect(SupervisorBench.strap)
        try await bench.read {
            if case .forgotten(let identity) = $0 { identity.address == unwanted.address } else { false }
        }
    }
}

extension SensorSupervisor {
    fileprivate func dropSession(_ address: String) {
        if let address = BluetoothAddress(address) { sessions[address] = nil }
    }
}
