import Base
import TestSupport
import Testing

@Suite("Arithmetic that never traps")
struct SaturatingArithmeticTests {
    @Test("gives the exact result wherever that fits, and else the nearest number", arguments: [1, 2, 3] as [UInt64])
    func results(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let (left, right) = (Self.number(&generator), Self.number(&generator))
            #expect(left.addingSaturated(right) == Int64(clamping: Int128(left) + Int128(right)))
            #expect(left.subtractingSaturated(right) == Int64(clamping: Int128(left) - Int128(right)))
            #expect(left.multipliedSaturated(by: right) == Int64(clamping: Int128(left) * Int128(right)))
            let (low, high) = (UInt8(truncatingIfNeeded: left), UInt8(truncatingIfNeeded: right))
            #expect(low.addingSaturated(high) == UInt8(clamping: Int(low) + Int(high)))
            #expect(low.subtractingSaturated(high) == UInt8(clamping: Int(low) - Int(high)))
            #expect(low.multipliedSaturated(by: high) == UInt8(clamping: Int(low) * Int(high)))
        }
    }

    /// A number that is small, anything, or near a border.
    private static func number(_ generator: inout SeededGenerator) -> Int64 {
        let small = Int64.random(in: -3...3, using: &generator)
        return switch Int.random(in: 0..<4, using: &generator) {
        case 0: small
        case 1: Int64.max &+ min(0, small)
        case 2: Int64.min &+ max(0, small)
        default: .random(in: .min ... .max, using: &generator)
        }
    }

    @Test("makes an integer of any floating-point number")
    func floatingPoint() {
        #expect(Int64(saturating: 1.9) == 1 && Int64(saturating: -1.9) == -1 && Int64(saturating: 0) == 0)
        #expect(Int64(saturating: .infinity) == .max && Int64(saturating: -.infinity) == .min)
        #expect(Int64(saturating: 9.3e18) == .max && Int64(saturating: -9.3e18) == .min)
        #expect(Int64(saturating: 0x1p63) == .max && Int64(saturating: -0x1p63) == .min)
        #expect(Int64(saturating: .nan) == 0 && Int64(saturating: .leastNonzeroMagnitude) == 0)
        #expect(UInt8(saturating: 255.9) == 255 && UInt8(saturating: 256) == 255 && UInt8(saturating: -1) == 0)
    }

    @Test("makes nanoseconds of any duration")
    func nanoseconds() {
        #expect(Duration.milliseconds(1500).nanoseconds == 1_500_000_000)
        #expect(Duration.nanoseconds(-7).nanoseconds == -7)
        #expect(Duration.nanoseconds(Int64.max).nanoseconds == .max)
        #expect(Duration.seconds(Int64.max).nanoseconds == .max && Duration.seconds(Int64.min).nanoseconds == .min)
        #expect((Duration.nanoseconds(Int64.max) + .nanoseconds(1)).nanoseconds == .max)
        #expect((Duration.nanoseconds(Int64.min) - .nanoseconds(1)).nanoseconds == .min)
        #expect(
            (Duration.seconds(Int64.max) * 8).nanoseconds == .max
                && (Duration.seconds(Int64.min) * 8).nanoseconds == .min)
    }
}
