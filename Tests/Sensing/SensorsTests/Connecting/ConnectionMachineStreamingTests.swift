import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("A sensor's connection that is up and brings nothing")
struct ConnectionMachineStreamingTests {
    /// A machine of a sensor that streams, whose `ready` lies a moment back.
    ///
    /// - Parameter isForeign: Whether somebody else has made the link.
    private func streaming(isForeign: Bool = false) -> MachineDriver {
        var driver = MachineDriver()
        driver.machine.isStreaming = true
        _ = driver.send(.appeared)
        if !isForeign {
            _ = driver.send(.wanted)
            _ = driver.send(.turnCame)
        }
        _ = driver.send(.linkUp)
        _ = isForeign ? driver.send(.wanted) : driver.send(.connectAnswered(attempt: 1, nil))
        _ = driver.send(.servicesResolved)
        #expect(
            driver.send(.subscribed(nil)) == [
                .report(ConnectionState(phase: .ready)), .setTimer(driver.soon(20)),
            ])
        return driver
    }

    @Test("is subscribed to again once, then reported as silent, until a value comes")
    func silence() {
        var driver = streaming()
        driver.wait(20)
        #expect(driver.send(.timerFired) == [.setTimer(driver.soon(20)), .rearm])
        driver.wait(20)
        #expect(
            driver.send(.timerFired) == [
                .setTimer(driver.soon(20)), .report(ConnectionState(phase: .ready, hint: .silent)),
            ])
        driver.wait(20)
        #expect(driver.send(.timerFired) == [.setTimer(driver.soon(20))])
        driver.machine.lastValue = driver.now
        #expect(driver.send(.valueCame) == [.report(ConnectionState(phase: .ready))])
        #expect(driver.send(.valueCame) == [])
    }

    @Test("is subscribed to again until that succeeds")
    func failedRearming() {
        var driver = streaming()
        for _ in 0..<3 {
            driver.wait(20)
            #expect(driver.send(.timerFired) == [.setTimer(driver.soon(20)), .rearm])
            driver.wait(1)
            #expect(driver.send(.rearmFailed) == [.setTimer(driver.soon(20))])
        }
        driver.wait(20)
        #expect(driver.send(.timerFired) == [.setTimer(driver.soon(20)), .rearm])
        driver.wait(20)
        #expect(
            driver.send(.timerFired) == [
                .setTimer(driver.soon(20)), .report(ConnectionState(phase: .ready, hint: .silent)),
            ])
    }

    @Test("is left alone as long as values come")
    func values() {
        var driver = streaming()
        driver.wait(19)
        driver.machine.lastValue = driver.now
        driver.wait(1)
        #expect(driver.send(.timerFired) == [.setTimer(driver.soon(19))])
    }

    @Test("is not watched where silence means nothing")
    func thermometer() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.linkUp)
        _ = driver.send(.connectAnswered(attempt: 1, nil))
        _ = driver.send(.servicesResolved)
        #expect(driver.send(.subscribed(nil)) == [.report(ConnectionState(phase: .ready))])
    }

    @Test("is connected again when the computer has slept and subscribing again does not help")
    func afterSleep() {
        var driver = streaming()
        driver.wait(3600)
        #expect(driver.send(.awoke) == [.setTimer(driver.soon(20))])
        driver.wait(20)
        #expect(driver.send(.timerFired) == [.setTimer(driver.soon(20)), .rearm])
        driver.wait(20)
        #expect(driver.answers(.timerFired, with: .disconnect) == true)
    }

    @Test("somebody else's link is not ended for its silence")
    func foreignAfterSleep() {
        var driver = streaming(isForeign: true)
        _ = driver.send(.awoke)
        driver.wait(20)
        _ = driver.send(.timerFired)
        driver.wait(20)
        #expect(driver.answers(.timerFired, with: .disconnect) == false)
    }

    @Test("services that change are subscribed to when they have settled")
    func servicesChange() {
        var driver = streaming()
        #expect(
            driver.send(.servicesChanged) == [
                .report(ConnectionState(phase: .connected)), .setTimer(driver.soon(1)),
            ])
        driver.wait(0.5)
        #expect(driver.send(.servicesChanged) == [.setTimer(driver.soon(1))])
        driver.wait(1)
        #expect(driver.answers(.timerFired, with: .subscribe) == true)
        // Not all of them are there yet.
        #expect(driver.send(.subscribed(.noServices)) == [.setTimer(driver.soon(15))])
        #expect(driver.send(.servicesChanged) == [.setTimer(driver.soon(1))])
        driver.wait(1)
        #expect(driver.answers(.timerFired, with: .subscribe) == true)
        #expect(driver.answers(.subscribed(nil), with: .report(ConnectionState(phase: .ready))) == true)
    }

    @Test("services that are gone for good end in a new connection")
    func servicesGone() {
        var driver = streaming()
        _ = driver.send(.servicesChanged)
        driver.wait(1)
        _ = driver.send(.timerFired)
        _ = driver.send(.subscribed(.noServices))
        driver.wait(15)
        #expect(driver.answers(.timerFired, with: .disconnect) == true)
    }

    @Test("after three refusals in a row the user is asked whether another device uses the sensor")
    func refusals() {
        var driver = MachineDriver.connecting()
        var hints: [ConnectionState.Hint?] = []
        for attempt in 1...4 {
            for case .report(let state) in driver.send(.connectAnswered(attempt: attempt, .abortedLink)) {
                hints.append(state.hint)
            }
            driver.wait(10)
            _ = driver.send(.timerFired)
            _ = driver.send(.turnCame)
        }
        #expect(hints == [nil, nil, .inUse, .inUse])
    }

    @Test("a sensor that needs pairing is not suspected to be used by another device")
    func unpaired() {
        var driver = MachineDriver.connecting()
        for attempt in 1...4 {
            for case .report(let state) in driver.send(.connectAnswered(attempt: attempt, .notAuthorised)) {
                #expect(state.hint == nil)
            }
            driver.wait(100)
            _ = driver.send(.timerFired)
            _ = driver.send(.turnCame)
        }
    }
}

extension MachineDriver {
    /// Whether an event is answered with an action, among others.
    fileprivate mutating func answers(
        _ event: ConnectionMachine.Event, with action: ConnectionMachine.Action
    ) -> Bool {
        send(event).contains(action)
    }
}
