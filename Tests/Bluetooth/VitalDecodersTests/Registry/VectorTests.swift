import Testing
import VitalDecoders

@Suite("Vectors")
struct VectorTests {
    @Test("the list of vectors is there, and has some for every characteristic")
    func complete() {
        #expect(Vector.all.count >= 140)
        for characteristic in CharacteristicType.all {
            #expect(Vector.all.contains { $0.uuid == characteristic.uuid }, "\(characteristic.name)")
        }
    }

    @Test("every vector says what the list says", arguments: Vector.all)
    func says(vector: Vector) throws {
        let characteristic = try #require(CharacteristicType.with(uuid: vector.uuid))
        #expect(outcome(characteristic, vector.octets) == vector.expected)
    }

    @Test("every vector that is cut short decodes, or is malformed at an offset inside of it or at its end")
    func truncation() throws {
        for vector in Vector.all {
            let characteristic = try #require(CharacteristicType.with(uuid: vector.uuid))
            for count in 0..<vector.octets.count {
                let cut = Array(vector.octets[..<count])
                do throws(MalformedValueError) {
                    _ = try characteristic.fields(of: cut.span)
                } catch {
                    #expect(0...count ~= error.offset, "\(vector.uuid) \(cut): \(error)")
                    #expect(!error.reason.isEmpty)
                }
            }
        }
    }

    @Test("the fields of a layout follow each other without gaps from the first octet, and never go past the end")
    func layouts() throws {
        for vector in Vector.all {
            let characteristic = try #require(CharacteristicType.with(uuid: vector.uuid))
            let layout = characteristic.layout(of: vector.octets.span)
            #expect((layout.error == nil) == !vector.expected.hasPrefix("malformed"))
            var next = 0
            for record in layout.records {
                #expect(record.offset == next, "\(vector.uuid) \(record)")
                #expect(!record.name.isEmpty && !record.format.isEmpty)
                next += record.count
            }
            #expect(next <= vector.octets.count)
        }
    }

    @Test("every UUID, and every name, belongs to one characteristic")
    func unique() {
        #expect(Set(CharacteristicType.all.map(\.uuid)).count == CharacteristicType.all.count)
        #expect(Set(CharacteristicType.all.map(\.name)).count == CharacteristicType.all.count)
    }
}
