import Vitals

/// A recording that hands out what happened, in the order in which it happened.
///
/// It is read as it is played, so a month needs no more memory than a minute.
public protocol ReplaySource {
    /// The wall times between which something was recorded, in milliseconds since 1970 (UTC); `nil` when nothing was.
    var range: ClosedRange<Int64>? { get }

    /// Sentences for the user about what of the recording cannot be played.
    var complaints: [String] { get }

    /// Begins anew with what happened from a wall time on, in milliseconds since 1970 (UTC).
    ///
    /// What lies before it is not handed out; who was connected then is.
    mutating func seek(to wallMilliseconds: Int64)

    /// What happened next.
    ///
    /// It reads a bounded part of the recording only, so that whoever asks can answer keys and signals meanwhile.
    ///
    /// - Throws: ``ReplayError`` when the recording cannot be read any further.
    mutating func next() throws(ReplayError) -> ReplayStep
}

/// What one look at a recording has found.
public enum ReplayStep: Hashable, Sendable {
    /// Something happened.
    case event(MonitorEvent)
    /// Nothing yet; there may be more to read.
    case searching
    /// Nothing more happened.
    case end
}

/// Why a recording cannot be played, or not any further.
public struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Hashable, Sendable {
        /// There is no such file, or it cannot be read.
        case unreadable
        /// It is no recording, or it is damaged.
        case malformed
        /// The program was asked to end while it read.
        case interrupted
    }

    /// What went wrong.
    public var kind: Kind
    /// The sentence without its full stop.
    public var description: String

    /// Makes a failure of a sentence without its full stop.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// What a file that somebody wants played is, by its content.
public enum RecordingFormat: Hashable, Sendable {
    /// A capture of Bluetooth traffic.
    case capture
    /// An SQLite file, such as a store of ours.
    case store

    private static let storeSignature = Array("SQLite format 3\0".utf8)

    /// Finds out what a file is by how it begins.
    ///
    /// - Throws: ``ReplayError``.
    public init(ofFile path: String) throws(ReplayError) {
        let octets = try CaptureFile(path).read(at: 0, count: Self.storeSignature.count)
        if octets == Self.storeSignature {
            self = .store
        } else if CaptureReplay.isCapture(octets) {
            self = .capture
        } else {
            throw ReplayError(
                .malformed,
                octets.isEmpty
                    ? "\(path) is empty"
                    : "\(path) is no recording: neither a store of Bedside's nor a btsnoop, pcap or pcapng capture")
        }
    }
}
