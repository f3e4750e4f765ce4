import VitalDecoders
import Vitals
import Waves

/// Conducts the conversation of one driver on one link: one request at a time, with time limits and repetitions.
///
/// A pure state machine. Whatever the sensor does, the conversation ends or continues: it always has a request in
/// progress, a timer, or a streaming sensor.
public struct Conversation: Sendable {
    /// The state of the conversation.
    public private(set) var state = State.opening
    private var driver: any SensorDriver
    private let patience: Duration
    /// The requests after the one in progress.
    private var waiting: [DriverRequest] = []
    private var current: DriverRequest?
    private var repetitions = 0
    /// Numbers the requests, so that an answer to an abandoned one is recognised.
    private var number = 0
    private var driverTimer: MonotonicTime?
    /// When the sensor must have sent the wanted data.
    private var deadline: MonotonicTime?
    private var subscribed: Set<BluetoothUUID> = []

    /// The number of attempts for a request.
    public static let attempts = 3
    /// The limit of waiting requests; no driver needs as many.
    public static let queueLimit = 64

    /// Why a sensor that refuses to be read wants to be paired.
    public static let pairingReason = "It lets itself be read only once it is paired."

    public init(_ driver: any SensorDriver, patience: Duration) {
        self.driver = driver
        self.patience = patience
    }

    /// The state of a conversation.
    public enum State: Hashable, Sendable {
        /// The driver's first requests are in progress.
        case opening
        /// The wanted data have not arrived yet.
        case conversing
        /// The sensor sends values without requests.
        case streaming
        /// Everything was transferred.
        case finished
        /// Failed on this link; the next one begins anew.
        case failed(Failure)
        /// The sensor cannot be used.
        case refused(String)

        /// Whether the conversation has ended on this link.
        public var isOver: Bool {
            switch self {
            case .opening, .conversing, .streaming: false
            case .finished, .failed, .refused: true
            }
        }
    }

    /// Why a conversation failed.
    public enum Failure: Hashable, Sendable {
        /// The sensor lacks a required characteristic, or refused a request.
        case refusedRequest(DriverRequest)
        /// The sensor did not answer, or did not send the wanted data in time.
        case silence
        /// It must be paired first.
        case pairing(String)
    }

    /// What happened.
    public enum Event: Hashable, Sendable {
        /// The services are resolved.
        case connected([DriverAttribute])
        /// The request with a number has been answered.
        case answered(number: Int, Answer)
        /// A value came.
        case received([UInt8], from: BluetoothUUID)
        /// The timer of ``Effect/setTimer(_:)`` has fired.
        case timerFired
        /// Somebody has said whether a new sensor is accepted.
        case newSensorAnswered(isAccepted: Bool)
        /// Something about the nights that the sensor has stored.
        case nights(DriverNights.Event)
    }

    /// The answer to a request.
    public enum Answer: Hashable, Sendable {
        /// Success, with the octets of a read.
        case success([UInt8])
        /// A failure; if it asks for pairing, the request is not repeated.
        case failure(wantsPairing: Bool)
    }

    /// An effect for the caller.
    public enum Effect: Hashable, Sendable {
        /// Make a request; ``Event/answered(number:_:)`` answers.
        case perform(DriverRequest, number: Int)
        /// Set the timer to this time, replacing an earlier one; `nil` cancels it.
        case setTimer(MonotonicTime?)
        /// Forward an action of the driver.
        case report(DriverAction)
        case changed(State)
    }

    /// Whether its driver has subscribed to a characteristic.
    public func listens(to uuid: BluetoothUUID) -> Bool { subscribed.contains(uuid) }

    /// Handles an event; returns the effects in order.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        guard !state.isOver else { return [] }
        let before = (state, timer)
        var effects: [Effect] = []
        switch event {
        case .connected(let attributes):
            deadline = now.monotonic.advanced(by: patience)
            act(driver.handle(.connected(attributes), at: now), &effects, at: now)
        case .received(let octets, let uuid):
            act(driver.handle(.received(octets, from: uuid), at: now), &effects, at: now)
        case .answered(let number, let answer):
            guard number == self.number, let request = current else { return [] }
            answered(request, answer, &effects, at: now)
        case .timerFired: timerFired(&effects, at: now)
        case .newSensorAnswered(let isAccepted):
            act(driver.handle(.newSensorAnswered(isAccepted: isAccepted), at: now), &effects, at: now)
        case .nights(let event): act(driver.handle(.nights(event), at: now), &effects, at: now)
        }
        if state == .opening, current == nil, waiting.isEmpty { state = .conversing }
        if state != before.0 {
            if state.isOver { (waiting, current, driverTimer, deadline) = ([], nil, nil, nil) }
            effects.append(.changed(state))
        }
        if timer != before.1 { effects.append(.setTimer(timer)) }
        return effects
    }

    /// Handles the end of the link; returns the remaining reports.
    public mutating func end(at now: Moment) -> [Effect] {
        guard !state.isOver else { return [] }
        var effects: [Effect] = []
        act(driver.end(at: now), &effects, at: now)
        return effects.filter { if case .report = $0 { true } else { false } }
    }

    /// The writes that end what the driver has started, also after a conversation that has failed.
    public func farewell() -> [DriverRequest] { driver.farewell() }

    /// The waves that may run on the sensor.
    public var runningWaves: Set<WaveKind> { driver.runningWaves }

    private var timer: MonotonicTime? {
        switch (driverTimer, deadline) {
        case (let first?, let second?): min(first, second)
        case (let one, nil), (nil, let one): one
        }
    }

    private mutating func answered(
        _ request: DriverRequest, _ answer: Answer, _ effects: inout [Effect], at now: Moment
    ) {
        current = nil
        switch answer {
        case .success(let octets):
            repetitions = 0
            if request.kind == .subscribe { subscribed.insert(request.uuid) }
            let event: DriverEvent = request.kind == .read ? .read(octets, of: request.uuid) : .succeeded(request)
            act(driver.handle(event, at: now), &effects, at: now)
            askNext(&effects)
        case .failure(wantsPairing: true) where request.isOptional:
            repetitions = 0
            act(driver.handle(.failed(request), at: now), &effects, at: now)
            askNext(&effects)
        case .failure(wantsPairing: true):
            state = .failed(.pairing(Self.pairingReason))
        case .failure(wantsPairing: false):
            repetitions += 1
            if repetitions < Self.attempts {
                waiting.insert(request, at: 0)
                return askNext(&effects)
            }
            repetitions = 0
            guard request.isOptional else {
                state = .failed(.refusedRequest(request))
                return
            }
            act(driver.handle(.failed(request), at: now), &effects, at: now)
            askNext(&effects)
        }
    }

    private mutating func timerFired(_ effects: inout [Effect], at now: Moment) {
        if let deadline, deadline <= now.monotonic {
            state = .failed(.silence)
            return
        }
        guard let driverTimer, driverTimer <= now.monotonic else { return }
        self.driverTimer = nil
        act(driver.handle(.timerFired, at: now), &effects, at: now)
    }

    private mutating func act(_ actions: [DriverAction], _ effects: inout [Effect], at now: Moment) {
        for action in actions where !state.isOver {
            switch action {
            case .request(let request):
                if waiting.count < Self.queueLimit { waiting.append(request) }
                askNext(&effects)
            case .setTimer(let delay): driverTimer = now.monotonic.advanced(by: delay)
            case .cancelTimer: driverTimer = nil
            case .streaming:
                deadline = nil
                state = .streaming
            case .finish: state = .finished
            case .askToPair(let reason): state = .failed(.pairing(reason))
            case .refuse(let reason): state = .refused(reason)
            case .reading, .entry, .cuffPressure, .battery:
                // Wanted data arrive: the time limit starts again for the rest.
                if deadline != nil { deadline = now.monotonic.advanced(by: patience) }
                effects.append(.report(action))
            case .malformed, .notice, .remember, .transmitter, .wave, .waveState, .nights:
                effects.append(.report(action))
            }
        }
    }

    private mutating func askNext(_ effects: inout [Effect]) {
        guard current == nil, !waiting.isEmpty, !state.isOver else { return }
        let request = waiting.removeFirst()
        current = request
        number += 1
        effects.append(.perform(request, number: number))
    }
}
