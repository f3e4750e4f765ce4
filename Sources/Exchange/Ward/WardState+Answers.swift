import Base
import Monitoring
import Vitals
import WardMessages

/// A request about an alarm that a bed has not answered yet.
struct OpenAnswer: Hashable, Sendable {
    var request: WardToken
    var bed: WardBed
    var alarm: Int
    var name: WardCommand.Name
    var expires: MonotonicTime
}

extension WardState {
    /// Sends a bed an answer to its worst alarm, or to this one.
    ///
    /// Nothing changes here before the bed's own message about the alarm.
    ///
    /// - Returns: The request; none if it is useless, which ``notice`` explains.
    public mutating func answer(
        _ name: WardCommand.Name, bed: WardBed, alarm number: Int? = nil, at moment: Moment
    ) -> [WardEffect] {
        var effects = advance(to: moment)
        guard name != .acknowledge || settings.mayAcknowledge else {
            say("Alarms are acknowledged at the bed; ward.remote_acknowledge allows it from here.")
            return effects
        }
        guard let state = self[bed], state.link.isLive, let anchor = state.anchor, let session = state.current else {
            say("\(label(of: bed).capitalizedFirst) cannot be asked now.")
            return effects
        }
        let alarms = state.alarms.filter { name != .acknowledge || !$0.isAcknowledged }
        guard let alarm = alarms.first(where: { number == nil || $0.id == number }) else {
            say("\(label(of: bed).capitalizedFirst) has no alarm to answer.")
            return effects
        }
        let seen = max(state.alarmRecords[alarm.id]?.sequence ?? 0, 0)
        let lifetime = WardTiming.requestLifetime
        let answer = WardAnswer(
            session: session, sequenceSeen: seen, alarm: alarm.id, who: settings.who, place: settings.place,
            expiresBootMilliseconds: anchor.bootMilliseconds(at: now.monotonic) + lifetime.nanoseconds / 1_000_000)
        let command: WardCommand
        switch name {
        case .birth, .listen: return effects
        case .acknowledge: command = .acknowledge(answer)
        case .going: command = .going(answer)
        case .notGoing: command = .notGoing(answer)
        }
        let request = nextRequest()
        openAnswers.append(
            OpenAnswer(
                request: request, bed: bed, alarm: alarm.id, name: name,
                expires: now.monotonic.advanced(by: lifetime)))
        say("Asking \(label(of: bed)) …")
        effects.append(.publish(WardTopic(bed, .command(name, request: request)), command))
        wakeForAnswers()
        return effects
    }

    /// Whether an answer to one of a bed's alarms is pending.
    public func isAsking(_ bed: WardBed) -> Bool { openAnswers.contains { $0.bed == bed } }

    mutating func answered(_ request: WardToken, _ result: WardCommandResult, of bed: WardBed) {
        guard self[bed]?.current == result.session,
            let place = openAnswers.firstIndex(where: { $0.bed == bed && $0.request == request })
        else { return }
        let name = openAnswers.remove(at: place).name
        let label = label(of: bed).capitalizedFirst
        if let refusal = result.refusal { return say("\(label) refused: \(refusal).") }
        switch name {
        case .acknowledge: say("\(label): the alarm is acknowledged at the bed.")
        case .going: say("\(label): the bed shows that you are going.")
        case .notGoing: say("\(label): the bed shows no more that you are going.")
        case .birth, .listen: break
        }
    }

    /// Drops expired answers.
    mutating func expireAnswers() {
        for answer in openAnswers where answer.expires <= now.monotonic {
            say(
                "\(label(of: answer.bed).capitalizedFirst) did not answer; nothing has changed there as far as is known."
            )
        }
        openAnswers.removeAll { $0.expires <= now.monotonic }
    }

    /// Shows a sentence on the screen, such as a warning of this state or of the connection.
    public mutating func show(_ sentence: String) { say(sentence) }

    mutating func say(_ text: String) { notice = (text, now) }
}
