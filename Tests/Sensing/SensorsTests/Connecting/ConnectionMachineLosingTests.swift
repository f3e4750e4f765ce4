import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("A sensor's connection that is lost")
struct ConnectionMachineLosingTests {
    @Test("is made again at once when it had been stable")
    func linkLost() {
        var driver = MachineDriver.ready()
        driver.wait(60)
        #expect(
            driver.send(.linkDown) == [
                .cancelTimer,
                .report(ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1, retryAt: driver.now)),
                .report(ConnectionState(phase: .connecting, attempt: 1)),
                .requestTurn,
            ])
        #expect(driver.send(.turnCame).first == .connect(attempt: 2))
        _ = driver.send(.linkUp)
        _ = driver.send(.connectAnswered(attempt: 2, nil))
        _ = driver.send(.servicesResolved)
        #expect(driver.send(.subscribed(nil)) == [.report(ConnectionState(phase: .ready))])
    }

    @Test("is given some rest when it keeps falling")
    func flapping() {
        var driver = MachineDriver.ready()
        driver.wait(4.9)
        #expect(driver.send(.linkDown).last == .setTimer(driver.soon(0.25)))
        #expect(driver.machine.reported?.attempt == 2)
    }

    @Test("is looked for by a scan once the sensor is out of reach, and made as soon as it is heard")
    func outOfRange() {
        var driver = MachineDriver.ready()
        driver.wait(60)
        _ = driver.send(.linkDown)
        _ = driver.send(.turnCame)
        #expect(!driver.machine.needsScan)
        driver.wait(15)
        _ = driver.send(.timerFired)
        _ = driver.send(.disconnectAnswered)
        #expect(driver.machine.needsScan)
        driver.wait(0.5)
        #expect(
            driver.send(.heard) == [
                .cancelTimer, .report(ConnectionState(phase: .connecting, attempt: 2)), .requestTurn,
            ])
        #expect(!driver.machine.needsScan)
    }

    @Test("is not hurried by hearing the sensor when it is the radio that needs a rest")
    func heardDuringRest() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.connectAnswered(attempt: 1, .abortedLink))
        #expect(driver.send(.heard) == [])
    }

    @Test("waits for the sensor to appear after BlueZ has forgotten it")
    func unknownPeripheral() {
        var driver = MachineDriver.connecting()
        #expect(
            driver.send(.connectAnswered(attempt: 1, .unknownPeripheral)) == [
                .releaseTurn, .cancelTimer,
                .report(ConnectionState(phase: .waiting, reason: .removed, attempt: 2)),
            ])
        #expect(driver.machine.needsScan)
        #expect(
            driver.send(.appeared) == [.report(ConnectionState(phase: .connecting, attempt: 2)), .requestTurn])
        #expect(!driver.machine.needsScan)
    }

    @Test("keeps the reason of the loss when BlueZ forgets the sensor later")
    func vanishedLater() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.connectAnswered(attempt: 1, .notReached))
        let actions = driver.send(.vanished)
        #expect(actions.contains(.report(ConnectionState(phase: .waiting, reason: .timeout, attempt: 2))))
        #expect(driver.machine.needsScan)
    }

    @Test("says that the sensor was removed when it was removed while streaming")
    func removedWhileReady() {
        var driver = MachineDriver.ready()
        let actions = driver.send(.vanished)
        #expect(actions.contains(.report(ConnectionState(phase: .waiting, reason: .removed, attempt: 2))))
        #expect(!driver.machine.ownsLink)
    }

    @Test("is ended by the user for good, until the user asks again")
    func userDisconnects() {
        var driver = MachineDriver.ready()
        driver.wait(60)
        #expect(
            driver.send(.unwanted) == [
                .report(ConnectionState(phase: .disconnected, reason: .user)), .cancelTimer, .disconnect,
                .setTimer(driver.soon(6)),
            ])
        driver.wait(2)
        #expect(driver.send(.linkDown) == [])
        #expect(driver.send(.disconnectAnswered) == [.cancelTimer])
        for event in [ConnectionMachine.Event.heard, .appeared, .radioReturned, .timerFired] {
            #expect(driver.send(event) == [])
        }
        #expect(driver.machine.isRefusedByUser)
        #expect(
            driver.send(.wanted) == [.report(ConnectionState(phase: .connecting, attempt: 1)), .requestTurn])
        #expect(!driver.machine.isRefusedByUser)
    }

    @Test("that the user ends is no loss of another program's link when BlueZ answers before it reports the end")
    func answerBeforeEnd() {
        var driver = MachineDriver.ready()
        _ = driver.send(.unwanted)
        #expect(driver.send(.disconnectAnswered) == [.cancelTimer])
        #expect(driver.send(.appeared) == [])
        #expect(driver.send(.linkDown) == [])
        #expect(driver.machine.reported == ConnectionState(phase: .disconnected, reason: .user))
    }

    @Test("is ended by the user also while it is being made, which cancels `Connect`")
    func userCancels() {
        var driver = MachineDriver.connecting()
        #expect(
            driver.send(.unwanted) == [
                .releaseTurn, .report(ConnectionState(phase: .disconnected, reason: .user)), .cancelTimer,
                .disconnect, .setTimer(driver.soon(6)),
            ])
        #expect(driver.send(.connectAnswered(attempt: 1, .abortedLink)) == [])
        #expect(driver.send(.disconnectAnswered) == [.cancelTimer])
        #expect(driver.machine.phase == .idle)
    }

    @Test("leaves the queue when the user ends it before its turn")
    func userLeavesQueue() {
        var driver = MachineDriver()
        _ = driver.send(.appeared)
        _ = driver.send(.wanted)
        #expect(
            driver.send(.unwanted) == [
                .releaseTurn, .report(ConnectionState(phase: .disconnected, reason: .user)), .cancelTimer,
            ])
        // A turn that was given meanwhile is handed on.
        #expect(driver.send(.turnCame) == [.releaseTurn])
    }

    @Test("that is wanted again while it is being ended waits for the end and a little longer")
    func wantedWhileDisconnecting() {
        var driver = MachineDriver.ready()
        _ = driver.send(.unwanted)
        #expect(driver.send(.wanted) == [.report(ConnectionState(phase: .connecting, attempt: 1))])
        _ = driver.send(.linkDown)
        #expect(driver.send(.disconnectAnswered) == [.setTimer(driver.soon(0.1))])
        driver.wait(0.1)
        #expect(driver.send(.timerFired) == [.cancelTimer, .requestTurn])
    }

    @Test(
        "waits while adapter, daemon or bus are gone, and is made again when they return",
        arguments: [ConnectionState.DisconnectReason.daemon, .bus])
    func daemonRestarts(reason: ConnectionState.DisconnectReason) {
        var driver = MachineDriver.ready()
        #expect(
            driver.send(.radioLost(reason)) == [
                .cancelTimer, .report(ConnectionState(phase: .waiting, reason: reason)),
            ])
        // All that is taken down with the daemon is no further news.
        #expect(driver.send(.linkDown) == [])
        #expect(!driver.send(.vanished).contains { if case .report = $0 { true } else { false } })
        #expect(!driver.machine.needsScan)
        #expect(driver.send(.radioReturned) == [.report(ConnectionState(phase: .waiting, reason: reason, attempt: 1))])
        #expect(driver.machine.needsScan)
        #expect(
            driver.send(.appeared) == [.report(ConnectionState(phase: .connecting, attempt: 1)), .requestTurn])
    }

    @Test("is made again when the adapter is switched on again")
    func adapterOffAndOn() {
        var driver = MachineDriver.ready()
        #expect(driver.send(.radioLost(.adapter)).last == .report(ConnectionState(phase: .waiting, reason: .adapter)))
        #expect(driver.send(.heard) == [])
        // BlueZ keeps a peripheral that was connected.
        #expect(
            driver.send(.radioReturned) == [
                .report(ConnectionState(phase: .connecting, attempt: 1)), .requestTurn,
            ])
    }

    @Test("whose `Connect` is under way as the adapter goes gives its turn back")
    func adapterGoesWhileConnecting() {
        var driver = MachineDriver.connecting()
        #expect(
            driver.send(.radioLost(.adapter)) == [
                .releaseTurn, .cancelTimer, .report(ConnectionState(phase: .waiting, reason: .adapter)),
            ])
        #expect(driver.send(.connectAnswered(attempt: 1, .settling)) == [])
    }

    @Test("that others made is shown and left alone, and adopted when it is wanted")
    func foreignLink() {
        var driver = MachineDriver()
        #expect(driver.send(.linkUp) == [.report(ConnectionState(phase: .connected, isForeign: true))])
        _ = driver.send(.servicesResolved)
        #expect(driver.machine.phase == .foreign)
        #expect(
            driver.send(.wanted) == [.report(ConnectionState(phase: .connected)), .cancelTimer, .subscribe])
        #expect(driver.send(.subscribed(nil)) == [.report(ConnectionState(phase: .ready))])
        #expect(!driver.machine.ownsLink)
    }

    @Test("that others made and end is reported as disconnected")
    func foreignLinkEnds() {
        var driver = MachineDriver()
        _ = driver.send(.linkUp)
        #expect(
            driver.send(.linkDown) == [
                .report(ConnectionState(phase: .disconnected, reason: .linkLost, isForeign: true))
            ])
    }

    @Test("that an earlier run made and is not wanted is ended, and another program's next one is not ours")
    func claimedUnwanted() {
        var driver = MachineDriver()
        _ = driver.send(.linkUp)
        #expect(driver.send(.claimed) == [.disconnect])
        _ = driver.send(.linkDown)
        #expect(driver.send(.disconnectAnswered) == [])
        _ = driver.send(.linkUp)
        #expect(driver.machine.phase == .foreign && !driver.machine.ownsLink)
    }

    @Test("that an earlier run made and that is wanted is ours, whatever is done with it just then")
    func claimedWanted() {
        let steps: [ConnectionMachine.Event] = [.servicesResolved, .subscribed(nil), .servicesChanged]
        for count in 0...steps.count {
            var driver = MachineDriver()
            _ = driver.send(.linkUp)
            _ = driver.send(.wanted)
            for step in steps.prefix(count) { _ = driver.send(step) }
            let phase = driver.machine.phase
            #expect(!driver.machine.ownsLink)
            #expect(driver.send(.claimed) == [])
            #expect(driver.machine.ownsLink && driver.machine.phase != phase)
        }
    }

    @Test("is there when its services are, though nothing else has said so")
    func servicesWithoutLink() {
        var driver = MachineDriver()
        _ = driver.send(.appeared)
        _ = driver.send(.wanted)
        #expect(
            driver.send(.servicesResolved) == [
                .releaseTurn, .report(ConnectionState(phase: .connected)), .cancelTimer, .subscribe,
            ])
    }

    @Test("that others make while we wait for our next attempt is taken")
    func linkUpDuringBackOff() {
        var driver = MachineDriver.connecting()
        _ = driver.send(.connectAnswered(attempt: 1, .notReached))
        #expect(
            driver.send(.linkUp) == [
                .cancelTimer, .report(ConnectionState(phase: .connected)), .setTimer(driver.soon(15)),
            ])
    }

    @Test("is subscribed to again when the services change")
    func servicesChange() {
        var driver = MachineDriver.ready()
        #expect(
            driver.send(.servicesLost) == [
                .report(ConnectionState(phase: .connected)), .setTimer(driver.soon(15)),
            ])
        #expect(driver.send(.servicesResolved) == [.cancelTimer, .subscribe])
    }

    @Test("never traps and never ends up wanted without a next step, for any events in any order")
    func anyOrder() {
        let events: [ConnectionMachine.Event] = [
            .wanted, .unwanted, .appeared, .heard, .vanished, .turnCame, .linkUp, .linkDown, .servicesResolved,
            .servicesLost, .subscribed(nil), .subscribed(.other), .disconnectAnswered, .timerFired,
            .radioLost(.adapter), .radioLost(.daemon), .radioReturned, .connectAnswered(attempt: 1, nil),
            .connectAnswered(attempt: 2, .busy), .connectAnswered(attempt: 3, .abortedLink),
            .connectAnswered(attempt: 4, .unknownPeripheral),
        ]
        for _ in 0..<2000 {
            var driver = MachineDriver()
            var hasTimer = false
            for _ in 0..<40 {
                guard let event = events.randomElement() else { return }
                if event == .timerFired {
                    guard hasTimer else { continue }
                    hasTimer = false
                }
                for action in driver.send(event) {
                    if case .setTimer = action { hasTimer = true }
                    if action == .cancelTimer { hasTimer = false }
                }
                driver.wait(1)
            }
            let machine = driver.machine
            switch machine.phase {
            case .connecting, .resolving, .cleaningUp, .disconnecting, .backingOff: #expect(hasTimer)
            case .idle where machine.isWanted:
                #expect(machine.radioTrouble != nil || machine.needsScan)
            default: break
            }
        }
    }
}
