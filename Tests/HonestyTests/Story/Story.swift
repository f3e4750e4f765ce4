import Monitoring
import TestSupport
import Vitals

/// A random story of a night, the same for the same seed: what sensors measure, say and lose, what happens to links,
/// daemon, clocks, the computer and the program, and what people answer.
struct Story {
    private var random: SeededGenerator
    private var steps: [StoryStep] = []
    /// When the newest step happened, in tenths of a second, and how far the wall clock is off, in milliseconds.
    private var tenths: Int64 = 0
    private var wallError: Int64 = 0
    private var connected: Set<String> = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// The moment at which every story begins.
    static let start = Moment(monotonicNanoseconds: 5_000_000_000_000, wallMilliseconds: 1_772_373_000_000)

    /// Now, within the story.
    var now: Moment {
        var moment = Self.start.advanced(by: .milliseconds(tenths * 100))
        moment.wallMilliseconds += wallError
        return moment
    }

    /// The settings that a story begins with: with limits, fever rules and latched alarms as a hospital might have them.
    mutating func settings() -> MonitorSettings {
        var settings = MonitorSettings()
        settings.sensorLimit = 8
        settings.answers.latchesHighPriority = chance(2)
        settings.limits.heartRate.flatLine = chance(3) ? .seconds(20) : nil
        return settings
    }

    /// What happens next; the steps of a scene come one by one.
    mutating func next(_ state: borrowing MonitorState) -> StoryStep {
        if steps.isEmpty { plan(state) }
        return steps.removeFirst()
    }

    // MARK: Scenes

    private mutating func plan(_ state: borrowing MonitorState) {
        pass(pick([0, 1, 5, 10, 10, 30, 70, 300, 1300]))
        switch number(25) {
        case 0...7: stream(pick(StorySensors.all), count: pick([1, 1, 2, 4]))
        case 8, 9: connect(pick(StorySensors.all))
        case 10: lose(pick(StorySensors.all), pick([.linkLost, .linkLost, .timeout, .user]))
        case 11: waitInSocket(pick(StorySensors.all))
        case 12: happen(.nearby(pick(StorySensors.all), signalStrength: pick([-95, -87, -50]), services: []))
        case 13: trouble()
        case 14: happen(.battery(pick(StorySensors.all), percent: pick([3, 17, 90])))
        case 15: assign()
        case 16: setClock()
        case 17: steps.append(.viewerJoins)
        case 18:
            connected = []
            let pause: Int64 = pick([1, 20, 400])
            steps.append(.restart(after: .seconds(pause)))
            pass(pause * 10)
        case 19:
            let sensor = pick(StorySensors.all)
            lose(sensor, .user)
            happen(.forgotten(sensor))
        case 20: malfunction()
        default: answer(state)
        }
        if steps.isEmpty { happen(.tick) }
    }

    private mutating func stream(_ sensor: SensorIdentity, count: Int) {
        if !connected.contains(sensor.address) { connect(sensor) }
        for _ in 0..<count {
            for vital in StorySensors.vitals(of: sensor) where !chance(5) {
                happen(.reading(reading(sensor, vital, at: now)))
            }
            pass(pick([9, 10, 10, 11, 40]))
        }
    }

    /// The oximeter reports a malfunction beside its values, for longer than an alarm waits.
    private mutating func malfunction() {
        let sensor = StorySensors.oximeter
        if !connected.contains(sensor.address) { connect(sensor) }
        for _ in 0..<3 {
            for vital in StorySensors.vitals(of: sensor) where vital == .oxygenSaturation || !chance(3) {
                var reading = reading(sensor, vital, at: now)
                let value = vital == .perfusionIndex ? 240 : pick([7200, 8999, 9700])
                reading.outcome = .measured(VitalValue(hundredths: value), .malfunction)
                happen(.reading(reading))
            }
            pass(40)
        }
    }

    private mutating func reading(_ sensor: SensorIdentity, _ vital: Vital, at moment: Moment) -> Reading {
        var site: BodySite?
        if vital == .bodyTemperature { site = sensor.kind == .core ? .core : pick([nil, .armpit, .ear]) }
        if vital == .skinTemperature { site = .skin }
        var outcome = Reading.Outcome.noMeasurement(pick([.offBody, .searching, .equipment, .notANumber]))
        if !chance(6) {
            let doubt: Reading.Quality = sensor.kind == .oximeter && chance(2) ? .malfunction : .questionable
            outcome = .measured(VitalValue(hundredths: value(vital)), chance(8) ? doubt : .good)
        }
        return Reading(sensor: sensor, vital: vital, outcome: outcome, moment: moment, site: site)
    }

    /// Mostly what bodies have, often close to a limit, sometimes what no sensor can mean.
    private mutating func value(_ vital: Vital) -> Int {
        switch vital {
        case .heartRate, .pulseRate: pick([0, 100, 4950, 4990, 5000, 7200, 7350, 12_000, 12_040, 14_500, 25_500])
        case .oxygenSaturation: pick([0, 100, 8000, 8460, 8960, 8999, 9000, 9700, 9850, 12_700])
        case .glucose: pick([0, 4900, 5000, 6990, 7000, 10_500, 17_000, 17_100, 26_000, 120_000])
        case .perfusionIndex: pick([0, 1, 40, 240, 1880, 3000, 3001])
        case .bodyTemperature, .skinTemperature: pick([3549, 3550, 3680, 3799, 3800, 3829, 3830, 3904, 4160])
        }
    }

    private mutating func connect(_ sensor: SensorIdentity) {
        connected.insert(sensor.address)
        happen(.connection(sensor, ConnectionState(phase: .connecting, attempt: 1)))
        happen(.connection(sensor, ConnectionState(phase: .connected)))
        happen(.connection(sensor, ConnectionState(phase: .ready)))
    }

    private mutating func lose(_ sensor: SensorIdentity, _ reason: ConnectionState.DisconnectReason) {
        guard connected.remove(sensor.address) != nil else { return }
        let phase: ConnectionState.Phase = reason == .user ? .disconnected : .waiting
        happen(.connection(sensor, ConnectionState(phase: phase, reason: reason)))
        // What was on its way when the link went may still come, and what a sensor has kept comes with its own time.
        if chance(4), reason != .user { stray(sensor) }
    }

    private mutating func stray(_ sensor: SensorIdentity) {
        guard let vital = StorySensors.vitals(of: sensor).first else { return }
        happen(.reading(reading(sensor, vital, at: now)))
    }

    /// The program was stopped or starved, or bus or daemon did not answer: a gap is reported first, then what waited is
    /// read, all at once.
    private mutating func waitInSocket(_ sensor: SensorIdentity) {
        let from = now
        let reason = pick([GapReason.program, .busSilent, .daemonSilent])
        pass(20)
        if reason == .busSilent { happen(.bus(.silent)) }
        if reason == .daemonSilent { happen(.daemon(.silent)) }
        pass(pick([30, 200, 900]))
        happen(.gap(Gap(from: from, to: now, reason: reason)))
        if reason == .busSilent { happen(.bus(.connected)) }
        if reason == .daemonSilent { happen(.daemon(.running)) }
        let count = pick([1, 3, 10])
        for place in 0..<count {
            for vital in StorySensors.vitals(of: sensor) {
                var reading = reading(sensor, vital, at: now)
                reading.late = LateInterval(waitedFrom: from, to: now, place: place, of: count)
                happen(.reading(reading))
            }
        }
    }

    private mutating func trouble() {
        let isBus = chance(2)
        happen(isBus ? .bus(.lost(reason: "gone")) : .daemon(.gone))
        for sensor in StorySensors.all where connected.remove(sensor.address) != nil {
            happen(.connection(sensor, ConnectionState(phase: .waiting, reason: isBus ? .bus : .daemon)))
        }
        pass(pick([5, 100, 400]))
        happen(isBus ? .bus(.connected) : .daemon(.running))
    }

    private mutating func assign() {
        let sensor = pick(StorySensors.all)
        happen(
            .remembered(
                RememberedSensor(
                    address: sensor.address, name: sensor.name, kind: sensor.kind, isWanted: true,
                    assignedVitals: chance(2) ? [StorySensors.vitals(of: sensor)[0]] : [])))
    }

    private mutating func setClock() {
        let from = now
        wallError += pick([-86_400_000, -3_600_000, 3_600_000, 400_000_000])
        happen(.gap(Gap(from: from, to: now, reason: .clockSet)))
    }

    private mutating func answer(_ state: borrowing MonitorState) {
        let alarms = state.alarms
        let id = alarms.isEmpty ? 0 : alarms[number(alarms.count)].id
        let wish: PatientWish =
            switch number(9) {
            case 0: .acknowledgeAll
            case 1, 2: .acknowledge(id)
            case 3: .pauseAudio(.seconds(60))
            case 4: .snooze(id, .seconds(200))
            case 5: .pauseForCare(address: pick(StorySensors.all).address, .seconds(60))
            case 6: .clear(id)
            case 7: .newPatient
            default: .setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: pick([100, 130])), .medium))
            }
        steps.append(.input(.wish(wish, at: now)))
    }

    // MARK: Tools

    private mutating func happen(_ kind: MonitorEvent.Kind) { steps.append(.event(kind, at: now)) }

    private mutating func pass(_ tenths: Int64) { self.tenths += tenths }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func chance(_ one: Int) -> Bool { number(one) == 0 }

    private mutating func pick<Element>(_ choices: [Element]) -> Element { choices[number(choices.count)] }
}
