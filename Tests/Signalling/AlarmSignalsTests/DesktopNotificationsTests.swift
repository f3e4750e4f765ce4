import Foundation
import TestSupport
import Testing

@testable import AlarmSignals

@Suite("Notifications on the desktop")
struct DesktopNotificationsTests {
    let running = RunningLoop()
    let bus: PrivateBusDaemon

    init() throws {
        bus = try PrivateBusDaemon()
    }

    private func notifications() -> DesktopNotifications {
        DesktopNotifications(bus: .address(bus.address), loop: running.loop, retryDelay: .milliseconds(20))
    }

    private let fever = DesktopNotification(summary: "FEVER", body: "38.6 °C ≥ 38.3", urgency: .critical)

    @Test("are shown, replaced and taken away, each under its key")
    func showing() async throws {
        let desktop = try await StandInDesktop.start(at: bus.address, on: running.loop)
        let notifications = notifications()
        await notifications.set(fever, for: "1")
        try await awaitCondition("it is shown") { await desktop.shown == [1: "FEVER|38.6 °C ≥ 38.3"] }
        #expect(await desktop.urgencies == [1: 2])
        var changed = fever
        changed.body = "38.9 °C ≥ 38.3"
        await notifications.set(changed, for: "1")
        await notifications.set(DesktopNotification(summary: "LINK LOST", body: "CORE", urgency: .low), for: "2")
        try await awaitCondition("both are shown") {
            await desktop.shown == [1: "FEVER|38.9 °C ≥ 38.3", 2: "LINK LOST|CORE"]
        }
        await notifications.set(nil, for: "1")
        try await awaitCondition("one is left") { await desktop.shown == [2: "LINK LOST|CORE"] }
        await notifications.close()
        #expect(await desktop.shown.isEmpty)
        #expect(await notifications.availability == .available(desktop: "stand-in"))
    }

    @Test("say the same only once")
    func once() async throws {
        let desktop = try await StandInDesktop.start(at: bus.address, on: running.loop)
        let notifications = notifications()
        for _ in 0..<5 { await notifications.set(fever, for: "1") }
        await notifications.set(fever, for: "2")
        try await awaitCondition("both are shown") { await desktop.shown.count == 2 }
        await notifications.close()
        #expect(await desktop.calls == 2)
    }

    @Test("that the user has closed stay closed until they change")
    func dismissing() async throws {
        let desktop = try await StandInDesktop.start(at: bus.address, on: running.loop)
        let notifications = notifications()
        await notifications.set(fever, for: "1")
        try await awaitCondition("it is shown") { await !desktop.shown.isEmpty }
        try await desktop.dismiss(1)
        // The second one is shown after the word of the closing has come.
        await notifications.set(DesktopNotification(summary: "b", body: "", urgency: .low), for: "2")
        try await awaitCondition("the other is shown") { await desktop.shown == [2: "b|"] }
        await notifications.set(fever, for: "1")
        await notifications.set(DesktopNotification(summary: "c", body: "", urgency: .low), for: "2")
        try await awaitCondition("the other has changed") { await desktop.shown == [2: "c|"] }
        var changed = fever
        changed.body = "39.0 °C ≥ 38.3"
        await notifications.set(changed, for: "1")
        try await awaitCondition("it is back") { await desktop.shown.values.contains("FEVER|39.0 °C ≥ 38.3") }
    }

    @Test("come back when the desktop's program does")
    func restarting() async throws {
        let first = try await StandInDesktop.start(at: bus.address, on: running.loop)
        let notifications = notifications()
        await notifications.set(fever, for: "1")
        try await awaitCondition("it is shown") { await !first.shown.isEmpty }
        await first.leave()
        try await awaitCondition("the loss is known") {
            await notifications.availability == .unavailable(reason: "no program here shows notifications")
        }
        let second = try await StandInDesktop.start(at: bus.address, on: running.loop)
        try await awaitCondition("it is shown again") { await second.shown == [1: "FEVER|38.6 °C ≥ 38.3"] }
        #expect(await notifications.availability == .available(desktop: "stand-in"))
    }

    @Test("have nowhere to go without a session bus, and it is said why")
    func noBus() async throws {
        let notifications = DesktopNotifications(bus: .address("unix:path=/nonexistent/bus"), loop: running.loop)
        #expect(await notifications.availability == .untried)
        await notifications.set(fever, for: "1")
        try await awaitCondition("it is known") {
            await notifications.availability == .unavailable(reason: "there is no session bus here")
        }
        await notifications.close()
    }

    @Test("do not hold the program up when it ends and the desktop has stopped answering")
    func hanging() async throws {
        let desktop = try await StandInDesktop.start(at: bus.address, on: running.loop)
        let notifications = notifications()
        await notifications.set(fever, for: "1")
        try await awaitCondition("it is shown") { await !desktop.shown.isEmpty }
        await desktop.hang()
        await notifications.set(DesktopNotification(summary: "b", body: "", urgency: .low), for: "2")
        try await awaitCondition("the desktop was called") { await desktop.calls == 2 }
        await notifications.close(within: .milliseconds(20))
        // That is what it would say after the whole time that a call may take.
        #expect(await notifications.availability != .unavailable(reason: "the desktop does not answer"))
    }

    @Test(
        "hold up neither the hook, nor the end, where the bus hangs; and it is said that it does",
        arguments: HangingBus.Behaviour.allCases)
    func hangingBus(behaviour: HangingBus.Behaviour) async throws {
        let folder = try ScratchFolder()
        let bus = try HangingBus(behaviour, path: folder.path + "/bus")
        let heard = folder.path + "/heard"
        func isHeard() -> Bool { (try? String(contentsOfFile: heard, encoding: .utf8)) == "alarm" }
        let notifications = DesktopNotifications(
            bus: .address(bus.address), loop: running.loop, connectLimit: .seconds(600))
        let hook = HookRunner(command: "cat >'\(heard)'", loop: running.loop) { Issue.record("\($0)") }
        await notifications.set(fever, for: "1")
        await hook.run(input: Array("alarm".utf8))
        try await awaitCondition("the hook has run") { isHeard() }
        await notifications.close(within: .milliseconds(20))
        let other = DesktopNotifications(
            bus: .address(bus.address), loop: running.loop, connectLimit: .milliseconds(50))
        await other.set(fever, for: "1")
        try await awaitCondition("it is known") {
            await other.availability == .unavailable(reason: "the session bus does not answer")
        }
        await other.close()
    }

    @Test("spell out what would be markup, where the desktop reads markup")
    func markup() async throws {
        let desktop = try await StandInDesktop.start(
            at: bus.address, on: running.loop, capabilities: ["body", "body-markup"])
        let notifications = notifications()
        await notifications.set(
            DesktopNotification(summary: "<a>", body: "SpO₂ 88 < 90 & <b>", urgency: .normal), for: "1")
        try await awaitCondition("it is shown") {
            await desktop.shown == [1: "<a>|SpO₂ 88 &lt; 90 &amp; &lt;b&gt;"]
        }
    }
}
