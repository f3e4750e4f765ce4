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
