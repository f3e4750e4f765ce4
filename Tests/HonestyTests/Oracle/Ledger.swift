import Monitoring
import Vitals

/// What sensors and links have said, kept apart from the monitor: the truth that its witnesses are compared with.
///
/// It is written from the sentences of the article "Honesty", not from the reducer: it knows no standing, no rule and no
/// deadline.
struct Ledger {
    /// The newest word of a sensor about a vital.
    struct Word {
        var reading: Reading
        /// Whether the link has gone since.
        var isFromBefore = false
    }

    /// The newest words by address and vital, late ones left out.
    private(set) var words: [String: [Vital: Word]] = [:]
    /// The sensors whose link was reported down, or that are not wanted.
    private(set) var down: Set<String> = []
    /// The sensors that the user does not want, and that a vital may leave.
    private(set) var unwanted: Set<String> = []
    /// The vitals that the user has assigned to a sensor.
    private(set) var assignments: [String: Set<Vital>] = [:]
    /// What each sensor has ever measured in time.
    private var measured: [String: Set<Vital>] = [:]
    /// The stretch of time in which all that each sensor has said was said beside a malfunction.
    private var malfunctions: [String: (since: Moment, until: Moment)] = [:]
    /// The greatest distance of two arrivals of a sensor's vital, in nanoseconds.
    private var paces: [String: [Vital: Int64]] = [:]

    /// No value is shown as one of now when it is older than this, whatever the sensor's pace; only
    /// glucose comes in minutes.
    static let longestFreshness = Duration.seconds(180)

    /// Takes in what happens.
    mutating func follow(_ input: MonitorInput) {
        guard case .event(let event) = input else { return }
        switch event.kind {
        case .reading(let reading): follow(reading)
        case .connection(let sensor, let connection): follow(connection, of: sensor.address, at: event.moment)
        case .remembered(let sensor): assignments[sensor.address] = sensor.assignedVitals
        case .forgotten(let sensor):
            unwanted.insert(sensor.address)
            malfunctions[sensor.address] = nil
            assignments[sensor.address] = nil
            measured[sensor.address] = nil
        default: break
        }
    }

    /// The program has ended; what comes next finds nothing that is of now.
    mutating func restart() {
        self = Ledger()
    }

    /// The value that a sensor gives of a vital at present; `nil` when it gives none.
    func live(_ address: String, _ vital: Vital, at now: Moment) -> Reading? {
        guard !down.contains(address), let word = words[address]?[vital], !word.isFromBefore,
            case .measured(let value, _) = word.reading.outcome, Self.isPossible(value, of: vital),
            now.since(word.reading.moment) < freshness(address, vital)
        else { return nil }
        return word.reading
    }

    /// Whether the newest that a sensor has said of one of its vitals is that it has a fault.
    func reportsFault(_ address: String) -> Bool {
        guard !down.contains(address) else { return false }
        return words[address, default: [:]].contains { vital, word in
            switch word.reading.outcome {
            case .noMeasurement(let reason): reason == .equipment
            case .measured(let value, let quality): quality == .malfunction && Self.isPossible(value, of: vital)
            }
        }
    }

    /// For how long a sensor has reported a malfunction beside every value, without a pause that could be silence.
    func malfunctionLasts(_ address: String) -> Duration {
        malfunctions[address].map { $0.until.since($0.since) } ?? .zero
    }

    /// Whether a sensor has ever given a value of a vital as one of now.
    func hasMeasured(_ address: String, _ vital: Vital) -> Bool { measured[address]?.contains(vital) == true }

    /// Whether a value is one that a sensor can measure on a body.
    static func isPossible(_ value: VitalValue, of vital: Vital) -> Bool {
        switch vital {
        case .heartRate: (2000...30_000).contains(value.hundredths)
        case .pulseRate: (2000...30_000).contains(value.hundredths) && value.hundredths != 25_500
        case .oxygenSaturation: (2000...10_000).contains(value.hundredths)
        case .glucose: (1000...100_000).contains(value.hundredths)
        case .bodyTemperature, .skinTemperature: (2500...4500).contains(value.hundredths)
        case .perfusionIndex: (1...3000).contains(value.hundredths)
        }
    }

    private func freshness(_ address: String, _ vital: Vital) -> Duration {
        let isTemperature = vital == .bodyTemperature || vital == .skinTemperature
        let assumed: Duration = vital == .glucose ? .seconds(300) : isTemperature ? .seconds(10) : .seconds(2)
        let pace = max(assumed, .nanoseconds(paces[address]?[vital] ?? 0))
        return vital == .glucose ? assumed * 3 : min(Self.longestFreshness, pace * 3)
    }

    private mutating func follow(_ reading: Reading) {
        guard reading.late == nil else { return }
        let address = reading.sensor.address
        if let former = words[address]?[reading.vital]?.reading.moment {
            let distance = reading.moment.monotonicNanoseconds - former.monotonicNanoseconds
            paces[address, default: [:]][reading.vital] = max(paces[address]?[reading.vital] ?? 0, distance)
        }
        words[address, default: [:]][reading.vital] = Word(reading: reading)
        followMalfunction(reading)
        if case .measured(let value, _) = reading.outcome, Self.isPossible(value, of: reading.vital) {
            measured[address, default: []].insert(reading.vital)
        }
    }

    private mutating func followMalfunction(_ reading: Reading) {
        let address = reading.sensor.address
        // It goes with the saturation, whose reading says the same, and raises no alarm by itself.
        if reading.vital == .perfusionIndex { return }
        guard case .measured(let value, .malfunction) = reading.outcome, Self.isPossible(value, of: reading.vital),
            !down.contains(address)
        else {
            malfunctions[address] = nil
            return
        }
        let former = malfunctions[address]
        let isContinued = former.map { reading.moment.since($0.until) <= .seconds(5) } ?? false
        malfunctions[address] = (isContinued ? former?.since ?? reading.moment : reading.moment, reading.moment)
    }

    private mutating func follow(_ connection: ConnectionState, of address: String, at moment: Moment) {
        malfunctions[address] = nil
        switch connection.phase {
        case .ready:
            down.remove(address)
            // What was sent in this very moment is as new as can be.
            for (vital, word) in words[address, default: [:]] where word.reading.moment == moment {
                words[address]?[vital]?.isFromBefore = false
            }
            unwanted.remove(address)
        case .connected: unwanted.remove(address)
        case .connecting, .waiting, .disconnected:
            down.insert(address)
            if connection.reason == .user { unwanted.insert(address) }
            for vital in words[address, default: [:]].keys { words[address]?[vital]?.isFromBefore = true }
        }
    }
}
