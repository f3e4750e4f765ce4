import Monitoring
import TestSupport
import Testing
import UserFiles
import Vitals

@testable import PatientFile

@Suite("The patient's file")
struct PatientFileTests {
    private let folder: ScratchFolder
    private let directories: UserDirectories
    /// 2026-11-20 13:46:47 UTC.
    private let now: Int64 = 1_795_182_407_000

    private let memory = MonitorMemory(
        limits: [
            .init(vital: .heartRate, setting: .limit(.high, AlarmLimit(VitalValue(whole: 130), .high))),
            .init(
                vital: .oxygenSaturation,
                setting: .limit(.low, AlarmLimit(nil, .medium, delay: .milliseconds(1500)))),
            .init(
                vital: .bodyTemperature,
                setting: .rise(ChangeLimit(VitalValue(hundredths: 55), within: .seconds(600), .low))),
            .init(vital: .pulseRate, setting: .fall(ChangeLimit(nil, within: .seconds(60), .medium))),
            .init(vital: .heartRate, setting: .flatLine(nil)),
            .init(vital: .pulseRate, setting: .flatLine(.seconds(90))),
        ],
        neutrophils: NeutrophilCount(perMicrolitre: 450, sampledAt: 1_772_200_200_000, enteredBy: "Ada \"心\""))

    init() throws {
        folder = try ScratchFolder()
        let path = folder.path
        directories = try UserDirectories(for: "bedside", environment: { _ in path }, accountHome: { nil })
    }

    private func file() -> PatientFile { PatientFile(in: directories) }

    private func loaded() throws -> MonitorMemory {
        var file = file()
        return try file.load(wallMilliseconds: now).memory
    }

    @Test("brings everything back as it was, and nothing after a new patient")
    func roundTrip() throws {
        #expect(try loaded() == MonitorMemory())
        var first = file()
        try first.keep(memory)
        #expect(try loaded() == memory)
        try first.keep(MonitorMemory())
        #expect(try loaded() == MonitorMemory())
    }

    @Test("is not made before there is something to keep, and simulated patients have another one")
    func unwritten() throws {
        var file = file()
        try file.keep(MonitorMemory())
        #expect(try PrivateFile.read(file.path) == nil)
        #expect(PatientFile(in: directories, isSimulated: true).path != file.path)
    }

    @Test(
        "that is broken is set aside with a sentence, and the limits of the settings hold",
        arguments: [
            ("", "line 1"), ("[]", "version"), ("{version: 1}", "list of limits"),
            ("{version: 1, limits: [{vital: 'heart_rate', rule: 'high'}]}", "line 1 is no rule"),
            ("{version: 1, limits: [\n{vital: 'mood', rule: 'flat_line', milliseconds: 1}]}", "line 2 is no rule"),
            ("{version: 1, limits: [], neutrophils: {per_microlitre: 1.5}}", "no neutrophil count"),
        ])
    func broken(text: String, reason: String) throws {
        var file = file()
        try PrivateFile.replace(file.path, with: Array(text.utf8))
        let loaded = try file.load(wallMilliseconds: now)
        #expect(loaded.memory == MonitorMemory())
        #expect(loaded.complaint?.contains(reason) == true, "\(loaded.complaint ?? "")")
        let aside = "\(file.path).broken-2026-11-20"
        #expect(try PrivateFile.read(aside).map { String(decoding: $0, as: UTF8.self) } == text)
        #expect(try PrivateFile.read(file.path) == nil)
    }

    @Test("of a later version is left alone")
    func newer() throws {
        var file = file()
        try PrivateFile.replace(file.path, with: Array("{version: 2, limits: 7}".utf8))
        #expect(throws: PatientFileError.newer(path: file.path)) {
            _ = try file.load(wallMilliseconds: now)
        }
    }

    @Test("that cannot be written says so in a sentence")
    func unwritable() throws {
        _ = try folder.write("in the way", to: "bedside")
        var file = file()
        let error = #expect(throws: PatientFileError.self) { try file.keep(memory) }
        #expect(error?.description.hasPrefix("Changed limits are not kept for a restart: ") == true)
    }
}
