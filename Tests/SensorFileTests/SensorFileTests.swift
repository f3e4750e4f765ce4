import TestSupport
import Testing
import UserFiles
import Vitals

@testable import SensorFile

@Suite("The file of remembered sensors")
struct SensorFileTests {
    private let folder: ScratchFolder
    private let directories: UserDirectories
    /// 2026-11-20 13:46:47 UTC.
    private let now: Int64 = 1_795_182_407_000

    static let strap = RememberedSensor(
        address: "C0:52:49:00:00:02", name: "Polar H10 1234", kind: .heartRateStrap, label: "Ada \"Bed 3\" 心",
        isWanted: true)
    static let oximeter = RememberedSensor(
        address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter, isWanted: false)

    init() throws {
        folder = try ScratchFolder()
        let path = folder.path
        directories = try UserDirectories(for: "bedside", environment: { _ in path }, accountHome: { nil })
    }

    private func file() -> SensorFile { SensorFile(in: directories) }

    private func write(_ text: String) throws {
        try PrivateFile.replace(file().path, with: Array(text.utf8))
    }

    private func text() throws -> String? {
        try PrivateFile.read(file().path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func loaded() throws -> [RememberedSensor] {
        var file = file()
        return try file.load(wallMilliseconds: now).sensors
    }

    @Test("brings back what was remembered, in that order, and nothing before there is anything")
    func roundTrip() throws {
        #expect(try loaded().isEmpty)
        #expect(try text() == nil)
        var first = file()
        try first.remember(Self.strap, wallMilliseconds: now)
        try first.remember(Self.oximeter, wallMilliseconds: now)
        #expect(try loaded() == [Self.strap, Self.oximeter])
        var changed = Self.strap
        changed.setLabel(nil)
        changed.isWanted = false
        try first.remember(changed, wallMilliseconds: now)
        #expect(try loaded() == [changed, Self.oximeter])
        try first.forget(address: Self.strap.address, wallMilliseconds: now)
        #expect(try loaded() == [Self.oximeter])
    }

    @Test("brings back which vitals the user wants taken from a sensor, and that they want none any more")
    func assigned() throws {
        var first = file()
        var sensor = Self.oximeter
        sensor.assignedVitals = [.pulseRate, .oxygenSaturation]
        try first.remember(sensor, wallMilliseconds: now)
        #expect(try text()?.contains(#""vitals":["pulse_rate","spo2"]"#) == true)
        #expect(try loaded() == [sensor])
        sensor.assignedVitals = []
        try first.remember(sensor, wallMilliseconds: now)
        #expect(try loaded() == [sensor])
        #expect(try text()?.contains("vitals") == false)
        try write(
            #"{"version":1,"sensors":[{"address":"C0:52:49:00:00:03","vitals":["spo2","tail wag",7]}]}"#)
        #expect(try loaded().first?.assignedVitals == [.oxygenSaturation])
    }

    @Test("has a sensor in a line, for people who look into it")
    func format() throws {
        var first = file()
        try first.remember(Self.oximeter, wallMilliseconds: now)
        try first.remember(Self.strap, wallMilliseconds: now)
        #expect(
            try text() == """
                {"version":1,"sensors":[
                {"address":"C0:52:49:00:00:03","name":"e-Oximeter","kind":"oximeter","label":null,"wanted":false},
                {"address":"C0:52:49:00:00:02","name":"Polar H10 1234","kind":"heart_rate_strap",\
                "label":"Ada \\"Bed 3\\" 心","wanted":true}
                ]}

                """)
    }

    @Test("keeps what two Bedsides note at the same time, and what it does not know itself")
    func shared() throws {
        try write(
            """
            {"version": 1, "site": "ward 3", "sensors": [
              {"address": "C0:52:49:00:00:02", "name": "x", "vital": "heart_rate", "since": 1.5, "wanted": true},
              {"serial": [1, null, {"a": false}]},
            ]}
            """)
        var (one, other) = (file(), file())
        _ = try one.load(wallMilliseconds: now)
        _ = try other.load(wallMilliseconds: now)
        try one.remember(Self.strap, wallMilliseconds: now)
        try other.remember(Self.oximeter, wallMilliseconds: now)
        #expect(try loaded() == [Self.strap, Self.oximeter])
        let text = try #require(try text())
        for kept in [#""site":"ward 3""#, #""vital":"heart_rate","since":1.5"#, #"{"serial":[1,null,{"a":false}]}"#] {
            #expect(text.contains(kept), "\(kept)")
        }
    }

    @Test("is not written when it would say the same")
    func unchanged() throws {
        var first = file()
        try first.remember(Self.strap, wallMilliseconds: now)
        try write("not touched")
        try first.remember(Self.strap, wallMilliseconds: now)
        #expect(try text() == "not touched")
    }

    @Test(
        "that is broken is set aside under a dated name with a sentence, and the program continues",
        arguments: ["{", "", "[]", "{}", #"{"version":1}"#, #"{"version":1,"sensors":{}}"#, "\u{0}\u{1B}[2J"])
    func broken(text: String) throws {
        try write(text)
        var first = file()
        let loaded = try first.load(wallMilliseconds: now)
        #expect(loaded.sensors.isEmpty)
        let aside = first.path + ".broken-2026-11-20"
        #expect(loaded.complaint?.contains("it is kept as \(aside)") == true)
        #expect(try PrivateFile.read(aside) == Array(text.utf8))
        try first.remember(Self.strap, wallMilliseconds: now)
        #expect(try self.loaded() == [Self.strap])
    }

    @Test("that is no text or too large is set aside as well, also when it became so meanwhile")
    func brokenMeanwhile() throws {
        var first = file()
        try first.remember(Self.strap, wallMilliseconds: now)
        for (number, octets) in [[0xFF, 0xFE], [UInt8](repeating: 0x20, count: 2 << 20)].enumerated() {
            try PrivateFile.replace(first.path, with: octets)
            var changed = Self.oximeter
            changed.isWanted = number == 0
            #expect(try first.remember(changed, wallMilliseconds: now) != nil)
            #expect(try loaded() == [changed])
        }
        #expect(try PrivateFile.read(first.path + ".broken-2026-11-20-2", limit: 4 << 20)?.count == 2 << 20)
    }

    @Test("of a newer Bedside is neither used nor touched")
    func newer() throws {
        let text = #"{"version":2,"sensors":"elsewhere"}"#
        try write(text)
        var first = file()
        let error = #expect(throws: SensorFileError.self) { try first.load(wallMilliseconds: now) }
        #expect(error?.description.contains("newer Bedside") == true)
        #expect(throws: SensorFileError.newer(path: first.path)) {
            try first.remember(Self.strap, wallMilliseconds: now)
        }
        #expect(try self.text() == text)
    }

    @Test("skips entries without an address, and reads unknown words as unspecific values")
    func oddEntries() throws {
        try write(
            #"{"version":1,"sensors":[7,{"address":"x"},{"address":"C0:52:49:00:00:02","kind":"toaster","wanted":3}]}"#)
        #expect(
            try loaded() == [
                RememberedSensor(
                    address: "C0:52:49:00:00:02", name: "C0:52:49:00:00:02", kind: .other, isWanted: nil)
            ])
    }

    @Test("that cannot be written is an error with a sentence")
    func unwritable() throws {
        _ = try folder.write("in the way", to: "bedside")
        var first = file()
        let error = #expect(throws: SensorFileError.self) { try first.remember(Self.strap, wallMilliseconds: now) }
        #expect(error?.description.hasPrefix("Sensors are not remembered: ") == true)
    }

    @Test("of simulated sensors is another one")
    func simulated() throws {
        let simulated = SensorFile(in: directories, isSimulated: true)
        #expect(simulated.path != file().path)
        #expect(simulated.path.hasPrefix(directories.state + "/"))
    }
}
