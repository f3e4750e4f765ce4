import SensorDrivers
import VitalDecoders
import Vitals
import Waves

/// Polar Measurement Data of a chest strap: starts its ECG, and its acceleration where somebody wants that.
///
/// It works beside the Heart Rate Service, whose values do not depend on it. Both characteristics are subscribed to
/// first, or the sensor streams and never answers. Streams that were started are stopped by ``farewell()``, and those of an
/// earlier link that nobody wants any longer before all else: a strap whose stream runs on stays awake until its battery is
/// empty. The intervals between pulses and the SDK mode are never started:
/// they slow down or end the heart rate of an optical band. Source: Polar Measurement Data Specification, technical
/// documentation and known issues of the Polar BLE SDK; not verified on a device.
public struct PolarWaveDriver: SensorDriver {
    static let control = CharacteristicType.polarMeasurementControl.uuid
    private static let data = CharacteristicType.polarMeasurementData.uuid
    /// A strap that another program left without stopping sends its ECG up to half a minute late, and then some.
    public static var patience: Duration { .seconds(300) }

    private let wanted: Set<WaveKind>
    /// What is still to be started, the present one first.
    private var waiting: [WaveKind] = []
    private var step = Step.subscribing
    private var parameters: [UInt8] = []
    private var attempts = 0
    /// The streams that may run.
    public private(set) var runningWaves: Set<WaveKind>
    /// Those of them that are still to be stopped, the present one first.
    private var unwanted: [WaveKind] = []
    /// The streams whose samples come.
    private var streaming: Set<WaveKind> = []
    private var clocks: [WaveKind: StampedSampleClock] = [:]
    /// The values in the last whole frame of each stream.
    private var lengths: [WaveKind: Int] = [:]
    /// Since when each started stream has sent nothing.
    private var silentSince: [WaveKind: Moment] = [:]

    private enum Step: Hashable {
        case subscribing
        case stopping
        case settings
        case starting(PolarMeasurementSettings)
        case running
    }

    /// How long the sensor may take to answer a command.
    private static let answerLimit = Duration.seconds(10)
    /// The time before a command is repeated after a refusal that may pass: a packet size that is still being agreed.
    private static let pause = Duration.seconds(1)
    /// How long a started stream may be silent before it is started again.
    private static let silence = Duration.seconds(45)
    private static let mostAttempts = 4

    public init(_ context: DriverContext) {
        wanted = context.waves.intersection(Self.kinds)
        runningWaves = context.runningWaves.intersection(Self.kinds)
    }

    /// What it starts, in this order.
    private static let kinds: [WaveKind] = [.electrocardiogram, .acceleration]

    /// What users are told where a stream may run on.
    public static let notStopped =
        "Its wave could not be stopped. It may stay awake until its battery is empty: take it out of its strap for a minute."

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected:
            return [
                .request(.subscribe(Self.control, isOptional: true)), .request(.subscribe(Self.data, isOptional: true)),
                .request(.read(Self.control, isOptional: true)),
            ]
        case .failed(let request) where step == .subscribing:
            // What runs is stopped even if it does not say what it offers.
            if request.kind == .read { return featuresCame([]) }
            return (runningWaves.isEmpty ? [] : [.notice(Self.notStopped)]) + [.finish]
        case .failed: return answerMissing(at: now)
        case .read(let octets, Self.control): return featuresCame(octets)
        case .received(let octets, Self.control): return answered(octets, at: now)
        case .received(let octets, Self.data): return received(octets, at: now)
        case .timerFired: return timerFired(at: now)
        case .succeeded, .read, .received, .newSensorAnswered, .nights: return []
        }
    }

    public func farewell() -> [DriverRequest] {
        let stops = runningWaves.sorted { $0.rawValue < $1.rawValue }.compactMap { kind in
            PolarMeasurementType(kind).map {
                DriverRequest.write(PolarMeasurementControl.stop($0).octets, to: Self.control)
            }
        }
        return step == .subscribing && !stops.isEmpty ? [.subscribe(Self.control, isOptional: true)] + stops : stops
    }

    // MARK: Starting

    private mutating func featuresCame(_ octets: [UInt8]) -> [DriverAction] {
        let offered = (try? PolarMeasurementControl(octets))?.offered ?? []
        waiting = Self.kinds.filter { kind in
            wanted.contains(kind) && PolarMeasurementType(kind).map(offered.contains) == true
        }
        unwanted = Self.kinds.filter { runningWaves.contains($0) && !wanted.contains($0) }
        return waiting.map { .waveState($0, .wanted) } + stopOrStart()
    }

    /// Stops the next stream that nobody wants, or begins with those that somebody does.
    private mutating func stopOrStart() -> [DriverAction] {
        if let type = unwanted.first.flatMap(PolarMeasurementType.init) {
            step = .stopping
            return command(.stop(type))
        }
        // An H9 has the service without an ECG; an optical band has none either.
        return waiting.isEmpty ? [.finish] : askForSettings()
    }

    private mutating func stopAnswered(_ status: PolarMeasurementStatus) -> [DriverAction] {
        attempts = 0
        runningWaves.remove(unwanted.removeFirst())
        return (status.isAsAsked ? [] : [.notice(Self.notStopped)]) + stopOrStart()
    }

    private mutating func askForSettings() -> [DriverAction] {
        guard let type = waiting.first.flatMap(PolarMeasurementType.init) else {
            step = .running
            return [.setTimer(Self.silence)]
        }
        (step, parameters) = (.settings, [])
        return command(.settings(of: type))
    }

    private func command(_ command: PolarMeasurementControl) -> [DriverAction] {
        [.request(.write(command.octets, to: Self.control, isOptional: true)), .setTimer(Self.answerLimit)]
    }

    private mutating func answered(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        let value: PolarMeasurementControl
        do throws(MalformedValueError) {
            value = try PolarMeasurementControl(octets)
        } catch {
            return [.malformed(octets, of: Self.control, error)]
        }
        if case .answer(let answered, let type, let status, let hasMore, let rest) = value {
            guard let kind = step == .stopping ? unwanted.first : waiting.first,
                PolarMeasurementType(kind)?.rawValue == type & 0x3F
            else { return [] }
            switch (answered, step) {
            case (.stop, .stopping): return stopAnswered(status)
            case (.settings, .settings): return settingsCame(status, hasMore, rest, of: kind)
            case (.start, .starting): return startAnswered(status, of: kind, at: now)
            default: return []
            }
        }
        let stopped = value.stoppedByItself.compactMap(WaveKind.init)
        if stopped.isEmpty { return [] }
        runningWaves.subtract(stopped)
        streaming.subtract(stopped)
        for kind in stopped {
            clocks[kind] = nil
            silentSince[kind] = nil
            if !waiting.contains(kind), wanted.contains(kind) { waiting.append(kind) }
        }
        // It may have left the body, or be in its charger: asked again after a while.
        return stopped.map { .waveState($0, .ended) } + (step == .running ? [.setTimer(Self.answerLimit)] : [])
    }

    private mutating func settingsCame(
        _ status: PolarMeasurementStatus, _ hasMore: Bool?, _ rest: [UInt8], of kind: WaveKind
    ) -> [DriverAction] {
        guard status.isAsAsked else { return refused(status, of: kind) }
        parameters += rest
        if hasMore == true, parameters.count < 512 { return [] }
        guard let type = PolarMeasurementType(kind) else { return [] }
        let settings = PolarMeasurementSettings(octets: parameters).choosing(Self.choice(kind))
        step = .starting(settings)
        runningWaves.insert(kind)
        return command(.start(type, settings))
    }

    /// The wanted settings: the only ones of an ECG; of an acceleration the least, which is enough for breathing.
    private static func choice(_ kind: WaveKind) -> [PolarMeasurementSettings.Kind: UInt32] {
        kind == .electrocardiogram
            ? [.sampleRate: 130, .resolution: 14] : [.sampleRate: 25, .resolution: 16, .range: 2]
    }

    private mutating func startAnswered(
        _ status: PolarMeasurementStatus, of kind: WaveKind, at now: Moment
    ) -> [DriverAction] {
        guard status.isAsAsked else {
            runningWaves.remove(kind)
            return refused(status, of: kind)
        }
        attempts = 0
        waiting.removeFirst()
        silentSince[kind] = now
        return askForSettings()
    }

    private mutating func refused(_ status: PolarMeasurementStatus, of kind: WaveKind) -> [DriverAction] {
        attempts += 1
        if status == .maximumTransmissionUnitTooSmall, attempts < Self.mostAttempts {
            return [.setTimer(Self.pause)]
        }
        attempts = 0
        waiting.removeFirst()
        let words = status.name.split(separator: "_").joined(separator: " ")
        return [.waveState(kind, .refused("The sensor does not start its \(kind.traits.text): \(words)."))]
            + askForSettings()
    }

    private mutating func answerMissing(at now: Moment) -> [DriverAction] {
        if step == .stopping { return stopMissing() }
        guard let kind = waiting.first else { return [.setTimer(Self.silence)] }
        attempts += 1
        if attempts < Self.mostAttempts { return askForSettings() }
        attempts = 0
        waiting.removeFirst()
        // It may stream all the same.
        silentSince[kind] = now
        return [.waveState(kind, .refused("The sensor does not answer when it is asked for its \(kind.traits.text)."))]
            + askForSettings()
    }

    /// Repeats a stop that was not answered; after some attempts it stays remembered for the next link.
    private mutating func stopMissing() -> [DriverAction] {
        attempts += 1
        if attempts < Self.mostAttempts { return stopOrStart() }
        attempts = 0
        unwanted.removeFirst()
        return [.notice(Self.notStopped)] + stopOrStart()
    }

    private mutating func timerFired(at now: Moment) -> [DriverAction] {
        switch step {
        case .subscribing: return []
        case .stopping: return answerMissing(at: now)
        case .settings, .starting: return attempts > 0 ? askForSettings() : answerMissing(at: now)
        case .running:
            if !waiting.isEmpty { return askForSettings() }
            let silent = silentSince.filter { runningWaves.contains($0.key) && now.since($0.value) >= Self.silence }
                .keys
            guard let kind = silent.min(by: { $0.rawValue < $1.rawValue }), let type = PolarMeasurementType(kind) else {
                return [.setTimer(Self.silence)]
            }
            // Stopped first, because a start of what runs is no start.
            silentSince[kind] = now
            streaming.remove(kind)
            waiting = [kind]
            return [
                .waveState(kind, .wanted),
                .request(.write(PolarMeasurementControl.stop(type).octets, to: Self.control, isOptional: true)),
            ] + askForSettings()
        }
    }

    // MARK: Samples

    private mutating func received(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        let frame: PolarMeasurementFrame
        do throws(MalformedValueError) {
            frame = try PolarMeasurementFrame(octets)
        } catch {
            return [.malformed(octets, of: Self.data, error)]
        }
        guard let kind = WaveKind(frame.type), wanted.contains(kind),
            case .samples(var samples, let channels) = frame.content, channels == kind.traits.channels
        else { return [] }
        // The stamp is that of the last sample: those of a frame that is cut short are its first ones.
        if frame.isCut, let length = lengths[kind], samples.count < length {
            samples += repeatElement(WavePiece.missing, count: length - samples.count)
        } else if !frame.isCut {
            lengths[kind] = samples.count
        }
        let placed = clocks[kind, default: StampedSampleClock(nominalRate: kind.traits.nominalRate)]
            .place(samples.count / channels, lastAt: Int64(clamping: frame.timestamp))
        guard let placed else { return [] }
        runningWaves.insert(kind)
        silentSince[kind] = now
        let isFirst = streaming.insert(kind).inserted
        return (isFirst ? [.streaming, .waveState(kind, .streaming)] : []) + [.wave(WavePiece(kind, samples, placed))]
    }
}

extension PolarMeasurementType {
    /// The stream of a kind of wave; `nil` for one that Polar's sensors do not send so.
    fileprivate init?(_ kind: WaveKind) {
        switch kind {
        case .electrocardiogram: self = .electrocardiogram
        case .acceleration: self = .acceleration
        case .plethysmogram: return nil
        }
    }
}

extension WaveKind {
    /// The wave of a stream; `nil` for one that is not used.
    fileprivate init?(_ type: PolarMeasurementType) {
        switch type {
        case .electrocardiogram: self = .electrocardiogram
        case .acceleration: self = .acceleration
        default: return nil
        }
    }
}
