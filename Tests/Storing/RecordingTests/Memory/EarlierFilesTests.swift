import Glibc
import Monitoring
import TestSupport
import Testing
import UserFiles
import Vitals

@testable import Recording

@Suite("Files of earlier versions")
struct EarlierFilesTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()

    init() throws {
        folder = try ScratchFolder()
    }

    /// The files as version 0.1 wrote them.
    private static let files = [
        "sensors.json": """
        {"version":1,"sensors":[
        {"address":"C0:52:49:00:00:02","name":"Polar H10 1234","kind":"heart_rate_strap",\
        "label":"Ada \\"Bed 3\\" 心","wanted":true},
        {"address":"C0:52:49:00:00:03","name":"e-Oximeter","kind":"oximeter","label":null,"wanted":false,\
        "vitals":["pulse_rate","spo2"]}
        ]}

        """,
        "patient.json": """
        {"version":1,"limits":[
        {"vital":"heart_rate","rule":"high","hundredths":13000,"priority":"high","milliseconds":0},
        {"vital":"spo2","rule":"low","hundredths":null,"priority":"medium","milliseconds":1500},
        {"vital":"body_temperature","rule":"rise","hundredths":55,"priority":"low","milliseconds":600000},
        {"vital":"pulse_rate","rule":"fall","hundredths":null,"priority":"medium","milliseconds":60000},
        {"vital":"heart_rate","rule":"flat_line","milliseconds":null},
        {"vital":"pulse_rate","rule":"flat_line","milliseconds":90000}
        ],"neutrophils":{"per_microlitre":450,"sampled_at_ms":1772200200000,"entered_by":"Ada \\"心\\""}}

        """,
        "links.json": """
        {"version":1,"links":[
        {"address":"C0:52:49:00:00:02","bus":"0123456789abcdef","daemon":":1.3","client":":1.7"}
        ]}

        """,
    ]

    private func write(_ files: [String: String] = files) throws {
        for (name, text) in files { _ = try folder.write(text, to: name) }
    }

    private func opening() async throws -> Recording.Recorder.Opening {
        let recorder = Recording.Recorder(
            .init(
                path: "\(folder.path)/data/store.sqlite", day: "2026-01-02", programVersion: "1.0",
                earlierFolder: folder.path), inbox: RecorderInbox(), loop: running.loop, now: { .at(1) }
        ) { _ in }
        let opening = await recorder.open(at: .at(0))
        await recorder.close()
        return opening
    }

    @Test("are taken over with everything in them, once, and kept under another name")
    func migration() async throws {
        try write()
        let expected = StoredMemory(sensors: [.strap, .oximeter], patient: .everyRule, links: [.strap])
        let first = try await opening()
        #expect(first.memory == expected)
        #expect(first.trouble == nil)
        for (name, text) in Self.files {
            #expect(access("\(folder.path)/\(name)", F_OK) != 0)
            let kept = try PrivateFile.read("\(folder.path)/\(name).old")
            #expect(kept.map { String(decoding: $0, as: UTF8.self) } == text)
        }
        #expect(try await opening().memory == expected)
    }

    @Test("that were not renamed because the program was killed change nothing that was decided later")
    func again() async throws {
        try write()
        _ = try await opening()
        let store = MemoryStore(database: try StoreFile.open("\(folder.path)/data/store.sqlite", day: "").database)
        var renamed = RememberedSensor.strap
        renamed.setLabel("Bo")
        try store.write(.remembered(renamed))
        let patient = MonitorMemory(limits: [MonitorMemory.everyRule.limits[0]])
        try store.write(.patient(patient))
        try write()
        #expect(
            try await opening().memory
                == StoredMemory(sensors: [renamed, .oximeter], patient: patient, links: [.strap]))
    }

    @Test(
        "that are broken are kept with a sentence, and the others are taken over",
        arguments: [
            ("sensors.json", "", "line 1"), ("sensors.json", "[]", "version"), ("sensors.json", "{", "line 1"),
            ("sensors.json", #"{"version":1,"sensors":{}}"#, "no list of sensors"),
            ("sensors.json", "\u{0}\u{1B}[2J", "line 1"),
            ("patient.json", "{version: 1}", "no list of limits"),
            ("patient.json", "{version: 1, limits: [{vital: 'heart_rate', rule: 'high'}]}", "line 1 is no rule"),
            ("patient.json", "{version: 1, limits: [\n{vital: 'mood', rule: 'flat_line', milliseconds: 1}]}", "line 2"),
            ("patient.json", "{version: 1, limits: [], neutrophils: {per_microlitre: 1.5}}", "no neutrophil count"),
            ("links.json", String(repeating: "[", count: 100_000), "within each other"),
            ("links.json", #"{"links":[]}"#, "version"),
        ])
    func broken(name: String, text: String, reason: String) async throws {
        try write()
        try write([name: text])
        let opening = try await opening()
        #expect(opening.trouble?.contains(reason) == true, "\(opening.trouble ?? "")")
        #expect(opening.trouble?.contains("kept as \(folder.path)/\(name).old") == true)
        let kept = try PrivateFile.read("\(folder.path)/\(name).old")
        #expect(kept == Array(text.utf8))
        let memory = try #require(opening.memory)
        #expect(memory.sensors.isEmpty == (name == "sensors.json"))
        #expect(memory.patient.isEmpty == (name == "patient.json"))
        #expect(memory.links.isEmpty == (name == "links.json"))
    }

    @Test("skip entries without an address, and read unknown words as unspecific values")
    func oddEntries() throws {
        let text = """
            {"version":1,"site":"ward 3","sensors":[7,{"address":"x"},{"serial":[1,null]},
            {"address":"C0:52:49:00:00:02","kind":"toaster","wanted":3,"vitals":["spo2","tail wag",7]}]}
            """
        #expect(
            try EarlierFiles.sensors(Array(text.utf8)) == [
                RememberedSensor(
                    address: "C0:52:49:00:00:02", name: "C0:52:49:00:00:02", kind: .other, isWanted: nil,
                    assignedVitals: [.oxygenSaturation])
            ])
        let links = #"{"version":1,"links":[1,null,{},[],{"address":"C0:52:49:00:00:02","bus":"b","daemon":":1.3"}]}"#
        #expect(try EarlierFiles.links(Array(links.utf8)) == [])
    }
}
