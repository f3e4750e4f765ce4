import SensorDrivers
import VitalDecoders
import Vitals
import Waves

@testable import KnownSensors

/// A link to a sensor that sends any octets, for the drivers of those that must be conversed with.
///
/// An input is a sequence of steps: an octet that says what happens, one that counts, and for a value so many octets.
struct DriverFuzz {
    /// Every driver; a new one is fuzzed as soon as the table has it.
    static let drivers: [any SensorDriver.Type] =
        SupportedSensors.all.compactMap(\.driver) + SupportedSensors.all.flatMap(\.beside).map(\.driver)

    /// What a sensor may have: everything that some driver asks for.
    private static let attributes = (CharacteristicType.all.map(\.uuid) + ownUUIDs).map {
        DriverAttribute(
            uuid: $0, isNotifying: true, isReadable: true, isWritable: true, isWritableWithoutResponse: true)
    }
    private static let ownUUIDs = [
        OximeterRingDriver.writing, OximeterRingDriver.notifying, FingertipOximeterDriver.characteristic,
        JumperOximeterDriver.characteristic, BCIOximeterDriver.characteristic, NoninOximeterDriver.characteristic,
        NoninOximeterDriver.plethysmogram, OxyIIDriver.writing, OxyIIDriver.notifying,
        MiaoMiaoDriver.writing, MiaoMiaoDriver.notifying, XDripBridgeDriver.characteristic, DexcomDriver.control,
        DexcomDriver.authentication,
    ]
    private static let identity = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Fuzz", kind: .other)
    private static let token: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    /// How many octet strings the driver was given.
    private(set) var strings = 0
    /// How many values and pieces of waves it reported.
    private(set) var values = 0
    /// What is wrong, if anything is.
    private(set) var problem: String?

    private let driver: any SensorDriver.Type
    private var conversation: Conversation
    private var now = Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_767_322_800_000)
    private var due: MonotonicTime?
    private var subscribed: [BluetoothUUID] = []
    /// Requests that are not answered yet.
    private var pending: [(request: DriverRequest, number: Int)] = []
    /// Whether requests are answered at once, with success and with `readable`.
    private var isAnswering = true
    private var readable: [UInt8] = []

    /// Connects.
    ///
    /// - Parameter plan: What is known beforehand: bit 0 no pairing, bit 1 earlier measurements, bit 2 no identifier of a
    ///   transmitter, bit 3 a sensor without a clock, bit 4 one that does not answer at first, bit 5 no waves are wanted, bit 6 nights are
    ///   fetched unasked, bit 7 they are fetched at the beginning.
    private init(_ driver: any SensorDriver.Type, plan: UInt8) {
        self.driver = driver
        func begin<Driver: SensorDriver>(_ type: Driver.Type) -> Conversation {
            let context = DriverContext(
                Self.identity, isPaired: plan & 1 == 0, transmitter: plan & 4 == 0 ? "123456" : nil,
                waves: plan & 32 == 0 ? Set(WaveKind.allCases) : [], newestSequence: plan & 2 == 0 ? nil : 300,
                nights: Self.nights(plan),
                randomOctets: { Array(Self.token.prefix($0)) },
                cipher: AES128())
            return Conversation(type.init(context), patience: type.patience)
        }
        conversation = begin(driver)
        isAnswering = plan & 16 == 0
        let isBare = plan & 8 != 0
        let clocks = [CharacteristicType.currentTime.uuid, CharacteristicType.dateTime.uuid]
        handle(.connected(isBare ? Self.attributes.filter { !clocks.contains($0.uuid) } : Self.attributes))
    }

    /// What is known of a ring's nights, one of which was interrupted.
    private static func nights(_ plan: UInt8) -> DriverNights {
        let (isUnasked, isBegun) = (plan & 64 != 0, plan & 128 != 0)
        var part = NightPart(name: "20260101220000", size: 300)
        part.append([UInt8](repeating: 3, count: 100))
        return DriverNights(
            policy: isUnasked ? .always : .ask, known: ["20260102220000"],
            fetching: isBegun ? isUnasked ? .unasked : .asked : .none, part: isBegun ? part : nil)
    }

    /// Plays an input.
    ///
    /// Whatever a sensor sends, the conversation streams, is over, or has a timer; and left alone it streams or is
    /// over.
    static func play(_ driver: any SensorDriver.Type, plan: UInt8, _ input: UnsafeBufferPointer<UInt8>) -> Self {
        var link = Self(driver, plan: plan)
        var rest = input[...]
        while rest.count >= 2, link.problem == nil {
            let (head, count) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
            rest = rest.dropFirst(2)
            // A long string has twice the octets, so that a whole memory fits.
            let octets = Array(rest.prefix(head & 0x80 == 0 ? count : 2 * count))
            switch head & 3 {
            case 0, 1:
                rest = rest.dropFirst(octets.count)
                link.receive(head & 0x40 == 0 ? octets : link.sealed(octets), from: Int(head >> 2 & 7))
            case 2: link.pass(milliseconds: count * 50)
            default:
                rest = rest.dropFirst(octets.count)
                link.change(head >> 2, octets)
            }
            link.check()
        }
        link.isAnswering = false
        link.pass(milliseconds: 2_000_000)
        if link.problem == nil, link.conversation.state != .streaming, !link.conversation.state.isOver {
            link.problem = "waits for ever in \(link.conversation.state)"
        }
        link.problem = link.problem.map { "\(driver), plan \(plan), \(Array(input)): \($0)" }
        return link
    }

    private mutating func receive(_ octets: [UInt8], from place: Int) {
        guard !subscribed.isEmpty else { return }
        strings += 1
        handle(.received(octets, from: subscribed[place % subscribed.count]))
    }

    /// Changes how requests are answered, and answers those that wait.
    private mutating func change(_ kind: UInt8, _ octets: [UInt8]) {
        isAnswering = kind & 1 == 0
        readable = octets
        let waiting = pending
        pending = []
        for (_, number) in waiting {
            switch kind >> 1 & 3 {
            case 0, 1:
                strings += 1
                handle(.answered(number: number, .success(octets)))
            case 2: handle(.answered(number: number, .failure(wantsPairing: false)))
            default: handle(.answered(number: number, .failure(wantsPairing: true)))
            }
        }
    }

    /// Octets with the checksums that the sensor's frames have, so that what is behind a check is reached.
    private func sealed(_ octets: [UInt8]) -> [UInt8] {
        switch driver {
        case is DexcomDriver.Type: return octets + Self.bytes(Checksum.crc16XModem(octets))
        case is OximeterRingDriver.Type:
            // Its length is in the frame, too.
            guard (8...OximeterRingNights.longestData).contains(octets.count) else { return octets }
            let frame = [0x55, 0, 0xFF, 0, 0] + Self.bytes(UInt16(octets.count)) + octets
            return frame + [Checksum.crc8(frame)]
        case is OxyIIDriver.Type:
            // Present values, and with the highest bit an answer about nights.
            guard let first = octets.first, first & 0x80 != 0 else { return Self.answer(to: 0x04, octets) }
            let commands: [UInt8] = [0x00, 0xE1, 0xF1, 0xF2, 0xF3, 0xF4]
            return Self.answer(to: commands[Int(first & 0x7F) % commands.count], Array(octets.dropFirst()))
        case is ViatomECGDriver.Type: return Self.answer(to: 0x03, octets)
        case is FingertipOximeterDriver.Type:
            let frame = [0xFE, UInt8(clamping: octets.count + 3)] + octets
            return frame + [Checksum.sum(frame.dropFirst())]
        case is ContinuousGlucoseDriver.Type:
            guard octets.count >= 6 else { return octets }
            let record = [UInt8(clamping: octets.count + 2)] + octets.dropFirst()
            return record + Self.bytes(EndToEndCRC.checksum(record.span))
        case is MiaoMiaoDriver.Type:
            var memory = Array((octets + [UInt8](repeating: 0, count: LibreMemory.length)).prefix(LibreMemory.length))
            for region in [0..<24, 24..<320, 320..<344] {
                let sum = Self.bytes(Checksum.libre(memory[(region.lowerBound + 2)..<region.upperBound]))
                memory.replaceSubrange(region.lowerBound..<(region.lowerBound + 2), with: sum)
            }
            return [0x28, 1, 0x6B] + [UInt8](repeating: octets.first ?? 0, count: 15) + memory + [0x29]
        default: return octets
        }
    }

    /// An answer with frames of Viatom's newer protocols.
    private static func answer(to command: UInt8, _ octets: [UInt8]) -> [UInt8] {
        let frame = [0xA5, command, ~command, 1, 0] + bytes(UInt16(octets.count)) + octets
        return frame + [Checksum.crc8(frame)]
    }

    private static func bytes(_ word: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] }

    private mutating func pass(milliseconds: Int) {
        let end = now.advanced(by: .milliseconds(milliseconds))
        var rounds = 0
        while let due, due <= end.monotonic {
            now = now.advanced(by: .nanoseconds(max(0, due.nanoseconds(since: now.monotonic))))
            self.due = nil
            handle(.timerFired)
            rounds += 1
            guard rounds < 100_000 else {
                problem = "fires its timer for ever"
                return
            }
        }
        now = end
    }

    private mutating func handle(_ event: Conversation.Event) {
        // An answer comes after everything that the event before it has led to.
        var events = [event]
        var handled = 0
        while handled < events.count {
            guard handled < 10_000 else {
                problem = "asks for ever"
                return
            }
            let effects = conversation.handle(events[handled], at: now)
            handled += 1
            for effect in effects {
                switch effect {
                case .perform(let request, let number):
                    if case .subscribe = request.kind, !subscribed.contains(request.uuid) {
                        subscribed.append(request.uuid)
                    }
                    guard isAnswering else {
                        pending.append((request, number))
                        break
                    }
                    if request.kind == .read { strings += 1 }
                    events.append(.answered(number: number, .success(request.kind == .read ? readable : [])))
                case .setTimer(let due): self.due = due
                case .report(let action): check(action)
                case .changed: break
                }
            }
        }
    }

    private mutating func check() {
        let isFine = conversation.state == .streaming || conversation.state.isOver || due != nil
        if !isFine { problem = "stays in \(conversation.state) without a timer" }
    }

    /// Every sample of a wave has a time, and every beat a sample.
    private static func isPossible(_ piece: WavePiece) -> Bool {
        let (count, placement) = (piece.samples.count / piece.kind.traits.channels, piece.placement)
        return count > 0 && count == placement.count && placement.interval.isFinite && placement.interval > 0
            && placement.lost >= 0 && piece.beats == piece.beats.sorted()
            && piece.beats.allSatisfy { (0..<count).contains($0) }
    }

    /// What is reported of nights is bounded, and every name is one that a file may have.
    private static func isPossible(_ report: DriverNights.Report) -> Bool {
        switch report {
        case .all(let nights): nights.isCoherent
        case .piece(let piece, let name, let size, _):
            NightName.isUsable(name) && !piece.isEmpty && piece.count <= size && size <= ViatomNightFile.longest
        case .fetched(let night): NightName.isUsable(night.name) && night.octets.count <= ViatomNightFile.longest
        case .failed(let name), .stalled(let name): NightName.isUsable(name)
        case .asking, .reconnect: true
        }
    }

    /// A number that is reported is one that can be measured.
    private mutating func check(_ action: DriverAction) {
        let isPossible =
            switch action {
            case .reading(let vital, .measured(let value, _), _): vital.isMeasurable(value)
            case .entry(.vital(let vital, let value, _), _, _): vital.isMeasurable(value)
            case .entry(.bloodPressure(let pressure), _, _):
                BloodPressure.isPossible(pressure.systolic, pressure.diastolic)
            case .cuffPressure(let pressure): (0...400).contains(pressure)
            case .battery(let percent): (0...100).contains(percent)
            case .malformed(_, _, let error): error.offset >= 0 && !error.reason.isEmpty
            case .wave(let piece): Self.isPossible(piece)
            case .waveState(_, .refused(let reason)): !reason.isEmpty
            case .nights(let report): Self.isPossible(report)
            default: true
            }
        switch action {
        case .reading(_, .measured, _), .entry, .wave: values += 1
        default: break
        }
        if !isPossible { problem = "reports \(action)" }
    }
}
