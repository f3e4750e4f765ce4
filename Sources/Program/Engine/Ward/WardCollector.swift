import Configuration
import EventLoops
import MQTT
import Recording
import UserFiles
import Vitals
import WardMessages

/// Collects the recorded data of beds from a broker, into a store for each bed.
///
/// A batch is acknowledged only after it is on the disk, and a row that comes twice is stored once. So the collector
/// may be killed at any moment: beds send again what was not acknowledged.
package actor WardCollector {
    /// A sentence for the user.
    package enum Report: Sendable {
        /// A normal event.
        case notice(String)
        /// A problem.
        case warning(String)
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let loop: EventLoop
    private let folder: String
    private let retention: Retention
    private let site: WardToken?
    private let report: @Sendable (Report) -> Void
    private var client: MQTTClient?
    private var encoder = WardEncoder()
    private var stores: [String: OpenStore] = [:]
    /// The stores that failed like damaged ones.
    private var doubted: Set<String> = []
    /// The reported problems, so that nothing floods the log.
    private var reported: Set<String> = []
    private var isDisconnected = false
    private var pruning: LoopTimer?
    /// The closed stores to prune in this round, the next one last.
    private var closed: [String] = []
    /// When the next round through all stores begins, in monotonic nanoseconds.
    private var nextRound: Int64 = 0
    private static let roundInterval: Int64 = 6 * 3600 * 1_000_000_000

    private struct OpenStore {
        var store: CollectedStore
        /// The time of the last use, in monotonic nanoseconds.
        var used: Int64
    }

    /// The greatest number of open stores; opening one for each batch would take much longer than storing it.
    private let openStoreBound: Int
    /// The greatest useful number of open stores, which is the number of beds on a screen; and the descriptors of each:
    /// database, log, index, use.
    private static let (usefulStores, descriptorsOfStore) = (256, 4)
    /// The descriptors for everything else.
    private static let otherDescriptors = 64
    /// The greatest number of beds and stores whose names are reported.
    private static let reportBound = 10_000

    /// Creates an idle collector.
    ///
    /// - Parameters:
    ///   - folder: Where the stores are: `<site>/<bed>/<store>.sqlite`.
    ///   - recording: How long readings are kept.
    ///   - site: The site of the collected beds; `nil` for all.
    ///   - loop: The loop on which everything happens.
    ///   - report: Called on the loop's thread.
    package init(
        into folder: String, _ recording: Settings.Recording, site: WardToken?, on loop: EventLoop,
        report: @escaping @Sendable (Report) -> Void
    ) {
        (self.folder, self.retention, self.site, self.loop) = (folder, Retention(recording), site, loop)
        self.report = report
        let wanted = Self.usefulStores * Self.descriptorsOfStore
        let descriptors = DescriptorLimit.raise(to: wanted + Self.otherDescriptors)
        openStoreBound = max(16, (descriptors - Self.otherDescriptors) / Self.descriptorsOfStore)
    }

    /// Begins to collect.
    package func start(_ broker: BrokerAddress, _ settings: Settings.Ward) async {
        var random = SystemRandomNumberGenerator()
        let clientID = "bedside-collect-" + WardToken(random: &random).text
        let client = MQTTClient(on: loop) { () throws(MQTTError) in
            try WardPlace.options(broker, settings, clientID: clientID)
        } report: { [weak self] event in
            self?.assumeIsolated { $0.handle(event, broker) }
        }
        self.client = client
        await client.subscribe(to: WardTopic.collectorFilters(site: site))
        await client.start()
        planPruning()
    }

    /// Ends; all acknowledged data are on the disk.
    package func stop() async {
        if let pruning { loop.cancel(pruning) }
        await client?.stop()
        stores = [:]
    }

    private func handle(_ event: MQTTClient.Event, _ broker: BrokerAddress) {
        switch event {
        case .connected:
            isDisconnected = false
            report(.notice("collecting from \(broker)"))
        case .disconnected(let error):
            // Once per outage; reconnection is automatic.
            if !isDisconnected { report(.warning("no connection to \(broker): \(error)")) }
            isDisconnected = true
        case .received(let message): receive(message)
        case .subscriptionRefused(let topic): report(.warning("the broker's access list forbids to read \(topic)"))
        case .publishRefused(let topic): report(.warning("the broker's access list forbids to write \(topic)"))
        case .subscribed, .delivered: break
        }
    }

    // MARK: Batches

    private func receive(_ message: ReceivedMessage) {
        guard let topic = WardTopic(message.topic), case .history(let first) = topic.subject else { return }
        if message.isRetained {
            return reportOnce("the broker keeps a message of \(topic.bed.site)/\(topic.bed.bed) that must not be kept")
        }
        let batch: WardHistoryBatch
        do throws(WardMessageError) {
            guard case .history(let decoded) = try WardDecoder.decode(topic.subject, message.payload) else { return }
            batch = decoded
        } catch {
            return reportOnce("\(topic.bed.site)/\(topic.bed.bed) sent what is no batch of rows: \(error)")
        }
        let keys = batch.keys
        guard let last = keys.last, keys.first == first, keys.allSatisfy({ $0.store == first.store }) else {
            return reportOnce("\(topic.bed.site)/\(topic.bed.bed) sent rows whose keys do not fit")
        }
        let rows = batch.rows.compactMap(\.recorded)
        let refusedCount = keys.count - rows.count
        let reason = batch.refusals.first?.reason ?? "its key is not of its kind and time"
        if refusedCount > 0 {
            // Not only once, because lost data are counted.
            report(
                .warning(
                    "\(refusedCount) of \(keys.count) rows of \(topic.bed.site)/\(topic.bed.bed) cannot be taken and are "
                        + "left out, the first because \(reason); they stay in the store of the bed"))
        }
        let place = "\(batch.isSimulated ? "simulated/" : "")\(topic.bed.site)/\(topic.bed.bed)"
        let path = "\(folder)/\(place)/\(first.store).sqlite"
        do throws(StoreError) {
            _ = try store(of: place, path).append(rows)
        } catch {
            // It is examined when it is opened again.
            if error.kind == .corrupt, stores.removeValue(forKey: path) != nil { doubted.insert(path) }
            // Not acknowledged, so the bed sends it again.
            return report(.warning("what \(topic.bed.site)/\(topic.bed.bed) has recorded cannot be stored: \(error)"))
        }
        acknowledge(
            WardHistoryAcknowledgement(
                stored: last, refusedCount: refusedCount, reason: refusedCount > 0 ? reason : nil), topic.bed)
    }

    private func acknowledge(_ answer: WardHistoryAcknowledgement, _ bed: WardBed) {
        let payload = encoder.encode(answer, wallMilliseconds: Timestamp.now().wallMilliseconds)
        let message = MQTTMessage(WardTopic(bed, .historyAcknowledgement).text, payload, .atLeastOnce)
        // Called from the client's report, so the message is sent later.
        Task(executorPreference: loop) { [client] in await client?.publish([message]) }
    }

    // MARK: Stores

    private func store(of place: String, _ path: String) throws(StoreError) -> CollectedStore {
        let now = Timestamp.now()
        if let open = stores[path] {
            stores[path]?.used = now.monotonicNanoseconds
            return open.store
        }
        if stores.count >= openStoreBound, let oldest = stores.min(by: { $0.value.used < $1.value.used })?.key {
            stores[oldest] = nil
        }
        let store = try CollectedStore(
            path: path, day: String(Moment(now).localClock.prefix(10)), retention: retention,
            isDoubted: doubted.contains(path))
        doubted.remove(path)
        if let damagedStore = store.damagedStore {
            report(.warning("the store \(path) was damaged; it is kept as \(damagedStore), and a new one was created"))
        } else if let sentence = StoreFile.damagedStoresSentence(beside: path) {
            reportOnce(sentence)
        }
        stores[path] = OpenStore(store: store, used: now.monotonicNanoseconds)
        reportOnce("readings of \(place) go into \(path)", isNotice: true)
        return store
    }

    /// Removes old data in small steps.
    private func planPruning(after delay: Duration = .seconds(600)) {
        pruning = loop.schedule(after: delay, tolerance: .seconds(5)) { [weak self] in
            self?.assumeIsolated { collector in
                let now = Timestamp.now()
                var isMore = collector.pruneClosedStore(now)
                for open in collector.stores.values where (try? open.store.prune(now: now.wallMilliseconds)) == true {
                    isMore = true
                }
                collector.planPruning(after: isMore ? .milliseconds(200) : .seconds(600))
            }
        }
    }

    /// Removes old data from a store of a bed that no longer sends; the same limits apply.
    ///
    /// - Returns: Whether there is more to remove, in this or another store.
    func pruneClosedStore(_ now: Timestamp) -> Bool {
        if closed.isEmpty {
            guard now.monotonicNanoseconds >= nextRound else { return false }
            nextRound = now.monotonicNanoseconds + Self.roundInterval
            closed = Self.storePaths(in: folder)
        }
        guard let path = closed.last else { return false }
        if stores[path] == nil,
            let store = try? CollectedStore(
                path: path, day: String(Moment(now).localClock.prefix(10)), retention: retention),
            (try? store.prune(now: now.wallMilliseconds)) == true
        {
            return true
        }
        closed.removeLast()
        return !closed.isEmpty
    }

    /// The stores of all beds, real and simulated: `<site>/<bed>/<store>.sqlite`.
    private static func storePaths(in folder: String) -> [String] {
        func names(_ path: String) -> [String] { FolderListing.names(in: path) ?? [] }
        return ["", "simulated/"].flatMap { kind in
            names(folder + "/" + kind).filter { WardToken($0) != nil }.flatMap { site in
                names("\(folder)/\(kind)\(site)").filter { WardToken($0) != nil }.flatMap { bed in
                    names("\(folder)/\(kind)\(site)/\(bed)").filter { $0.hasSuffix(".sqlite") }.map {
                        "\(folder)/\(kind)\(site)/\(bed)/\($0)"
                    }
                }
            }
        }
    }

    private func reportOnce(_ sentence: String, isNotice: Bool = false) {
        guard reported.count < Self.reportBound, reported.insert(sentence).inserted else { return }
        report(isNotice ? .notice(sentence) : .warning(sentence))
    }
}

extension Moment {
    fileprivate init(_ timestamp: Timestamp) {
        self.init(
            monotonicNanoseconds: timestamp.monotonicNanoseconds, wallMilliseconds: timestamp.wallMilliseconds)
    }
}
