import Base
import Vitals

/// What is known of the persons whom devices for several persons measure.
public struct DeviceUsers: Codable, Hashable, Sendable {
    /// The patient's number on each device, as somebody has answered, by address.
    public internal(set) var answers: [String: Int]
    /// The numbers whose measurements are in the record, by address.
    public internal(set) var counted: [String: Set<Int>]
    /// The measurements that wait for the answer, in the order in which they came.
    public internal(set) var waiting: [RecordEntry]
    /// What was measured of others, without its values.
    public internal(set) var leftOut: Set<LeftOutMeasurement>

    /// The greatest number of remembered measurements of others.
    public static let limit = 10_000
    /// The most that wait in memory; the rest waits in the store, and is settled at the next start.
    public static let waitingLimit = 500

    public init(
        answers: [String: Int] = [:], counted: [String: Set<Int>] = [:], waiting: [RecordEntry] = [],
        leftOut: Set<LeftOutMeasurement> = []
    ) {
        (self.answers, self.counted, self.waiting, self.leftOut) = (answers, counted, waiting, leftOut)
    }

    /// An open question: which person of a device is the patient.
    public struct Question: Hashable, Sendable {
        public var sensor: SensorIdentity
        /// The numbers of the persons, in ascending order.
        public var users: [Int]
        /// How many measurements wait for the answer.
        public var count: Int
    }

    /// The open questions, the longest waiting first.
    public var questions: [Question] {
        var questions: [Question] = []
        for entry in waiting {
            let (sensor, user) = (entry.sensor, entry.facts.user.map { Set([$0]) } ?? [])
            if let place = questions.firstIndex(where: { $0.sensor.address == sensor.address }) {
                questions[place].users = Set(questions[place].users).union(user).sorted()
                questions[place].count += 1
            } else {
                let users = counted[sensor.address, default: []].union(user).sorted()
                questions.append(Question(sensor: sensor, users: users, count: 1))
            }
        }
        return questions
    }

    /// How many measurements of other persons a device has handed over.
    public func countOfOthers(_ address: String) -> Int { leftOut.count { $0.address == address } }
}

/// A measurement of a person who is not the patient, without its value: only what is needed to know it again.
public struct LeftOutMeasurement: Codable, Hashable, Sendable {
    /// The address of the device.
    public var address: String
    /// The number of the person on it.
    public var user: Int
    /// What distinguishes it from others: the device's number and time of it, or else when it came.
    public var stamp: String

    public init(address: String, user: Int, stamp: String) {
        (self.address, self.user, self.stamp) = (address, user, stamp)
    }

    /// - Parameter entry: The measurement.
    public init(_ entry: RecordEntry) {
        let facts = entry.facts
        let own = [facts.sequence.map { "\($0)" }, facts.deviceTime?.text].compactMap(\.self).joined(separator: " ")
        self.init(
            address: entry.sensor.address, user: facts.user ?? EntryFacts.unknownUser,
            stamp: own.isEmpty ? "came \(entry.enteredAt.wallMilliseconds)" : own)
    }
}

/// A change of ``DeviceUsers``, which the store keeps.
public enum DeviceUserChange: Hashable, Sendable {
    /// A measurement waits for the answer.
    case waits(RecordEntry)
    /// It does not wait any longer.
    case settled(RecordEntry.ID)
    /// A measurement of another person was left out.
    case leftOut(LeftOutMeasurement)
    /// Somebody answered which number the patient has on a device.
    case answered(address: String, Int)
}

/// Whose measurement it is.
enum UserVerdict {
    /// The patient's, as far as anybody knows.
    case patient
    /// Another person's; the patient has this number.
    case other(chosen: Int)
    /// Nobody has said which person is the patient; another one has this number.
    case unknown(besides: Int)
}

extension MonitorState {
    /// The number of the patient on a device: of the settings, or else as somebody has answered.
    public func chosenUser(of sensor: SensorIdentity) -> Int? {
        settings.users.first { $0.isOf(sensor) }?.number ?? deviceUsers.answers[sensor.address]
    }

    /// Whose measurement it is.
    ///
    /// One of a person whom the device does not know counts, and says so itself.
    func userVerdict(on entry: RecordEntry) -> UserVerdict {
        guard let user = entry.facts.user, user != EntryFacts.unknownUser else { return .patient }
        let address = entry.sensor.address
        if let chosen = chosenUser(of: entry.sensor) { return chosen == user ? .patient : .other(chosen: chosen) }
        let waiting = deviceUsers.waiting.compactMap { $0.sensor.address == address ? $0.facts.user : nil }
        let known = deviceUsers.counted[address, default: []].union(waiting)
        return known.sorted().first { $0 != user }.map { .unknown(besides: $0) } ?? .patient
    }

    /// Remembers that measurements of a person are in the record.
    mutating func countUser(of entry: RecordEntry) {
        guard entry.source != .typed, !entry.isRetracted, let user = entry.facts.user, user != EntryFacts.unknownUser
        else { return }
        deviceUsers.counted[entry.sensor.address, default: []].insert(user)
    }

    /// Has a measurement wait until somebody says whose it is; the first one asks.
    mutating func hold(_ entry: RecordEntry, besides other: Int) -> [Effect] {
        let isFirst = !deviceUsers.waiting.contains { $0.sensor.address == entry.sensor.address }
        if deviceUsers.waiting.count < DeviceUsers.waitingLimit { deviceUsers.waiting.append(entry) }
        let asked = isFirst ? report(.severalUsers(entry.sensor, other, entry.facts.user ?? other), by: .program) : []
        return [.deviceUsers(.waits(entry), now)] + asked
    }

    /// Leaves out a measurement of another person; one that was left out before changes nothing.
    mutating func leaveOut(_ entry: RecordEntry, chosen: Int) -> [Effect] {
        let measurement = LeftOutMeasurement(entry)
        guard deviceUsers.leftOut.count < DeviceUsers.limit, deviceUsers.leftOut.insert(measurement).inserted else {
            return []
        }
        return [.deviceUsers(.leftOut(measurement), now)]
            + report(.otherUser(entry.sensor, user: measurement.user, chosen: chosen), by: .program)
    }

    /// Answers which person of a device is the patient.
    ///
    /// What waits becomes the patient's or is left out, and what counted of others is retracted.
    mutating func chooseUser(_ address: String, _ number: Int) -> [Effect] {
        guard let question = deviceUsers.questions.first(where: { $0.sensor.address == address }) else { return [] }
        deviceUsers.answers[address] = number
        return report(.userChosen(question.sensor, number))
            + [.deviceUsers(.answered(address: address, number), now)] + settleWaiting()
    }

    /// Settles what waits of devices whose person is known now.
    mutating func settleWaiting() -> [Effect] {
        guard !deviceUsers.waiting.isEmpty else { return [] }
        var effects: [Effect] = []
        let waiting = deviceUsers.waiting
        deviceUsers.waiting = waiting.filter { chosenUser(of: $0.sensor) == nil }
        for entry in waiting {
            guard let chosen = chosenUser(of: entry.sensor) else { continue }
            effects += entry.facts.user == chosen ? enter(entry) : leaveOut(entry, chosen: chosen)
            effects += retractOthers(of: entry.sensor, chosen: chosen)
            // Last, so that a program that is killed meanwhile does the rest at its next start.
            effects += [.deviceUsers(.settled(entry.id), now)]
        }
        return effects
    }

    /// Retracts what counted before anybody knew that it is another person's, and counts it with what was left out.
    private mutating func retractOthers(of sensor: SensorIdentity, chosen: Int) -> [Effect] {
        var effects: [Effect] = []
        let others = patientRecord.entries.filter { entry in
            guard entry.sensor.address == sensor.address, let user = entry.facts.user else { return false }
            return user != chosen && user != EntryFacts.unknownUser && !entry.isRetracted
        }
        for entry in others {
            let measurement = LeftOutMeasurement(entry)
            if deviceUsers.leftOut.count < DeviceUsers.limit, deviceUsers.leftOut.insert(measurement).inserted {
                effects += [.deviceUsers(.leftOut(measurement), now)]
            }
            effects += retract(entry.id, reason: "of \(entry.facts.userText ?? "another person"), not the patient")
        }
        return effects
    }

    /// Restores what earlier runs have left about the persons of devices.
    ///
    /// - Parameters:
    ///   - earlier: What the store has; this run's answers are newer.
    ///   - moment: The present.
    /// - Returns: The effects.
    mutating func restore(_ earlier: DeviceUsers, at moment: Moment) -> [Effect] {
        let effects = advance(to: moment)
        deviceUsers.answers.merge(earlier.answers) { newer, _ in newer }
        deviceUsers.counted.merge(earlier.counted) { $0.union($1) }
        deviceUsers.leftOut.formUnion(earlier.leftOut)
        let known = Set(deviceUsers.waiting.map(\.id))
        let waiting = earlier.waiting.filter { !known.contains($0.id) }
        deviceUsers.waiting = waiting.map(onPresentClock) + deviceUsers.waiting
        let settled = settleWaiting()
        deviceUsers.waiting = Array(deviceUsers.waiting.prefix(DeviceUsers.waitingLimit))
        return effects + settled + settle()
    }
}
