import Foundation
import TestSupport

/// Nights that are run and audited.
enum SimulatedNights {
    /// What became of a night.
    struct Report: Sendable {
        var night: Night
        var findings: [NightAuditor.Finding]
        /// The screen as it was when the first of them was found.
        var screen: String
        /// A number that stands for everything that happened.
        var hash: UInt64
        /// How often which rule had something to check.
        var checks: [String: Int]
        /// What was reached.
        var coverage: Coverage
        /// The folder with its tapes; it is kept when something was found.
        var folder: String
    }

    /// The program, and the library with the machine: built beside the tests, or named.
    private static func built(_ name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name).path
    }

    /// Draws a night, runs it and audits it.
    static func run(_ number: UInt64, length: Double) async throws -> Report {
        try await run(Night(number: number, length: length))
    }

    /// Leaves out of a night everything without which the same sentence is still broken.
    ///
    /// - Parameter report: What became of the night.
    static func shrink(_ report: Report) async throws -> Report {
        guard let sentence = report.findings.first?.rule else { return report }
        var smallest = report
        var step = max(1, (report.night.faults.count + report.night.keys.count) / 2)
        while true {
            var place = 0
            while place < smallest.night.faults.count + smallest.night.keys.count {
                let (faults, events) = (smallest.night.faults.count, place..<(place + step))
                let keys = events.map { $0 - faults }.filter { $0 >= 0 }
                let smaller = smallest.night.without(faults: Set(events.filter { $0 < faults }), keys: Set(keys))
                let tried = try await run(smaller)
                if tried.findings.contains(where: { $0.rule == sentence }) { smallest = tried } else { place += step }
            }
            if step == 1 { return smallest }
            step = max(1, step / 2)
        }
    }

    /// Whether the exports of a night are read, too, which takes as long as some minutes of it: of every fifth, and of one that
    /// is run alone.
    private static func readsExports(of night: Night) -> Bool {
        night.number.isMultiple(of: 5) || NightTests.count == 1
    }

    /// Runs a night and audits it.
    static func run(_ night: Night) async throws -> Report {
        // Short, because sockets are in it; the same for the same night, because paths are in what is compared.
        let folder = "/tmp/bedside-night-\(getpid())-\(night.number)"
        try? FileManager.default.removeItem(atPath: folder)
        let run = try NightRun(
            night, in: folder, program: built("bedside"), machine: built("libSimulatedMachine.so"))
        let auditor = NightAuditor(night)
        let ward = WardAuditor(night, reportingTo: auditor)
        let lines = LineAuditor(night, reportingTo: auditor)
        let status = StatusAuditor(night, reportingTo: auditor)
        var hash: UInt64 = 0
        for (index, part) in night.runs.enumerated() {
            let outcome = try await run.run(index)
            var tape = try Tape(path: outcome.tape)
            hash = hash &* 31 &+ tape.hash
            auditor.begin(at: part.start)
            ward.begin(at: part.start)
            lines.begin(at: part.start)
            status.begin(at: part.start)
            var last = part.start
            while let entry = tape.next() {
                auditor.follow(entry)
                ward.follow(entry)
                lines.follow(entry)
                status.follow(entry)
                last = entry.time
            }
            auditor.endRun(at: last)
            let expected = index < night.powerCuts.count ? NightRun.Status.powerCut : NightRun.Status.over
            if outcome.status != expected {
                auditor.report(
                    last, "the program ended with status \(outcome.status): \(outcome.complaint.prefix(300))")
                break
            }
        }
        auditor.end()
        lines.end()
        status.end()
        let store = StoreAuditor(night: night, path: run.store, shown: auditor.shown)
        ward.end(shown: auditor.shown, stored: night.hasWard ? try store.readings() : [])
        if night.hasWard, store.hasNote { auditor.count("a note stays at the bed") }
        for finding in try store.findings(auditor.count) { auditor.report(finding.time, finding.sentence) }
        if readsExports(of: night) {
            let commands = NightCommands(folder: folder, program: built("bedside"))
            let reader = StoreReader(path: run.store)
            let sentences =
                try await ExportAuditor(commands: commands, store: reader).findings(auditor.count)
                + LogAuditor(commands: commands, store: reader).findings(auditor.count)
                + ReportAuditor(run: run, store: reader).findings(auditor.count)
            for sentence in sentences { auditor.report(night.length, sentence) }
        }
        let isKept = ProcessInfo.processInfo.environment["BEDSIDE_NIGHT_KEEP"] != nil
        let report = Report(
            night: night, findings: auditor.findings, screen: auditor.screen, hash: hash, checks: auditor.checks,
            coverage: Coverage(
                alarms: try store.alarmKinds(), faults: Set(night.faults.map(\.kind)),
                connections: lines.connectionStates, events: lines.events.union(ward.events)),
            folder: folder)
        if auditor.findings.isEmpty, !isKept { try? FileManager.default.removeItem(atPath: folder) }
        return report
    }
}
