import TestSupport
import VitalDecoders

/// A type that can make any of its values at random, extremes more often than chance would.
protocol Generated {
    static func random(using generator: inout SeededGenerator) -> Self
}

extension SeededGenerator {
    /// Any value of a type.
    mutating func any<Value: Generated>() -> Value {
        Value.random(using: &self)
    }

    /// Nothing, or any value of a type.
    mutating func maybe<Value: Generated>() -> Value? {
        any() ? any() : nil
    }

    /// Up to `limit` values of a type.
    mutating func list<Value: Generated>(upTo limit: Int) -> [Value] {
        (0..<Int.random(in: 0...limit, using: &self)).map { _ in any() }
    }

    /// Any whole number, the smallest and the greatest often.
    mutating func number<Number: FixedWidthInteger>() -> Number {
        switch UInt8.random(in: 0..<8, using: &self) {
        case 0: Number.min
        case 1: Number.max
        case 2: 0
        default: Number.random(in: .min ... .max, using: &self)
        }
    }
}

extension UInt8: Generated {
    static func random(using generator: inout SeededGenerator) -> UInt8 { generator.number() }
}
extension UInt16: Generated {
    static func random(using generator: inout SeededGenerator) -> UInt16 { generator.number() }
}
extension UInt32: Generated {
    static func random(using generator: inout SeededGenerator) -> UInt32 { generator.number() }
}
extension UInt64: Generated {
    static func random(using generator: inout SeededGenerator) -> UInt64 { generator.number() }
}
extension Int8: Generated {
    static func random(using generator: inout SeededGenerator) -> Int8 { generator.number() }
}
extension Int16: Generated {
    static func random(using generator: inout SeededGenerator) -> Int16 { generator.number() }
}
extension Bool: Generated {
    static func random(using generator: inout SeededGenerator) -> Bool { generator.next() & 1 == 0 }
}

extension MedicalFloat: Generated {
    static func random(using generator: inout SeededGenerator) -> MedicalFloat {
        let specials: [MedicalFloat] = [.nan, .notAtThisResolution, .positiveInfinity, .negativeInfinity, .reserved]
        return specials.randomElement(using: &generator).flatMap { generator.any() ? $0 : nil }
            ?? MedicalFloat(bitPattern: generator.any())
    }
}

extension MedicalShortFloat: Generated {
    static func random(using generator: inout SeededGenerator) -> MedicalShortFloat {
        MedicalShortFloat(bitPattern: generator.any())
    }
}

extension DateTime: Generated {
    static func random(using generator: inout SeededGenerator) -> DateTime {
        DateTime(
            year: generator.maybe(), month: generator.maybe(), day: generator.maybe(), hour: generator.any(),
            minute: generator.any(), second: generator.any())
    }
}

extension AssignedNumber where RawValue == UInt8, Self: Generated {
    static func random(using generator: inout SeededGenerator) -> Self { Self(rawValue: generator.any()) }
}

extension StatusWord where RawValue: Generated, Self: Generated {
    static func random(using generator: inout SeededGenerator) -> Self { Self(rawValue: generator.any()) }
}

extension TemperatureUnit: Generated {
    static func random(using generator: inout SeededGenerator) -> TemperatureUnit {
        generator.any() ? .celsius : .fahrenheit
    }
}

extension DecimalNumber: Generated {
    static func random(using generator: inout SeededGenerator) -> DecimalNumber {
        DecimalNumber(generator.number(), exponent: Int.random(in: -150...150, using: &generator))
    }
}
