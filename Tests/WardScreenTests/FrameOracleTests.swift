import Appearance
import Dashboard
import Foundation
import TestSupport
import Testing
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

/// Reads the drawn grid of a ward in a random walk of faults, and compares it with what the beds really measured.
@Suite("The ward screen among faults")
struct FrameOracleTests {
    /// A value is stale after three intervals of a second; clocks of two computers drift apart by a tenth between two
    /// full pictures.
    private static let limit: Int64 = 3000 + 100
    private static let count = ProcessInfo.processInfo.environment["BEDSIDE_FAULTS"].flatMap { Int($0) } ?? 10_000

    /// A number that is drawn as a present value.
    struct LiveNumber: Hashable {
        var bed: WardBed
        var vital: Vital
        var hundredths: Int
    }

    /// The numbers in the colour of a vital, which only present values have; one bed in each row.
    static func liveNumbers(in grid: Grid, beds: [WardBed]) -> [LiveNumber] {
        var found: [LiveNumber] = []
        for row in 2..<grid.rows {
            let text = grid.text(row: row)
            guard let bed = beds.first(where: { text.contains("\($0.label) ") }) else { continue }
            for (role, vital) in [(Style.Role.heartRate, Vital.heartRate), (.temperature, .bodyTemperature)] {
                var digits = ""
                for column in 0..<grid.columns {
                    let cell = grid[column, row]
                    guard cell.style.role == role, !cell.style.attributes.contains(.dim) else { continue }
                    digits.unicodeScalars.append(cell.scalar)
                }
                guard let number = Double(digits) else { continue }
                found.append(LiveNumber(bed: bed, vital: vital, hundredths: Int((number * 100).rounded())))
            }
        }
        return found
    }

    @Test("never draws a stale value as a present one, and has each alarm within ten seconds", arguments: 1...2)
    func walk(seed: UInt64) throws {
        var world = FaultyWorld(beds: 4, seed: seed)
        var screen = WardScreenState()
        (screen.glyphs, screen.order, screen.isMotionReduced) = (.ascii, .name, true)
        var random = SeededGenerator(seed: seed &+ 100)
        var (live, checks, dark) = (0, 0, 0)
        while world.faultCount < Self.count / 2 {
            for _ in 0..<Int.random(in: 20...60, using: &random) {
                world.fault()
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    world.step(Int64.random(in: 20...250, using: &random))
                    let drawn = check(world, screen)
                    live += drawn
                    dark += drawn == 0 ? 1 : 0
                }
            }
            world.heal()
            for _ in 0..<54 {
                world.step(200)
                live += check(world, screen)
            }
            checks += expectAlarms(world, screen)
            if live < 0 { break }
        }
        // Otherwise the walk would have tested nothing.
        #expect(live > Self.count)
        #expect(dark > Self.count / 100)
        #expect(checks > Self.count / 100)
        #expect(world.counts.count == FaultyWorld.Fault.allCases.count)
    }

    /// Compares one frame with the truth.
    ///
    /// - Returns: How many numbers are drawn as present values.
    private func check(_ world: FaultyWorld, _ screen: WardScreenState) -> Int {
        let grid = drawWard(world.ward, screen, size: (80, 9), now: world.moment)
        let numbers = Self.liveNumbers(in: grid, beds: world.beds)
        for number in numbers {
            let at = world.measured[number.bed]?[number.vital]?[number.hundredths]
            let age = at.map { world.now - $0 }
            #expect(
                age.map { $0 <= Self.limit } == true,
                "\(number.bed.label) shows \(number.vital) \(number.hundredths), \(age.map { "\($0) ms old" } ?? "never measured")"
            )
        }
        if !world.isBrokerUp { #expect(numbers.isEmpty, "values without a broker") }
        for (place, peers) in world.peers.enumerated() where peers.count == 2 {
            // Both were heard in the last second, and both run: nobody knows whose values they are.
            let isContested = peers.allSatisfy { peer in
                peer.link == .up && world.prompt[peer.monitor.session].map { world.now - $0 < 1000 } == true
            }
            guard isContested else { continue }
            let bed = world.beds[place]
            #expect(!numbers.contains { $0.bed == bed }, "\(bed.label) shows values of one of two monitors")
        }
        return numbers.count
    }

    /// After ten quiet seconds, each bed's worst alarm is drawn, and none that is over.
    private func expectAlarms(_ world: FaultyWorld, _ screen: WardScreenState) -> Int {
        let grid = drawWard(world.ward, screen, size: (80, 9), now: world.moment)
        var count = 0
        for (place, peers) in world.peers.enumerated() {
            let bed = world.beds[place]
            // A straggler of another session darkens the bed until it is clear that no second monitor runs.
            if let foreign = world.foreign[bed], world.now - foreign < 10_000 { continue }
            count += 1
            let row = (2..<grid.rows).map { grid.text(row: $0) }.first { $0.contains("\(bed.label) ") } ?? ""
            if let worst = peers[0].monitor.worstAlarm {
                #expect(row.contains(worst.text), "\(bed.label) has “\(worst.text)”, and the ward shows “\(row)”")
            } else {
                #expect(!row.contains("Alarm"), "\(bed.label) has no alarm, and the ward shows “\(row)”")
            }
            #expect(Self.liveNumbers(in: grid, beds: [bed]).count == 2, "\(bed.label) is dark: “\(row)”")
            #expect(
                Set(world.ward[bed]?.alarms.map(\.id) ?? []) == Set(peers[0].monitor.alarms.keys), "\(bed.label)")
        }
        return count
    }
}
