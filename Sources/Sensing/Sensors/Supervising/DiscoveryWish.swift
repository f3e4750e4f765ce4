import BlueZ

/// The adapter that should discover, and the calls to BlueZ, one at a time.
struct DiscoveryWish {
    /// The next call to BlueZ.
    enum Call: Hashable, Sendable {
        case begin(AdapterPath), end(AdapterPath)
    }

    /// Whether the user wants a scan.
    private(set) var isAskedFor = false
    /// Whether a call to BlueZ is under way.
    private(set) var isCalling = false
    /// The adapter whose discovery was requested from BlueZ and not ended since.
    private(set) var begunOn: AdapterPath?
    /// Whether the running discovery must stop to be restarted.
    private var mustRestart = false
    /// The callers that wait until BlueZ has done what is wanted.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Records whether the user wants a scan.
    mutating func ask(_ isAskedFor: Bool) { self.isAskedFor = isAskedFor }

    /// Begins a call, if one is needed; returns which.
    ///
    /// - Parameter adapter: The adapter for a wanted discovery; `nil` for none.
    mutating func takeCall(wantedOn adapter: AdapterPath?) -> Call? {
        guard !isCalling, adapter != begunOn || mustRestart else { return nil }
        mustRestart = false
        guard let call = begunOn.map({ Call.end($0) }) ?? adapter.map({ Call.begin($0) }) else { return nil }
        isCalling = true
        return call
    }

    /// Records that the call has been answered.
    mutating func callAnswered(begunOn adapter: AdapterPath?) {
        isCalling = false
        begunOn = adapter
    }

    /// Records that BlueZ has lost the discovery.
    mutating func forgetStart() {
        if !isCalling { begunOn = nil }
    }

    /// Restarts the running discovery.
    mutating func restart() {
        mustRestart = begunOn != nil
    }

    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        defer { waiting = [] }
        return waiting
    }
}
