import Configuration
import MonitorLink
import Monitoring
import SensorDrivers
import Sensors
import TestSupport
import Testing
import Vitals

@testable import Engine

@Suite("The engine, storing nights")
struct NightStoringTests {
    private let running = RunningLoop()

    @Test(
        "says why it does not keep a night, and it is no reading",
        arguments: [[1, 3, 0, 0, 0, 0, 0, 0, 4, 0], [9, 9], []] as [[UInt8]])
    func refused(_ octets: [UInt8]) async throws {
        let feed = ScriptedFeed()
        var settings = Settings()
        settings.recording.isEnabled = false
        settings.alarms.showsNotifications = false
        let engine = MonitorEngine(.live(feed), settings, keepingIn: nil, on: running.loop)
        await engine.begin()
        let ring = SensorIdentity(address: "C0:52:49:00:00:53", name: "O2Ring S", kind: .oximeter)
        feed.send(SensorNight(sensor: ring, night: FetchedNight(name: "20260921221320", octets: octets, start: 0)))
        try await awaitCondition("it was handled") { feed.handledNights["20260921221320"] != nil }
        #expect(feed.handledNights["20260921221320"]??.isEmpty == false)
        #expect(await engine.state[.oxygenSaturation].source == nil)
        _ = await engine.close(awaiting: Task {})
    }
}
