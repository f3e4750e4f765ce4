/// A signal of an EDF file: what it is, and how its whole numbers become values.
///
/// Source: EDF, "The header record", and EDF+, sections 2.1.3 and 2.2.1 (<https://www.edfplus.info>).
public struct EDFSignal: Hashable, Sendable {
    /// What is measured, at most 16 characters: "SpO2".
    public var label: String
    /// The sensor, at most 80 characters.
    public var transducer: String
    /// The unit of the values, at most 8 characters: "uV"; empty for an uncalibrated signal.
    public var dimension: String
    /// The values of the digital minimum and maximum.
    public var physicalMinimum, physicalMaximum: Double
    /// The extreme whole numbers.
    public var digitalMinimum, digitalMaximum: Int
    /// How the samples were filtered or placed, at most 80 characters.
    public var prefilter: String
    /// Samples in each data record; of annotations half as many as octets.
    public var samplesPerRecord: Int

    public init(
        _ label: String, transducer: String = "", dimension: String = "", physical: ClosedRange<Int>,
        digital: ClosedRange<Int>, prefilter: String = "", samplesPerRecord: Int
    ) {
        (self.label, self.transducer, self.dimension) = (label, transducer, dimension)
        (physicalMinimum, physicalMaximum) = (Double(physical.lowerBound), Double(physical.upperBound))
        (digitalMinimum, digitalMaximum) = (digital.lowerBound, digital.upperBound)
        (self.prefilter, self.samplesPerRecord) = (prefilter, samplesPerRecord)
    }

    init(
        label: String, transducer: String, dimension: String, physical: (Double, Double), digital: (Int, Int),
        prefilter: String, samplesPerRecord: Int
    ) {
        (self.label, self.transducer, self.dimension) = (label, transducer, dimension)
        (physicalMinimum, physicalMaximum) = physical
        (digitalMinimum, digitalMaximum) = digital
        (self.prefilter, self.samplesPerRecord) = (prefilter, samplesPerRecord)
    }

    /// The signal that contains annotations (EDF+, 2.2.1: label, and digital range).
    ///
    /// - Parameter octets: Its octets in each data record; rounded up to an even number.
    public static func annotations(octets: Int) -> EDFSignal {
        EDFSignal(
            annotationsLabel, physical: -1...1, digital: -32768...32767, samplesPerRecord: max(1, (octets + 1) / 2))
    }

    private static let annotationsLabel = "EDF Annotations"

    /// Whether it contains annotations rather than samples.
    public var isAnnotations: Bool { label == Self.annotationsLabel }

    /// The value of a sample, in the unit of the signal.
    ///
    /// - Parameter digital: The sample as it is in the file.
    public func value(of digital: Int) -> Double {
        let steps = Double(digitalMaximum - digitalMinimum)
        return physicalMinimum + Double(digital - digitalMinimum) * (physicalMaximum - physicalMinimum) / steps
    }
}
