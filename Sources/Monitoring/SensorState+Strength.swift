extension SensorState {
    /// Takes a new signal strength in, in dBm.
    ///
    /// Smoothed exponentially with a quarter of what is new: a hand before the antenna changes single values by 10 dB
    /// and more, which says nothing about where a sensor is.
    mutating func takeStrength(_ strength: Int) {
        signalStrength = strength
        let tenths = min(max(strength, -200), 200) * 10
        smoothedStrength = smoothedStrength.map { $0 + (tenths - $0) / 4 } ?? tenths
    }

    /// It is no longer heard, so nothing is known about its distance.
    mutating func loseStrength() {
        signalStrength = nil
        smoothedStrength = nil
    }
}
