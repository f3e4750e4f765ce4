import Foundation
import Testing
import VitalDecoders

/// A value of a characteristic and what it says, from the list in `Vectors/vectors.txt`.
struct Vector: CustomTestStringConvertible {
    var uuid: BluetoothUUID
    var octets: [UInt8]
    /// `real`, `suite`, `maker` or `made`.
    var origin: String
    /// The fields as JSON, or `malformed at OFFSET: REASON`.
    var expected: String

    var testDescription: String { "\(uuid) \(octets)" }

    /// The file that all vectors are in.
    static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/vectors.txt")

    /// All vectors, in the order of the file.
    static let all: [Vector] = {
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap(Vector.init)
    }()

    private init?(line: Substring) {
        let parts = line.split(separator: "|", maxSplits: 3).map { $0.trimmingCharacters(in: .whitespaces) }
        guard !line.hasPrefix("#"), parts.count == 4, let uuid = BluetoothUUID(parts[0]) else { return nil }
        self.uuid = uuid
        octets = VitalDecodersTests.octets(parts[1])
        origin = parts[2]
        expected = parts[3]
    }
}

/// What decoding a value gives, in the words of the list of vectors.
func outcome(_ characteristic: CharacteristicType, _ octets: [UInt8]) -> String {
    do throws(MalformedValueError) {
        return text(.object(try characteristic.fields(of: octets.span)))
    } catch {
        return "malformed at \(error.offset): \(error.reason)"
    }
}

/// The part of JSON that the values of vectors need.
func text(_ value: FieldValue) -> String {
    switch value {
    case .absent: "null"
    case .bool(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .list(let values): "[" + values.map(text).joined(separator: ",") + "]"
    case .object(let fields): "{" + fields.map { "\"\($0.name)\":\(text($0.value))" }.joined(separator: ",") + "}"
    }
}
