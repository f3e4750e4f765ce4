/// Whether a discovery is to go on, and what BlueZ was asked for; one call to BlueZ at a time.
struct DiscoveryWish {
    /// Whether the user wants a scan.
    var isAskedFor = false
    /// Whether a call to BlueZ is under way.
    private(set) var isCalling = false
    /// Whether BlueZ was asked for a discovery, and has not been asked to end it.
    private(set) var isBegun = false
    /// Who waits until BlueZ has done what is wanted.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Notes that a call begins, if one is needed; answers whether to begin or to end the discovery.
    mutating func takeCall(isWanted: Bool) -> Bool? {
        guard !isCalling, isWanted != isBegun else { return nil }
        isCalling = true
        return isWanted
    }

    /// Notes that the call has been answered.
    mutating func callAnswered(isBegun: Bool) {
        isCalling = false
        self.isBegun = isBegun
    }

    /// Notes that BlueZ does not know any more what it was asked for.
    mutating func forgetStart() {
        if !isCalling { isBegun = false }
    }

    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        defer { waiting = [] }
        return waiting
    }
}
