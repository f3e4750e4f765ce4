import Glibc
import TestSupport
import Testing

/// Waves of sensors that are polled, as scenarios answer them: octets that were written by hand.
@Suite("Waves that are polled", .startsPrograms)
struct OximeterWaveTests {
    private static let service = "14839AC4-7D7E-415C-9A42-167340CF2339"
    private static let writing = "8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3"
    private static let notifying = "0734594A-A8E7-4B1A-A6B1-CD5243059A57"
    private static let values = "55 00 FF 00 00 0D 00 61 48 00 00 00 00 00 55 00 00 14 01 00 {crc8}"

    private static func watch(_ scenario: String) async throws -> ProgramWithPipes {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(try folder.write(scenario, to: "waves.json5"))
        return try await ProgramWithPipes.start(
            ["watch", "--json", "--waves", "--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
    }

    private static func end(_ watch: ProgramWithPipes) async throws {
        await watch.send(signal: SIGTERM)
        #expect(try await watch.waitForExit().status == .exited(0))
    }

    /// A ring that answers one command with values, and perhaps another one with a wave of 62 samples.
    private static func ring(wave: String?) -> String {
        let answers = [("AA 17 E8 00 00 00 00 1B", values), ("AA 1B E4 00 00 01 00 00 5E", wave)].compactMap {
            (written: String, answer: String?) in
            answer.map {
                """
                { written: '\(writing)', octets: '\(written)',
                  answers: [{ from: '\(notifying)', pieces: 20, octets: '\($0)' }] }
                """
            }
        }
        return """
            { sensors: [{
              name: 'O2Ring 0418', address: 'C0:52:49:18:00:01', kind: 'oximeterRing',
              conversation: [\(answers.joined(separator: ", "))],
            }] }
            """
    }

    @Test("a ring's plethysmogram comes with the values of the same poll, without a gap")
    func ring() async throws {
        let samples = (0..<62).map { $0 % 31 * 2 + 40 }
        let wave =
            "55 00 FF 00 00 4A 00 62 48 00 55 01 19 01 00 00 00 3E 00"
            + samples.map { " " + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + " {crc8}"
        let watch = try await Self.watch(Self.ring(wave: wave))
        var count = 0
        for index in 0..<4 {
            let line = try await watch.next("samples") { $0.fields["samples"] != nil }
            #expect(line.text("wave") == "pleth" && line.text("unit") == "1" && line.sensor == "O2Ring 0418")
            #expect(line.fields["samples"] as? [Int] == samples.map { 200 - $0 }, "\(index)")
            #expect(line.fields["lost"] == nil)
            count += 1
            _ = try await watch.next("its values") { $0.isReading(of: "spo2", 98) }
        }
        #expect(count == 4)
        try await Self.end(watch)
    }

    @Test("a ring that does not answer for its plethysmogram says so, and its values go on")
    func withoutWave() async throws {
        let watch = try await Self.watch(Self.ring(wave: nil))
        _ = try await watch.next("its refusal") { $0.event == "wave" && $0.text("state") == "refused" }
        for _ in 0..<3 { _ = try await watch.next("its values") { $0.isReading(of: "spo2", 97) } }
        try await Self.end(watch)
    }

    @Test("a newer ring is read by its own service, and a recorder by its name")
    func newer() async throws {
        let watch = try await Self.watch(
            """
            { sensors: [
              { name: 'O2Ring S 1234', address: 'C0:52:49:18:00:04', kind: 'generic', interval: 3600,
                advertises: ['E8FB0001-A14B-98F9-831B-4E2941D01248'],
                services: [
                  { uuid: '\(Self.service)', characteristics: [
                    { uuid: '\(Self.writing)', flags: ['write'] }, { uuid: '\(Self.notifying)', flags: ['notify'] }] },
                  { uuid: 'E8FB0001-A14B-98F9-831B-4E2941D01248', characteristics: [
                    { uuid: 'E8FB0002-A14B-98F9-831B-4E2941D01248', flags: ['write-without-response'] },
                    { uuid: 'E8FB0003-A14B-98F9-831B-4E2941D01248', flags: ['notify'] }] }],
                conversation: [{
                  written: 'E8FB0002-A14B-98F9-831B-4E2941D01248', octets: 'A5 04 FB 00 00 00 00 93',
                  answers: [{ from: 'E8FB0003-A14B-98F9-831B-4E2941D01248', octets: 'A5 04 FB 01 00 1F 00 4D 00 00 00 02 \
            01 61 19 3E 00 00 03 01 50 00 00 00 00 00 00 E8 03 00 00 05 00 0A 14 9C 28 32 {crc8}' }],
                }] },
              { name: 'ER1 0042', address: 'C0:52:49:18:00:03', kind: 'generic', interval: 3600,
                advertises: ['\(Self.service)'],
                services: [{ uuid: '\(Self.service)', characteristics: [
                  { uuid: '\(Self.writing)', flags: ['write'] }, { uuid: '\(Self.notifying)', flags: ['notify'] }] }],
                conversation: [{
                  written: '\(Self.writing)', octets: 'A5 03 FC 00 .. 01 00 7D ..',
                  answers: [{ from: '\(Self.notifying)', octets: 'A5 03 FC 01 00 1C 00 48 00 00 58 1F 00 00 00 02 00 00 \
            00 00 00 00 00 00 00 00 00 03 00 64 00 D8 FF FF 7F {crc8}' }],
                }] },
            ] }
            """)
        var missing: Set<String> = ["pleth", "ecg", "spo2", "pulse_rate", "heart_rate"]
        _ = try await watch.next("something of each") { line in
            switch (line.sensor, line.text("vital") ?? line.text("wave") ?? "") {
            case ("O2Ring S 1234", "spo2") where line.number("value") == 97,
                ("O2Ring S 1234", "pulse_rate") where line.number("value") == 62,
                ("ER1 0042", "heart_rate") where line.number("value") == 72:
                missing.remove(line.text("vital") ?? "")
            case ("O2Ring S 1234", "pleth") where line.isWave([190, 180, nil, 160, 150]): missing.remove("pleth")
            case ("ER1 0042", "ecg") where line.isWave([247, -99, nil]): missing.remove("ecg")
            default: break
            }
            return missing.isEmpty
        }
        try await Self.end(watch)
    }
}

extension WatchLine {
    /// Whether it has these samples; `nil` for one that did not come.
    fileprivate func isWave(_ samples: [Int?]) -> Bool {
        guard let sent = fields["samples"] as? [Any] else { return false }
        return sent.map { $0 as? Int } == samples
    }
}
