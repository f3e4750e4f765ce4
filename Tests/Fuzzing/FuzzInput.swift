import VitalDecoders

/// One input of the fuzz target: which decoder or driver, what is done with it, and the octets it is given.
///
/// As octets, the form in which libFuzzer changes it: the first octet chooses the target, the second one what is done,
/// the others are the value. One input goes to one target, so that executions are quick and counted honestly.
struct FuzzInput {
    /// The place of the decoder in ``decoders``; one place more stands for lines of text given to `bedside decode`, and
    /// the places after that for the drivers of ``DriverFuzz``.
    var target: Int
    /// What is done; every number means something.
    var plan: Plan
    /// The value.
    var value: UnsafeBufferPointer<UInt8>

    /// Every registered characteristic, and the advertisements, which have no UUID.
    static let decoders: [CharacteristicType] =
        CharacteristicType.all + [
            CharacteristicType(
                BluetoothUUID(0xFFF0), "CORE advertisement", .coreBodyTemperature, CoreAdvertisement.self),
            CharacteristicType(BluetoothUUID(0xFFF1), "Polar advertisement", .heartRate, PolarAdvertisement.self),
        ]

    /// The target that stands for lines of text given to `bedside decode`.
    static let linesTarget = decoders.count

    /// How many targets there are.
    static let targetCount = linesTarget + 1 + DriverFuzz.drivers.count

    /// The name of a target in the corpus.
    static func name(of target: Int) -> String {
        switch target {
        case linesTarget: "lines"
        case (linesTarget + 1)...: "\(DriverFuzz.drivers[target - linesTarget - 1])"
        default: decoders[target].uuid.description
        }
    }

    /// Reads an input; `nil` when there are not even the two octets that choose.
    init?(_ octets: UnsafeBufferPointer<UInt8>) {
        guard octets.count >= 2 else { return nil }
        target = Int(octets[0]) % Self.targetCount
        plan = Plan(rawValue: octets[1])
        value = UnsafeBufferPointer(rebasing: octets[2...])
    }

    /// What is done with a value.
    struct Plan {
        var rawValue: UInt8

        enum Task {
            case roundTrip
            case fields
            case layout
            case answer
        }

        /// What is checked.
        var task: Task {
            switch rawValue & 3 {
            case 0: .roundTrip
            case 1: .fields
            case 2: .layout
            default: .answer
            }
        }

        /// What the decoder knows about the sensor.
        var context: DecodingContext {
            switch rawValue >> 2 & 3 {
            case 1: DecodingContext(endToEndCRC: true)
            case 2: DecodingContext(endToEndCRC: false)
            default: DecodingContext()
            }
        }

        /// Whether `bedside decode` is asked to explain.
        var explains: Bool { rawValue & 1 << 4 != 0 }
    }
}
