import Monitoring
import Vitals

@testable import Dashboard

// Sensors that measure now and then, and glucose.
extension Ward {
    static let cuff = SensorIdentity(address: "C0:52:49:00:00:44", name: "BM 54", kind: .bloodPressure)
    static let transmitter = SensorIdentity(address: "C0:52:49:00:00:45", name: "CGM 7", kind: .continuousGlucose)

    /// A cuff has handed over a pressure and is asleep; a transmitter sends glucose beside the three vitals.
    static func episodic() -> Ward {
        var ward = live(seconds: 60)
        ward.find(cuff, signal: -60)
        ward.connect(cuff)
        ward.handOver(.bloodPressure(BloodPressure(systolic: 142, diastolic: 88, mean: 106, pulse: 71)))
        ward.apply(.connection(cuff, ConnectionState(phase: .waiting, reason: .asleep)))
        ward.find(transmitter, signal: -70)
        ward.connect(transmitter)
        ward.measure(transmitter, .glucose, 10_500)
        ward.hold([:], seconds: 20)
        return ward
    }

    /// A cuff that is inflating.
    static func inflating() -> Ward {
        var ward = live(seconds: 60)
        ward.find(cuff, signal: -60)
        ward.connect(cuff)
        ward.apply(.cuffPressure(cuff, 145))
        return ward
    }

    /// Has the cuff hand over a measurement.
    mutating func handOver(_ content: RecordEntry.Content, _ stamp: EntryFacts = EntryFacts()) {
        apply(.entry(RecordEntry(content, from: .sensor(Self.cuff), stamp, enteredAt: now)))
    }
}
