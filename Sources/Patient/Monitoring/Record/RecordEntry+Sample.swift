import Vitals

extension RecordEntry {
    /// Its value of a vital, as a sample; `nil` without one.
    ///
    /// The pulse rate of a cuff counts as a heart rate.
    public func sample(of vital: Vital) -> Sample? {
        func sample(_ value: VitalValue, _ site: BodySite? = nil) -> Sample {
            Sample(value: value, quality: facts.quality, moment: taken, sensor: sensor, site: site)
        }
        switch content {
        case .vital(vital, let value, let site): return sample(value, site)
        case .bloodPressure(let pressure) where vital == .heartRate:
            return pressure.pulse.map { sample(VitalValue(whole: $0)) }
        default: return nil
        }
    }
}
