// Waves in the language of scenarios.
extension SimulatedPeripheral {
    /// The pulse wave at a time up to which the body is computed, from 0 to 100; 0 while the sensor is not worn.
    func pulseWave(at seconds: Double) -> Double {
        guard isOnBody else { return 0 }
        return body.pulseWave(
            at: seconds, perfusion: smoothValue("perfusion", vitals.oximetry.amplitude, at: seconds),
            motion: motion(at: seconds))
    }

    /// The seconds for which a pulse is marked.
    private static let pulseSeconds = 0.08

    /// Whether a pulse has just arrived.
    func isPulse(at seconds: Double) -> Bool {
        guard isOnBody, let beat = body.pulse(before: seconds) else { return false }
        return seconds - beat.seconds - Plethysmogram.transit < Self.pulseSeconds
    }

    /// The beats whose pulses arrived in a half-open range of time; none while the sensor is not worn.
    func pulses(after first: Double, through last: Double) -> [HeartBeat] {
        advanceBody(to: last)
        guard isOnBody else { return [] }
        return Array(body.heart.beats(after: first - Plethysmogram.transit, through: last - Plethysmogram.transit))
    }

    /// A quantity of every sensor that is a wave.
    func waveQuantity(_ quantity: CommonQuantity, at seconds: Double) -> Double {
        advanceBody(to: seconds)
        return switch quantity {
        case .pulseWave: pulseWave(at: seconds)
        case .pulseWaveInverted: 100 - pulseWave(at: seconds)
        case .beat: isPulse(at: seconds) ? 1 : 0
        case .potential: microvolts(at: seconds)
        default: 0
        }
    }

    /// The octets of a frame.
    ///
    /// - Parameters:
    ///   - number: Its number.
    ///   - wave: The wave.
    ///   - times: The times of its samples, in seconds of the scenario.
    ///   - intervals: The seconds between each beat and the one before it, of a wave of beats.
    func frame(_ number: Int, of wave: WaveDescription, at times: [Double], intervals: [Double]) -> [UInt8] {
        octets(
            wave.frame, at: times.last ?? 0,
            samples(of: wave, from: number * wave.count, frame: number, at: times, intervals: intervals))
    }

    /// The newest samples of a wave, those since the poll before it.
    func newest(of wave: WaveDescription, at seconds: Double) -> WavePlace {
        guard case .frequency(let rate) = wave.rate else { return WavePlace() }
        let last = Int(seconds * rate)
        let first = max(polledSamples[wave] ?? 0, last - wave.count)
        polledSamples[wave] = last
        // Sample 0 is the first one after the scenario's beginning.
        let times = (first..<max(first, last)).map { Double($0 + 1) / rate }
        return samples(of: wave, from: first, frame: 0, at: times, intervals: [])
    }

    private func samples(
        of wave: WaveDescription, from first: Int, frame: Int, at times: [Double], intervals: [Double]
    ) -> WavePlace {
        advanceBody(to: times.last ?? 0)
        let template = isOnBody ? wave.sample : wave.offBody ?? wave.sample
        var place = WavePlace(frameNumber: frame, sampleCount: times.count)
        var samples: [UInt8] = []
        for (index, time) in times.enumerated() {
            place.sampleNumber = first + index
            place.beatInterval = index < intervals.count ? intervals[index] : 0
            samples += octets(template, at: time, place)
        }
        // A frame as a whole has the number of its first sample.
        place.sampleNumber = first
        place.samples = samples
        return place
    }
}
