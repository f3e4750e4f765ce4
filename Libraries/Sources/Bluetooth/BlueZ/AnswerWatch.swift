import Base

/// Finds out whether the daemon and the bus are alive while nothing comes from them; a pure state machine.
///
/// A stopped bus or a hung daemon looks like sensors that are silent, and what waited in it looks like sensors that all
/// send at once. So after ``quiet`` without a sign of life the daemon is asked for an answer, and the bus, when that
/// does not come at once. An answer follows everything that its sender sent before: nothing that comes after it waited
/// longer than since the question. What comes between a missing answer and ``Action/answers`` may have waited.
///
/// A daemon that resumes may answer before it has read what waited in the kernel. So its silence ends only when
/// nothing more has come for ``settlingTime``.
struct AnswerWatch {
    /// Who is asked.
    enum Peer: Hashable {
        case bus, daemon
    }

    /// What to do, in order.
    enum Action: Hashable {
        /// Ask for an answer, then call ``answered(_:number:at:)`` with the same number.
        case ask(Peer, number: Int)
        /// This one has not answered; what comes from now on may have waited.
        case silent(Peer)
        /// All that waited has come; what comes from now on is of now.
        case answers
    }

    /// How long after a missing answer of the daemon the bus is asked, and how long that may take.
    static let patience: Int64 = 250_000_000
    /// How long nothing must have come after a silence.
    static let settlingTime: Int64 = 250_000_000
    /// How long values may keep coming after a silence before they count as those of now.
    static let longestSettling: Int64 = 1_000_000_000
    /// How long values may keep coming without the answer before the daemon counts as one that never answers.
    static let longestDoubt: Int64 = 3_000_000_000

    private enum Phase: Hashable {
        case off
        case listening
        /// The daemon was asked.
        case daemonAsked
        /// The bus was asked, too; whether it has answered.
        case busAsked(hasAnswered: Bool)
        /// Who does not answer; since when values come nevertheless.
        case silent(Peer, busHasAnswered: Bool, valuesSince: Int64?)
        /// The daemon has answered; what waited may still come.
        case settling(until: Int64)
        /// The daemon was asked again: the answer may itself have waited in the bus, while the daemon went silent.
        case confirming
        /// It has answered that, too.
        case confirmed
    }

    /// How long nothing must have come before the daemon is asked, in nanoseconds; zero where it is not to be asked.
    private(set) var quiet: Int64 = 0
    /// When to call ``timerFired(at:)``; `nil` for never.
    private(set) var due: Int64?
    private var phase = Phase.off
    private var lastSign: Int64 = 0
    /// The number of the last question, and of the first one whose answer still counts.
    private var (number, firstNumber) = (0, 1)

    /// Whether what comes may have waited.
    var isSilent: Bool {
        switch phase {
        case .silent, .settling, .confirming, .confirmed: true
        case .off, .listening, .daemonAsked, .busAsked: false
        }
    }

    /// Begins to watch, or changes ``quiet``.
    mutating func begin(quiet: Int64, at now: Int64) {
        self.quiet = quiet
        switch phase {
        case .off: listen(at: now)
        case .listening: due = min(due ?? .max, max(now, lastSign.addingSaturated(quiet)))
        case .daemonAsked, .busAsked, .silent, .settling, .confirming, .confirmed: break
        }
    }

    /// Ends the watch: neither bus nor daemon is asked or counts as silent.
    mutating func end() {
        (phase, due, firstNumber) = (.off, nil, number + 1)
    }

    /// Stops asking; a bus or daemon that is silent stays so until it answers.
    mutating func pause() {
        quiet = 0
        switch phase {
        case .off, .listening, .daemonAsked, .busAsked: end()
        case .silent, .settling, .confirming, .confirmed: break
        }
    }

    /// Handles a stall of the loop itself, after which missing answers prove nothing.
    mutating func restart(at now: Int64) {
        switch phase {
        case .off: break
        case .listening, .daemonAsked, .busAsked:
            firstNumber = number + 1
            listen(at: now)
        case .silent, .settling, .confirming, .confirmed: due = now + Self.patience
        }
    }

    /// Records a message of the daemon.
    mutating func heard(at now: Int64) {
        lastSign = now
        switch phase {
        case .listening:
            // Not for each value, because to move a timer costs more than to compare.
            if let due, due - now < quiet / 2 { self.due = now.addingSaturated(quiet) }
        case .silent(let peer, let busHasAnswered, nil):
            phase = .silent(peer, busHasAnswered: busHasAnswered, valuesSince: now)
            due = now + Self.longestDoubt
        case .off, .daemonAsked, .busAsked, .silent, .settling, .confirming, .confirmed: break
        }
    }

    /// Handles an answer; an error is one, too.
    mutating func answered(_ peer: Peer, number: Int, at now: Int64) {
        guard number >= firstNumber, number <= self.number else { return }
        switch (phase, peer) {
        case (.daemonAsked, .daemon), (.busAsked, .daemon):
            listen(at: now)
        case (.busAsked, .bus):
            phase = .busAsked(hasAnswered: true)
        case (.silent, .daemon):
            lastSign = now
            phase = .settling(until: now + Self.longestSettling)
            due = now + Self.settlingTime
        case (.silent(.bus, false, let valuesSince), .bus):
            // The daemon's answer is mostly right behind.
            phase = .silent(.bus, busHasAnswered: true, valuesSince: valuesSince)
            due = min(due ?? .max, now + Self.patience)
        case (.confirming, .daemon) where number == self.number:
            (phase, due) = (.confirmed, now)
        case (.off, _), (.listening, _), (.daemonAsked, .bus), (.silent, .bus), (.settling, _), (.confirming, _),
            (.confirmed, _):
            break
        }
    }

    /// Handles the time ``due``; returns what to do.
    mutating func timerFired(at now: Int64) -> [Action] {
        guard let due, now >= due else { return [] }
        // A loop that was itself late may have the answer waiting in its socket.
        let isLate = now - due > Self.patience
        switch phase {
        case .off:
            self.due = nil
        case .listening:
            guard now - lastSign >= quiet else {
                self.due = lastSign.addingSaturated(quiet)
                break
            }
            phase = .daemonAsked
            return ask(.daemon, at: now)
        case .daemonAsked where isLate, .busAsked where isLate:
            self.due = now + Self.patience
        case .daemonAsked:
            phase = .busAsked(hasAnswered: false)
            return ask(.bus, at: now)
        case .busAsked(let hasAnswered):
            let peer = hasAnswered ? Peer.daemon : .bus
            phase = .silent(peer, busHasAnswered: hasAnswered, valuesSince: nil)
            self.due = nil
            return [.silent(peer)]
        case .silent(let peer, let busHasAnswered, let valuesSince):
            return remainSilent(peer, busHasAnswered: busHasAnswered, valuesSince: valuesSince, at: now)
        case .settling(let until):
            guard now < until, now - lastSign < Self.settlingTime else {
                phase = .confirming
                return ask(.daemon, at: now)
            }
            self.due = min(until, lastSign + Self.settlingTime)
        case .confirming where isLate:
            self.due = now + Self.patience
        case .confirming:
            phase = .silent(.daemon, busHasAnswered: true, valuesSince: nil)
            self.due = nil
            return [.silent(.daemon)]
        case .confirmed:
            listen(at: now)
            return [.answers]
        }
        return []
    }

    private mutating func remainSilent(
        _ peer: Peer, busHasAnswered: Bool, valuesSince: Int64?, at now: Int64
    ) -> [Action] {
        var valuesSince = valuesSince
        due = nil
        if let since = valuesSince {
            if now - since < Self.longestDoubt {
                due = since + Self.longestDoubt
            } else if now - lastSign < Self.longestDoubt / 2 {
                // A daemon that never answers must not hold back values indefinitely.
                end()
                return [.answers]
            } else {
                valuesSince = nil
            }
        }
        let blamed = peer == .bus && busHasAnswered ? Peer.daemon : peer
        phase = .silent(blamed, busHasAnswered: busHasAnswered, valuesSince: valuesSince)
        return blamed == peer ? [] : [.silent(blamed)]
    }

    private mutating func listen(at now: Int64) {
        lastSign = now
        guard quiet > 0 else { return end() }
        (phase, due) = (.listening, now.addingSaturated(quiet))
    }

    private mutating func ask(_ peer: Peer, at now: Int64) -> [Action] {
        number += 1
        due = now + Self.patience
        return [.ask(peer, number: number)]
    }
}
