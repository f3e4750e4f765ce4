/// Reads the packets of a capture from its octets, which may arrive in any portions.
///
/// It is a value: a copy continues independently. It keeps at most one unfinished record.
public struct CaptureReader: Sendable {
    /// The longest accepted record, twenty times the longest packet; a longer one is damage.
    static let recordLimit = 1 << 20

    private var buffer: [UInt8] = []
    /// The number of octets of the buffer that were read.
    private var position = 0
    /// The offset of the buffer's first octet in the file.
    private var base: Int64 = 0
    private var layout: Layout?

    private enum Layout {
        case btsnoop(BtsnoopLayout)
        case pcap(PcapLayout)
        case pcapng(PcapngLayout)
    }

    /// Creates a reader for a new file.
    public init() {}

    /// The offset of the next record in the file; ``append(_:)`` continues there after ``rewindToRecord()``.
    public var offset: Int64 { base + Int64(position) }

    /// Drops unread octets; append them again from ``offset`` on.
    public mutating func rewindToRecord() {
        base = offset
        buffer = []
        position = 0
    }

    /// Appends the next octets of the file.
    public mutating func append(_ octets: some Sequence<UInt8>) {
        if position > 0 {
            buffer.removeFirst(position)
            base += Int64(position)
            position = 0
        }
        buffer.append(contentsOf: octets)
    }

    /// The next packet; `nil` when more octets are needed for it.
    ///
    /// - Throws: ``CaptureError`` where nothing more can be read.
    public mutating func next() throws(CaptureError) -> CaptureRecord? {
        while true {
            let rest = buffer[position...]
            let step: Step
            switch layout {
            case nil:
                guard rest.count >= CaptureFormat.signatureLength else { return nil }
                try begin()
                continue
            case .btsnoop(var own):
                step = try own.read(rest, at: offset)
                layout = .btsnoop(own)
            case .pcap(var own):
                step = try own.read(rest, at: offset)
                layout = .pcap(own)
            case .pcapng(var own):
                step = try own.read(rest, at: offset)
                layout = .pcapng(own)
            }
            switch step {
            case .needsMore: return nil
            case .skip(let count): position += count
            case .record(let record, let count):
                position += count
                return record
            }
        }
    }

    /// The error for an unfinished record at the end of the file; `nil` when the file ends with a whole record.
    public var unfinished: CaptureError? {
        guard position < buffer.count else {
            return layout == nil ? CaptureError(offset: 0, reason: "there is nothing: the file is empty") : nil
        }
        if layout == nil { return CaptureError(offset: 0, reason: "the file ends within its first octets") }
        return CaptureError(offset: offset, reason: "the file ends within a record")
    }

    private mutating func begin() throws(CaptureError) {
        switch CaptureFormat(beginning: Array(buffer.prefix(CaptureFormat.signatureLength))) {
        case .btsnoop: layout = .btsnoop(BtsnoopLayout())
        case .pcap: layout = PcapLayout(magic: buffer).map { .pcap($0) }
        case .pcapng: layout = .pcapng(PcapngLayout())
        case nil:
            throw CaptureError(offset: 0, reason: "there is no capture file's beginning (btsnoop, pcap or pcapng)")
        }
    }

    /// The result of a layout for the octets so far.
    enum Step {
        /// More octets are needed.
        case needsMore
        /// The number of octets to skip.
        case skip(Int)
        /// A record, with its length in octets.
        case record(CaptureRecord, Int)
    }
}

/// Reads numbers from octets in order, never past the end: a missing number is `nil`.
struct OctetCursor {
    private let octets: ArraySlice<UInt8>
    private var position: Int

    init(_ octets: ArraySlice<UInt8>) {
        self.octets = octets
        position = octets.startIndex
    }

    init(_ octets: [UInt8]) {
        self.init(octets[...])
    }

    /// The number of unread octets.
    var remaining: Int { octets.endIndex - position }

    var isAtEnd: Bool { remaining == 0 }

    /// The unread octets; reads nothing.
    var rest: ArraySlice<UInt8> { octets[position...] }

    /// The next octet.
    mutating func uint8() -> UInt8? {
        guard remaining >= 1 else { return nil }
        defer { position += 1 }
        return octets[position]
    }

    /// The next two octets, little-endian.
    mutating func uint16() -> UInt16? { littleEndian(2).map { UInt16(truncatingIfNeeded: $0) } }

    /// The next four octets, little-endian.
    mutating func uint32() -> UInt32? { littleEndian(4).map { UInt32(truncatingIfNeeded: $0) } }

    /// The next two octets, big-endian.
    mutating func bigEndian16() -> UInt16? { bigEndian(2).map { UInt16(truncatingIfNeeded: $0) } }

    /// The next four octets, big-endian.
    mutating func bigEndian32() -> UInt32? { bigEndian(4).map { UInt32(truncatingIfNeeded: $0) } }

    /// The next eight octets, big-endian.
    mutating func bigEndian64() -> UInt64? { bigEndian(8) }

    /// The next octets; `nil` if fewer are left.
    mutating func consume(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, remaining >= count else { return nil }
        defer { position += count }
        return octets[position..<position + count]
    }

    private mutating func littleEndian(_ count: Int) -> UInt64? {
        consume(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func bigEndian(_ count: Int) -> UInt64? {
        consume(count)?.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
