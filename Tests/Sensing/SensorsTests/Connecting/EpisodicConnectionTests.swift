import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The connection of a sensor that comes and goes")
struct EpisodicConnectionTests {
    private static func ready() -> MachineDriver {
        var driver = MachineDriver()
        driver.machine.isEpisodic = true
        for event: ConnectionMachine.Event in [
            .appeared, .wanted, .turnCame, .linkUp, .connectAnswered(attempt: 1, nil), .servicesResolved,
            .subscribed(nil),
        ] {
            _ = driver.send(event)
        }
        return driver
    }

    private static let asleep = ConnectionState(phase: .waiting, reason: .asleep)

    @Test("that goes is asleep, not lost, and is connected to at its next advertisement")
    func goes() {
        var driver = Self.ready()
        driver.wait(3)
        #expect(driver.send(.linkDown) == [.cancelTimer, .report(Self.asleep)])
        #expect(driver.machine.needsScan)
        driver.wait(3600)
        #expect(driver.send(.appeared).isEmpty)
        let actions = driver.send(.heard)
        #expect(actions.contains(.requestTurn))
        #expect(driver.send(.turnCame).first == .connect(attempt: 2))
    }

    @Test("that is asleep again before it could be reached waits for the next advertisement")
    func missed() {
        var driver = Self.ready()
        _ = driver.send(.linkDown)
        _ = driver.send(.heard)
        _ = driver.send(.turnCame)
        #expect(driver.send(.connectAnswered(attempt: 2, .notReached)).contains(.report(Self.asleep)))
        #expect(driver.send(.heard).contains(.requestTurn))
    }

    /// Ends a conversation, and returns after how many seconds an advertisement is connected to again.
    private static func rest(_ driver: inout MachineDriver, hasNews: Bool) -> Int? {
        #expect(driver.send(.conversationEnded(nil, hasNews: hasNews)).contains(.disconnect))
        _ = driver.send(.linkDown)
        #expect(driver.send(.disconnectAnswered).contains(.report(Self.asleep)))
        for second in 1...120 {
            driver.wait(1)
            guard driver.send(.heard).contains(.requestTurn) else { continue }
            let attempt = driver.machine.attempts.serial + 1
            for event: ConnectionMachine.Event in [
                .turnCame, .linkUp, .connectAnswered(attempt: attempt, nil), .servicesResolved, .subscribed(nil),
            ] {
                _ = driver.send(event)
            }
            return second
        }
        return nil
    }

    @Test("that has handed over something is asked again soon, because a doubted measurement is repeated soon")
    func rests() {
        var driver = Self.ready()
        for _ in 1...5 { #expect(Self.rest(&driver, hasNews: true) == 10) }
    }

    @Test("that had nothing new is left alone, each time longer up to a minute, so that it can fall asleep")
    func restsLonger() {
        var driver = Self.ready()
        #expect(Self.rest(&driver, hasNews: false) == 60)
        #expect(Self.rest(&driver, hasNews: true) == 10)
        for seconds in [20, 40, 60, 60] { #expect(Self.rest(&driver, hasNews: false) == seconds) }
        #expect(Self.rest(&driver, hasNews: true) == 10)
    }

    @Test("that BlueZ forgets while it sleeps is found again")
    func forgotten() {
        var driver = Self.ready()
        _ = driver.send(.linkDown)
        #expect(driver.send(.vanished).isEmpty)
        #expect(driver.machine.needsScan)
        #expect(driver.send(.heard).contains(.requestTurn))
    }

    @Test("that cannot be used is left, with the reason, until the user wants it again")
    func unusable() {
        var driver = Self.ready()
        let actions = driver.send(.unusable("It has nothing to read."))
        #expect(actions.contains(.disconnect))
        #expect(
            actions.contains(
                .report(ConnectionState(phase: .disconnected, reason: .refused, detail: "It has nothing to read."))))
        _ = driver.send(.linkDown)
        _ = driver.send(.disconnectAnswered)
        #expect(!driver.send(.heard).contains(.requestTurn))
        #expect(driver.send(.wanted).contains(.requestTurn))
    }

    @Test("whose conversation fails is cleaned up and tried again later")
    func failed() {
        var driver = Self.ready()
        #expect(driver.send(.conversationEnded(.notReached, hasNews: false)).contains(.disconnect))
        _ = driver.send(.linkDown)
        _ = driver.send(.disconnectAnswered)
        guard case .backingOff = driver.machine.phase else {
            Issue.record("\(driver.machine.phase)")
            return
        }
    }
}
