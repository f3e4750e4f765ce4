import Dashboard
import Monitoring
import Recording
import SaturatingArithmetic
import Vitals

// What was recorded earlier: what the trends begin with, and what is scrolled back to.
extension ScreenController {
    /// Lets the trends go on from what was recorded, once the store is open.
    func restoreTrends() async {
        guard let path = outlet.storePath else { return }
        let loader = PastLoader(path: path)
        past = loader
        // Trouble with the store is told by the recorder.
        guard let beginning = try? await loader.beginning(at: feed.now()), ending == nil else { return }
        note(since: beginning.since)
        state.restore(beginning.trends)
        publisher?.publishSnapshot()
        changed()
    }

    /// Forgets what was recorded of somebody else.
    func forgetPast(at now: Moment) {
        past?.patientChanged(at: now)
        screen.pastTrends = nil
        screen.trends.recordedSince = now
    }

    /// Has loaded what the screen misses of the past; to be called when it has been prepared for drawing.
    func loadMissingPast(at now: Moment) {
        guard let past, let missing = screen.missingPast(in: state, at: now) else {
            screen.pastReading = .idle
            return
        }
        let isReading = past.load(missing) { [weak self] result in
            self?.show(result)
        }
        screen.pastReading = isReading ? .reading : .failed
    }

    private func show(_ result: Result<PastLoader.Found, StoreFailure>) {
        switch result {
        case .success(let found):
            note(since: found.since)
            screen.pastTrends = found.trends
        case .failure(let failure): screen.message = "The record cannot be read: \(failure)."
        }
        changed(answersKey: true)
    }

    private func note(since: Int64?) {
        guard let since else { return }
        let now = feed.now()
        screen.trends.recordedSince = now.advanced(by: .milliseconds(since.subtractingSaturated(now.wallMilliseconds)))
    }
}
