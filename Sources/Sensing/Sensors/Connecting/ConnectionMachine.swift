import Vitals

/// Brings one sensor's connection from wanted to streaming and keeps it there; a pure state machine.
///
/// Events go in with their moment, actions come out; nothing is performed, no clock is read, and chance is an argument.
/// What the user wants lives here, not with BlueZ, so it outlives links, adapters and daemons.
struct ConnectionMachine: Hashable, Sendable {
    /// How far the connection is.
    var phase = Phase.idle
    /// What the user, or the policy, wants.
    var wish = Wish.notWanted
    /// What the peripheral is to BlueZ.
    var presence = Presence.unknown
    /// Why nothing can be connected at present.
    var radioTrouble: ConnectionState.DisconnectReason?
    /// The attempts so far.
    var attempts = Attempts()
    /// What was reported last.
    var reported: ConnectionState?
    /// Whether the sensor is one that sends values without pause.
    var isStreaming = false
    /// Whether the sensor is asleep between its measurements, so that the end of a link is no loss.
    var isEpisodic = false
    /// Until when a sensor that has handed over everything is left alone, so that it can fall asleep.
    var restsUntil: Moment?
    /// When the newest value came, also on a former link.
    var lastValue: Moment?

    var isWanted: Bool { wish == .wanted }
    var isRefusedByUser: Bool { wish == .refused }
    var isKnown: Bool { presence != .unknown }
    var isLinked: Bool { presence.isLinked }
    var ownsLink: Bool { phase.ownsLink }

    /// Whether it is reported that no value comes.
    var isSilent: Bool { reported?.hint == .silent }

    /// Whether a `Connect` must be made or awaited.
    var isConnecting: Bool { if case .connecting = phase { true } else { false } }

    /// Whether the driver or the table is subscribing.
    var isSubscribing: Bool { if case .subscribing = phase { true } else { false } }

    /// Whether the `Connect` with a number is still the one to be made or awaited.
    func isConnecting(attempt: Int) -> Bool { phase == .connecting(attempt: attempt) }

    /// Whether only a scan can bring the sensor back, because BlueZ does not know it or it is out of reach.
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
    ///   - random: From 0 up to 1, for the jitter of a back-off.
    /// - Returns: What to do, in order.
    mutating func handle(_ event: Event, at now: Moment, random: Double) -> [Action] {
        apply(transition(on: event, at: now, random: random))
    }

    /// Changes to the next state: a turn that is not needed any more is released, and no state is reported twice.
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

    /// Takes over from an earlier run, or another address, whether the user has ended the connection.
    mutating func recallRefusal(_ isRefused: Bool) {
        if !isWanted { wish = isRefused ? .refused : .notWanted }
    }

    /// Withdraws the last report, which was not delivered yet.
    mutating func withholdReport() { reported = nil }

    /// Records that a report that was withheld has been made after all.
    mutating func recordReport(_ state: ConnectionState) { reported = state }
}

extension ConnectionMachine {
    /// What an event leads to.
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

    /// Takes the next step when nothing is under way.
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

    /// Reports that the next attempt waits for something other than time.
    func waiting(because reason: ConnectionState.DisconnectReason?) -> Action {
        .report(ConnectionState(phase: .waiting, reason: reason, attempt: attempts.sinceStable + 1))
    }
}
