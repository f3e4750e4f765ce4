import Vitals

/// Brings one sensor's connection from wanted to streaming and keeps it there; a pure state machine.
///
/// Events go in with their moment, actions come out; nothing is performed, no clock is read, and chance is an argument.
/// What the user wants lives here, not with BlueZ, so it outlives links, adapters and daemons.
struct ConnectionMachine: Hashable, Sendable {
    /// How far the connection is.
    var phase = Phase.idle
    /// Whether the user, or the policy, wants the sensor connected.
    var isWanted = false
    /// Whether the user has ended the connection; the policy does not want it back by itself then.
    var isRefusedByUser = false
    /// Whether the present link, or the one under way, is of our making.
    var ownsLink = false
    /// What was reported last.
    var reported: ConnectionState?

    /// Whether BlueZ knows the peripheral.
    var isKnown = false
    /// Whether BlueZ says that there is a link.
    var isLinked = false
    /// Whether BlueZ says that the services are resolved.
    var isResolved = false
    /// Whether it is our turn to connect.
    var holdsTurn = false
    /// Why nothing can be connected at present.
    var radioTrouble: ConnectionState.DisconnectReason?
    /// Attempts since the last stable connection.
    var attempts = 0
    /// Answers in a row that BlueZ is busy with this sensor.
    var busyAnswers = 0
    /// Attempts in a row that the sensor has refused.
    var refusals = 0
    /// Whether the sensor is one that sends values without pause.
    var isStreaming = false
    /// When the newest value came.
    var lastValue: Moment?
    /// Whether the subscriptions of the present link were made anew because nothing came.
    var isRearmed = false
    /// Whether the computer has slept during the present link.
    var hasSlept = false
    /// Whether the services of the present link have changed, so that more may be on their way.
    var haveServicesChanged = false
    /// Numbers every `Connect`, so that a late answer to an earlier one is not taken for the present one's.
    var connectSerial = 0
    /// What to do about the event that is being handled.
    var actions: [Action] = []

    /// Whether only a scan can bring the sensor back, because BlueZ does not know it or it is out of reach.
    var needsScan: Bool {
        guard isWanted, !isLinked, radioTrouble == nil else { return false }
        return switch phase {
        case .idle: !isKnown
        case .backingOff(let failure): !isKnown || failure.endsWhenHeard
        default: false
        }
    }

    /// Whether the `Connect` with a number is still the one to be made or awaited.
    func isConnecting(attempt: Int) -> Bool {
        phase == .connecting && attempt == connectSerial
    }

    /// Takes in an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: When.
    ///   - random: From 0 up to 1, for the jitter of a back-off.
    /// - Returns: What to do, in order.
    mutating func handle(_ event: Event, at now: Moment, random: Double) -> [Action] {
        switch event {
        case .wanted: want(at: now)
        case .unwanted: unwant(at: now)
        case .released: release()
        case .appeared:
            isKnown = true
            proceed(at: now)
        case .heard:
            isKnown = true
            if case .backingOff(let failure) = phase, failure.endsWhenHeard { endBackOff() }
            proceed(at: now)
        case .vanished: vanish(at: now)
        case .turnCame: takeTurn(at: now)
        case .connectAnswered(let attempt, let failure):
            guard isConnecting(attempt: attempt) else { break }
            connectAnswered(failure, at: now, random: random)
        case .linkUp: linkUp(at: now)
        case .linkDown: linkDown(at: now, random: random)
        case .servicesResolved:
            isResolved = true
            if phase == .connecting || phase == .resolving { subscribe() }
        case .servicesLost:
            loseServices(at: now)
        case .servicesChanged: servicesChanged(at: now)
        case .subscribed(let failure): subscribed(failure, at: now)
        case .valueCame: if isSilent { report(ConnectionState(phase: .ready)) }
        case .awoke: if case .ready = phase { awake(at: now) }
        case .stalled: if case .ready = phase { listen(at: now) }
        case .disconnectAnswered: disconnected(at: now, random: random)
        case .timerFired: timerFired(at: now, random: random)
        case .radioLost(let reason): loseRadio(reason)
        case .radioReturned:
            radioTrouble = nil
            proceed(at: now)
        }
        defer { actions = [] }
        return actions
    }
}

// MARK: What is wanted

extension ConnectionMachine {
    mutating func want(at now: Moment) {
        isRefusedByUser = false
        isWanted = true
        attempts = 0
        switch phase {
        case .backingOff: endBackOff()
        case .foreign: phase = .idle
        // Said at once, though the link has to end first.
        case .disconnecting: report(ConnectionState(phase: .connecting, attempt: 1))
        default: break
        }
        if let radioTrouble { report(ConnectionState(phase: .waiting, reason: radioTrouble)) }
        proceed(at: now)
    }

    mutating func unwant(at now: Moment) {
        isWanted = false
        isRefusedByUser = true
        let mustDisconnect = isLinked || phase == .connecting
        leaveTurn()
        report(ConnectionState(phase: .disconnected, reason: .user))
        if phase == .disconnecting { return }
        actions.append(.cancelTimer)
        guard mustDisconnect else {
            phase = .idle
            return
        }
        phase = .disconnecting
        actions.append(.disconnect)
        setTimer(Self.disconnectLimit, at: now)
    }

    /// Gives up a sensor without a link, though the user has not said a word against it.
    mutating func release() {
        guard isWanted, !isLinked else { return }
        switch phase {
        case .idle, .queued, .backingOff: break
        default: return
        }
        leaveTurn()
        actions.append(.cancelTimer)
        isWanted = false
        phase = .idle
        report(ConnectionState(phase: .disconnected, reason: reported?.reason ?? .removed))
    }

    /// Takes the next step when nothing is under way.
    mutating func proceed(at now: Moment) {
        guard phase == .idle, radioTrouble == nil else { return }
        if isLinked {
            if isWanted { awaitServices(at: now) } else { showForeignLink() }
            return
        }
        guard isWanted else { return }
        if isKnown {
            attempts += 1
            report(ConnectionState(phase: .connecting, attempt: attempts))
            phase = .queued
            actions.append(.requestTurn)
        } else {
            report(ConnectionState(phase: .waiting, reason: reported?.reason ?? .removed, attempt: attempts + 1))
        }
    }

    mutating func showForeignLink() {
        phase = .foreign
        report(ConnectionState(phase: .connected, isForeign: true))
    }
}

// MARK: Connecting

extension ConnectionMachine {
    mutating func takeTurn(at now: Moment) {
        guard phase == .queued else {
            actions.append(.releaseTurn)
            return
        }
        holdsTurn = true
        connectSerial += 1
        ownsLink = true
        phase = .connecting
        actions.append(.connect(attempt: connectSerial))
        setTimer(Self.connectLimit, at: now)
    }

    mutating func connectAnswered(_ failure: ConnectFailure?, at now: Moment, random: Double) {
        leaveTurn()
        guard let failure else {
            busyAnswers = 0
            // Quirk connect-is-no-success: BlueZ resolves the services after its answer, or the link dies meanwhile.
            if isResolved { subscribe() } else { awaitServices(at: now) }
            return
        }
        busyAnswers = failure == .busy ? busyAnswers + 1 : 0
        switch failure {
        // Quirk connect-stays-in-progress: only a `Disconnect` gets BlueZ out of it.
        case .busy where busyAnswers >= Self.busyAnswersBeforeCleaning:
            busyAnswers = 0
            cleanUp(after: failure, at: now)
        case .unknownPeripheral:
            isKnown = false
            ownsLink = false
            phase = .idle
            actions.append(.cancelTimer)
            report(ConnectionState(phase: .waiting, reason: .removed, attempt: attempts + 1))
        default:
            ownsLink = false
            backOff(after: failure, reason: failure.reason, at: now, random: random)
        }
    }

    mutating func linkUp(at now: Moment) {
        isLinked = true
        isKnown = true
        switch phase {
        case .connecting:
            // Quirk connect-is-no-success: one that cannot be established (0x3E) is told as up, 0.24 s later as down.
            break
        case .backingOff, .queued:
            // Somebody else made the link, or a `Connect` of ours that was given up got through after all.
            leaveTurn()
            endBackOff()
            proceed(at: now)
        default: proceed(at: now)
        }
    }

    mutating func awaitServices(at now: Moment) {
        phase = .resolving
        report(ConnectionState(phase: .connected))
        if isResolved { subscribe() } else { setTimer(Self.servicesLimit, at: now) }
    }

    mutating func loseServices(at now: Moment) {
        isResolved = false
        switch phase {
        case .ready(let since):
            if now.since(since) >= Self.stableAfter { attempts = 0 }
            awaitServices(at: now)
        case .subscribing, .settling: awaitServices(at: now)
        default: break
        }
    }

    mutating func subscribe() {
        leaveTurn()
        isRearmed = false
        phase = .subscribing
        report(ConnectionState(phase: .connected))
        actions.append(.cancelTimer)
        actions.append(.subscribe)
    }

    mutating func subscribed(_ failure: ConnectFailure?, at now: Moment) {
        guard phase == .subscribing else { return }
        switch failure {
        case nil:
            phase = .ready(since: now)
            haveServicesChanged = false
            refusals = 0
            report(ConnectionState(phase: .ready))
            listen(at: now)
        case .noServices where haveServicesChanged:
            // The new ones may still be on their way; `servicesChanged` or the time ends the wait.
            phase = .resolving
            setTimer(Self.servicesLimit, at: now)
        case .some(let failure): cleanUp(after: failure, at: now)
        }
    }

    mutating func leaveTurn() {
        guard holdsTurn || phase == .queued else { return }
        holdsTurn = false
        actions.append(.releaseTurn)
    }
}

// MARK: Saying

extension ConnectionMachine {
    mutating func setTimer(_ delay: Duration, at now: Moment) {
        actions.append(.setTimer(now.advanced(by: delay)))
    }

    mutating func report(_ state: ConnectionState) {
        guard reported != state else { return }
        reported = state
        actions.append(.report(state))
    }
}
