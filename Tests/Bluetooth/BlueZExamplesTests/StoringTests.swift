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
}
