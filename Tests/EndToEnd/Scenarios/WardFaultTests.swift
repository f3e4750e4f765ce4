import Glibc
import TestSupport
import Testing

/// What a ward's screen shows while everything around it fails, with the real mosquitto and the article's set-up.
///
/// `WardViewTests` kill a bed and the broker, `WardTests` the collector; `WardSetupTests` have the access list.
@Suite(
    "A ward among faults", .startsPrograms, .enabled(if: PrivateBroker.isHere),
    .timeLimit(.minutes(10)))
struct WardFaultTests {
    private func waitUntilLive(_ screen: ProgramInTerminal, _ what: String) async throws {
        try await screen.waitUntil(what) { $0.hasLiveBed && $0.shows("● broker") && !$0.shows("NO LINK") }
    }

    @Test("shows no value of a bed that is stopped, nor while the broker is stopped, and present ones afterwards")
    func stopped() async throws {
        let ward = try await WardSetup()
        let bed = try await ward.startBed(try ward.configuration())
        let screen = try await ward.startScreen()
        try await waitUntilLive(screen, "the bed is live")
        await bed.send(signal: SIGSTOP)
        try await screen.waitUntil("the stopped bed is dark") { $0.shows("NO LINK") && !$0.hasLiveBed }
        await bed.send(signal: SIGCONT)
        try await waitUntilLive(screen, "the bed is live again")
        ward.broker.setStopped(true)
        try await screen.waitUntil("nothing is live without an answer of the broker") {
            $0.shows("NO BROKER") && !$0.hasLiveBed
        }
        ward.broker.setStopped(false)
        try await waitUntilLive(screen, "the bed is live after the broker's stop")
    }

    @Test("finds out by itself that a connection leads nowhere, at the bed and at the screen, and makes another one")
    func halfOpen() async throws {
        let ward = try await WardSetup()
        let (bedProxy, screenProxy) = (try FadingProxy(to: ward.broker.port), try FadingProxy(to: ward.broker.port))
        let bed = try await ward.startBed(try ward.configuration(port: bedProxy.port), as: "watch")
        let screen = try await ward.startScreen(port: screenProxy.port)
        try await waitUntilLive(screen, "the bed is live")
        bedProxy.fade()
        try await screen.waitUntil("the bed behind the dead connection is dark") {
            $0.shows("NO LINK") && !$0.hasLiveBed && !$0.shows("NO BROKER")
        }
        while let line = try await bed.nextLine(), !line.contains("\"kind\":\"ward_lost\"") {}
        bedProxy.recover()
        try await waitUntilLive(screen, "the bed is live by another connection")
        screenProxy.fade()
        try await screen.waitUntil("the screen's connection is dead") {
            $0.shows("NO BROKER") && !$0.hasLiveBed
        }
        screenProxy.recover()
        try await waitUntilLive(screen, "the bed is live on the screen's new connection")
    }

    @Test("shows no values where two computers publish the same bed")
    func twoMonitors() async throws {
        let ward = try await WardSetup()
        let first = try await ward.startBed(try ward.configuration())
        let screen = try await ward.startScreen()
        try await waitUntilLive(screen, "the first one is live")
        let second = try await ward.startBed(try ward.configuration(), data: "second")
        try await screen.waitUntil("the screen names both and shows no value") {
            $0.shows("TWO MONITORS FOR BED 12") && !$0.hasLiveBed
        }
        await second.send(signal: SIGTERM)
        #expect(try await second.waitForExit().status == .exited(0))
        try await screen.waitUntil("the first one is live again") { $0.hasLiveBed && !$0.shows("TWO MONITORS") }
        withExtendedLifetime(first) {}
    }

    @Test("is there again at once after it was killed, and the bed notices nothing")
    func screenKilled() async throws {
        let ward = try await WardSetup()
        let bed = try await ward.startBed(try ward.configuration(), as: "watch")
        let first = try await ward.startScreen()
        try await waitUntilLive(first, "the bed is live")
        await first.send(signal: SIGKILL)
        let second = try await ward.startScreen()
        try await waitUntilLive(second, "the bed is live on the next screen")
        await bed.send(signal: SIGTERM)
        #expect(try await !bed.waitForExit().output.contains("ward_lost"))
    }

    @Test("lets nobody in whose certificate has expired, and the bed says that it is not published")
    func expired() async throws {
        let ward = try await WardSetup()
        try await ward.renew("12", days: -1)
        let bed = try await ward.startBed(try ward.configuration(), as: "watch")
        while let line = try await bed.nextLine() {
            guard line.contains("\"kind\":\"ward_lost\"") else { continue }
            // The alert that names the certificate can be lost behind the end of the connection; the doctor reads the file.
            let names = ["refuses this computer's certificate", "ended the connection"]
            return #expect(names.contains { line.contains($0) }, "\(line)")
        }
        Issue.record("the bed has ended")
    }
}
