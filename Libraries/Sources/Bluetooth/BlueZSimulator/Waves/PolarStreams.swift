import VitalDecoders

/// The streams of Polar Measurement Data that a simulated strap sends: its control point, and what of them runs.
///
/// It is a part of the sensor, not of a link: what was not stopped runs on when the link has ended. Commands are read here
/// without the decoders of `VitalDecoders`. Source: Polar Measurement Data Specification; the technical documentation of
/// the Polar BLE SDK.
struct PolarStreams: Hashable {
    /// What the strap can send; the raw value is the type on the wire.
    enum Kind: UInt8, CaseIterable, Hashable {
        case electrocardiogram = 0
        case acceleration = 2

        /// The word in a report of the state.
        var name: String {
            switch self {
            case .electrocardiogram: "ecg"
            case .acceleration: "acc"
            }
        }

        /// How many samples a frame has: as many as a packet of an H10 carries.
        var frameLength: Int {
            switch self {
            case .electrocardiogram: 73
            case .acceleration: 36
            }
        }

        /// The settings that it offers, by their numbers on the wire: 0 rate, 1 resolution, 2 range.
        fileprivate var offer: [(id: UInt8, values: [UInt16])] {
            switch self {
            case .electrocardiogram: [(0, [130]), (1, [14])]
            case .acceleration: [(0, [25, 50, 100, 200]), (1, [16]), (2, [2, 4, 8])]
            }
        }
    }

    /// A stream that runs.
    struct Stream: Hashable {
        var kind: Kind
        /// When it began, in seconds of the scenario; its first sample is a sample's length later.
        var begin: Double
        /// Its true rate in samples a second.
        var rate: Double
        /// The greatest acceleration in g.
        var range = 2
        /// The seconds by which its stamps are ahead, because it has sent more than was due.
        var lead = 0.0

        /// The seconds that a frame covers.
        var frameSeconds: Double { Double(kind.frameLength) / rate }

        /// The first frame that is not due yet, from 0.
        func nextFrame(at seconds: Double) -> Int {
            max(0, Int(((seconds - begin) / frameSeconds).rounded(.down)))
        }

        /// When a frame is sent: at the time of its last sample.
        func due(_ frame: Int) -> Double { begin + Double(frame + 1) * frameSeconds }
    }

    /// The streams that run, in the order of their types.
    private(set) var running: [Stream] = []
    /// When the sensor's clock began at ``epoch``, in seconds of the scenario.
    var clockOrigin = -2164.0

    /// What is read from the control point: an H10 has an ECG and an acceleration.
    static let features: [UInt8] = [0x0F, 0x05] + [UInt8](repeating: 0, count: 15)
    /// 2019-01-01, where the clock of an H10 begins, in nanoseconds since 2000-01-01.
    static let epoch: UInt64 = 599_616_000_000_000_000

    /// The stamp of a time by the sensor's clock: nanoseconds since 2000-01-01.
    func stamp(of seconds: Double) -> UInt64 {
        Self.epoch + UInt64(max(0, min(4e9, seconds - clockOrigin)) * 1_000_000_000)
    }

    /// Marks that a stream has sent a frame too many.
    mutating func runAhead(_ kind: Kind) {
        guard let index = running.firstIndex(where: { $0.kind == kind }) else { return }
        running[index].lead += running[index].frameSeconds
    }

    // MARK: Control point

    private enum Status: UInt8 {
        case success = 0
        case invalidCommand = 1
        case invalidType = 2
        case notSupported = 3
        case invalidLength = 4
        case invalidParameter = 5
        case alreadyInState = 6
    }

    /// Carries out a command.
    ///
    /// - Parameters:
    ///   - octets: The command, any octets.
    ///   - now: The time, in seconds of the scenario.
    ///   - settings: How its streams are.
    /// - Returns: The octets of the answer.
    mutating func answer(
        _ octets: [UInt8], at now: Double, _ settings: SimulatedVitals.Electrocardiogram
    ) -> [UInt8] {
        let command = octets.first ?? 0
        if command == 5 {
            // The upper bits of each type say whether it runs: 1 for a stream over the link.
            let states = Kind.allCases.map { kind in
                kind.rawValue | (running.contains { $0.kind == kind } ? 1 << 6 : 0)
            }
            return [0xF0, command, 0, Status.success.rawValue, 0] + states
        }
        let type = octets.count > 1 ? octets[1] & 0x3F : 0
        func answer(_ status: Status, _ parameters: [UInt8] = []) -> [UInt8] {
            [0xF0, command, type, status.rawValue] + (status == .success ? [0] + parameters : [])
        }
        guard (1...3).contains(command) else { return answer(.invalidCommand) }
        guard octets.count > 1 else { return answer(.invalidLength) }
        guard let kind = Kind(rawValue: type) else { return answer(type <= 12 ? .notSupported : .invalidType) }
        let isRunning = running.contains { $0.kind == kind }
        switch command {
        case 1:
            return answer(
                .success,
                kind.offer.flatMap { setting in
                    [setting.id, UInt8(setting.values.count)] + setting.values.flatMap(OctetChecksum.lowestFirst)
                })
        case 2:
            if isRunning { return answer(.alreadyInState) }
            guard let chosen = Self.chosen(octets.dropFirst(2), of: kind) else { return answer(.invalidParameter) }
            let isElectrocardiogram = kind == .electrocardiogram
            running.append(
                Stream(
                    kind: kind, begin: now + (isElectrocardiogram ? settings.delay : 0),
                    rate: Double(chosen[0] ?? 1) * settings.sampleRate / 130, range: Int(chosen[2] ?? 2)))
            running.sort { $0.kind.rawValue < $1.kind.rawValue }
            return answer(.success, [isElectrocardiogram ? 0 : 1])
        default:
            guard isRunning else { return answer(.alreadyInState) }
            running.removeAll { $0.kind == kind }
            return answer(.success)
        }
    }

    /// The chosen values by their numbers on the wire; `nil` unless there is one offered value for each setting.
    private static func chosen(_ octets: ArraySlice<UInt8>, of kind: Kind) -> [UInt8: UInt16]? {
        let octets = Array(octets)
        var chosen: [UInt8: UInt16] = [:]
        for start in stride(from: 0, to: octets.count, by: 4) {
            guard start + 4 <= octets.count, octets[start + 1] == 1, chosen[octets[start]] == nil else { return nil }
            let value = UInt16(octets[start + 2]) | UInt16(octets[start + 3]) << 8
            guard kind.offer.contains(where: { $0.id == octets[start] && $0.values.contains(value) }) else {
                return nil
            }
            chosen[octets[start]] = value
        }
        return chosen.count == kind.offer.count ? chosen : nil
    }
}
