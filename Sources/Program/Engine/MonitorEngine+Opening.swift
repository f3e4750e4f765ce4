import Configuration
import MonitorLink
import Monitoring
import Recording
import Vitals

// Opening a monitor: the state of earlier runs is restored before sensors are connected.
extension MonitorEngine {
    /// Opens the feed and everything that belongs to it, and begins.
    ///
    /// Returns when the sensors are being connected. Cancelling the task skips the remaining steps of monitoring.
    ///
    /// - Parameter isScanning: Whether to scan for sensors that are not remembered.
    package func open(isScanning: Bool = true) async {
        if let replay = feed.replay { return await begin(replay) }
        // Nothing is opened before this is known, so that simulated data never mix with real data.
        let provenance = await feed.open()
        guard let sensors = feed.live else { return }
        // If it never became known, nothing was measured, and the rest is about the patient.
        changeContext { $0.provenance = provenance }
        send(.provenance(provenance))
        let earlier = await dispatcher.store.open(isSimulated: isSimulated)
        // Unless a problem was reported meanwhile.
        if recordingMark == .unknown { recordingMark = dispatcher.store.mark(for: .working) }
        await restore(earlier)
        // The store is open, so the log has everything that has happened, even if the program ends now.
        if isClosing { return }
        await sensors.begin(isScanning: isScanning)
        if isClosing { return }
        send(.ready)
        // Neither the sensors nor the end of the program should wait for a slow store.
        Task(executorPreference: loop) { await self.restoreTrends() }
    }

    /// Begins to receive events and reports; they wait until ``open(isScanning:)`` has opened the store.
    package func begin() async {
        await follow(feed.events())
        recordingStream = await feed.live?.record(settings.recording, to: dispatcher.store.inbox)
        await recordWaves(settings.recording, in: dispatcher.store.inbox)
        await storeNights()
        let (feedReports, dispatcherReports) = (await feed.reports(), dispatcher.reports)
        readers = [
            Task(executorPreference: loop) { for await report in feedReports { await self.handle(report) } },
            Task(executorPreference: loop) { for await report in dispatcherReports { await self.handle(report) } },
        ]
        await estimateRespiration()
        await followMarks()
        followTimeZone(at: feed.now())
    }

    /// Restores the data of earlier runs from the store: log, limits, sensors, alarms and manual entries.
    func restore(_ earlier: AlarmDispatcher.EarlierRuns) async {
        log.prepend(earlier.log)
        send(.replaced(.log))
        if isClosing { return }
        if let memory = earlier.memory {
            // A store that became readable late knows less than this run by now.
            if keptMemory == nil { restore(memory.patient) }
            if feed.remembersSensors {
                fold(.contacts(memory.contacts, at: feed.now()))
                await feed.live?.recall(memory, keepingLinksIn: dispatcher.store.inbox)
            }
        }
        let run = await dispatcher.store.earlierRun(earlier.alarms, state.settings.fever, at: feed.now())
        fold(.earlierRun(run, at: feed.now()))
        let entries = await dispatcher.store.recordEntries(until: feed.now())
        if !entries.isEmpty { fold(.recordEntries(entries, at: feed.now())) }
        let users = await dispatcher.store.deviceUsers()
        if users != DeviceUsers() { fold(.deviceUsers(users, at: feed.now())) }
    }

    /// Restores changed limits; limits that were changed in this run before the store could be read are newer.
    private func restore(_ memory: MonitorMemory) {
        let newer = state.memory
        fold(.memory(memory, at: feed.now()))
        if !newer.isEmpty { fold(.memory(newer, at: feed.now())) }
        keptMemory = memory
        keepMemory()
    }

    /// Stores the limits that must outlive the program, if they have changed.
    ///
    /// - Parameter isNewPatient: Whether the stored limits are another patient's, even if they could not be read yet.
    func keepMemory(isNewPatient: Bool = false) {
        guard isNewPatient || keptMemory != nil && keptMemory != state.memory else { return }
        keptMemory = state.memory
        dispatcher.store.inbox.append(.patient(state.memory), at: feed.now())
    }

    /// Restores the trends from the records.
    private func restoreTrends() async {
        guard let path = storePath else { return }
        // The recorder reports problems with the store.
        guard let past = try? await RecordedBeginning.read(from: path, at: feed.now()), !isClosing else { return }
        replace(.trends(recordedSince: past.since)) { $0.restore(past.trends) }
    }

    /// Begins to play a recording; the data of earlier runs do not apply.
    private func begin(_ replay: any PlaybackFeed) async {
        send(.replayBegan(replay))
        await replay.begin()
    }

    // MARK: Reports

    private func handle(_ report: FeedReport) {
        switch report {
        case .notice(let sentence): send(.notice(sentence))
        case .input(let input):
            fold(input)
            if case .storage = input { followRecording() }
        case .snapshot(let snapshot):
            changeContext { $0.provenance = snapshot.provenance }
            log = AlarmLog(snapshot.log)
            isRecordedElsewhere = snapshot.isRecording
            replace(.viewed(feed.view?.monitor?.name)) { $0 = snapshot.state }
            followRecording()
            // Alarms that sound at the viewed monitor also sound here, from their next burst on.
            carryOut([])
        case .lost(let loss): lose(loss)
        case .refused(let sentence): send(.refused(sentence))
        case .ended:
            guard let replay = feed.replay, !isClosing else { return }
            passTime(to: feed.now())
            send(.replayEnded(replay))
        }
    }

    /// Applies whether the viewed monitor records.
    private func followRecording() {
        recordingMark = isRecordedElsewhere ? MonitorStore.mark(whileRecordingIs: state.environment.storage) : .off
    }

    private func handle(_ report: AlarmDispatcher.Report) async {
        switch report {
        case .storage(let storage):
            recordingMark = dispatcher.store.mark(for: storage)
            fold(.storage(storage, at: feed.now()))
        case .soundProven: break
        case .soundOutput(let output):
            if dispatcher.sounds.speakerChanged(to: output, sounding: state.signal.sounding) {
                fold(.soundOutput(output, at: feed.now()))
            }
        case .speech(let speech):
            if let sentence = dispatcher.sounds.speech?.changed(to: speech) { send(.notice(sentence)) }
        case .speechRepetition: repeatSpokenAlarm()
        case .warning(let sentence): send(.notice(sentence))
        case .earlierRuns(let earlier): await restore(earlier)
        }
    }

    // MARK: Ending

    /// Ends the monitor: disconnects the sensors, and writes and delivers pending data.
    ///
    /// - Parameter opening: The task that opens the monitor; it may wait for a bus that does not answer.
    /// - Returns: A sentence for the user about data that could not be written or delivered in time.
    package func close(awaiting opening: Task<Void, Never>) async -> String? {
        stop()
        opening.cancel()
        send(.closing)
        await feed.close()
        finishEvents()
        _ = await loop.result(within: .seconds(20)) { await opening.value }
        readers.first?.cancel()
        // A disk may hang.
        if let nightReader { _ = await loop.result(within: .seconds(5)) { await nightReader.value } }
        withExtendedLifetime(recordingStream) {}
        let loss = await dispatcher.close(feed.isMonitor ? state.interruptions(at: feed.now()) : [])
        await readers.last?.value
        await wardClosing?.value
        send(.closed)
        return loss
    }
}
