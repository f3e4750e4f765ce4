import VitalDecoders

/// What goes wrong with the waves that a sensor sends.
struct WaveFaults: Hashable {
    /// The number of frames that are due and will not arrive.
    var framesToLose = 0
    /// How many times each frame is sent, as by a sensor that runs wild; 1 for a sound one.
    var repetitions = 1

    /// The repetitions that a scenario may ask for.
    static let repetitionRange = 1...100

    /// Whether the frame that is due now arrives.
    mutating func arrives() -> Bool {
        guard framesToLose > 0 else { return true }
        framesToLose -= 1
        return false
    }
}

// The body of a sensor, and the streams of a strap.
extension SimulatedPeripheral {
    /// Whether its beats are those of the body's heart, and not only as many as fit into the time.
    var hasHeart: Bool { vitals.electrocardiogram != nil || vitals.body.rhythm != nil }

    /// Whether the electrodes of a strap touch the skin.
    private var hasContact: Bool { isOnBody && vitals.heartRate.contact != false }

    /// Computes the body up to a time.
    func advanceBody(to seconds: Double) {
        let rate = description.kind.hasHeartRate ? vitals.heartRate.value : vitals.oximetry.pulseRate
        let name = description.kind.hasHeartRate ? "heartRate" : "pulseRate"
        body.advance(
            to: seconds, rhythm: vitals.body.rhythm ?? .normal,
            respirationRate: { self.smoothValue("respirationRate", self.vitals.body.respirationRate, at: $0) },
            heartRate: { seconds in rate.map { self.smoothValue(name, $0, at: seconds) } ?? 0 })
    }

    /// The value of a quantity without the noise of measurements, or what a command has set it to.
    func smoothValue(_ name: String, _ quantity: Quantity, at seconds: Double) -> Double {
        constants[name] ?? quantity.smoothValue(at: wrapped(seconds))
    }

    func motion(at seconds: Double) -> Double {
        max(0, min(1, smoothValue("motion", vitals.body.motion, at: seconds)))
    }

    /// The ECG at a time up to which the body is computed, in microvolts.
    func microvolts(at seconds: Double) -> Double {
        guard hasContact else { return body.openMicrovolts(at: seconds) }
        let settings = vitals.electrocardiogram ?? SimulatedVitals.Electrocardiogram()
        return body.microvolts(
            at: seconds, amplitude: smoothValue("amplitude", settings.amplitude, at: seconds),
            motion: motion(at: seconds), mains: smoothValue("mains", settings.mains, at: seconds))
    }

    /// The octets of a frame of a stream, whose last sample has just been taken.
    func frame(_ number: Int, of stream: PolarStreams.Stream) -> [UInt8] {
        let end = stream.due(number)
        advanceBody(to: end)
        let times = (1...stream.kind.frameLength).map {
            end - Double(stream.kind.frameLength - $0) / stream.rate
        }
        let stamp = streams.stamp(of: end + stream.lead)
        switch stream.kind {
        case .electrocardiogram:
            // The range of an H10 is 20 mV.
            let samples = times.map { Int32(max(-20_000, min(20_000, microvolts(at: $0).rounded()))) }
            return PolarMeasurementFrame(
                type: .electrocardiogram, timestamp: stamp, content: .samples(samples, channels: 1)
            ).octets
        case .acceleration:
            let limit = Double(stream.range) * 1000
            let samples = times.flatMap { time in
                let (x, y, z) = body.acceleration(at: time, motion: motion(at: time), isWorn: hasContact)
                return [x, y, z].map { Int32(max(-limit, min(limit, $0.rounded()))) }
            }
            return PolarMeasurementFrame(
                type: .acceleration, timestamp: stamp, frameType: 1,
                isCompressed: vitals.electrocardiogram?.isCompressed ?? false,
                content: .samples(samples, channels: 3)
            ).octets
        }
    }
}
