import Formats
import Monitoring
import Nights
import Recording
import Sensors
import VitalDecoders
import Vitals
import Wording

// The nights that rings hand over: stored with their files, never a reading of now.
extension MonitorEngine {
    /// Begins to store the nights of the feed's rings.
    func storeNights() async {
        guard let live = feed.live else { return }
        let nights = await live.fetchedNights()
        nightReader = Task(executorPreference: loop) {
            for await night in nights { await self.store(night, of: live) }
        }
    }

    private func store(_ fetched: SensorNight, of live: any SensorFeed) async {
        let (sensor, night) = (fetched.sensor, fetched.night)
        let name = state.sensor(address: sensor.address)?.identity.name ?? sensor.name
        func fail(_ problem: String) {
            live.nightHandled(night.name, of: sensor.address, problem: problem)
            send(.notice("\(name): The night of \(NightLabels.title(night.name)) is not stored: \(problem)"))
        }
        do throws(MalformedValueError) {
            let file = try ViatomNightFile(night.octets)
            let stored = StoredNight(file, name: night.name, of: sensor, start: night.start)
            if let problem = await dispatcher.store.keep(stored, file: night.octets) { return fail("\(problem).") }
            live.nightHandled(night.name, of: sensor.address, problem: nil)
            let length = NightLabels.length(minutes: file.samples.count * file.interval / 60)
            let clock =
                night.clockAhead == 0
                ? ""
                : " Its clock is wrong by \(TimeText.span(abs(night.clockAhead))); the beginning is corrected by that."
            send(.notice("\(name): The night of \(NightLabels.title(night.name)) is stored, \(length).\(clock)"))
        } catch {
            fail("\(error.reason).")
        }
    }
}
