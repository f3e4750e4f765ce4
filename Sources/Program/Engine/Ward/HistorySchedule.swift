/// Decides when the next batch of recorded readings is sent.
struct HistorySchedule: Hashable {
    /// An event of the connection or the store.
    enum Event: Hashable {
        /// The store can be read.
        case opened
        /// Connected to the broker.
        case connected
        /// Disconnected from the broker.
        case disconnected
        /// A batch was sent; after a full one, more data wait.
        case sent(isFull: Bool)
        /// There was nothing to send.
        case nothingNew
        /// The collector has stored the batch.
        case acknowledged
        /// The collector has sent another message, so it is present.
        case heard
        /// Nothing more is sent.
        case ended
    }

    /// When the next batch is due, in monotonic nanoseconds; `nil` for never.
    private(set) var due: Int64?
    private var isOpen = false
    private var isConnected = false
    private var isFull = false
    private var unanswered = 0

    private static let second: Int64 = 1_000_000_000
    /// The interval at which new readings are sent; sending costs as much as many notifications.
    static let interval = 30 * second
    /// The first wait for a collector's answer, doubled each time; and the interval while nothing is recorded.
    static let firstWait = 5 * second
    /// The longest wait for a collector that does not answer.
    static let longestWait = 60 * second

    mutating func handle(_ event: Event, now: Int64) {
        switch event {
        case .opened:
            isOpen = true
            due = isConnected ? now : nil
        case .connected:
            (isConnected, unanswered) = (true, 0)
            due = isOpen ? now : nil
        case .disconnected: (isConnected, due) = (false, nil)
        case .sent(let isFull):
            self.isFull = isFull
            // Without an answer, the same rows are sent again; there may be no collector.
            due = now + min(Self.longestWait, Self.firstWait << Int64(min(unanswered, 6)))
            unanswered += 1
        case .nothingNew: due = now + Self.firstWait
        case .acknowledged:
            unanswered = 0
            due = isConnected && isOpen ? (isFull ? now : now + Self.interval) : nil
        case .heard:
            if isConnected, isOpen, unanswered > 1 { due = now }
            unanswered = 0
        case .ended: (isOpen, isConnected, due) = (false, false, nil)
        }
    }
}
