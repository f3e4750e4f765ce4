import BlueZSimulator
import Configuration
import Engine
import Formats
import Recording
import SimulatedHistory
import UserFiles
import Vitals

/// The past of a trial on the screen.
enum TrialPast {
    /// Writes an invented past into the store of simulated sensors, if that is still empty.
    ///
    /// A store that cannot be written is reported when the monitor opens it.
    ///
    /// - Parameters:
    ///   - scenario: The scenario of the trial, whose sensors were worn.
    ///   - settings: The patient, and whether anything is recorded.
    ///   - now: The start of the trial.
    static func write(_ scenario: Scenario, _ settings: Settings, now: Moment = .now()) {
        guard scenario.isTrial, settings.recording.isEnabled,
            let path = try? StorePath.current(of: settings.patient.name, isSimulated: true)
        else { return }
        let days = LocalDay { Int(Moment(monotonicNanoseconds: 0, wallMilliseconds: $0).localTimeOffset) }
        let past = SimulatedPast(
            days: days.last(SimulatedPast.dayCount, until: now.wallMilliseconds), until: now.wallMilliseconds,
            sensors: scenario.wornSensors)
        _ = try? RunWriter.fill(path, programVersion: Product.version) {
            past.runs()
        } nights: {
            past.nights()
        }
    }
}

extension Scenario {
    /// The sensors that were worn in the past.
    fileprivate var wornSensors: SimulatedPast.Sensors {
        func sensor(_ word: String, _ kind: SensorKind) -> SensorIdentity? {
            self.sensor(of: word).map { SensorIdentity(address: $0.address, name: $0.name, kind: kind) }
        }
        return SimulatedPast.Sensors(
            thermometer: sensor("core", .core) ?? sensor("thermometer", .thermometer),
            strap: sensor("heartRateStrap", .heartRateStrap),
            oximeter: sensor("oximeter", .oximeter) ?? sensor("fingertipOximeter", .oximeter))
    }
}
