import Testing
import Vitals

/// An entry, and the same one with something else: whatever shows both alike does not show that.
struct EntryChange {
    /// What is changed: a field of the content, or a fact.
    var name: String
    var before: RecordEntry
    var after: RecordEntry

    /// 2026-03-01 13:50:00 UTC.
    private static let entered = Moment(
        monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_772_373_000_000)
    private static let meter = SensorIdentity(address: "C0:52:49:00:00:09", name: "Meter A", kind: .glucose)
    private static let cuff = SensorIdentity(address: "C0:52:49:00:00:0B", name: "Cuff B", kind: .bloodPressure)
    private static let deviceTime = DeviceTime(year: 2026, month: 3, day: 1, hour: 11, minute: 12, second: 13)

    /// An entry of a kind with a value in every field.
    static func sample(_ kind: RecordEntry.Kind) throws -> RecordEntry {
        let taken = entered.advanced(by: .seconds(-720))
        var values = EntryField.Values(taken: taken.wallMilliseconds)
        for field in kind.fields where !field.isDerived { values[field.name] = value(of: field, kind) }
        return RecordEntry(try #require(kind.content(values)), taken: taken, enteredAt: entered)
    }

    private static func value(of field: EntryField, _ kind: RecordEntry.Kind) -> EntryField.Value {
        switch field.form {
        case .whole(let range):
            let usual = ["systolic": 142, "diastolic": 88, "mean": 106, "pulse_rate": 71, "severity": 6, "value": 450]
            return .number(usual[field.name] ?? range.lowerBound + 1)
        case .hundredths(let range):
            let usual: [RecordEntry.Kind: Int] = [
                .bodyTemperature: 3840, .heartRate: 7200, .oxygenSaturation: 9700, .glucose: 11_800, .weight: 7240,
            ]
            let counts = [
                "white_cells": 120_000, "haemoglobin": 980, "platelets": 4_500_000, "neutrophil_count": 42_000,
                "raw_change": 80,
            ]
            return .number(usual[kind] ?? counts[field.name] ?? range.lowerBound + 1000)
        case .thousandths: return .number(500_000)
        case .word(let words): return .text(words.contains("mouth") ? "mouth" : words[0])
        case .text: return .text("words of \(field.name)")
        case .flag: return .flag(false)
        }
    }

    /// Another value that is possible beside the others.
    private static func others(_ field: EntryField, _ value: EntryField.Value?) -> [EntryField.Value?] {
        let removed: [EntryField.Value?] = field.isRequired || field.role == .unit ? [] : [nil]
        switch (field.form, value) {
        case (.whole, .number(let number)): return [.number(number + 1)] + removed
        case (.hundredths, .number(let number)): return [.number(number + 100)] + removed
        case (.thousandths, .number(let number)): return [.number(number + 1000)] + removed
        case (.word(let words), .text(let word)): return [words.first { $0 != word }.map { .text($0) }] + removed
        case (.text, .text(let text)): return [.text("other \(text)")] + removed
        case (.flag, .flag(let flag)): return [.flag(!flag)]
        default: return []
        }
    }

    /// Values that are not possible.
    static func impossible(_ field: EntryField) -> [EntryField.Value] {
        switch field.form {
        case .whole(let range), .hundredths(let range), .thousandths(let range):
            [.number(range.lowerBound - 1), .number(range.upperBound + 1), .text("1")]
        case .word: [.text("no such word"), .number(0)]
        case .text(let limit): [.text(String(repeating: "x", count: limit + 1)), .text("\u{1B}[31m"), .flag(true)]
        case .flag: [.number(1), .text("true")]
        }
    }

    /// Every change of an entry of a kind.
    static func all(of kind: RecordEntry.Kind) throws -> [EntryChange] {
        let typed = try sample(kind)
        let values = typed.content.values(taken: typed.taken.wallMilliseconds)
        var changes: [EntryChange] = []
        for field in kind.fields where !field.isDerived {
            for other in others(field, values[field.name]) {
                var changed = values
                changed[field.name] = other
                var entry = typed
                entry.content = try #require(kind.content(changed))
                changes.append(EntryChange(name: field.name, before: typed, after: entry))
            }
        }
        return changes + facts(of: typed, kind)
    }

    private static func facts(of typed: RecordEntry, _ kind: RecordEntry.Kind) -> [EntryChange] {
        func change(_ name: String, _ before: RecordEntry, _ make: (inout RecordEntry) -> Void) -> EntryChange {
            var after = before
            make(&after)
            return EntryChange(name: name, before: before, after: after)
        }
        // What sensors hand over is left out by imports, which read what people have typed.
        var imported = typed
        imported.origin = ImportOrigin(key: "key", source: "labs.csv (csv)")
        var unknown = typed
        unknown.facts.isTimeKnown = false
        var handedOver = typed
        handedOver.source = .sensor(meter)
        var unconfirmed = handedOver
        unconfirmed.facts.confirmation = .awaited
        var absent = typed
        absent.content = .noMeasurement(kind, .equipment)
        absent.source = .sensor(meter)
        return [
            change("source", typed) { $0.source = .sensor(meter) },
            change("sensor", absent) { $0.source = .sensor(cuff) },
            change("file", imported) { $0.origin = ImportOrigin(key: "key", source: "other.csv (csv)") },
            change("whether the time is known", typed) { $0.facts.isTimeKnown = false },
            change("time", typed) { $0.taken = $0.taken.advanced(by: .seconds(-120)) },
            change("device time", typed) { $0.facts.deviceTime = deviceTime },
            change("device time of an unknown time", unknown) { $0.facts.deviceTime = deviceTime },
            change("number of the device", typed) { $0.facts.sequence = 4711 },
            change("quality", typed) { $0.facts.quality = .questionable },
            change("remark", typed) { $0.facts = EntryFacts(remark: "cuff too loose") },
            change("user", typed) { $0.facts.user = 2 },
            change("unknown user", typed) { $0.facts.user = EntryFacts.unknownUser },
            change("that nobody has confirmed it", handedOver) { $0.facts.confirmation = .awaited },
            change("that somebody has confirmed it", unconfirmed) { $0.confirm(at: entered) },
            change("reason of an absence", absent) { $0.content = .noMeasurement(kind, .unusable) },
            change("mistake", typed) { $0.retract(at: entered, reason: "") },
            change("why it is a mistake", change("", typed) { $0.retract(at: entered, reason: "misread") }.after) {
                $0 = typed
                $0.retract(at: entered, reason: "another bed")
            },
        ]
    }
}
