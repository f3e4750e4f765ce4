import Base
import Glibc

/// A measured quantity: a curve with slow waves and noise.
struct Quantity: Hashable, Sendable {
    /// A sine added to a curve, such as the effect of breathing on a heart rate.
    struct Wave: Hashable, Sendable {
        var amplitude: Double
        /// The period in seconds, more than 0.
        var period: Double
    }

    var curve: Curve
    var waves: [Wave] = []
    /// The greatest deviation by noise.
    var noise = 0.0

    /// A quantity with a constant value.
    init(constant value: Double) {
        curve = Curve(constant: value)
    }

    init(curve: Curve, waves: [Wave], noise: Double) {
        self.curve = curve
        self.waves = waves
        self.noise = noise
    }

    var isConstant: Bool { curve.isConstant && waves.isEmpty && noise == 0 }

    /// The value of a sample.
    ///
    /// - Parameters:
    ///   - seconds: Seconds since the scenario began.
    ///   - sample: The number of the sample, for the noise.
    ///   - noise: The sequence of numbers of this quantity.
    func value(at seconds: Double, sample: Int, _ noise: Noise) -> Double {
        let value = smoothValue(at: seconds)
        return self.noise == 0 ? value : value + self.noise * noise.value(at: sample)
    }

    /// The value at a time, without the noise of samples.
    func smoothValue(at seconds: Double) -> Double {
        waves.reduce(curve.value(at: seconds)) { value, wave in
            value + wave.amplitude * sin(2 * .pi * seconds / wave.period)
        }
    }
}

/// Reads quantities: a number, a curve, or an object with a curve, waves and noise.
enum QuantityReader {
    static let fields = ["value", "noise", "waves"]

    /// Reads a quantity; the caller reads other fields of its object.
    static func read(_ node: ScenarioNode, besides others: [String] = []) throws(ScenarioError) -> Quantity {
        guard node.value.members != nil else { return Quantity(curve: try curve(node), waves: [], noise: 0) }
        let object = try node.object(fields + others)
        var waves: [Quantity.Wave] = []
        for wave in try object["waves"]?.list() ?? [] { waves.append(try Self.wave(wave)) }
        return Quantity(
            curve: try curve(try object.required("value")), waves: waves,
            noise: try object["noise"]?.number(0...1000, "a number") ?? 0)
    }

    /// Reads a number or a list of points.
    private static func curve(_ node: ScenarioNode) throws(ScenarioError) -> Curve {
        switch node.value.content {
        case .integer, .number: return Curve(constant: try node.number(-1_000_000...1_000_000))
        case .array: break
        default: throw node.expected("a number or a curve")
        }
        var keyframes: [Curve.Keyframe] = []
        for point in try node.list() {
            let pair = try point.list()
            guard pair.count == 2 else { throw point.mistake("expected a point [seconds, value]") }
            let keyframe = Curve.Keyframe(
                seconds: try pair[0].number(-1_000_000_000...1_000_000_000, "a number of seconds"),
                value: try pair[1].number(-1_000_000...1_000_000))
            if let last = keyframes.last, last.seconds >= keyframe.seconds {
                throw pair[0].mistake("the times of a curve must rise")
            }
            keyframes.append(keyframe)
        }
        guard let curve = Curve(keyframes: keyframes) else { throw node.mistake("a curve needs a point") }
        return curve
    }

    private static func wave(_ node: ScenarioNode) throws(ScenarioError) -> Quantity.Wave {
        let object = try node.object(["amplitude", "period"])
        return Quantity.Wave(
            amplitude: try object.required("amplitude").number(-1000...1000),
            period: try object.required("period").number(0.001...1_000_000_000, "a number of seconds"))
    }
}
