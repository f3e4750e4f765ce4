import Base
import Monitoring
import Vitals

/// Why a monitor refuses a view's wish; the description is a sentence.
public enum WishError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The monitor's settings make views read-only.
    case viewsOnlyLook
    /// More wishes in a short time than a user can make.
    case tooMany
    /// The sensor, alarm, adapter or entry does not exist, or no longer exists.
    case unknown(String)
    /// A value or a time is impossible.
    case impossible(String)

    /// The sentence for the user of a view.
    public var description: String {
        switch self {
        case .viewsOnlyLook:
            "This monitor lets views only look (views.control = false). Do it at the monitor itself."
        case .tooMany: "The monitor was asked too much at once; the rest was not done."
        case .unknown(let what): "Not done: the \(what) does not exist, or no longer exists."
        case .impossible(let what): "Not done: \(what)."
        }
    }
}

extension MonitorState {
    /// Whether a wish only reads, so that every view may have it.
    private static func onlyLooks(_ wish: Wish) -> Bool {
        switch wish {
        case .sensor(.inspect), .sensor(.trace): true
        case .sensor, .patient, .keepLimit: false
        }
    }

    /// Why a view's wish is refused; `nil` if it is allowed.
    ///
    /// Input from a socket is untrusted: everything that a user could not have typed at the monitor's own keys is
    /// refused, so that later code need not expect it.
    public func refusal(of wish: Wish, at now: Moment) -> WishError? {
        if !settings.viewsMayAct, !Self.onlyLooks(wish) { return .viewsOnlyLook }
        do throws(WishError) {
            let check = WishCheck(state: self, now: now)
            switch wish {
            case .sensor(let wish): try check.sensor(wish)
            case .patient(let wish): try check.patient(wish)
            case .keepLimit(let vital, let setting): try check.limit(setting, of: vital)
            }
            return nil
        } catch {
            return error
        }
    }
}

/// Checks each part of a wish.
struct WishCheck {
    let state: MonitorState
    let now: Moment

    // MARK: Sensors and the radio

    func sensor(_ wish: SensorWish) throws(WishError) {
        switch wish {
        case .connect(let address), .disconnect(let address), .forget(let address), .pair(let address),
            .cancelPairing(let address), .assign(let address, _):
            try sensor(address)
        case .rename(let address, let label):
            try sensor(address)
            try text(label, limit: RememberedSensor.labelLimit, "name")
        case .setInterval(let address, let seconds):
            try sensor(address)
            guard state.sensor(address: address)?.announcedInterval?.isSettable == true else {
                throw .unknown("settable interval")
            }
            guard AnnouncedInterval.range.contains(seconds) else {
                throw .impossible("an interval is 0 to \(AnnouncedInterval.range.upperBound) seconds")
            }
        case .inspect(let address): if let address { try sensor(address) }
        case .trace(let scope, let seconds):
            if case .sensor(let address) = scope { try sensor(address) }
            guard (1...SensorWish.traceLimit).contains(seconds) else {
                throw .impossible("a wish traces for 1 to \(SensorWish.traceLimit) seconds")
            }
        case .explore(let address, let number, let exploration):
            try sensor(address)
            if case .write(let octets, _) = exploration, !(1...CharacteristicOctets.limit).contains(octets.count) {
                throw .impossible("a value has 1 to \(CharacteristicOctets.limit) octets")
            }
            guard let found = state.inspection?.characteristic(number), found.offered.contains(exploration.kind) else {
                throw .unknown("characteristic")
            }
        case .answerPairing(let address, let reply):
            try sensor(address)
            if case .text(let text) = reply { try self.text(text, limit: 64, "pass-key") }
        case .answerNewSensor(let address, _):
            try sensor(address)
            guard state.sensor(address: address)?.transmitter?.newSensor?.isOpen == true else {
                throw .unknown("question about a new sensor")
            }
        case .fetchNights(let address):
            try sensor(address)
            guard state.sensor(address: address)?.nights != nil else { throw .unknown("ring with stored nights") }
        case .useAdapter(let identifier):
            guard state.environment.adapters.contains(where: { $0.identifier == identifier }) else {
                throw .unknown("adapter")
            }
        case .setScanning, .setPowered: break
        }
    }

    private func sensor(_ address: String) throws(WishError) {
        guard state.sensor(address: address) != nil else { throw .unknown("sensor") }
    }

    /// A typed text: bounded, and without control characters.
    func text(_ text: String, limit: Int, _ what: String) throws(WishError) {
        guard text.utf8.count <= 4 * limit, text.unicodeScalars.count <= limit,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .impossible("a \(what) has at most \(limit) characters, and no control characters") }
    }

    // MARK: Alarms

    func patient(_ wish: PatientWish) throws(WishError) {
        switch wish {
        case .acknowledgeAll, .endAudioPause, .endSilence, .endSnooze, .resetLimits, .newPatient: break
        case .acknowledge(let id), .clear(let id): try alarm(id)
        case .pauseAudio(let duration): try length(duration)
        case .planSilence(let length):
            try self.length(length)
            guard state.environment.wardLink == .connected else {
                throw .impossible("no ward is connected that could sound instead")
            }
        case .snooze(let id, let duration):
            try alarm(id)
            try length(duration)
        case .pauseForCare(let address, let duration):
            try sensor(address)
            try length(duration)
        case .endCarePause(let address): try sensor(address)
        case .change(let vital, let setting): try limit(setting, of: vital)
        case .setNeutrophils(let count): if let count { try neutrophils(count) }
        case .enter(let entry): try self.entry(entry)
        case .calibrate(let address, let id):
            try sensor(address)
            guard let entry = state.patientRecord.entries.first(where: { $0.id == id }) else { throw .unknown("entry") }
            let proposal = state.calibrationProposals(by: entry).first { $0.sensor.address == address }
            guard case .success? = proposal?.result else {
                throw .impossible("the sensor cannot be calibrated with this value")
            }
        case .retract(let id, let reason):
            try text(reason, limit: RecordEntry.reasonLimit, "reason")
            guard state.patientRecord.entries.contains(where: { $0.id == id && !$0.isRetracted }) else {
                throw .unknown("entry")
            }
        case .confirm(let ids):
            guard (1...PatientRecord.limit).contains(ids.count),
                ids.allSatisfy({ id in state.patientRecord.entries.contains { $0.id == id && $0.isUnconfirmed } })
            else { throw .unknown("unconfirmed measurement") }
        case .chooseUser(let address, let number):
            let question = state.deviceUsers.questions.first { $0.sensor.address == address }
            guard question?.users.contains(number) == true else {
                throw .unknown("question about the persons of a device")
            }
        }
    }

    private func alarm(_ id: Alarm.ID) throws(WishError) {
        guard state.alarms.contains(where: { $0.id == id }) || state.latchedAlarms.contains(where: { $0.id == id })
        else { throw .unknown("alarm") }
    }

    /// Compared without conversion, which might overflow.
    private func length(_ duration: Duration?) throws(WishError) {
        guard let duration else { return }
        guard duration > .zero, duration <= .seconds(86_400) else {
            throw .impossible("an answer to an alarm holds for a day at most")
        }
    }

    // MARK: Limits

    func limit(_ setting: LimitSetting, of vital: Vital) throws(WishError) {
        switch setting {
        case .limit(_, let limit):
            try value(limit.value)
            guard (Duration.zero...AlarmLimit.longestDelay).contains(limit.delay) else {
                throw .impossible("no limit has such a delay")
            }
        case .fall(let change), .rise(let change):
            try value(change.amount)
            guard ChangeLimit.windows.contains(change.within) else {
                throw .impossible("no change is watched for such a time")
            }
        case .flatLine(let duration):
            guard duration.map({ (Duration.seconds(1)...Duration.seconds(86_400)).contains($0) }) ?? true else {
                throw .impossible("no flat line lasts for such a time")
            }
        }
        if let conflict = state.conflict(of: setting, for: vital) { throw .impossible("\(conflict)") }
    }

    private func value(_ value: VitalValue?) throws(WishError) {
        // The vital's other limits decide whether it is valid for the vital; no vital has a greater number.
        guard value.map({ (0...50_000).contains($0.hundredths) }) ?? true else {
            throw .impossible("no limit has such a value")
        }
    }
}

// Checks of manual entries, with the same ranges as on the screen.
extension WishCheck {
    /// The greatest age of an entry on arrival; the monitor may have been busy.
    private static let longestWay = Duration.seconds(600)
    /// The greatest age of a measurement: two weeks can be entered, and the clock may have been set since.
    private static let longestAge = Duration.seconds(16 * 86_400)
    /// The greatest difference between the ages by the two clocks of a moment, in milliseconds: more than an hour, for
    /// summer time.
    private static let disagreement: Int64 = 2 * 3_600_000

    func entry(_ entry: RecordEntry) throws(WishError) {
        guard entry.source == .typed else { throw .impossible("only a sensor hands over what it has measured") }
        guard entry.retractedAt == nil, entry.retractionReason.isEmpty else {
            throw .impossible("an entry cannot be taken back before it is made")
        }
        try age(of: entry.enteredAt, at: now, atMost: Self.longestWay, tolerance: .seconds(5))
        try age(of: entry.taken, at: entry.enteredAt, atMost: Self.longestAge, tolerance: .zero)
        if let typed = entry.typed {
            guard sanitized(typed, limit: RecordEntry.typedLimit) == typed else {
                throw .impossible("what was typed has characters that cannot be shown")
            }
        }
        if let correction = entry.correction {
            try text(correction.reason, limit: RecordEntry.reasonLimit, "reason")
            // The entry that an imported one corrects may be older than those in memory.
            guard
                entry.origin != nil
                    || state.patientRecord.entries.contains(where: { $0.id == correction.corrected && !$0.isRetracted })
            else { throw .unknown("entry") }
        }
        if let origin = entry.origin {
            guard !origin.key.isEmpty, sanitized(origin.key, limit: ImportOrigin.keyLimit) == origin.key,
                sanitized(origin.source, limit: ImportOrigin.sourceLimit) == origin.source
            else { throw .impossible("an imported entry has a key and a source that can be shown") }
        }
        if let remark = entry.facts.remark, sanitized(remark, limit: EntryFacts.remarkLimit) != remark {
            throw .impossible("a remark has characters that cannot be shown")
        }
        guard entry.facts.confirmation == nil else { throw .impossible("only what sensors hand over is confirmed") }
        guard entry.facts.user.map({ EntryFacts.users.contains($0) }) ?? true else {
            throw .impossible("no device has such a number for a person")
        }
        guard entry.kind?.traits.isTyped != false else {
            throw .impossible("a calibration follows from a value of a meter, and from its answer")
        }
        if let complaint = entry.content.complaint { throw .impossible(complaint) }
        if case .neutrophils(let count) = entry.content { try neutrophils(count) }
    }

    /// The age of a moment by both clocks, checked against a limit.
    private func age(
        of moment: Moment, at present: Moment, atMost limit: Duration, tolerance: Duration
    ) throws(WishError) {
        let bounds = (Duration.zero - tolerance)...limit
        let nanoseconds = present.monotonicNanoseconds.subtractingSaturated(moment.monotonicNanoseconds)
        let milliseconds = present.wallMilliseconds.subtractingSaturated(moment.wallMilliseconds)
        let disagreement = (nanoseconds / 1_000_000).subtractingSaturated(milliseconds)
        guard bounds.contains(.nanoseconds(nanoseconds)),
            (-Self.disagreement...Self.disagreement).contains(disagreement)
        else { throw .impossible("the time of the entry or of the measurement is impossible") }
    }

    func neutrophils(_ count: NeutrophilCount) throws(WishError) {
        guard (0...NeutrophilCount.greatest).contains(count.perMicrolitre), count.isValid(at: now),
            sanitized(count.enteredBy, limit: NeutrophilCount.nameLimit) == count.enteredBy
        else { throw .impossible("no blood has such a count, or it is too old to say anything") }
    }
}

/// The permitted rate of wishes per connection: as fast as a user presses keys, with short bursts.
public struct WishRate: Hashable, Sendable {
    /// The greatest number at once.
    public static let burst = 40

    private var pace = Pace(interval: .milliseconds(100), burst: burst)
    private var refusedAt: Moment?

    /// Creates a rate with the full burst available.
    public init() {}

    /// Whether one more wish is allowed now; counts it if so.
    public mutating func allows(at now: Moment) -> Bool {
        guard pace.allows(at: now.monotonicNanoseconds) else { return false }
        pace.count(at: now.monotonicNanoseconds)
        return true
    }

    /// Whether to report a refusal: at most once a second.
    public mutating func mayComplain(at now: Moment) -> Bool {
        if let refusedAt, now.since(refusedAt) < .seconds(1), now >= refusedAt { return false }
        refusedAt = now
        return true
    }
}
