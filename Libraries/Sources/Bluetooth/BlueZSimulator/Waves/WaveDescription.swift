/// A wave in the language of scenarios: what a sensor sends many times a second, a number of samples at a time.
///
/// A characteristic sends one by itself; an answer to a poll carries one's samples since the poll before.
struct WaveDescription: Hashable, Sendable {
    enum Rate: Hashable, Sendable {
        /// Samples a second.
        case frequency(Double)
        /// A sample for each beat, when its pulse arrives.
        case beats
    }

    var rate: Rate
    /// The octets of one sample, and those while the sensor is not worn if they differ.
    var sample: OctetTemplate
    var offBody: OctetTemplate?
    /// The samples in a frame; of an answer, the greatest number.
    var count: Int
    /// The octets of a frame, in which `{samples}` is.
    var frame: OctetTemplate

    var templates: [OctetTemplate] { [sample, frame] + (offBody.map { [$0] } ?? []) }
}

/// Which samples of a wave octets are for.
struct WavePlace: Hashable {
    /// The number of the sample since the wave began, from 0.
    var sampleNumber = 0
    /// The number of the frame since the wave began, from 0.
    var frameNumber = 0
    /// The samples in the frame.
    var sampleCount = 0
    /// The seconds between the beat and the one before it.
    var beatInterval = 0.0
    /// The octets of the samples, for the frame.
    var samples: [UInt8] = []
}

/// Reads waves in scenarios.
enum WaveReader {
    /// The wave of a characteristic.
    static func characteristic(_ node: ScenarioNode) throws(ScenarioError) -> WaveDescription {
        let object = try node.object(["rate", "sample", "offBody", "count", "frame"])
        var wave = try wave(object, frame: OctetTemplate([.samples]))
        if let field = object["frame"] {
            wave.frame = try OctetTemplateReader.template(field)
            guard wave.frame.hasSamples else { throw field.mistake("a frame has the place '{samples}'") }
        }
        if case .beats = wave.rate, wave.count > 16 {
            throw node.mistake("expected at most 16 beats in a frame, found \(wave.count)")
        }
        return wave
    }

    /// The wave of an answer, whose octets are the frame.
    static func answer(_ node: ScenarioNode, frame: OctetTemplate) throws(ScenarioError) -> WaveDescription {
        let object = try node.object(["rate", "sample", "count"])
        let wave = try wave(object, frame: frame)
        guard frame.hasSamples else { throw node.mistake("an answer with a wave has the place '{samples}'") }
        if case .beats = wave.rate { throw node.mistake("an answer has a number of samples a second") }
        return wave
    }

    private static func wave(
        _ object: ScenarioObject, frame: OctetTemplate
    ) throws(ScenarioError) -> WaveDescription {
        let field = try object.required("rate")
        let rate: WaveDescription.Rate
        if field.value.text == nil {
            rate = .frequency(try field.number(0.1...1000, "a number of samples a second"))
        } else {
            guard try field.string() == "beats" else { throw field.mistake("expected a number or 'beats'") }
            rate = .beats
        }
        var wave = WaveDescription(
            rate: rate, sample: try OctetTemplateReader.template(try object.required("sample")),
            count: try object.required("count").integer(1...512), frame: frame)
        if let field = object["offBody"] { wave.offBody = try OctetTemplateReader.template(field) }
        return wave
    }
}
