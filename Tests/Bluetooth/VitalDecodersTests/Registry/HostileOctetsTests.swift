import TestSupport
import Testing
import VitalDecoders

@Suite("Hostile octets")
struct HostileOctetsTests {
    /// Decodes, explains, and looks at every number on the way.
    private func exercise(_ characteristic: CharacteristicType, _ octets: [UInt8], context: DecodingContext) {
        do throws(MalformedValueError) {
            let fields = try characteristic.fields(of: octets.span, context: context)
            if !isFinite(.object(fields)) { Issue.record("a number of \(characteristic.uuid) \(octets) is not finite") }
        } catch {
            if !(0...octets.count ~= error.offset) { Issue.record("the offset in \(characteristic.uuid) \(octets)") }
        }
    }

    private func isFinite(_ value: FieldValue) -> Bool {
        switch value {
        case .absent, .bool, .integer, .text: true
        case .decimal(let number): number.doubleValue.isFinite
        case .list(let values): values.allSatisfy(isFinite)
        case .object(let fields): fields.allSatisfy { isFinite($0.value) }
        }
    }

    @Test(
        "every first octet with every length up to 40 decodes or is malformed", .computing,
        arguments: CharacteristicType.all)
    func everyFlagAndLength(characteristic: CharacteristicType) {
        var generator = SeededGenerator(seed: 7)
        for first in UInt8.min...UInt8.max {
            for count in 0..<40 {
                let rest = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
                exercise(characteristic, [first] + rest, context: DecodingContext())
            }
        }
    }

    /// For every decoder: 3 000, or as many as `BEDSIDE_OCTET_STRINGS` says, which is ten million by `make fuzz`.
    private static let count = RandomCases.count("BEDSIDE_OCTET_STRINGS", usually: 3_000)

    @Test("random octets of any length decode or are malformed", arguments: CharacteristicType.all)
    func random(characteristic: CharacteristicType) {
        var generator = SeededGenerator(seed: RandomCases.firstSeed)
        let contexts = [nil, true, false].map(DecodingContext.init(endToEndCRC:))
        for round in 0..<Self.count {
            let count = Int.random(in: 0...(round % 100 == 0 ? 600 : 32), using: &generator)
            let octets = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            exercise(characteristic, octets, context: contexts[round % 3])
        }
    }

    @Test("every octet of every vector, replaced by every other, decodes or is malformed")
    func mutations() throws {
        for vector in Vector.all {
            let characteristic = try #require(CharacteristicType.with(uuid: vector.uuid))
            for index in vector.octets.indices {
                var octets = vector.octets
                for value in UInt8.min...UInt8.max {
                    octets[index] = value
                    exercise(characteristic, octets, context: DecodingContext())
                }
            }
        }
    }
}

extension CharacteristicType: @retroactive CustomTestStringConvertible {
    /// The name, for the titles of test cases.
    public var testDescription: String { name }
}
