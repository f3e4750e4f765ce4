import BlueZ

/// Where a discovery is to go on, and what BlueZ was asked for; one call to BlueZ at a time.
struct DiscoveryWish {
    /// What BlueZ is to be asked for next.
    enum Call: Hashable, Sendable {
        case begin(AdapterPath), end(AdapterPath)
    }

    /// Whether the user wants a scan.
    private(set) var isAskedFor = false
    /// Whether a call to BlueZ is under way.
    private(set) var isCalling = false
    /// The adapter on which BlueZ was asked for a discovery, and has not been asked to end it.
    private(set) var begunOn: AdapterPath?
    /// Whether the discovery that goes on is to end, so that it begins anew.
    private var mustRestart = false
    /// Who waits until BlueZ has done what is wanted.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Records whether the user wants a scan.
    mutating func ask(_ isAskedFor: Bool) { self.isAskedFor = isAskedFor }

    /// Begins a call, if one is needed; answers which.
    ///
    /// - Parameter adapter: Where a discovery is wanted; `nil` for nowhere.
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

    /// Records that BlueZ has forgotten what it was asked for.
    mutating func forgetStart() {
        if !isCalling { begunOn = nil }
    }

    /// Has the discovery that goes on end and begin anew.
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
