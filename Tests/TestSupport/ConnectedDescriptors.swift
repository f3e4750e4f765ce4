import Glibc

/// Two descriptors; each reads what is written to the other, and no child inherits them.
public func connectedDescriptors() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw TestSupportError("socketpair", errno) }
    return (ends[0], ends[1])
}

/// A system call of the test support that failed.
public struct TestSupportError: Error, CustomStringConvertible {
    /// What failed, and why.
    public let description: String

    init(_ what: String, _ code: Int32) {
        description = "\(what): \(String(cString: strerror(code)))"
    }
}
