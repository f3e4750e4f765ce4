import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

/// Drives a machine by hand: time passes only where a test says so, and the jitter is always in the middle.
struct MachineDriver {
    var machine = ConnectionMachine()
    var now = at(0)

    mutating func send(_ event: ConnectionMachine.Event) -> [ConnectionMachine.Action] {
        machine.handle(event, at: now, random: 0.5)
    }

    mutating func wait(_ seconds: Double) {
        now = now.advanced(by: .milliseconds(Int64(seconds * 1000)))
    }

    /// The moment some seconds from now.
    func soon(_ seconds: Double) -> Moment {
        now.advanced(by: .milliseconds(Int64(seconds * 1000)))
    }

    /// A machine whose `Connect` number 1 is under way.
    static func connecting() -> MachineDriver {
        var driver = MachineDriver()
        _ = driver.send(.appeared)
        _ = driver.send(.wanted)
        _ = driver.send(.turnCame)
        return driver
    }

    /// A machine that streams.
    static func ready() -> MachineDriver {
        var driver = connecting()
        _ = driver.send(.linkUp)
        _ = driver.send(.connectAnswered(attempt: 1, nil))
        _ = driver.send(.servicesResolved)
        _ = driver.send(.subscribed(nil))
        return driver
    }
}

@Suite("A sensor's connection")
struct ConnectionMachineTests {
    @Test("goes from wanted to streaming, and releases its turn when `Connect` has answered")
    func happyPath() {
        var driver = MachineDriver()
        #expect(driver.send(.appeared) == [])
        #expect(
            driver.send(.wanted) == [.report(ConnectionState(phase: .connecting, attempt: 1)), .requestTurn])
        #expect(driver.send(.turnCame) == [.connect(attempt: 1), .setTimer(driver.soon(15))])
        // The link is up: no success yet.
        #expect(driver.send(.linkUp) == [])
        #expect(
            driver.send(.connectAnswered(attempt: 1, nil)) == [
                .releaseTurn, .report(ConnectionState(phase: .connected)), .setTimer(driver.soon(15)),
            ])
        #expect(driver.send(.servicesResolved) == [.cancelTimer, .subscribe])
        #expect(driver.send(.subscribed(nil)) == [.report(ConnectionState(phase: .ready))])
        #expect(driver.machine.ownsLink)
        #expect(!driver.machine.needsScan)
    }

    @Test("does nothing about an unwanted sensor")
    func notWanted() {
        var driver = MachineDriver()
        for event in [ConnectionMachine.Event.appeared, .heard, .timerFired, .turnCame, .vanished, .heard] {
            #expect(driver.send(event).filter { $0 != .releaseTurn && $0 != .cancelTimer } == [])
        }
        #expect(!driver.machine.needsScan)
    }

    @Test("services that are resolved before `Connect` answers are good enough")
    func servicesBeforeAnswer() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.linkUp)
        #expect(
            driver.send(.servicesResolved) == [
                .releaseTurn, .report(ConnectionState(phase: .connected)), .cancelTimer, .subscribe,
            ])
        #expect(driver.send(.connectAnswered(attempt: 1, nil)) == [])
        #expect(driver.send(.subscribed(nil)) == [.report(ConnectionState(phase: .ready))])
    }

    @Test(
        "a failed attempt is repeated after a time that depends on the failure",
        arguments: [
            (ConnectFailure.abortedLink, ConnectionState.DisconnectReason.refused, 0.25),
            (.notReached, .timeout, 1), (.settling, .unknown, 0.1), (.adapterNotReady, .adapter, 2),
            (.notAuthorised, .refused, 10), (.connectionToDaemonLost, .daemon, 2), (.other, .unknown, 1),
        ])
    func failure(_ failure: ConnectFailure, reason: ConnectionState.DisconnectReason, delay: Double) {
        var driver = MachineDriver.connecting()
        #expect(
            driver.send(.connectAnswered(attempt: 1, failure)) == [
                .releaseTurn,
                .report(
                    ConnectionState(phase: .waiting, reason: reason, attempt: 2, retryAt: driver.soon(delay))),
                .setTimer(driver.soon(delay)),
            ])
        #expect(!driver.machine.ownsLink)
        driver.wait(delay)
        #expect(
            driver.send(.timerFired) == [
                .cancelTimer, .report(ConnectionState(phase: .connecting, attempt: 2)), .requestTurn,
            ])
        #expect(driver.send(.turnCame).first == .connect(attempt: 2))
    }

    @Test("another program's connecting is waited for, and only what stays busy is cleaned up with `Disconnect`")
    func busy() {
        var driver = MachineDriver.connecting()
        for (attempt, delay) in [(1, 1.0), (2, 2.0)] {
            let retry = ConnectionState(
                phase: .waiting, reason: .refused, attempt: attempt + 1, retryAt: driver.soon(delay))
            #expect(
                driver.send(.connectAnswered(attempt: attempt, .busy)) == [
                    .releaseTurn, .report(retry), .setTimer(driver.soon(delay)),
                ])
            driver.wait(delay)
            _ = driver.send(.timerFired)
            _ = driver.send(.turnCame)
        }
        #expect(
            driver.send(.connectAnswered(attempt: 3, .busy)) == [
                .releaseTurn, .disconnect, .setTimer(driver.soon(6)),
            ])
        #expect(
            driver.send(.disconnectAnswered) == [
                .report(
                    ConnectionState(
                        phase: .waiting, reason: .refused, attempt: 4, retryAt: driver.soon(4), hint: .inUse)),
                .setTimer(driver.soon(4)),
            ])
    }

    @Test("the link that another program was making serves as well, and is left to it in the end")
    func busyThenLinked() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.connectAnswered(attempt: 1, .busy))
        #expect(driver.send(.linkUp).contains(.report(ConnectionState(phase: .connected))))
        #expect(driver.send(.servicesResolved).contains(.subscribe))
        #expect(!driver.machine.ownsLink)
    }

    @Test("a link that is reported as up and dies at once counts as the failure that `Connect` returns")
    func failedToBeEstablished() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.linkUp)
        let actions = driver.send(.connectAnswered(attempt: 1, .abortedLink))
        #expect(
            actions.contains(
                .report(
                    ConnectionState(phase: .waiting, reason: .refused, attempt: 2, retryAt: driver.soon(0.25)))))
        #expect(driver.send(.linkDown) == [])
        driver.wait(0.25)
        #expect(driver.send(.timerFired).last == .requestTurn)
    }

    @Test("a `Connect` that never answers is cancelled with `Disconnect`, and its late answer means nothing")
    func neverAnswers() {
        var driver = MachineDriver.connecting()
        driver.wait(15)
        #expect(driver.send(.timerFired) == [.releaseTurn, .disconnect, .setTimer(driver.soon(6))])
        #expect(driver.send(.connectAnswered(attempt: 1, .abortedLink)) == [])
        #expect(
            driver.send(.disconnectAnswered) == [
                .report(ConnectionState(phase: .waiting, reason: .timeout, attempt: 2, retryAt: driver.soon(1))),
                .setTimer(driver.soon(1)),
            ])
        #expect(driver.machine.needsScan)
    }

    @Test("a `Disconnect` that does not answer either does not hold anything up for ever")
    func disconnectNeverAnswers() {
        var driver = MachineDriver.connecting()
        driver.wait(15)
        _ = driver.send(.timerFired)
        driver.wait(6)
        #expect(driver.send(.timerFired).last == .setTimer(driver.soon(1)))
        #expect(driver.machine.phase == .backingOff(after: .notReached))
    }

    @Test("an answer to an earlier `Connect` is not taken for the present one's")
    func lateAnswer() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.connectAnswered(attempt: 1, .abortedLink))
        _ = driver.send(.timerFired)
        _ = driver.send(.turnCame)
        #expect(driver.send(.connectAnswered(attempt: 1, .abortedLink)) == [])
        #expect(driver.machine.isConnecting(attempt: 2))
    }

    @Test("services that never come end the attempt")
    func noServices() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.linkUp)
        _ = driver.send(.connectAnswered(attempt: 1, nil))
        driver.wait(15)
        #expect(driver.send(.timerFired) == [.disconnect, .setTimer(driver.soon(6))])
        #expect(driver.send(.linkDown) == [])
        #expect(
            driver.send(.disconnectAnswered).first
                == .report(
                    ConnectionState(phase: .waiting, reason: .timeout, attempt: 2, retryAt: driver.soon(1))))
    }

    @Test("a link that dies while the services are being resolved is tried again after a rest")
    func lostWhileResolving() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.linkUp)
        _ = driver.send(.connectAnswered(attempt: 1, nil))
        #expect(
            driver.send(.linkDown) == [
                .cancelTimer,
                .report(
                    ConnectionState(phase: .waiting, reason: .linkLost, attempt: 2, retryAt: driver.soon(0.25))),
                .setTimer(driver.soon(0.25)),
            ])
    }

    @Test("a sensor that refuses subscriptions is disconnected and tried again")
    func subscribingFails() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.linkUp)
        _ = driver.send(.servicesResolved)
        #expect(driver.send(.subscribed(.notAuthorised)) == [.disconnect, .setTimer(driver.soon(6))])
        _ = driver.send(.disconnectAnswered)
        #expect(driver.machine.reported?.reason == .refused)
    }

    @Test("failures in a row wait longer and longer, and are counted")
    func backOff() {
        var driver = MachineDriver.connecting()
        var delays: [Duration] = []
        for attempt in 1...7 {
            _ = driver.send(.connectAnswered(attempt: attempt, .abortedLink))
            let state = driver.machine.reported
            #expect(state?.attempt == attempt + 1)
            if let retryAt = state?.retryAt {
                delays.append(retryAt.since(driver.now))
                driver.now = retryAt
            }
            _ = driver.send(.timerFired)
            _ = driver.send(.turnCame)
        }
        #expect(
            delays == [250, 500, 1000, 2000, 4000, 4000, 4000].map { Duration.milliseconds($0) })
    }
}
