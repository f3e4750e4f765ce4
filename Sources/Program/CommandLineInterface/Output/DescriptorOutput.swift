import Glibc

/// Writes all bytes to a descriptor.
///
/// - Returns: 0, or the `errno` of the write that failed.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}

/// Writes a text to standard output; returns the exit status.
public func printText(_ text: String) -> ExitStatus {
    switch writeAll(Array(text.utf8), to: STDOUT_FILENO) {
    case 0, EPIPE: .success
    default: .inputOutputError
    }
}

/// Writes a sentence to standard error, after the program's name.
public func complain(_ sentence: String) {
    _ = writeAll(Array("bedside: \(sentence)\n".utf8), to: STDERR_FILENO)
}
