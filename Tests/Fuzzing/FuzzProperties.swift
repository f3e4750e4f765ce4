import VitalDecoders

@testable import CommandLineInterface
@testable import JSON

extension FuzzInput {
    /// Gives the input to its target, and says what is wrong with the outcome, if anything is.
    ///
    /// Any octets are a legitimate input: they decode or are malformed. A trap or a read past the end ends the process.
    ///
    /// - Parameter onlyDecoding: Whether nothing is done but decoding and encoding, which is many times quicker.
    func problem(onlyDecoding: Bool = false) -> String? {
        if target > Self.linesTarget {
            let driver = DriverFuzz.drivers[target - Self.linesTarget - 1]
            return onlyDecoding ? nil : DriverFuzz.play(driver, plan: plan.rawValue, value).problem
        }
        guard target < Self.linesTarget else { return onlyDecoding ? nil : problemOfLines() }
        let characteristic = Self.decoders[target]
        let found =
            switch onlyDecoding ? .roundTrip : plan.task {
            case .roundTrip: problemOfRoundTrip(characteristic)
            case .fields: problemOfFields(characteristic)
            case .layout: problemOfLayout(characteristic)
            case .answer: problemOfAnswer(characteristic)
            }
        return found.map { "\(characteristic.name), \(plan.context), \(Array(value)): \($0)" }
    }

    /// A value that decodes can be encoded, and what is encoded decodes to what is encoded the same way.
    private func problemOfRoundTrip(_ characteristic: CharacteristicType) -> String? {
        let once: [UInt8]
        do throws(MalformedValueError) {
            once = try characteristic.canonicalOctets(of: value.span, context: plan.context)
        } catch {
            return problem(of: error)
        }
        do throws(MalformedValueError) {
            let twice = try characteristic.canonicalOctets(of: once.span, context: plan.context)
            return once == twice ? nil : "is encoded as \(once), and that as \(twice)"
        } catch {
            return "is encoded as \(once), which is malformed: \(error)"
        }
    }

    /// What is encoded says what was decoded, and every number in it is one.
    private func problemOfFields(_ characteristic: CharacteristicType) -> String? {
        do throws(MalformedValueError) {
            let fields = try characteristic.fields(of: value.span, context: plan.context)
            let encoded = try characteristic.canonicalOctets(of: value.span, context: plan.context)
            guard try characteristic.fields(of: encoded.span, context: plan.context) == fields else {
                return "is encoded as \(encoded), which says something else"
            }
            return Self.isFinite(.object(fields)) ? nil : "has a number that is none"
        } catch {
            return problem(of: error)
        }
    }

    private static func isFinite(_ value: FieldValue) -> Bool {
        switch value {
        case .absent, .bool, .integer, .text: true
        case .decimal(let number): number.doubleValue.isFinite
        case .list(let values): values.allSatisfy(isFinite)
        case .object(let fields): fields.allSatisfy { isFinite($0.value) }
        }
    }

    /// The fields lie one after the other inside of the value, and are malformed where decoding says so.
    private func problemOfLayout(_ characteristic: CharacteristicType) -> String? {
        let (records, error) = characteristic.layout(of: value.span, context: plan.context)
        var end = 0
        for record in records {
            guard record.offset == end, record.count >= 0 else { return "has a gap before \(record)" }
            end += record.count
        }
        guard end <= value.count else { return "has fields past its end: \(records)" }
        return decodingError(characteristic) == error ? error.flatMap(problem) : "is laid out with another error"
    }

    private func decodingError(_ characteristic: CharacteristicType) -> MalformedValueError? {
        do throws(MalformedValueError) {
            _ = try characteristic.fields(of: value.span, context: plan.context)
            return nil
        } catch {
            return error
        }
    }

    private func problem(of error: MalformedValueError) -> String? {
        guard 0...value.count ~= error.offset else { return "is malformed at an offset outside of it: \(error)" }
        return error.reason.isEmpty ? "is malformed without a reason" : nil
    }

    /// `bedside decode` answers a value with harmless text.
    private func problemOfAnswer(_ characteristic: CharacteristicType) -> String? {
        var output = JSONWriter()
        _ = responder.answer(DecodeRequest(uuid: characteristic.uuid, octets: Array(value)), to: &output)
        return problem(ofText: output.bytes)
    }

    /// `bedside decode - -` answers any octets with harmless text, in JSON one line for each line.
    private func problemOfLines() -> String? {
        var batch = DecodeBatch(responder)
        // Where chunks end must not matter.
        let half = value.count / 2
        let chunks = [value[..<half], value[half...]].map { ArraySlice($0) }
        let text = chunks.flatMap { batch.answers(to: $0) } + batch.lastAnswer()
        let lineFeed = UInt8(ascii: "\n")
        let expected = value.count { $0 == lineFeed } + (value.last.map { $0 != lineFeed } ?? false ? 1 : 0)
        guard plan.explains || text.count(where: { $0 == lineFeed }) == expected else {
            return "the lines \(Array(value)) have not one answer each"
        }
        return problem(ofText: text).map { "the lines \(Array(value)): \($0)" }
    }

    private var responder: DecodeResponder {
        DecodeResponder(context: plan.context, form: plan.explains ? .explanation(colors: false) : .json)
    }

    private func problem(ofText text: [UInt8]) -> String? {
        guard let string = String(validating: text, as: UTF8.self) else { return "is answered with broken UTF-8" }
        let isHarmless = string.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || !(scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value)
        }
        return isHarmless ? nil : "is answered with control characters"
    }
}
