import Vitals

extension MonitorSettings {
    /// Values at which charts draw reference lines: the fever thresholds, and the ordinary limits.
    ///
    /// - Parameters:
    ///   - vital: The vital.
    ///   - limits: The limits in force, instead of those of the settings.
    public func referenceLines(of vital: Vital, limits: VitalLimits? = nil) -> [VitalValue] {
        // The second limit of a fever rule is so close to the first that they would be one line.
        let fever = vital == .bodyTemperature ? Array(self.fever.limits.prefix(1)) : []
        let own = limits ?? self.limits[vital]
        return Set(fever + [own?.low.value, own?.high.value].compactMap(\.self)).sorted()
    }
}
