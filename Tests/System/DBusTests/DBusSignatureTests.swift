import DBus
import TestSupport
import Testing

@Suite("A signature")
struct DBusSignatureTests {
    @Test(
        "is parsed into its types",
        arguments: [
            ("", []),
            ("y", [.byte]),
            ("bnqiuxtd", [.boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double]),
            ("sogh", [.string, .objectPath, .signature, .unixFileDescriptor]),
            ("v", [.variant]),
            ("ay", [.bytes]),
            ("aas", [.array(.array(.string))]),
            ("a{sv}", [.properties]),
            ("a{oa{sa{sv}}}", [.dictionary(key: .objectPath, value: .dictionary(key: .string, value: .properties))]),
            ("(i(sv))", [.structure([.int32, .structure([.string, .variant])])]),
            ("a(ua{yv})s", [.array(.structure([.uint32, .dictionary(key: .byte, value: .variant)])), .string]),
        ] as [(String, [DBusType])])
    func valid(text: String, types: [DBusType]) throws {
        #expect(try DBusSignature(parsing: text).types == types)
        #expect(DBusSignature(types).description == text)
    }

    @Test(
        "that is none is refused at the offset where it goes wrong",
        arguments: [
            ("z", 0), ("sz", 1), ("a", 1), ("sa", 2), ("aa", 2), ("(", 1), ("(s", 2), (")", 0), ("()", 1), ("s()", 2),
            ("{sv}", 0), ("a{", 2), ("a{s", 3), ("a{sv", 4), ("a{svs}", 4), ("a{vs}", 2), ("a{(i)s}", 2),
            ("a{ass}", 2), ("a{}", 2), ("(s}", 2), ("s v", 1), ("é", 0), ("r", 0), ("e", 0), ("a}", 1), ("\0", 0),
        ])
    func invalid(text: String, offset: Int) {
        #expect(throws: InvalidSignatureError.self) { try DBusSignature(parsing: text) }
        do {
            _ = try DBusSignature(parsing: text)
        } catch {
            #expect(error.offset == offset, "\(error)")
            #expect(error.description.hasSuffix("at offset \(offset)"))
        }
    }

    @Test("holds no more than 255 characters, 32 nested arrays and 32 nested structures")
    func bounds() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + "y" + String(repeating: close, count: depth)
        }
        #expect(try DBusSignature(parsing: String(repeating: "y", count: 255)).types.count == 255)
        #expect(try DBusSignature(parsing: nested(32, "a", "")).types.count == 1)
        #expect(try DBusSignature(parsing: nested(32, "(", ")")).types.count == 1)
        #expect(try DBusSignature(parsing: nested(32, "a(", ")")).types.count == 1)
        for text in [String(repeating: "y", count: 256), nested(33, "a", ""), nested(33, "(", ")")] {
            #expect(throws: InvalidSignatureError.self) { try DBusSignature(parsing: text) }
        }
    }

    @Test("that is printed from any types is parsed into the same ones", arguments: 0..<200)
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let types = (0..<Int.random(in: 0...4, using: &random)).map { _ in DBusType.random(depth: 3, using: &random) }
        let text = DBusSignature(types).description
        guard text.utf8.count <= 255 else { return }
        #expect(try DBusSignature(parsing: text).types == types)
    }
}

extension DBusType {
    fileprivate static let basic: [DBusType] = [
        .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
        .unixFileDescriptor,
    ]

    /// Any type with a limited depth of containers.
    fileprivate static func random(depth: Int, using random: inout SeededGenerator) -> DBusType {
        let key = basic[Int.random(in: 0..<basic.count, using: &random)]
        switch depth == 0 ? 0 : Int.random(in: 0...4, using: &random) {
        case 1: return .array(Self.random(depth: depth - 1, using: &random))
        case 2:
            let count = Int.random(in: 1...3, using: &random)
            return .structure((0..<count).map { _ in Self.random(depth: depth - 1, using: &random) })
        case 3: return .dictionary(key: key, value: Self.random(depth: depth - 1, using: &random))
        case 4: return .variant
        default: return key
        }
    }
}
