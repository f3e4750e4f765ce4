import Monitoring
import Vitals

// How a screen that monitors begins, and what it leaves.
extension ScreenController {
    /// Takes in what is remembered of sensors, keeps it from now on, and has the feed begin.
    func begin() async {
        // Nothing is opened before that is known, so that nothing simulated ever gets among what is real.
        let provenance = await feed.open()
        if let replay = feed.replay { return Task.isCancelled ? () : await begin(replay) }
        // Where it was never known nothing was measured, and the rest is about the patient.
        screen.isSimulated = provenance == .simulated
        outlet.isSimulated = screen.isSimulated
        if provenance != .unknown { post?.open(isSimulated: screen.isSimulated) }
        changed()
        let opened = await feed.remembered()
        notebook = opened.notebook
        notebook.onError(outlet.complain)
        if let complaint = opened.complaint { show(complaint) }
        let earlier = await outlet.open()
        // Unless there is trouble already, which was told meanwhile.
        if screen.recording == .unknown { screen.recording = outlet.mark(for: .working) }
        screen.log.prepend(earlier.log)
        publisher?.publishSnapshot()
        // The store is open, so that what has happened so far is in the log even if this is the end already.
        if Task.isCancelled { return }
        await resumeMemory()
        await resume(earlier.alarms)
        let entries = await outlet.manualEntries(until: feed.now())
        if !entries.isEmpty { fold(.manualEntries(entries, at: feed.now())) }
        if Task.isCancelled { return }
        await feed.begin(remembering: opened.sensors, isScanning: screen.isScanWanted)
        // Neither sensors nor the end should wait for a store that is slow.
        Task(executorPreference: ScreenActor.loop) { await self.restoreTrends() }
    }

    /// Goes on with what an earlier run has kept, and says so.
    private func resumeMemory() async {
        let opened = await PatientNotebook.open(of: screen.patient, isSimulated: outlet.isSimulated)
        patient = opened.notebook
        patient.onError(outlet.complain)
        let effects = fold(.memory(opened.memory, at: feed.now()))
        if let complaint = opened.complaint { show(complaint) }
        let news = effects.compactMap { effect -> String? in
            if case .action(let record) = effect, record.actor == .program { record.kind.words } else { nil }
        }
        if !news.isEmpty { show(news.joined(separator: "; ").capitalizedFirst + ". P forgets it for another patient.") }
    }

    /// Goes on with the alarms that earlier runs have left in the store.
    func resume(_ alarms: OutstandingAlarms) async {
        let earlier = await outlet.earlierRun(alarms, state.settings.fever, at: feed.now())
        fold(.earlierRun(earlier, at: feed.now()))
    }

    /// Writes what is still to be kept for the next start.
    ///
    /// - Returns: Sentences for the user when the disk does not take it in time.
    func finishFiles() async -> [String] {
        let limit = Duration.seconds(3)
        return [await notebook.finish(within: limit), await patient.finish(within: limit)].compactMap(\.self)
    }

    /// The alarms that go on, for the log, when the program ends.
    var interruptions: [AlarmLogEntry] { attached == nil ? state.interruptions(at: feed.now()) : [] }
}
