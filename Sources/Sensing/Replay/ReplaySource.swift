import Vitals

/// A source of recorded events, in their order.
///
/// It is read incrementally, so a month needs no more memory than a minute.
public protocol ReplaySource {
    /// The recorded period as wall times, in milliseconds since 1970 (UTC); `nil` for an empty recording.
    var range: ClosedRange<Int64>? { get }

    /// Sentences for the user about parts of the recording that cannot be played.
    var warnings: [String] { get }

    /// Continues with the events from a wall time on, in milliseconds since 1970 (UTC).
    ///
    /// Earlier events are not delivered, except the connections that exist then.
    mutating func seek(to wallMilliseconds: Int64)

    /// Reads the next event.
    ///
    /// It reads a bounded part of the recording, so that the caller can handle keys and signals in between.
    ///
    /// - Throws: ``ReplayError`` when no more can be read.
    mutating func next() throws(ReplayError) -> ReplayStep
}

/// The result of one step of reading.
public enum ReplayStep: Hashable, Sendable {
    case event(MonitorEvent)
    /// No event yet; there may be more to read.
    case searching
    /// The recording has ended.
    case end
}

/// Why a recording, or its rest, cannot be played.
public struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Hashable, Sendable {
        /// The file is missing or cannot be read.
        case unreadable
        /// The file is no recording, or is damaged.
        case malformed
        /// The program was asked to end while reading.
        case interrupted
    }

    /// What went wrong.
    public var kind: Kind
    /// The sentence without its full stop.
    public var description: String

    /// Creates an error from a sentence without its full stop.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// The format of a recording, by its content.
public enum RecordingFormat: Hashable, Sendable {
    /// A capture of Bluetooth traffic.
    case capture
    /// An SQLite file, such as a store of Bedside.
    case store

    private static let storeSignature = Array("SQLite format 3\0".utf8)

    /// Determines the format by the first bytes of a file.
    ///
    /// - Throws: ``ReplayError``.
    public init(ofFile path: String) throws(ReplayError) {
        let bytes = try CaptureFile(path).read(at: 0, count: Self.storeSignature.count)
        if bytes == Self.storeSignature {
            self = .store
        } else if CaptureReplay.isCapture(bytes) {
            self = .capture
        } else {
            throw ReplayError(
                .malformed,
                bytes.isEmpty
                    ? "\(path) is empty"
                    : "\(path) is not a recording: neither a store of Bedside nor a btsnoop, pcap or pcapng capture")
        }
    }
}
