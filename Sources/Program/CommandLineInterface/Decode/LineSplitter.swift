/// Splits received bytes into lines, in bounded memory.
struct LineSplitter {
    /// The longest line that is kept, in bytes; a longer one is only reported as too long.
    static let limit = 64 * 1024

    /// A line without its end.
    enum Line: Equatable {
        case text(ArraySlice<UInt8>)
        case tooLong
    }

    private var pending: [UInt8] = []
    private var isTooLong = false

    /// Passes every line that `chunk` completes to `body`, in order.
    mutating func split(_ chunk: ArraySlice<UInt8>, _ body: (Line) -> Void) {
        var rest = chunk
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if pending.isEmpty && !isTooLong {
                emit(rest[..<end], body)
            } else {
                keep(rest[..<end])
                finish(body)
            }
            rest = rest[(end + 1)...]
        }
        keep(rest)
    }

    /// Passes the last line to `body` if it did not end with a line feed.
    mutating func finish(_ body: (Line) -> Void) {
        if isTooLong {
            body(.tooLong)
        } else if !pending.isEmpty {
            emit(pending[...], body)
        }
        pending.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    private mutating func keep(_ part: ArraySlice<UInt8>) {
        guard !isTooLong, pending.count + part.count <= Self.limit else {
            isTooLong = true
            pending.removeAll(keepingCapacity: true)
            return
        }
        pending.append(contentsOf: part)
    }

    private func emit(_ line: ArraySlice<UInt8>, _ body: (Line) -> Void) {
        guard line.count <= Self.limit else {
            body(.tooLong)
            return
        }
        body(.text(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
    }
}
