import Base
import Configuration
import EventLoops
import MQTT
import Monitoring
import Vitals
import WardMessages

/// The published state of a bed, as a value: messages follow only from states and moments.
///
/// A session is one connection to the broker. It begins with the retained message of its presence and the full picture;
/// then each change is published, the state of each alarm again every ten seconds, and a heartbeat every two.
struct WardPublication {
    let bed: WardBed
    /// The facts of the bed; the time is that of the start of the session.
    private(set) var facts: WardFacts
    /// The patient's identifier, if it is published.
    let patient: String?
    /// Which alarms can be acknowledged remotely.
    let remoteAcknowledge: Settings.Ward.RemoteAcknowledge

    /// The present session; `nil` without a connection.
    var session: WardToken? { isOpen ? token : nil }
    private var isOpen = false
    /// The newest session.
    private var token: WardToken
    private var sequence: Int64 = 0
    private var encoder = WardEncoder()
    private var sentReadings: [Vital: Reading] = [:]
    private var sentAlarms: [Int: SentAlarm] = [:]
    private var answers: [Int: Answer] = [:]
    private var lastRepeat: MonotonicTime?
    private var lastBirth: MonotonicTime?
    private var lastPresence: MonotonicTime?
    /// The contents of the full picture as last published.
    private var sentPicture: Picture?
    /// The last request for the full picture that has to wait.
    private var waitingRequest: (request: WardToken, since: MonotonicTime)?
    private var homeAssistant: HomeAssistantAnnouncer
    private var challenges = ListenerChallenges()

    /// A published alarm.
    private struct SentAlarm {
        var alarm: WardAlarm
        /// The number of the message with its present state.
        var sequence: Int64
    }

    /// The contents that only the full picture has.
    private struct Picture: Equatable {
        var sensors: [WardSensor]
        var limits: [WardLimits]
        var patientSince: Int64?
        var pressure: RecordEntry?

        init(_ state: MonitorState, at now: Moment) {
            sensors = state.sensors.filter(\.isWanted).map { WardSensor($0) }
            limits = Vital.allCases.compactMap { vital in state.currentLimits[vital].map { WardLimits(vital, $0) } }
            patientSince = state.patientSince
            pressure = state.shownPressure(at: now)?.published
        }
    }

    /// Who acknowledged an alarm remotely; it applies to the alarm at that time, not to a worse one.
    private struct Answer {
        var acknowledged: (by: String, at: Moment)?
        var going: Going?

        /// Who is going to the bed, since when, and how bad the alarm was then.
        struct Going {
            var who: String
            var place: String
            var since: MonotonicTime
            var priority: AlarmPriority
            var peak: VitalValue?
        }

        /// Who acknowledged an alarm; empty if that was done at the bed, or before the alarm became worse.
        func acknowledgedBy(_ alarm: Alarm) -> String {
            guard let acknowledged, alarm.acknowledgedAt == acknowledged.at else { return "" }
            return acknowledged.by
        }

        /// Who is going to the bed for an alarm.
        func going(to alarm: Alarm, at now: Moment) -> WardGoing? {
            guard let going, alarm.priority <= going.priority, !alarm.isWorse(alarm.peak, than: going.peak) else {
                return nil
            }
            return WardGoing(
                who: going.who, place: going.place,
                ageMilliseconds: max(0, now.monotonic.nanoseconds(since: going.since) / 1_000_000))
        }
    }

    /// How long the broker keeps a value for a slow reader, in seconds.
    private static let vitalExpiry: UInt32 = 10
    /// The shortest time between two full pictures, which are large and can be requested by anyone.
    private static let birthPace = Duration.seconds(1)
    /// How often the retained message is published again, in case an earlier session's last will came after it.
    private static let presencePace = Duration.seconds(30)

    /// Creates a publication without a session.
    ///
    /// - Parameter staleFactor: After how many intervals a value is no longer current.
    init(
        _ bed: WardBed, facts: WardFacts, patient: String?, remoteAcknowledge: Settings.Ward.RemoteAcknowledge,
        announcesToHomeAssistant: Bool = false, staleFactor: Int = MonitorSettings.Freshness().staleFactor
    ) {
        (self.bed, self.facts, self.patient, token) = (bed, facts, patient, bed.bed)
        self.remoteAcknowledge = remoteAcknowledge
        homeAssistant = HomeAssistantAnnouncer(bed, isWanted: announcesToHomeAssistant, staleFactor: staleFactor)
    }

    // MARK: Sessions

    /// The last will of a session.
    static func will(
        of session: WardToken, _ bed: WardBed, _ facts: WardFacts, at wallMilliseconds: Int64
    ) -> MQTTMessage {
        var encoder = WardEncoder()
        let payload = encoder.encode(
            WardSession(session: session, state: .offline(.lost), facts: facts), wallMilliseconds: wallMilliseconds)
        return MQTTMessage(WardTopic(bed, .session).text, payload, .atLeastOnce, isRetained: true)
    }

    mutating func begin(_ session: WardToken, _ state: MonitorState, at now: Moment) -> [MQTTMessage] {
        end()
        (token, isOpen) = (session, true)
        facts.since = now.wallMilliseconds
        lastPresence = now.monotonic
        return [presence(session, .online, now.wallMilliseconds), birth(state, at: now)]
    }

    /// The last message of the session, which announces its end.
    mutating func farewell(at now: Moment) -> [MQTTMessage] {
        guard let session else { return [] }
        return [presence(session, .offline(.closed), now.wallMilliseconds)]
    }

    /// Ends the session, because the connection is lost.
    mutating func end() {
        isOpen = false
        (sequence, sentReadings, sentAlarms) = (0, [:], [:])
        (lastRepeat, lastBirth, lastPresence, waitingRequest, sentPicture) = (nil, nil, nil, nil, nil)
        challenges = ListenerChallenges()
    }

    /// Sets whether the data are simulated, once it is known or when it changes.
    mutating func setSimulated(_ isSimulated: Bool) { facts.isSimulated = isSimulated }

    private mutating func presence(
        _ session: WardToken, _ state: WardSession.State, _ wallMilliseconds: Int64
    ) -> MQTTMessage {
        let payload = encoder.encode(
            WardSession(session: session, state: state, facts: facts), wallMilliseconds: wallMilliseconds)
        return MQTTMessage(topic(.session), payload, .atLeastOnce, isRetained: true)
    }

    // MARK: Changes

    /// The messages about changes since the last ones.
    ///
    /// - Parameters:
    ///   - includingAlarms: Whether alarms may have changed, too.
    ///   - includingPicture: Whether sensors, limits or the patient may have changed.
    mutating func changes(
        _ state: MonitorState, at now: Moment, includingAlarms: Bool, includingPicture: Bool = false
    ) -> [MQTTMessage] {
        guard session != nil else { return [] }
        // A change that comes too early is sent with the next heartbeat.
        if includingPicture, mayBear(at: now), Picture(state, at: now) != sentPicture { return [birth(state, at: now)] }
        var messages: [MQTTMessage] = []
        // Alarms first: they matter most if only some messages get through. Their texts change with each value.
        if includingAlarms || !sentAlarms.isEmpty { messages += alarmChanges(state, at: now) }
        for vital in Vital.allCases {
            let present = WardVital(state[vital], at: now)
            guard let present else {
                // A vital without a source has no separate message.
                if sentReadings[vital] != nil { return messages + [birth(state, at: now)] }
                continue
            }
            if sentReadings[vital] == present.reading { continue }
            sentReadings[vital] = present.reading
            let message = WardVitalMessage(
                stamp: stamp(at: now), vital: present, isSimulated: facts.isSimulated, isReplay: facts.isReplay)
            messages.append(
                MQTTMessage(topic(.vital(vital)), encoder.encode(message), expirySeconds: Self.vitalExpiry))
        }
        return messages
    }

    /// The messages of every two seconds: a heartbeat, and every ten seconds the state of each alarm.
    ///
    /// - Parameter challenge: A new random name, as the challenge of listeners while a silence is planned.
    mutating func beat(
        _ state: MonitorState, at now: Moment, challenge: () -> WardToken = { .random() }
    ) -> [MQTTMessage] {
        guard let session else { return [] }
        forgetAnswers(at: now)
        var messages = changes(state, at: now, includingAlarms: true, includingPicture: true)
        if has(Self.presencePace, passedSince: lastPresence, now) {
            lastPresence = now.monotonic
            messages.append(presence(session, .online, now.wallMilliseconds))
        }
        if has(WardTiming.alarmRepeat, passedSince: lastRepeat, now) {
            lastRepeat = now.monotonic
            // Of two messages that wait about the same alarm only the newer one is sent, and its ward would miss a number.
            let changed = Set(messages.map(\.topic))
            for alarm in alarms(state, at: now) where alarm.isShown && !changed.contains(topic(.alarm(alarm.id))) {
                messages.append(message(alarm, at: now))
            }
        }
        if waitingRequest != nil, mayBear(at: now) { messages.append(birth(state, at: now)) }
        let heartbeat = WardHeartbeat(
            stamp: stamp(at: now), alarms: alarms(state, at: now), sound: WardSound(state.signal, at: now),
            challenge: state.needsListener ? challenges.issue(challenge(), at: now) : nil)
        messages.append(
            MQTTMessage(
                topic(.heartbeat),
                encoder.encode(heartbeat, isSimulated: facts.isSimulated, isReplay: facts.isReplay),
                expirySeconds: Self.vitalExpiry))
        messages += homeAssistant.beat(session, isSimulated: facts.isSimulated, state, at: now)
        return messages
    }

    /// Handles a message of Home Assistant's topics.
    mutating func handleHomeAssistant(_ message: ReceivedMessage) -> [MQTTMessage] {
        homeAssistant.receive(message, isSimulated: facts.isSimulated)
    }

    /// All alarms on a ward's screen.
    private func alarms(_ state: MonitorState, at now: Moment) -> [WardAlarm] {
        let snoozed = Set(state.signal.snoozes.map(\.key))
        return (state.alarms + state.latchedAlarms).map { alarm in
            let answer = answers[alarm.id]
            return WardAlarm(
                alarm, acknowledgedBy: answer?.acknowledgedBy(alarm) ?? "", going: answer?.going(to: alarm, at: now),
                isSnoozed: snoozed.contains(alarm.snoozeKey), at: now)
        }
    }

    private mutating func alarmChanges(_ state: MonitorState, at now: Moment) -> [MQTTMessage] {
        var messages: [MQTTMessage] = []
        let present = alarms(state, at: now)
        for alarm in present where alarm.isShown {
            if let sent = sentAlarms[alarm.id]?.alarm, sent.text == alarm.text,
                WardDigest([sent]) == WardDigest([alarm])
            {
                continue
            }
            messages.append(message(alarm, at: now))
        }
        for (number, sent) in sentAlarms.sorted(by: { $0.key < $1.key }) {
            if present.contains(where: { $0.id == number && $0.isShown }) { continue }
            var ended = sent.alarm
            (ended.state, ended.isLatched) = (.ended, false)
            // Its last value is not the one at its end.
            (ended.text, ended.value) = (ended.title, nil)
            messages.append(message(ended, at: now))
            sentAlarms[number] = nil
            answers[number] = nil
        }
        return messages
    }

    private mutating func message(_ alarm: WardAlarm, at now: Moment) -> MQTTMessage {
        let stamp = stamp(at: now)
        let isUnchanged = sentAlarms[alarm.id].map { WardDigest([$0.alarm]) == WardDigest([alarm]) } ?? false
        let since = isUnchanged ? sentAlarms[alarm.id]?.sequence : nil
        sentAlarms[alarm.id] = SentAlarm(alarm: alarm, sequence: since ?? stamp.sequence)
        let payload = encoder.encode(
            WardAlarmMessage(stamp: stamp, alarm: alarm), isSimulated: facts.isSimulated, isReplay: facts.isReplay)
        return MQTTMessage(topic(.alarm(alarm.id)), payload, .atLeastOnce)
    }

    // MARK: The full picture

    private func mayBear(at now: Moment) -> Bool {
        has(Self.birthPace, passedSince: lastBirth, now)
    }

    private mutating func birth(_ state: MonitorState, at now: Moment) -> MQTTMessage {
        lastBirth = now.monotonic
        var birth = WardBirth(stamp: stamp(at: now), facts: facts, request: waitingRequest?.request, patient: patient)
        if let since = waitingRequest?.since {
            // Rounded up, so that nothing looks newer than it is.
            birth.requestWaited = min(max(0, (now.monotonic.nanoseconds(since: since) + 999_999) / 1_000_000), 60_000)
        }
        waitingRequest = nil
        birth.vitals = Vital.allCases.compactMap { WardVital(state[$0], at: now) }
        let picture = Picture(state, at: now)
        sentPicture = picture
        (birth.limits, birth.sensors, birth.patientSince) = (picture.limits, picture.sensors, picture.patientSince)
        birth.pressure = picture.pressure.flatMap {
            WardPressure($0, ageMilliseconds: max(0, now.since($0.taken).nanoseconds / 1_000_000))
        }
        birth.alarms = alarms(state, at: now).filter(\.isShown)
        birth.sound = WardSound(state.signal, at: now)
        birth.trends = Vital.allCases.compactMap { WardTrend(state[$0], at: now) }
        sentReadings = [:]
        for vital in birth.vitals { sentReadings[vital.reading.vital] = vital.reading }
        let before = sentAlarms
        sentAlarms = [:]
        for alarm in birth.alarms {
            let sent = before[alarm.id].flatMap { WardDigest([$0.alarm]) == WardDigest([alarm]) ? $0.sequence : nil }
            sentAlarms[alarm.id] = SentAlarm(alarm: alarm, sequence: sent ?? birth.stamp.sequence)
        }
        return MQTTMessage(topic(.birth), encoder.encode(birth), .atLeastOnce)
    }

    // MARK: Requests

    /// The result of a request.
    struct Outcome {
        var messages: [MQTTMessage] = []
        /// The alarm that the request acknowledges, if any.
        var acknowledges: Int?
        /// The event, for the log and the people at the bed, with its alarm.
        var report: (alarm: Int, words: String)?
        /// What a screen reports about sounding this bed's alarms.
        var listener: ListenerReport?
    }

    /// Handles a request.
    mutating func handle(
        _ command: WardCommand, _ request: WardToken, _ state: MonitorState, at now: Moment
    ) -> Outcome {
        if case .listen(let listener) = command {
            guard let session, listener.session == session else { return Outcome() }
            return Outcome(listener: challenges.report(of: listener, at: now))
        }
        guard let session, let answer = command.answer else {
            guard case .birth = command, session != nil else { return Outcome() }
            waitingRequest = (request, now.monotonic)
            return Outcome(messages: mayBear(at: now) ? [birth(state, at: now)] : [])
        }
        let alarm = (state.alarms + state.latchedAlarms).first { $0.id == answer.alarm }
        var outcome = Outcome()
        let person = "\(name(answer.who, "somebody")) at \(name(answer.place, "a ward"))"
        var refusal = refusal(of: command, answer, alarm, at: now)
        if refusal == nil, let alarm {
            switch command {
            case .birth, .listen: break
            case .acknowledge:
                answers[answer.alarm, default: Answer()].acknowledged = (person, now)
                outcome.acknowledges = answer.alarm
                outcome.report = (answer.alarm, "acknowledged by \(person)")
            case .going:
                answers[answer.alarm, default: Answer()].going = Answer.Going(
                    who: name(answer.who, "somebody"), place: name(answer.place, "a ward"), since: now.monotonic,
                    priority: alarm.priority, peak: alarm.peak)
                outcome.report = (answer.alarm, "\(person) is going")
            case .notGoing:
                if answers[answer.alarm]?.going(to: alarm, at: now) == nil { refusal = "nobody was going" }
                answers[answer.alarm]?.going = nil
                if refusal == nil { outcome.report = (answer.alarm, "\(person) is no longer going") }
            }
        } else if case .acknowledge = command {
            outcome.report = (answer.alarm, "\(person) could not acknowledge: \(refusal ?? "")")
        }
        let result = WardCommandResult(session: session, refusal: refusal)
        let payload = encoder.encode(result, wallMilliseconds: now.wallMilliseconds)
        outcome.messages = [MQTTMessage(topic(.commandResult(request: request)), payload, .atLeastOnce)]
        // Their display changes only by the message of the alarm.
        if refusal == nil, outcome.acknowledges == nil { outcome.messages += alarmChanges(state, at: now) }
        return outcome
    }

    /// Why a request is refused; `nil` when it is not.
    private func refusal(
        of command: WardCommand, _ answer: WardAnswer, _ alarm: Alarm?, at now: Moment
    ) -> String? {
        guard answer.session == session else { return "it is for an earlier session" }
        let left = answer.expiresBootMilliseconds - Self.bootMilliseconds(of: now)
        let longest = WardTiming.requestLifetime.components.seconds * 1000 + 5000
        guard left >= 0, left <= longest else { return "it has expired" }
        guard let alarm, let sent = sentAlarms[answer.alarm] else { return "the alarm is over" }
        guard answer.sequenceSeen >= sent.sequence else { return "the alarm has changed since it was seen" }
        guard case .acknowledge = command else { return nil }
        switch remoteAcknowledge {
        case .off: return "this bed is set to be acknowledged at the bed only"
        case .mediumAndLow where alarm.priority == .high:
            return "an alarm of high priority is acknowledged at the bed only"
        case .mediumAndLow, .all: return alarm.acknowledgedAt == nil ? nil : "it is acknowledged already"
        }
    }

    private mutating func forgetAnswers(at now: Moment) {
        for (number, answer) in answers {
            guard let going = answer.going,
                has(WardTiming.goingLifetime, passedSince: going.since, now)
            else { continue }
            answers[number]?.going = nil
        }
    }

    // MARK: Parts

    private func has(_ time: Duration, passedSince moment: MonotonicTime?, _ now: Moment) -> Bool {
        moment.map { Duration.nanoseconds(now.monotonic.nanoseconds(since: $0)) >= time } ?? true
    }

    private mutating func stamp(at now: Moment) -> WardStamp {
        sequence += 1
        return WardStamp(
            session: token, sequence: sequence, bootMilliseconds: Self.bootMilliseconds(of: now),
            wallMilliseconds: now.wallMilliseconds)
    }

    private func topic(_ subject: WardTopic.Subject) -> String { WardTopic(bed, subject).text }

    private static func bootMilliseconds(of now: Moment) -> Int64 { now.monotonicNanoseconds / 1_000_000 }

    private func name(_ text: String, _ substitute: String) -> String {
        let name = sanitized(text, limit: WardAnswer.nameLimit)
        return name.isEmpty ? substitute : name
    }
}
