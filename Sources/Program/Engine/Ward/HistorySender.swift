import EventLoops
import MQTT
import Recording
import UserFiles
import Vitals
import WardMessages

/// Sends recorded data to the collector, including those of an outage: the store is the queue.
///
/// It has a separate thread, because a disk may be slow. One batch is in transit at a time; the cursor moves only when
/// the collector has acknowledged it, and is kept beside the store. A row that is sent twice is stored once, by its
/// key.
actor HistorySender {
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.loop.asUnownedSerialExecutor() }

    private let thread = LoopThread(named: "ward history")
    private let bed: WardBed
    private let connection: WardConnection
    private var encoder = WardEncoder()
    private var schedule = HistorySchedule()
    private var path: String?
    private var isSimulated = false
    private var cursor: HistoryCursor?
    /// The batch on its way.
    private var sent: (key: WardHistoryKey, next: HistoryCursor)?
    private var timer: LoopTimer?

    init(_ bed: WardBed, _ connection: WardConnection) {
        (self.bed, self.connection) = (bed, connection)
    }

    // MARK: From the monitor's thread

    /// Begins to send the data of a store.
    nonisolated func begin(storePath: String?, isSimulated: Bool) {
        guard let storePath else { return }
        onThread { $0.open(storePath, isSimulated) }
    }

    /// There is a connection.
    nonisolated func connected() { onThread { $0.handle(.connected) } }

    /// There is no connection.
    nonisolated func disconnected() { onThread { $0.handle(.disconnected) } }

    /// The collector has stored everything up to a row.
    nonisolated func acknowledged(_ key: WardHistoryKey) { onThread { $0.acknowledge(key) } }

    /// Sends nothing more.
    nonisolated func end() { onThread { $0.handle(.ended) } }

    private nonisolated func onThread(_ body: @escaping @Sendable (isolated HistorySender) -> Void) {
        Task(executorPreference: thread.loop) { await body(self) }
    }

    // MARK: On its own

    private func open(_ storePath: String, _ isSimulated: Bool) {
        (path, self.isSimulated) = (storePath, isSimulated)
        cursor = HistoryCursor.read(beside: storePath)
        handle(.opened)
    }

    private func acknowledge(_ key: WardHistoryKey) {
        guard let sent, sent.key == key else { return handle(.heard) }
        cursor = sent.next
        self.sent = nil
        if let path { sent.next.write(beside: path) }
        handle(.acknowledged)
    }

    private func handle(_ event: HistorySchedule.Event) {
        schedule.handle(event, now: Timestamp.monotonicNow())
        plan()
    }

    private func plan() {
        if let timer { thread.loop.cancel(timer) }
        timer = schedule.due.map { due in
            thread.loop.schedule(at: due, tolerance: .milliseconds(100)) { [weak self] in
                self?.assumeIsolated { $0.send() }
            }
        }
    }

    private func send() {
        timer = nil
        guard let path else { return }
        do throws(StoreError) {
            var count = WardHistoryBatch.mostRows
            while true {
                let batch = try RecordedBatch.read(from: path, after: cursor, atMost: count)
                guard let batch, !batch.rows.isEmpty else {
                    if let next = batch?.next { cursor = next }
                    return handle(.nothingNew)
                }
                var random = SeededBits(batch.store)
                let store = WardToken(random: &random)
                let rows = batch.rows.compactMap { WardHistoryBatch.Row($0, of: store) }
                guard let first = rows.first, let last = rows.last else {
                    // Only notes, which stay here; the following rows do not.
                    cursor = batch.next
                    if batch.isFull { continue }
                    return handle(.nothingNew)
                }
                let payload = encoder.encode(
                    WardHistoryBatch(rows: rows, isSimulated: isSimulated),
                    wallMilliseconds: Timestamp.now().wallMilliseconds)
                // A few long rows can fill a message; a single row always fits.
                if payload.count > WardHistoryBatch.mostBytes, count > 1 {
                    count /= 2
                    continue
                }
                sent = (last.key, batch.next)
                connection.publish(fromElsewhere: [
                    MQTTMessage(WardTopic(bed, .history(first.key)).text, payload, .atLeastOnce)
                ])
                return handle(.sent(isFull: batch.isFull))
            }
        } catch {
            // The recorder reports problems with the store.
            handle(.nothingNew)
        }
    }
}

/// Pseudorandom bits from the start of a store, so that a store has the same name wherever it is copied.
private struct SeededBits: RandomNumberGenerator {
    private var state: UInt64

    init(_ beginning: RecordedBatch.Beginning) {
        state = UInt64(bitPattern: beginning.wallMilliseconds) &* 0x9E37_79B9_7F4A_7C15
        state ^= UInt64(bitPattern: beginning.monotonicNanoseconds)
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
