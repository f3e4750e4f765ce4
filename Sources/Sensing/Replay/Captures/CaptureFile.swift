import BluetoothCapture
import Glibc

/// A capture file that is read in portions; it belongs to one thread.
final class CaptureFile {
    private static let portion = 1 << 16

    /// The path as given by the user.
    let path: String
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Throws: ``ReplayError`` `unreadable`.
    init(_ path: String) throws(ReplayError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(path) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ReplayError(
                .unreadable, "\(path) is not a file: a recording is read more than once, so it cannot be a pipe")
        }
    }

    deinit {
        close(descriptor)
    }

    /// The bytes at an offset; none at the end.
    ///
    /// - Throws: ``ReplayError`` `unreadable`.
    func read(at offset: Int64, count: Int = portion) throws(ReplayError) -> [UInt8] {
        while true {
            var result = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
                filled = max(0, result)
            }
            if result >= 0 { return bytes }
            if errno != EINTR { throw Self.failure(path) }
        }
    }

    private static func failure(_ path: String) -> ReplayError {
        ReplayError(.unreadable, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
}

/// An iterator over the packets of a capture file.
struct CaptureRecords {
    private let file: CaptureFile
    private var reader = CaptureReader()
    private var offset: Int64 = 0
    /// The error after which no more records could be read; known after the last record.
    private(set) var trouble: CaptureError?
    private var isAtEnd = false

    init(_ file: CaptureFile) {
        self.file = file
    }

    /// The result of one step of reading.
    enum Step {
        case record(CaptureRecord)
        /// No record yet, but more of the file was read.
        case searching
        case end
    }

    mutating func next() throws(ReplayError) -> Step {
        if isAtEnd { return .end }
        do throws(CaptureError) {
            if let record = try reader.next() { return .record(record) }
        } catch {
            trouble = error
            isAtEnd = true
            return .end
        }
        let bytes = try file.read(at: offset)
        offset += Int64(bytes.count)
        if bytes.isEmpty {
            trouble = reader.unfinished
            isAtEnd = true
            return .end
        }
        reader.append(bytes)
        return .searching
    }
}
