import Dashboard
import Engine
import EventLoops
import Formats
import Monitoring
import Nights
import Recording
import Vitals

/// The reading of nights for their page.
struct NightReading {
    /// The greatest age of the last night while the page is open, in nanoseconds: it may still be recorded.
    static let validity: Int64 = 60_000_000_000

    /// The number of the wanted reading; the result of an older one is discarded.
    var number = 0
    var isUnderWay = false
    /// When it began, in nanoseconds of the computer's clock; `nil` before the first.
    var began: Int64?
    /// The night that was read last.
    var last = NightView.Wanted.last
}

// Reads a night for its page from the store, on the history's thread.
extension ScreenController {
    /// Reads the wanted night for the page of nights; called for each frame.
    func readNight(at now: Moment) {
        guard screen.showsNights else { return }
        guard let past = pastLoader() else {
            screen.nights.reading = .unavailable
            return
        }
        if nightReading.isUnderWay { return }
        let age = nightReading.began.map { Timestamp.monotonicNow() - $0 } ?? .max
        let isOld = nightReading.last == .last && age >= NightReading.validity
        guard let wanted = screen.nights.wanted ?? (isOld ? nightReading.last : nil) else { return }
        nightReading.number += 1
        (nightReading.isUnderWay, nightReading.began) = (true, Timestamp.monotonicNow())
        screen.nights.wanted = nil
        screen.nights.reading = .reading
        let (number, since) = (nightReading.number, past.patientSince)
        let evening = now.wallMilliseconds - PatientNight.begin
        Task(executorPreference: ScreenActor.loop) { [weak self] in
            await self?.readNight(wanted, until: evening, number: number, by: past.reader, patientSince: since)
        }
    }

    private func readNight(
        _ wanted: NightView.Wanted, until evening: Int64, number: Int, by reader: PastReader, patientSince: Moment?
    ) async {
        do throws(StoreError) {
            let found = try await reader.night(
                { LocalDay(beginsAt: 12) { LocalHour.offset(at: $0) }.all(of: $0) }, isBackward: wanted.isBackward,
                patientSince: patientSince, where: { wanted.allows($0, evening) })
            guard number == nightReading.number else { return }
            nightReading.isUnderWay = false
            screen.nights.reading = .idle
            if found.night != nil || wanted == .last {
                nightReading.last = wanted
                screen.nights.show(found.night, as: wanted)
                (screen.nights.hasEarlier, screen.nights.hasLater) = (found.hasEarlier, found.hasLater)
            } else {
                // What is there was only a short measurement.
                if wanted.isBackward { screen.nights.hasEarlier = false } else { screen.nights.hasLater = false }
                screen.dialogs.message =
                    wanted.isBackward ? "This is the first night in the record." : "This is the last night."
            }
        } catch {
            guard number == nightReading.number else { return }
            nightReading.isUnderWay = false
            screen.nights.reading = .failed
        }
        changed()
    }

    /// Removes the nights of another patient.
    func forgetNights() {
        nightReading = NightReading(number: nightReading.number + 1)
        screen.nights = NightView()
    }
}

extension NightView.Wanted {
    fileprivate var isBackward: Bool {
        if case .after = self { false } else { true }
    }

    /// Whether a night that begins at a wall time may be it.
    fileprivate func allows(_ begin: Int64, _ evening: Int64) -> Bool {
        switch self {
        case .last: begin <= evening
        case .before(let other): begin < other
        case .after(let other): begin > other
        }
    }
}
