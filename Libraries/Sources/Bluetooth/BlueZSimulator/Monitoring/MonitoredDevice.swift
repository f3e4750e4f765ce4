import EventLoops

/// What a monitor with thresholds knows of a device (`adv_monitor_filter_rssi` in `src/adv_monitor.c` of BlueZ).
struct MonitoredDevice {
    private(set) var isFound = false
    private var lastHeard: Double?
    /// Since when it is stronger than the upper threshold, and weaker than the lower one.
    private var (strongSince, weakSince): (Double?, Double?) = (nil, nil)
    /// Loses it when it falls silent.
    var silence: LoopTimer?

    /// What an advertisement changes.
    enum Change: Hashable {
        case found, lost
    }

    /// Takes the signal strength of an advertisement at a time in seconds.
    mutating func heard(
        _ strength: Int, at time: Double, _ thresholds: MonitorDescription.Thresholds
    ) -> Change? {
        // bluetoothd counts whole seconds.
        let seconds = time.rounded(.down)
        if let lastHeard {
            if seconds - lastHeard > thresholds.highSeconds { strongSince = nil }
            if seconds - lastHeard > thresholds.lowSeconds { weakSince = nil }
        }
        lastHeard = seconds
        let wasFound = isFound
        if !isFound, strength > thresholds.high {
            let since = strongSince ?? seconds
            strongSince = since
            if seconds - since >= thresholds.highSeconds { isFound = true }
        } else {
            strongSince = nil
        }
        if isFound, strength < thresholds.low {
            let since = weakSince ?? seconds
            weakSince = since
            if seconds - since >= thresholds.lowSeconds { isFound = false }
        } else {
            weakSince = nil
        }
        return isFound == wasFound ? nil : isFound ? .found : .lost
    }

    /// It has fallen silent.
    mutating func fellSilent() {
        isFound = false
        silence = nil
    }
}
