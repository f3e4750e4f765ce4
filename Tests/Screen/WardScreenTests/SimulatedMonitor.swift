import Monitoring
import Vitals

@testable import WardMessages

/// A message on its way to the ward.
struct Message {
    var topic: WardTopic
    var payload: [UInt8]
    var isRetained = false
    /// The session that sent it.
    var session: WardToken?
    /// Whether it may be lost without the connection being lost.
    var isQoS0 = false
}

/// A bed's monitor as the test lets it run: it measures, raises alarms, and publishes as the protocol says.
struct SimulatedMonitor {
    let bed: WardBed
    let host: String
    /// What its clock showed when the test began, in milliseconds, and how fast it runs.
    let bootOffset: Int64
    let partsPerMillion: Int64
    /// By how much its wall clock is off, in milliseconds.
    var wallSkew: Int64 = 0
    var isSimulated = false
    var sound = WardSound.on
    /// What its heartbeats ask a listener to answer; another one in each.
    var isListenerWanted = false
    private(set) var challenge: WardToken?
    private(set) var session: WardToken
    private(set) var sequence: Int64 = 0
    var alarms: [Int: WardAlarm] = [:]
    private var counter: Int
    private var nextAlarm = 1
    private var nextHeartbeat: Int64
    private var nextVital: Int64
    private var nextRepeat: Int64
    /// The newest value of each vital, and when it was measured in true milliseconds.
    private(set) var newest: [Vital: (value: VitalValue, at: Int64)] = [:]
    /// The newest blood pressure, and when it was measured in true milliseconds; only some monitors have a cuff.
    private(set) var pressure: (value: BloodPressure, at: Int64)?
    private var nextPressure: Int64?
    private var encoder = WardEncoder()

    /// Every value is whole and comes again only after 200 seconds, so that a number tells when it was measured.
    static let period = 200
    private static let cuff = SensorIdentity(address: "C0:52:49:00:00:09", name: "Cuff", kind: .bloodPressure)
    static let sensors: [Vital: SensorIdentity] = [
        .heartRate: SensorIdentity(address: "C0:52:49:00:00:02", name: "Strap", kind: .heartRateStrap),
        .bodyTemperature: SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE", kind: .core),
    ]

    init(
        _ bed: WardBed, host: String, session: WardToken, bootOffset: Int64, partsPerMillion: Int64, phase: Int,
        at now: Int64
    ) {
        self.bed = bed
        self.host = host
        self.session = session
        self.bootOffset = bootOffset
        self.partsPerMillion = partsPerMillion
        counter = phase
        nextPressure = phase % 100 == 0 ? now + 7000 : nil
        (nextHeartbeat, nextVital, nextRepeat) = (now, now, now + 10_000)
    }

    private var facts: WardFacts {
        WardFacts(isSimulated: isSimulated, since: 1_772_373_000_000, program: "bedside test", host: host)
    }

    private mutating func stamp(_ now: Int64) -> WardStamp {
        sequence += 1
        return WardStamp(
            session: session, sequence: sequence,
            bootMilliseconds: bootOffset + now + now * partsPerMillion / 1_000_000,
            wallMilliseconds: 1_772_373_000_000 + now + wallSkew)
    }

    private func message(_ subject: WardTopic.Subject, _ payload: [UInt8], isQoS0: Bool = false) -> Message {
        Message(topic: WardTopic(bed, subject), payload: payload, session: session, isQoS0: isQoS0)
    }

    /// The retained presence, or the last will.
    mutating func presence(_ state: WardSession.State, _ now: Int64) -> Message {
        let payload = encoder.encode(
            WardSession(session: session, state: state, facts: facts), wallMilliseconds: 1_772_373_000_000 + now)
        var message = message(.session, payload)
        message.isRetained = true
        return message
    }

    /// Begins a new session, as after each connection to the broker.
    mutating func connect(_ session: WardToken, _ now: Int64) -> [Message] {
        self.session = session
        sequence = 0
        (nextHeartbeat, nextRepeat) = (now, now + 10_000)
        return [presence(.online, now), birth(nil, now)]
    }

    mutating func birth(_ request: WardToken?, _ now: Int64, waited: Int64 = 0) -> Message {
        let vitals = newest.sorted { $0.key.rawValue < $1.key.rawValue }.map { vital, newest in
            wardVital(vital, newest.value, measured: newest.at, now)
        }
        var birth = WardBirth(
            stamp: stamp(now), facts: facts, request: request, vitals: vitals, alarms: Array(alarms.values))
        birth.sound = sound
        birth.requestWaited = waited
        birth.pressure = pressure.flatMap { pressure in
            let wall = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_772_373_000_000 + pressure.at + wallSkew)
            return WardPressure(
                RecordEntry(.bloodPressure(pressure.value), from: .sensor(Self.cuff), EntryFacts(), enteredAt: wall),
                ageMilliseconds: now - pressure.at)
        }
        return message(.birth, encoder.encode(birth))
    }

    private func wardVital(_ vital: Vital, _ value: VitalValue, measured: Int64, _ now: Int64) -> WardVital {
        let sensor = Self.sensors[vital] ?? SensorIdentity(address: "0", name: "", kind: .other)
        let moment = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_772_373_000_000 + measured + wallSkew)
        return WardVital(
            reading: Reading(sensor: sensor, vital: vital, outcome: .measured(value, .good), moment: moment),
            ageMilliseconds: now - measured, intervalMilliseconds: 1000)
    }

    /// What it publishes until now.
    mutating func run(to now: Int64) -> [Message] {
        var messages: [Message] = []
        if now >= nextVital {
            nextVital = now + 1000
            counter += 1
            for vital in [Vital.heartRate, .bodyTemperature] {
                let value =
                    vital == .heartRate
                    ? VitalValue(whole: 40 + counter % Self.period)
                    // Tenths from 25.0 to 44.9.
                    : VitalValue(hundredths: 2500 + counter % Self.period * 10)
                newest[vital] = (value, now)
                let reading = WardVitalMessage(
                    stamp: stamp(now), vital: wardVital(vital, value, measured: now, now), isSimulated: isSimulated)
                messages.append(message(.vital(vital), encoder.encode(reading), isQoS0: true))
            }
        }
        if let due = nextPressure, now >= due {
            nextPressure = now + 15_000
            // Every one is another one for forty minutes.
            let systolic = (pressure?.value.systolic ?? 99) + 1
            pressure = (
                BloodPressure(systolic: systolic > 260 ? 100 : systolic, diastolic: 70, pulse: 66), now
            )
            messages.append(birth(nil, now))
        }
        if now >= nextRepeat {
            nextRepeat = now + 10_000
            for alarm in alarms.values.sorted(by: { $0.id < $1.id }) { messages.append(publish(alarm, now)) }
        }
        if now >= nextHeartbeat {
            nextHeartbeat = now + 2000
            challenge = isListenerWanted ? WardToken("challenge-\(now)") : nil
            let heartbeat = WardHeartbeat(
                stamp: stamp(now), alarms: Array(alarms.values), sound: sound, challenge: challenge)
            messages.append(
                message(.heartbeat, encoder.encode(heartbeat, isSimulated: isSimulated), isQoS0: true))
        }
        return messages
    }

    mutating func publish(_ alarm: WardAlarm, _ now: Int64) -> Message {
        let payload = encoder.encode(WardAlarmMessage(stamp: stamp(now), alarm: alarm), isSimulated: isSimulated)
        return message(.alarm(alarm.id), payload)
    }

    /// Begins, changes or ends an alarm.
    mutating func changeAlarm(_ random: inout some RandomNumberGenerator, _ now: Int64) -> Message {
        if alarms.count < 3, alarms.isEmpty || Bool.random(using: &random) {
            let priority = AlarmPriority.allCases.randomElement(using: &random) ?? .low
            let alarm = WardAlarm(
                AlarmReport(
                    id: nextAlarm, kind: .low, priority: priority, text: "Alarm \(nextAlarm) of \(host)."))
            nextAlarm += 1
            alarms[alarm.id] = alarm
            return publish(alarm, now)
        }
        guard var alarm = alarms.values.sorted(by: { $0.id < $1.id }).randomElement(using: &random) else {
            return presence(.online, now)
        }
        if !alarm.isAcknowledged, Bool.random(using: &random) {
            alarm.state = .acknowledged
            alarm.isAcknowledged = true
            alarms[alarm.id] = alarm
        } else {
            alarm.state = .ended
            alarms[alarm.id] = nil
        }
        return publish(alarm, now)
    }

    /// The alarm that must be seen first: unanswered, of the highest priority, the oldest.
    var worstAlarm: WardAlarm? {
        alarms.values.min {
            ($0.isAcknowledged ? 1 : 0, 3 - rank($0.priority), $0.id) < (
                $1.isAcknowledged ? 1 : 0, 3 - rank($1.priority), $1.id
            )
        }
    }

    private func rank(_ priority: AlarmPriority) -> Int { priority == .high ? 3 : priority == .medium ? 2 : 1 }
}
