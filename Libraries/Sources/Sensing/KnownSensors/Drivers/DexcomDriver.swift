import SensorDrivers
import VitalDecoders
import Vitals

/// A Dexcom G5 or early G6 transmitter, which advertises for some seconds every five minutes.
///
/// It has one slot for an app and one for a receiver: a new client displaces the old one. So nothing is written before
/// the user has paired it with this computer, after a warning. The conversation: authentication, time, glucose,
/// battery, then the end of the link; no command that changes a session, a calibration or a therapy. Stored values are
/// not fetched, because the layout of their frames is not public. Source: public descriptions only (CGMBLEKit, xDrip);
/// not verified on a transmitter. It measures glucose in the interstitial fluid, as computed by the transmitter; not
/// shown while it needs its first calibration or reports an error.
public struct DexcomDriver: SensorDriver {
    public static let service = BluetoothUUID(0xFEBC)
    static let control = characteristic(0xF808_3534)
    public static let authentication = characteristic(0xF808_3535)
    static let warning =
        "Only one app can have this transmitter. Paired with this computer, it sends nothing more to the phone's app."

    private static func characteristic(_ first: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: first << 32 | 0x849E_531C, low: 0xC594_30F1_F86A_4EA5)
    }

    private let context: DriverContext
    private let hash: DexcomHash?
    private let token: [UInt8]
    private var hasGlucose = false
    /// The requests after the authentication, each answered before the next: time, glucose, battery.
    private var questions: [[UInt8]] = [[0x24, 0xE6, 0x64], [0x30, 0x53, 0x36], [0x22, 0x20, 0x04]]

    public init(_ context: DriverContext) {
        self.context = context
        hash = context.transmitter.flatMap { DexcomHash($0, context.cipher) }
        token = context.randomOctets(8)
    }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected:
            guard let hash else {
                return [
                    .refuse(
                        "Its identifier is needed: the six characters on the transmitter, as sensors.transmitter in the "
                            + "settings.")
                ]
            }
            guard hash.of(token) != nil else {
                return [
                    .refuse("It authenticates by AES, and libgcrypt is not installed: sudo apt install libgcrypt20.")
                ]
            }
            guard context.isPaired else { return [.askToPair(Self.warning)] }
            return [.request(.subscribe(Self.authentication))]
        case .succeeded(let request) where request.kind == .subscribe:
            if request.uuid == Self.authentication {
                return [.request(.write([0x01] + token + [0x02], to: Self.authentication))]
            }
            return askNext()
        case .received(let octets, let uuid):
            return uuid == Self.authentication ? authenticated(octets) : answered(octets, at: now)
        case .succeeded, .failed, .read, .timerFired, .newSensorAnswered, .nights: return []
        }
    }

    private func authenticated(_ octets: [UInt8]) -> [DriverAction] {
        switch (octets.first, octets.count) {
        case (0x03, 17...):
            guard let hash, hash.of(token) == Array(octets[1..<9]) else {
                return [.refuse("It is not the transmitter with that identifier; look at sensors.transmitter.")]
            }
            guard let answer = hash.of(Array(octets[9..<17])) else { return [] }
            return [.request(.write([0x04] + answer, to: Self.authentication))]
        case (0x05, 3...):
            guard octets[1] == 1 else {
                return [.refuse("It does not accept its identifier; look at sensors.transmitter.")]
            }
            // 1 means yes and 2 means no; sources disagree about other values.
            guard octets[2] != 2 else { return [.askToPair(Self.warning)] }
            return [.request(.subscribe(Self.control))]
        default: return []
        }
    }

    private mutating func askNext() -> [DriverAction] {
        guard !questions.isEmpty else {
            return [.request(.write([0x09], to: Self.control, isOptional: true)), .finish]
        }
        return [.request(.write(questions.removeFirst(), to: Self.control))]
    }

    private mutating func answered(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        guard octets.count >= 3, let opcode = octets.first else { return [] }
        let sum = UInt16(octets[octets.count - 2]) | UInt16(octets[octets.count - 1]) << 8
        guard Checksum.crc16XModem(octets.dropLast(2)) == sum else {
            let error = MalformedValueError(offset: octets.count - 2, reason: "the CRC does not fit")
            return [.malformed(octets, of: Self.control, error)]
        }
        switch (opcode, octets.count) {
        case (0x25, 16...):
            let session = octets[6..<10].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard session != .max else {
                return [.reading(.glucose, .noMeasurement(.notANumber))] + askNextWithoutGlucose()
            }
            return askNext()
        case (0x31, 16), (0x4F, 16):
            guard !hasGlucose else { return [] }
            hasGlucose = true
            return [.reading(.glucose, Self.outcome(octets))] + askNext()
        case (0x23, 4...): return askNext()
        default: return []
        }
    }

    private mutating func askNextWithoutGlucose() -> [DriverAction] {
        questions.removeAll { $0[0] == 0x30 }
        return askNext()
    }

    /// The glucose of a message: only in the states "ok" and "needs calibration".
    private static func outcome(_ octets: [UInt8]) -> Reading.Outcome {
        let number = Int(octets[10]) | Int(octets[11] & 0x0F) << 8
        switch octets[12] {
        case 6, 7:
            switch number {
            // Its codes for "below 40" and "above 400"; lower and higher numbers are no concentrations.
            case 39: return .noMeasurement(.below40)
            case 401: return .noMeasurement(.above400)
            case 40...400:
                return Reading.Outcome(
                    hundredths: number * 100, of: .glucose, octets[12] == 6 ? .good : .calibrationWanted)
            default: return .noMeasurement(.outOfRange)
            }
        // No session was started.
        case 0, 1: return .noMeasurement(.notANumber)
        case 2: return .noMeasurement(.calibrating)
        // The signal is too noisy.
        case 3: return .noMeasurement(.searching)
        case 4, 5: return .noMeasurement(.calibrationWanted)
        default: return .noMeasurement(.equipment)
        }
    }
}

/// The hash by which a Dexcom transmitter and its client prove that both know the transmitter's identifier.
///
/// The first 8 octets of AES-128-ECB over x‖x, with the key "00" id "00" id in ASCII.
struct DexcomHash: Sendable {
    private let key: [UInt8]
    private let cipher: AES128

    /// Creates the hash for an identifier of six letters and digits; `nil` for any other text.
    init?(_ identifier: String, _ cipher: AES128 = AES128()) {
        let ascii = Array(identifier.uppercased().utf8)
        guard ascii.count == 6, ascii.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) else {
            return nil
        }
        key = [0x30, 0x30] + ascii + [0x30, 0x30] + ascii
        self.cipher = cipher
    }

    /// The hash of 8 octets; `nil` for another length, or without the cipher.
    func of(_ octets: [UInt8]) -> [UInt8]? {
        guard octets.count == 8 else { return nil }
        return cipher.encrypt(octets + octets, key).map { Array($0.prefix(8)) }
    }
}
