import CSpawn
import Glibc

/// Both ends of a pipe; only standard streams of a child inherit them.
///
/// Threading: only on the loop's thread.
final class Pipe {
    private(set) var reader: Int32
    private(set) var writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw HarnessError("no pipe can be had") }
        reader = ends[0]
        writer = ends[1]
    }

    deinit {
        closeReader()
        closeWriter()
    }

    func closeReader() {
        if reader >= 0 { close(reader) }
        reader = -1
    }

    func closeWriter() {
        if writer >= 0 { close(writer) }
        writer = -1
    }

    /// Writes everything; what a child does not read must fit into the pipe (64 KiB).
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(writer, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads once; to be called when there is something.
    ///
    /// - Returns: Whether more may come.
    func readOnce(_ handle: (UnsafeRawBufferPointer) -> Void) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
            let count = read(reader, buffer.baseAddress, buffer.count)
            if count > 0 { handle(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return count > 0
        }
    }
}
