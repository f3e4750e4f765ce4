import Dashboard
import EventLoops
import Formats
import Engine
import Monitoring
import Recording
import Vitals

/// The data for the page of the last days, and when they were read.
struct DaysReading {
    /// The greatest age of the data while the page is open, in nanoseconds: afterwards today has changed.
    static let validity: Int64 = 60_000_000_000

    /// The number of the wanted reading; the result of an older one is discarded.
    var number = 0
    var isUnderWay = false
    /// When it began, in nanoseconds of the computer's clock; `nil` before the first.
    var began: Int64?
    /// The patient's record at that time: later entries belong to the days, too.
    var record: PatientRecord?
    /// Whether the page was open at the last frame.
    var wasOpen = false
}

/// A request for the page of the last days.
private struct DaysRequest {
    var number: Int
    var days: [Range<Int64>]
    var now: Moment
    /// Earlier data belong to another patient.
    var since: Moment?
    var limits: PastLimits
    /// The days that are already known.
    var known: [PatientOverview.Day]

    func knows(_ day: Range<Int64>) -> Bool { known.contains { $0.range == day && $0.isRead } }
}

// Reads the days for their page from the store, on the history's thread, day by day.
extension ScreenController {
    /// Reads missing days for the page of the last days; called for each frame.
    func readDays(at now: Moment) {
        defer { daysReading.wasOpen = screen.showsDays }
        guard screen.showsDays else { return }
        guard let past = pastLoader() else {
            screen.days.reading = .unavailable
            return
        }
        let record = state.patientRecord
        let age = daysReading.began.map { Timestamp.monotonicNow() - $0 } ?? .max
        let isFresh =
            daysReading.wasOpen && daysReading.record == record && age < DaysReading.validity
        if daysReading.isUnderWay || isFresh { return }
        let days = LocalDay { Int(Moment(monotonicNanoseconds: 0, wallMilliseconds: $0).localTimeOffset) }
            .last(DaysView.count, until: now.wallMilliseconds)
        // While the page is open, only today and days with new entries can have changed.
        let isSame = daysReading.wasOpen && screen.days.overview?.days.map(\.range) == days
        daysReading.began = Timestamp.monotonicNow()
        daysReading.isUnderWay = true
        daysReading.number += 1
        let keepsDays = isSame && daysReading.record == record
        daysReading.record = record
        screen.days.reading = .reading
        let request = DaysRequest(
            number: daysReading.number, days: days, now: now, since: past.patientSince,
            limits: PastLimits(state.settings),
            known: keepsDays ? screen.days.overview?.days ?? [] : [])
        Task(executorPreference: ScreenActor.loop) { [weak self] in await self?.read(request, by: past.reader) }
    }

    private func read(_ request: DaysRequest, by reader: PastReader) async {
        let days = request.days
        do throws(StoreError) {
            var overview = try await reader.overview(of: days, patientSince: request.since)
            // Days from an earlier reading stay on the screen until they are replaced.
            let shown = screen.days.overview?.days ?? []
            for place in days.indices {
                overview.days[place] = shown.first { $0.range == days[place] } ?? overview.days[place]
            }
            guard show(overview, of: request.number) else { return }
            // The newest first, because users look at it first.
            for place in days.indices.reversed() where place == days.count - 1 || !request.knows(days[place]) {
                let limits = request.limits
                overview.days[place] = try await reader.figures(
                    of: days[place], now: request.now, entries: overview.entries, patientSince: request.since,
                    isOutside: { limits.isOutside($0, $1, $2) })
                guard show(overview, of: request.number) else { return }
            }
            endReadingDays(of: request.number, .idle)
        } catch {
            endReadingDays(of: request.number, .failed)
        }
    }

    /// Removes the days of another patient.
    func forgetDays() {
        daysReading = DaysReading(number: daysReading.number + 1)
        screen.days.overview = nil
        screen.days.reading = .idle
    }

    /// Shows the days read so far; returns whether more are wanted.
    private func show(_ overview: PatientOverview, of number: Int) -> Bool {
        guard number == daysReading.number else { return false }
        screen.days.overview = overview
        guard screen.showsDays else {
            endReadingDays(of: number, .idle)
            return false
        }
        changed()
        return true
    }

    private func endReadingDays(of number: Int, _ reading: DaysView.Reading) {
        guard number == daysReading.number else { return }
        daysReading.isUnderWay = false
        screen.days.reading = reading
        changed()
    }
}
