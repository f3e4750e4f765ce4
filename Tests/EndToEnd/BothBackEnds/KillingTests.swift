import Foundation
import Testing

extension BothBackEnds {
    @Suite("bluetoothd is killed again and again")
    struct KillingTests {
        /// How often: 50 for the figure that the project promises, a few where every minute counts.
        static let kills = Int(ProcessInfo.processInfo.environment["BEDSIDE_KILLS"] ?? "") ?? 3

        /// The vital that each sensor measures, and the characteristics that report it.
        static let vitals = ["heart_rate": ["2a37"], "spo2": ["2a5f", "2a5e"], "body_temperature": ["2a1c"]]

        @Test("at random moments while three sensors stream: all stream again without a key, and no value is lost")
        func killed() async throws {
            let world = try await World.start()
            let witness = try await Witness.begin(in: world)
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: world)
            var read: [String: Int] = [:]
            try await readUntilStreaming(watch, Round(number: 0), &read)

            var recoveries: [Duration] = []
            for number in 1...Self.kills {
                // When it happens, and how soon somebody starts it again, is left to chance.
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<4000)))
                try await world.please("bluez-kill")
                let round = Round(number: number)
                for command in round.commands { try await world.please(command) }
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<3000)))
                try await world.please("bluez-start")
                let start = ContinuousClock.now
                try await readUntilStreaming(watch, round, &read)
                recoveries.append(start.duration(to: .now))
            }

            try await world.please("quiet all")
            try await world.waitUntil("no value is under way any more") {
                let before = await witness.delivered
                // Longer than a packet takes; what comes later all the same is waited for below.
                try await Task.sleep(for: .milliseconds(200))
                return await witness.delivered == before
            }
            for (vital, characteristics) in Self.vitals {
                // Each may receive a value later than the other; one that was lost, or came twice, is waited for in vain.
                repeat {
                    while await read[vital, default: 0] < witness.delivered(characteristics) {
                        try await readNext(watch, &read)
                    }
                    let values = read[vital, default: 0]
                    try await world.waitUntil("the \(values) values of \(vital) that were read are delivered too") {
                        await witness.delivered(characteristics) >= values
                    }
                } while await witness.delivered(characteristics) != read[vital]
            }
            report(recoveries, read)
        }

        /// What the sensors measure after a number of deaths.
        struct Round {
            var number: Int

            var values: [String: Double] {
                [
                    "heart_rate": Double(72 + number % 40), "spo2": Double(98 - number % 9),
                    "body_temperature": Double(368 + number % 12) / 10,
                ]
            }

            var commands: [String] {
                [
                    "hr \(72 + number % 40)", "spo2 \(98 - number % 9)", "temp \(Double(368 + number % 12) / 10)",
                ]
            }
        }

        /// Reads until every sensor has measured what it does in a round.
        private func readUntilStreaming(
            _ watch: ProgramWithPipes, _ round: Round, _ read: inout [String: Int]
        ) async throws {
            var missing = round.values
            while !missing.isEmpty {
                let line = try await readNext(watch, &read)
                if let vital = line.text("vital"), missing[vital] == line.number("value") { missing[vital] = nil }
            }
        }

        @discardableResult
        private func readNext(_ watch: ProgramWithPipes, _ read: inout [String: Int]) async throws -> WatchLine {
            let line = try await watch.next("a measurement") {
                $0.event == "reading" && $0.text("state") == "measured"
            }
            read[line.text("vital") ?? "", default: 0] += 1
            return line
        }

        private func report(_ recoveries: [Duration], _ read: [String: Int]) {
            let sorted = recoveries.sorted()
            guard let longest = sorted.last else { return }
            let values = read.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            print(
                "bluetoothd was killed \(recoveries.count) times; from its start until all three sensors streamed: "
                    + "median \(sorted[sorted.count / 2]), at most \(longest); values read and delivered: \(values)")
        }
    }
}
