import Glibc
import TestSupport
import Testing

extension BothBackEnds {
    /// A process that is stopped, as a hung one, until this value goes.
    final class StoppedProcess: Sendable {
        private let process: pid_t

        init(_ process: pid_t) throws {
            self.process = process
            try #require(kill(process, SIGSTOP) == 0)
        }

        func resume() { kill(process, SIGCONT) }

        deinit { resume() }
    }

    @Suite(
        "The message bus, or bluetoothd, does not answer, and what it kept back is not of now", .serialized,
        .calm)
    struct SilenceTests {
        enum Part: CaseIterable, CustomTestStringConvertible {
            case bus, daemon

            var name: String { self == .bus ? "org.freedesktop.DBus" : "org.bluez" }
            var testDescription: String { self == .bus ? "the bus" : "bluetoothd" }
            var event: String { self == .bus ? "bus" : "daemon" }
            var silence: String { self == .bus ? "bus_silent" : "daemon_silent" }
            var title: String { self == .bus ? "BUS DOES NOT ANSWER" : "BLUETOOTH DOES NOT ANSWER" }
            var remedy: String { self == .bus ? "restart the computer" : "sudo systemctl restart bluetooth" }
        }

        @Test(
            "watch reports the silence, an alarm that names it, a gap, and late values before those of now",
            arguments: Part.allCases)
        func watched(part: Part) async throws {
            let world = try await World.start()
            let process = try await world.process(of: part.name)
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: world)
            for _ in 0..<3 { _ = try await watch.next("a heart rate") { $0.isReading(of: "heart_rate", 72) } }
            let stopped = try StoppedProcess(process)
            var (blamed, present): ([String], Int) = ([], 0)
            func isExpected(_ line: WatchLine) -> Bool {
                if line.event == "alarm", line.text("kind") == "silent" { blamed.append(line.sensor) }
                return true
            }
            _ = try await watch.next("the silence") {
                isExpected($0) && $0.event == part.event && $0.text("state") == "silent"
            }
            _ = try await watch.next("that nothing comes") {
                isExpected($0) && $0.event == "reading" && $0.text("reason") == "silent"
            }
            _ = try await watch.next("the alarm") {
                isExpected($0) && $0.text("kind") == part.silence && $0.text("state") == "active"
            }
            stopped.resume()
            let gap = try await watch.next("the gap") {
                if $0.event == "reading", $0.text("state") == "measured" { present += 1 }
                return isExpected($0) && $0.event == "gap"
            }
            #expect(gap.text("reason") == part.silence)
            #expect(present == 0, "values before the gap was known")
            let (from, to) = (try #require(gap.text("from")), try #require(gap.text("to")))
            if part == .bus {
                // The sensors went on, and so did bluetoothd: everything is there.
                for _ in 0..<4 {
                    let late = try await watch.next("heart rates that waited") {
                        isExpected($0) && $0.isReading(of: "heart_rate", 72)
                    }
                    #expect(late.text("late") == "waited")
                    #expect(late.text("measured_from") == from && late.text("measured_to") == to)
                }
            }
            _ = try await watch.next("a heart rate of now") {
                isExpected($0) && $0.isReading(of: "heart_rate", 72) && $0.text("late") == nil
            }
            #expect(blamed.isEmpty, "sensors that are not to blame")
            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))
        }

        @Test(
            "the screen names the cause beside every number that is missing, and shows numbers again",
            arguments: Part.allCases)
        func shown(part: Part) async throws {
            let world = try await World.start()
            let process = try await world.process(of: part.name)
            let bedside = try await ProgramInTerminal.streaming(in: world)
            let stopped = try StoppedProcess(process)
            try await bedside.waitFor(trouble: part.title, remedy: part.remedy)
            try await bedside.waitUntil("no number is shown as if it were of now") {
                $0.shows("SILENT") && !$0.shows("HEART RATE 72")
            }
            #expect(await !bedside.screen.shows("SENSOR SILENT"))
            stopped.resume()
            try await bedside.waitUntil("it answers again") { !$0.shows(part.title) }
            try await bedside.waitForSteadyValues()
            try await bedside.quitWhenAsked()
            #expect(try await bedside.waitForExit() == .exited(0))
        }
    }
}
