import TestSupport
import VitalDecoders

extension PolarMeasurementType: Generated {}
extension PolarMeasurementCommand: Generated {}
extension PolarMeasurementStatus: Generated {}

extension PolarPulseInterval: Generated {
    static func random(using generator: inout SeededGenerator) -> PolarPulseInterval {
        PolarPulseInterval(
            pulseRate: generator.any(), milliseconds: generator.any(), errorMilliseconds: generator.any(),
            flags: generator.any())
    }
}

extension PolarMeasurementControl: Generated {
    static func random(using generator: inout SeededGenerator) -> PolarMeasurementControl {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: .features(generator.list(upTo: 16))
        case 1:
            .command(
                PolarMeasurementCommand(rawValue: UInt8.random(in: 1...6, using: &generator)),
                parameters: generator.list(upTo: 20))
        default:
            if Bool.random(using: &generator) {
                .answer(generator.any(), type: generator.any(), generator.any(), hasMore: nil, parameters: [])
            } else {
                .answer(
                    generator.any(), type: generator.any(), generator.any(), hasMore: generator.any(),
                    parameters: generator.list(upTo: 20))
            }
        }
    }
}

extension PolarMeasurementFrame: Generated {
    static func random(using generator: inout SeededGenerator) -> PolarMeasurementFrame {
        let timestamp: UInt64 = generator.any()
        func samples(_ channels: Int, bits: Int, _ generator: inout SeededGenerator) -> Content {
            let range = -(1 << (bits - 1))...(1 << (bits - 1)) - 1
            let count = Int.random(in: 1...300, using: &generator)
            return .samples(
                (0..<count * channels).map { _ in Int32(Int.random(in: range, using: &generator)) },
                channels: channels)
        }
        let isCut: Bool = generator.any()
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            return PolarMeasurementFrame(
                type: .electrocardiogram, timestamp: timestamp, content: samples(1, bits: 24, &generator), isCut: isCut)
        case 1:
            let octets = Int.random(in: 1...3, using: &generator)
            return PolarMeasurementFrame(
                type: .acceleration, timestamp: timestamp, frameType: UInt8(octets - 1),
                content: samples(3, bits: octets * 8, &generator), isCut: isCut)
        case 2:
            return PolarMeasurementFrame(
                type: .acceleration, timestamp: timestamp, frameType: 1, isCompressed: true,
                content: samples(3, bits: 16, &generator), isCut: isCut)
        case 3:
            return PolarMeasurementFrame(
                type: .photoplethysmogram, timestamp: timestamp, isCompressed: generator.any(),
                content: samples(4, bits: 24, &generator), isCut: isCut)
        case 4:
            return PolarMeasurementFrame(
                type: .pulseIntervals, timestamp: timestamp, content: .intervals(generator.list(upTo: 20)),
                isCut: isCut)
        default:
            return PolarMeasurementFrame(
                type: PolarMeasurementType(rawValue: 5), timestamp: timestamp, frameType: generator.any(),
                isCompressed: generator.any(), content: .unread(generator.list(upTo: 40)))
        }
    }
}
