/// The amount of ignored invalid input.
public struct IgnoredInput: Hashable, Sendable {
    /// Signals that did not come from the daemon.
    public let foreignSignals: Int
    /// Signals, objects, properties and values of the daemon that are malformed or too many.
    public let malformed: Int
}

/// The first input of a kind that was ignored (``BluetoothCentral/warnings()``).
public struct InputWarning: Hashable, Sendable, CustomStringConvertible {
    /// Why it was ignored.
    public let kind: Kind
    /// The object concerned, at most ``InputBounds/pathLength`` bytes of its path; empty when there is none.
    public let place: String

    /// Why input is ignored.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Another program sent a signal or a call in the name of the daemon.
        case foreignSender
        /// The arguments of a signal have wrong types.
        case signal
        /// The answer about the objects has a wrong type.
        case objectList
        /// An object lacks a required property, such as an address, or its parent is missing.
        case object
        /// A property has a wrong type or value.
        case property
        /// A characteristic's value is not an array of bytes, or longer than the 512 octets of an attribute.
        case value
        /// There are more objects than allowed.
        case tooManyObjects
        /// Too many signals arrived while the daemon was asked for its objects.
        case tooManySignals
    }

    /// A sentence for users about the ignored input and its place.
    public var description: String {
        place.isEmpty ? "\(reason)." : "\(reason) (\(place))."
    }

    private var reason: String {
        switch kind {
        case .foreignSender: "Messages in the name of the Bluetooth service, but from another program, are ignored"
        case .signal: "The Bluetooth service sent a malformed signal, which was ignored"
        case .objectList: "The Bluetooth service sent a malformed list of objects, which was ignored"
        case .object: "The Bluetooth service sent an incomplete object, which was ignored"
        case .property: "The Bluetooth service sent an invalid property, which was ignored"
        case .value: "The Bluetooth service sent an invalid value of a characteristic, which was ignored"
        case .tooManyObjects: "The Bluetooth service has more objects than there can be; the rest is ignored"
        case .tooManySignals: "The Bluetooth service sends more signals than can be kept; it is asked again"
        }
    }
}

/// Limits for input from the daemon.
public enum InputBounds {
    /// The most adapters.
    public static let adapters = 64
    /// The most peripherals of all adapters.
    public static let peripherals = 4096
    /// The most services of all peripherals.
    public static let services = 4096
    /// The most characteristics of all peripherals.
    public static let characteristics = 16_384
    /// The most descriptors of one characteristic.
    public static let descriptors = 64
    /// The longest path of an object in bytes; the daemon's own have at most some 90.
    public static let pathLength = 255
    /// The longest name of a device in octets (Core Specification, Vol 3 Part C, 12.1).
    public static let nameLength = 248
    /// The longest identification of an adapter (`Modalias`) in octets; the daemon's own have at most 24.
    public static let modaliasLength = 64
    /// The most services that one peripheral can name, and the most entries of its advertised data.
    public static let advertisedEntries = 256
    /// The longest advertised data in octets (Core Specification, Vol 4 Part E, 7.8.54).
    public static let advertisedOctets = 1650
    /// The longest value of an attribute in octets (Core Specification, Vol 3 Part F, 3.2.9).
    public static let valueLength = 512
    /// The most signals that are kept while the daemon is asked for its objects.
    public static let heldSignals = 4096
}

/// Counts ignored input, and keeps the first of each kind to be reported.
struct InputLog {
    private(set) var malformed = 0
    private var foreignSignals = 0
    private(set) var warnings: [InputWarning] = []
    /// How many of the warnings have been reported.
    private var reportedCount = 0

    /// What was ignored until now.
    var ignored: IgnoredInput { IgnoredInput(foreignSignals: foreignSignals, malformed: malformed) }

    /// Records an ignored message of a program that is not the daemon.
    ///
    /// - Parameter isDaemonKnown: Until the daemon is known, its own signals look foreign, too, and are not counted.
    mutating func recordForeign(_ place: String?, isDaemonKnown: Bool) {
        foreignSignals += 1
        if isDaemonKnown { complain(.foreignSender, place) }
    }

    /// Records input of the daemon that is ignored.
    mutating func record(_ kind: InputWarning.Kind, _ place: String?, count: Int = 1) {
        if count == 0 { return }
        malformed += count
        complain(kind, place)
    }

    /// Keeps a warning if it is the first of its kind.
    private mutating func complain(_ kind: InputWarning.Kind, _ place: String?) {
        if warnings.contains(where: { $0.kind == kind }) { return }
        let bytes = (place ?? "").utf8.prefix(InputBounds.pathLength)
        warnings.append(InputWarning(kind: kind, place: String(decoding: bytes, as: UTF8.self)))
    }

    /// The warnings that have not been reported yet.
    mutating func takeUnreported() -> ArraySlice<InputWarning> {
        defer { reportedCount = warnings.count }
        return warnings[reportedCount...]
    }
}
