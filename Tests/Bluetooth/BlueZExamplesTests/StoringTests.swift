import BlueZSimulator
import HealthDevices
import TestSupport
import Testing

@testable import BlueZExamples

@Suite("The examples of lists that are stored", .timeLimit(.minutes(10)))
struct StoringTests {
    @Test("a strap is remembered by its new name, and connected when it comes back, in another run, too")
    func rememberSensors() async throws {
        let strap = """
            {sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 72}]}
            """
        let folder = try ScratchFolder()
        let file = StoredListFile<RememberedDevices>("\(folder.path)/devices.json")
        try await withPlayground(strap) { playground in
            try await playground.central.ready()
            try await rememberNearest(named: "Anna's strap", in: file, through: playground.central)
        }
        #expect(try file.read().devices.map(\.name) == ["Anna's strap"])
        #expect(try file.read().devices.first?.lastConnected == nil)

        try await withPlayground(strap) { playground in
            try await playground.perform("vanish hr")
            let lines = Recorder<String>()
            let central = playground.central
            let following = Task { try await followRemembered(in: file, through: central) { lines.record($0) } }
            try await playground.perform("sleep 5")
            #expect(lines.elements.isEmpty)
            try await playground.perform("return hr")
            try await awaitCondition("a heart rate") { !lines.elements.isEmpty }
            #expect(lines.elements.first == "Anna's strap: 72 beats per minute")
            following.cancel()
            _ = await following.result
        }
        #expect(try file.read().devices.first?.lastConnected != nil)
    }

    @Test("what a cuff sends waits once, and is recorded when it is confirmed")
    func confirmMeasurements() async throws {
        let cuff = """
            {sensors: [{name: 'Cuff', kind: 'bloodPressureMonitor', address: 'C0:52:49:00:00:03'}]}
            """
        let address = BluetoothAddress(rawValue: 0xC052_4900_0003)
        let folder = try ScratchFolder()
        let file = StoredListFile<PendingMeasurements>("\(folder.path)/measurements.json")
        try await withPlayground(cuff) { playground in
            let central = playground.central
            let collecting = Task { try await collect(from: address, into: file, through: central) }
            try await playground.perform("measure Cuff")
            try await awaitCondition("a measurement") { (try? file.read())?.waiting.isEmpty == false }
            collecting.cancel()
            _ = await collecting.result
        }
        struct DiskFull: Error {}
        #expect(throws: DiskFull.self) {
            try decide(in: file, isRight: { _ in true }, record: { _ in throw DiskFull() })
        }
        var recorded: [PendingMeasurement] = []
        let waiting = try file.read().waiting
        #expect(!waiting.isEmpty && waiting.allSatisfy { $0.device == address })
        try decide(in: file, isRight: { $0.id == waiting.first?.id }, record: { recorded.append($0) })
        #expect(recorded == Array(waiting.prefix(1)))
        #expect(try file.read().waiting.isEmpty)
        try file.update { measurements in
            for pending in waiting {
                let offer = measurements.offer(pending.measurement, from: address, at: .now())
                #expect(offer == .decided(pending.id == waiting.first?.id ? .confirmed : .discarded))
            }
        }
    }
}
