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
    /// The length of the last such rest.
    var lastRest: Duration?
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
        case .rearmFailed: rearmFailed(at: now)
        case .conversationEnded(let failure, let hasNews): endConversation(failure, hasNews: hasNews, at: now)
        case .reconnectWanted: reconnect(at: now)
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

extension ConnectionMachine {
    /// The time limit of `Connect`.
    ///
    /// Quirk connect-waits-for-report: another program's scan can delay it by some 11 s.
    static let connectLimit = Duration.seconds(15)
    /// The time limit for resolving the services of a new link.
    static let servicesLimit = Duration.seconds(15)
    /// The time limit of `Disconnect`.
    ///
    /// Quirk disconnect-takes-2-s: BlueZ takes this long to end a link.
    static let disconnectLimit = Duration.seconds(6)
    /// The number of consecutive "busy" answers after which `Disconnect` is called.
    ///
    /// Usually another program is connecting to the same sensor, and its link can be shared. If two programs cancelled
    /// at once, they would keep each other from the sensor permanently; an attempt that never ends is still cancelled.
    static let busyAnswersBeforeCleaning = 3
    /// How long a streaming sensor may be silent before it is subscribed to again, and after that before it counts as
    /// silent.
    static let silenceLimit = Duration.seconds(20)
    /// How long a sensor is left alone after it has transferred something new.
    ///
    /// A second measurement follows the first within a minute where somebody doubts it, while the sensor still
    /// advertises because of the first; it may be asleep soon after.
    static let firstRest = Duration.seconds(10)
    /// How long a sensor is left alone at most after it has transferred everything.
    static let longestRest = Duration.seconds(60)
    /// How long changed services must be stable before they are subscribed to.
    static let changeLimit = Duration.seconds(1)
    /// The number of consecutive refusals after which the user is asked whether another device uses the sensor.
    static let refusalsBeforeHint = 3
    /// How long a connection must have streamed for its failures to be forgotten.
    static let stableAfter = Duration.seconds(5)
}

// Problems with an established link: silence, or changed services.
extension ConnectionMachine {
    /// Whether the sensor is subscribed to.
    var isReady: Bool {
        if case .ready = phase { true } else { false }
    }

    /// Begins to watch for silence.
    func silenceTimer(at now: Moment) -> [Action] {
        isStreaming ? [.setTimer(now.advanced(by: Self.silenceLimit))] : []
    }

    /// Checks for a silent sensor: subscribes again, with success once for each link, then reports it.
    func checkSilence(on link: Link, since: Moment, isRearmed: Bool, at now: Moment) -> Transition {
        let last = max(lastValue ?? since, since)
        let due = last.advanced(by: Self.silenceLimit)
        guard due <= now else { return stay([.setTimer(due)]) }
        let timer = silenceTimer(at: now)
        guard isRearmed else {
            return move(to: .ready(link, since: since, isRearmed: true), timer + [.rearm])
        }
        // Quirk dead-after-sleep: a sensor that is reported as connected may not be.
        if link.hasSlept, link.isOurs { return cleanUp(after: .noServices, since: timer, at: now) }
        return stay(timer + [.report(ConnectionState(phase: .ready, hint: .silent))])
    }

    /// Subscribing again has failed, as while the bus forbids calls: what the sensor sends later would be lost.
    func rearmFailed(at now: Moment) -> Transition {
        guard case .ready(let link, let since, isRearmed: true) = phase else { return stay() }
        return move(to: .ready(link, since: since, isRearmed: false), silenceTimer(at: now))
    }

    /// The computer has slept: values of that time are lost, and the link may be dead.
    func wake(at now: Moment) -> Transition {
        guard case .ready(var link, let since, _) = phase else { return stay() }
        link.hasSlept = true
        return move(to: .ready(link, since: since, isRearmed: false), silenceTimer(at: now))
    }

    /// The program was stalled: values of that time may not be handled yet.
    func resume(at now: Moment) -> Transition {
        if case .ready = phase { stay(silenceTimer(at: now)) } else { stay() }
    }

    /// The services have changed: subscriptions may be lost, and more changes may follow.
    func servicesChanged(at now: Moment) -> Transition {
        switch phase {
        case .ready(let link, _, _), .subscribing(let link, _), .settling(let link),
            .resolving(let link, afterChange: true):
            move(
                to: .settling(link),
                [.report(ConnectionState(phase: .connected)), .setTimer(now.advanced(by: Self.changeLimit))])
        case .resolving(_, afterChange: false), .idle, .queued, .connecting, .foreign, .cleaningUp, .disconnecting,
            .backingOff, .asleep:
            stay()
        }
    }
}

extension ConnectionMachine {
    /// An event of one sensor's connection.
    enum Event: Hashable, Sendable {
        /// The user, or the policy, wants the sensor connected.
        case wanted
        /// The user no longer wants the sensor connected; final until the next ``wanted``.
        case unwanted
        /// The policy prefers another sensor; this one may be ``wanted`` again at any time.
        case released
        /// BlueZ knows the peripheral now.
        case appeared
        /// The peripheral was heard, so BlueZ knows it, too.
        case heard
        /// BlueZ has forgotten the peripheral.
        case vanished
        /// The sensor's turn to connect has come.
        case turnCame
        /// The `Connect` with this number has answered; `nil` is success.
        case connectAnswered(attempt: Int, ConnectFailure?)
        case linkUp
        case linkDown
        /// BlueZ knows the sensor's services.
        case servicesResolved
        /// BlueZ no longer knows the sensor's services, though the link may exist.
        case servicesLost
        /// The sensor's services have changed, or are about to change.
        case servicesChanged
        /// The subscriptions are complete; `nil` for success.
        case subscribed(ConnectFailure?)
        /// A silent sensor was not subscribed to again, and perhaps not to at all any more.
        case rearmFailed
        /// The conversation with the sensor has ended: everything was transferred, or it failed; and whether it brought
        /// an entry that was not known.
        case conversationEnded(ConnectFailure?, hasNews: Bool)
        /// What is wanted of the sensor needs a new link.
        case reconnectWanted
        /// The sensor cannot be used, for a reason that no further attempt changes; a sentence.
        case unusable(String)
        /// A value arrived; needed only while ``ConnectionMachine/isSilent``.
        case valueCame
        /// The computer has slept.
        case awoke
        /// The program was stalled: values of that time may be waiting.
        case stalled
        /// The link turned out to be ours.
        case claimed
        /// `Disconnect` has returned, successfully or not.
        case disconnectAnswered
        /// The timer of ``Action/setTimer(_:)`` has fired.
        case timerFired
        /// No connection is possible, because the adapter, bluetoothd or the bus is lost, or the sensor is being
        /// paired.
        case radioLost(ConnectionState.DisconnectReason)
        /// The adapter can be used (again).
        case radioReturned
    }

    /// An action for the caller, to be performed in order.
    enum Action: Hashable, Sendable {
        /// Request a turn to connect; ``Event/turnCame`` answers.
        case requestTurn
        /// Let the next sensor connect, or stop waiting for a turn.
        case releaseTurn
        /// Call `Connect`; return the answer with the same number.
        case connect(attempt: Int)
        /// Call `Disconnect`, which also cancels a pending `Connect`.
        case disconnect
        /// Subscribe to the sensor's characteristics, then read those that are read once.
        case subscribe
        /// End the subscriptions and subscribe again.
        case rearm
        /// Set the timer to this moment; replaces an earlier one.
        case setTimer(Moment)
        /// Cancel the timer.
        case cancelTimer
        /// Report the state to all readers.
        case report(ConnectionState)
    }
}
