import Vitals

/// Connects one wanted sensor and keeps it streaming; a pure state machine.
///
/// It gets events with their moment and returns actions; it performs nothing, reads no clock, and gets random numbers
/// as arguments. The user's wish is stored here, not in BlueZ, so it outlives links, adapters and daemons.
struct ConnectionMachine: Hashable, Sendable {
    /// The phase of the connection.
    var phase = Phase.idle
    /// The wish of the user or the policy.
    var wish = Wish.notWanted
    /// What BlueZ knows of the peripheral.
    var presence = Presence.unknown
    /// Why no connection is possible at present.
    var radioTrouble: ConnectionState.DisconnectReason?
    /// The attempts so far.
    var attempts = Attempts()
    /// The last reported state.
    var reported: ConnectionState?
    /// Whether the sensor sends values continuously.
    var isStreaming = false
    /// Whether the sensor sleeps between its measurements, so that the end of a link is no loss.
    var isEpisodic = false
    /// Until when the sensor is left alone after transferring everything, so that it can fall asleep.
    var restsUntil: Moment?
    /// The time of the newest value, also on a former link.
    var lastValue: Moment?

    var isWanted: Bool { wish == .wanted }
    var isRefusedByUser: Bool { wish == .refused }
    var isKnown: Bool { presence != .unknown }
    var isLinked: Bool { presence.isLinked }
    var ownsLink: Bool { phase.ownsLink }

    /// Whether the sensor was reported as silent.
    var isSilent: Bool { reported?.hint == .silent }

    /// Whether a `Connect` must be called or awaited.
    var isConnecting: Bool { if case .connecting = phase { true } else { false } }

    /// Whether the driver or the table is subscribing.
    var isSubscribing: Bool { if case .subscribing = phase { true } else { false } }

    /// Whether the `Connect` with a number is still to be called or awaited.
    func isConnecting(attempt: Int) -> Bool { phase == .connecting(attempt: attempt) }

    /// Whether only a scan can find the sensor, because BlueZ does not know it or it is out of range.
    var needsScan: Bool {
        guard isWanted, !isLinked, radioTrouble == nil else { return false }
        return switch phase {
        case .idle: !isKnown
        case .backingOff(let failure): !isKnown || failure.endsWhenHeard
        case .asleep: true
        case .queued, .connecting, .resolving, .settling, .subscribing, .ready, .foreign, .cleaningUp,
            .disconnecting:
            false
        }
    }

    /// Handles an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: When.
    ///   - random: From 0 up to 1, for the jitter of a delay.
    /// - Returns: What to do, in order.
    mutating func handle(_ event: Event, at now: Moment, random: Double) -> [Action] {
        apply(transition(on: event, at: now, random: random))
    }

    /// Changes to the next state: releases an unneeded turn, and reports no state twice.
    private mutating func apply(_ transition: Transition) -> [Action] {
        var actions: [Action] = phase.needsTurn && !transition.next.phase.needsTurn ? [.releaseTurn] : []
        self = transition.next
        for action in transition.actions {
            if case .report(let state) = action {
                guard state != reported else { continue }
                reported = state
            }
            actions.append(action)
        }
        return actions
    }

    /// Restores, from an earlier run or another address, whether the user has ended the connection.
    mutating func recallRefusal(_ isRefused: Bool) {
        if !isWanted { wish = isRefused ? .refused : .notWanted }
    }

    /// Withdraws the last report, which was not delivered.
    mutating func withholdReport() { reported = nil }

    /// Records that a withheld report was made after all.
    mutating func recordReport(_ state: ConnectionState) { reported = state }
}

extension ConnectionMachine {
    /// The result of an event.
    struct Transition {
        /// The machine afterwards, before the reports among the actions.
        let next: ConnectionMachine
        /// What to do, in order.
        let actions: [Action]
    }

    /// The machine with one value changed.
    func with<Value>(_ keyPath: WritableKeyPath<ConnectionMachine, Value>, _ value: Value) -> ConnectionMachine {
        var next = self
        next[keyPath: keyPath] = value
        return next
    }

    func stay(_ actions: [Action] = []) -> Transition { Transition(next: self, actions: actions) }

    func move(to phase: Phase, _ actions: [Action]) -> Transition { with(\.phase, phase).stay(actions) }

    private func transition(on event: Event, at now: Moment, random: Double) -> Transition {
        switch event {
        case .wanted: want(at: now)
        case .unwanted: unwant(at: now)
        case .released: release()
        case .appeared: with(\.presence, presence.known).proceed(at: now)
        case .heard: hear(at: now)
        case .vanished: vanish()
        case .turnCame: connect(at: now)
        case .connectAnswered(let attempt, let failure):
            isConnecting(attempt: attempt) ? connectAnswered(failure, at: now, random: random) : stay()
        case .linkUp: with(\.presence, presence.linked).linkUp(at: now)
        case .linkDown: isLinked ? linkDown(at: now, random: random) : stay()
        case .servicesResolved: servicesResolved(at: now)
        case .servicesLost: loseServices(at: now)
        case .servicesChanged: servicesChanged(at: now)
        case .subscribed(let failure): subscribed(failure, at: now)
        case .conversationEnded(let failure): endConversation(failure, at: now)
        case .unusable(let reason): giveUp(because: reason, at: now)
        case .valueCame: stay(isSilent ? [.report(ConnectionState(phase: .ready))] : [])
        case .awoke: wake(at: now)
        case .stalled: resume(at: now)
        case .claimed: claim()
        case .disconnectAnswered: disconnected(at: now, random: random)
        case .timerFired: timerFired(at: now, random: random)
        case .radioLost(let reason): loseRadio(reason)
        case .radioReturned: with(\.radioTrouble, nil).proceed(at: now)
        }
    }

    /// Takes the next step when no operation is in progress.
    ///
    /// - Parameter actions: The actions before it.
    func proceed(after actions: [Action] = [], at now: Moment) -> Transition {
        guard phase == .idle, radioTrouble == nil else { return stay(actions) }
        switch (presence, wish) {
        case (.linked, .wanted), (.resolved, .wanted):
            return awaitServices(on: Link(isOurs: false), after: actions, at: now)
        case (.linked, .notWanted), (.linked, .refused), (.resolved, .notWanted), (.resolved, .refused):
            return move(to: .foreign, actions + [.report(ConnectionState(phase: .connected, isForeign: true))])
        case (.unknown, .notWanted), (.unknown, .refused), (.known, .notWanted), (.known, .refused):
            return stay(actions)
        case (.known, .wanted):
            let attempt = attempts.sinceStable + 1
            return with(\.attempts.sinceStable, attempt).move(
                to: .queued, actions + [.report(ConnectionState(phase: .connecting, attempt: attempt)), .requestTurn])
        case (.unknown, .wanted):
            return stay(actions + [waiting(because: reported?.reason ?? .removed)])
        }
    }

    /// Reports that the next attempt waits for an event instead of a delay.
    func waiting(because reason: ConnectionState.DisconnectReason?) -> Action {
        .report(ConnectionState(phase: .waiting, reason: reason, attempt: attempts.sinceStable + 1))
    }
}
