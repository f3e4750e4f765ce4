import Dashboard
import Engine
import Monitoring
import Recording
import Base
import Vitals

// The recorded past, for scrolling back.
extension ScreenController {
    /// Removes the past of another patient.
    func forgetPast(at now: Moment) {
        pastLoader()?.patientChanged(at: now)
        screen.trends.loaded = nil
        forgetDays()
        screen.trends.recordedSince = now
    }

    /// Loads missing data of the past; called after a drawing was prepared.
    func loadMissingPast(at now: Moment) {
        guard screen.trends.isPast, let missing = screen.missingPast(in: state, at: now), let past = pastLoader() else {
            screen.trends.reading = .idle
            return
        }
        let isReading = past.load(missing) { [weak self] result in
            self?.show(result)
        }
        screen.trends.reading = isReading ? .reading : .failed
    }

    /// The reader of the store, created on first use; `nil` where there is no store.
    func pastLoader() -> PastLoader? {
        if past == nil { past = monitor.assumeIsolated { $0.storePath }.map { PastLoader(path: $0) } }
        return past
    }

    private func show(_ result: Result<PastLoader.Found, StoreError>) {
        switch result {
        case .success(let found):
            recordRecord(since: found.since)
            screen.trends.loaded = found.trends
        case .failure(let failure): screen.dialogs.message = "The record cannot be read: \(failure)."
        }
        changed(answersKey: true)
    }

    /// Sets the start of the record, in milliseconds since 1970.
    func recordRecord(since: Int64?) {
        guard let since else { return }
        let now = now
        screen.trends.recordedSince = now.advanced(by: .milliseconds(since.subtractingSaturated(now.wallMilliseconds)))
    }
}
