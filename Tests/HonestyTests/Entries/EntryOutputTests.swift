import Testing
import Vitals

/// Every output shows every field of an entry, and every fact about it, or is listed here with the reason why not.
@Suite("Entries in every output")
struct EntryOutputTests {
    @Test(
        "show each field of each kind and each fact, unless a gap with its reason says otherwise",
        arguments: EntryOutput.allCases)
    func fields(output: EntryOutput) throws {
        let gaps = EntryGap.all.filter { $0.outputs.contains(output) }
        var shownThough: [EntryGap: [String]] = [:]
        var used: Set<EntryGap> = []
        for kind in RecordEntry.Kind.allCases {
            for change in try EntryChange.all(of: kind) {
                let isShown = try output.text(change.before) != output.text(change.after)
                let found = gaps.filter { $0.isOf(change.name, kind) }
                #expect(found.count <= 1, "\(change.name) of \(kind.rawValue) has two gaps")
                guard let gap = found.first else {
                    #expect(isShown, "\(output.rawValue) does not show \(change.name) of \(kind.rawValue)")
                    continue
                }
                used.insert(gap)
                if isShown { shownThough[gap, default: []].append("\(change.name) of \(kind.rawValue)") }
            }
        }
        for (gap, names) in shownThough {
            Issue.record("\(output.rawValue) shows \(names.joined(separator: ", ")), which is no gap: \(gap.reason)")
        }
        for gap in gaps where !used.contains(gap) {
            Issue.record("there is nothing of \(gap.names) that \(output.rawValue) could leave out")
        }
    }

    @Test("never have the time of arrival in the place of an unknown one", arguments: EntryOutput.people)
    func unknownTime(output: EntryOutput) throws {
        for kind in RecordEntry.Kind.allCases {
            var entry = try EntryChange.sample(kind)
            entry.facts.isTimeKnown = false
            let known = try output.text(try EntryChange.sample(kind))
            let unknown = try output.text(entry)
            #expect(unknown.lowercased().contains("unknown"), "\(output.rawValue) of \(kind.rawValue): \(unknown)")
            #expect(!known.lowercased().contains("time unknown"))
        }
    }

    @Test("have no impossible value: a field beyond its range, too long or no word of its list is refused by its kind")
    func impossible() throws {
        for kind in RecordEntry.Kind.allCases {
            let content = try EntryChange.sample(kind).content
            #expect(content.complaint == nil, "\(kind.rawValue): \(content.complaint ?? "")")
            for field in kind.fields where !field.isDerived {
                for value in EntryChange.impossible(field) {
                    #expect(!field.allows(value), "\(field.name) of \(kind.rawValue) allows \(value)")
                    var values = content.values(taken: 0)
                    values[field.name] = value
                    // A word that means nothing makes no content, or one without that field.
                    guard case .number = value, case .number = field.value(content),
                        let made = kind.content(values)
                    else { continue }
                    #expect(made.complaint != nil, "\(kind.rawValue) with \(field.name) \(value)")
                }
            }
        }
    }

    @Test("are made of the values of their fields again")
    func roundTrip() throws {
        for kind in RecordEntry.Kind.allCases {
            for change in try EntryChange.all(of: kind) where change.after.absence == nil && change.name != "time" {
                let entry = change.after
                #expect(kind.content(entry.content.values(taken: entry.taken.wallMilliseconds)) == entry.content)
            }
        }
    }
}

extension EntryOutput {
    /// Those that people read.
    static let people: [EntryOutput] = [.lines, .page, .history, .report, .reportHTML]
    /// Those that read back what was written.
    static let imports: Set<EntryOutput> = [.importedCSV, .importedFHIR]
}

/// Something that an output does not show, and why.
struct EntryGap: Hashable {
    /// What it does not show; everything where this is empty.
    var names: [String]
    var outputs: Set<EntryOutput>
    var kinds = Set(RecordEntry.Kind.allCases)
    var reason: String

    init(
        _ names: String..., in outputs: Set<EntryOutput>, of kinds: Set<RecordEntry.Kind>? = nil, because reason: String
    ) {
        (self.names, self.outputs, self.reason) = (names, outputs, reason)
        if let kinds { self.kinds = kinds }
    }

    func isOf(_ name: String, _ kind: RecordEntry.Kind) -> Bool {
        (names.isEmpty || names.contains(name)) && kinds.contains(kind)
    }

    private static let leaving = Set(RecordEntry.Kind.allCases).subtracting([.note])
    private static let vitals = Set(RecordEntry.Kind.allCases.filter { $0.vital != nil })
    private static let importable = Set(RecordEntry.Kind.typed)
    private static let counted = Set(RecordEntry.Kind.allCases).subtracting([.medication, .note])

    static let all = [
        EntryGap(
            "file", "device time", "number of the device", in: [.lines, .list],
            because: "a line has room for what matters at once; the page of the record has them"),
        EntryGap(
            "raw", "raw_change", "calibrated", "serial", in: [.lines, .list], of: [.calibration],
            because: "a line has room for what matters at once; the page of the record has them"),
        EntryGap(
            "raw", "raw_change", "calibrated", "calibrated_name", "serial", in: [.csvWide], of: [.calibration],
            because: "a column for each would be mostly empty, and words are in csv only"),
        // Whoever typed it is told that it is left out, and what a sensor hands over is counted.
        EntryGap(
            "value", "raw", "raw_change", "calibrated", "calibrated_name", "serial", "sensor", "file",
            "whether the time is known", "time", "device time", "device time of an unknown time",
            "number of the device",
            "quality", "remark", "user", "unknown user", "that nobody has confirmed it",
            "that somebody has confirmed it", "reason of an absence", "mistake", "why it is a mistake",
            in: [.importedCSV], of: [.calibration],
            because: "only the monitor makes a calibration, of counts that it received"),
        EntryGap(
            in: [.importedFHIR], of: [.calibration],
            because: "only the monitor makes a calibration, of counts that it received"),
        EntryGap(
            "why it is a mistake", in: [.list], because: "the page of the record has it, beside the correction"),
        EntryGap(
            "device time", "number of the device", in: [.history, .report, .reportHTML],
            because: "people read when it was measured; the device's clock stands where that is unknown"),
        EntryGap("site", in: [.csvWide], of: vitals, because: "a column is a quantity of a sensor, at whatever site"),
        EntryGap("symptom", in: [.csvWide], of: [.symptom], because: "own words are words, which are in csv only"),
        EntryGap("by", in: [.csvWide], of: [.mascc], because: "names are words, which are in csv only"),
        EntryGap(
            "device time", "number of the device", "why it is a mistake", in: [.csvWide], of: counted,
            because: "a column for each would be mostly empty, and mistakes are left out"),
        EntryGap(
            "name", "dose", "unit", "antipyretic", "text", "file", "time", "mistake", "device time",
            "number of the device", "why it is a mistake", in: [.csvWide], of: [.medication, .note],
            because: "words have no column, and are in csv only"),
        EntryGap(
            "file", "why it is a mistake", in: [.ward], of: leaving,
            because: "reasons and the names of files may be those of people, and stay at the bed"),
        EntryGap("by", in: [.ward], of: [.mascc], because: "the names of people stay at the bed"),
        EntryGap(in: [.ward], of: [.note], because: "notes stay at the bed"),
        EntryGap(
            "sensor", "reason of an absence", "that nobody has confirmed it", "that somebody has confirmed it",
            in: [.importedCSV, .importedFHIR], of: importable,
            because: "what sensors handed over is left out; only what people entered is imported"),
        EntryGap(
            "file", in: [.importedCSV, .importedFHIR], of: importable,
            because: "an imported entry comes from the file that is read"),
    ]
}
