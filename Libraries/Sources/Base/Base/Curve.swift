/// A value that changes with time, interpolated linearly between points.
public struct Curve: Hashable, Sendable {
    /// A point of a curve.
    public struct Keyframe: Hashable, Sendable {
        /// Seconds since the beginning; negative for a time before.
        public var seconds: Double
        public var value: Double

        public init(seconds: Double, value: Double) {
            (self.seconds, self.value) = (seconds, value)
        }
    }

    /// Never empty; their times increase.
    private let keyframes: [Keyframe]

    /// A curve with a constant value.
    public init(constant value: Double) {
        keyframes = [Keyframe(seconds: 0, value: value)]
    }

    /// A curve through points with increasing times; `nil` without points or when the times do not increase.
    public init?(keyframes: [Keyframe]) {
        guard !keyframes.isEmpty, zip(keyframes, keyframes.dropFirst()).allSatisfy({ $0.seconds < $1.seconds }) else {
            return nil
        }
        self.keyframes = keyframes
    }

    public var isConstant: Bool { keyframes.allSatisfy { $0.value == keyframes[0].value } }

    /// The value at a time; before the first point the first value, after the last point the last.
    public func value(at seconds: Double) -> Double {
        guard let next = keyframes.firstIndex(where: { $0.seconds > seconds }) else {
            return keyframes[keyframes.count - 1].value
        }
        guard next > 0 else { return keyframes[0].value }
        let (from, to) = (keyframes[next - 1], keyframes[next])
        return from.value + (to.value - from.value) * (seconds - from.seconds) / (to.seconds - from.seconds)
    }
}
