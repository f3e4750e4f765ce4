import Appearance
import Dashboard
import Foundation
import TestSupport
import Testing
import TextGrid
import Vitals
import Wording

@testable import Ward
@testable import WardMessages
@testable import WardScreen

/// Reads the drawn grid of a ward in a random walk of faults, and compares it with what the beds really measured.
@Suite("The ward screen among faults")
struct FrameOracleTests {
    /// A value is stale after three intervals of a second; clocks of two computers drift apart by a tenth between two
    /// full pictures.
    private static let limit: Int64 = 3000 + 100
    private static let count = RandomCases.count("BEDSIDE_FAULTS", usually: 1_500)

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

    @Test(
        "never draws a stale value as a present one, and has each alarm within ten seconds", .computing,
        arguments: 1...2)
    func walk(seed: UInt64) throws {
        var world = FaultyWorld(beds: 4, seed: seed)
        var screen = WardScreenState()
        (screen.glyphs, screen.order, screen.isMotionReduced) = (.ascii, .name, true)
        var random = SeededGenerator(seed: seed &+ 100)
        var (live, checks, dark, pressures) = (0, 0, 0, 0)
        while world.faultCount < Self.count / 2 {
            for _ in 0..<Int.random(in: 20...60, using: &random) {
                world.fault()
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    world.step(Int64.random(in: 20...250, using: &random))
                    let drawn = check(world, screen)
                    if Int.random(in: 0..<8, using: &random) == 0 { pressures += checkPressures(world, screen) }
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
            expectPressures(world, screen)
            if live < 0 { break }
        }
        // Otherwise the walk would have tested nothing.
        #expect(live > Self.count)
        #expect(dark > Self.count / 100)
        #expect(checks > Self.count / 100)
        #expect(pressures > Self.count / 100)
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

    /// A blood pressure on the screen.
    private struct DrawnPressure {
        var bed: WardBed
        var systolic: Int
        var minute: String
        /// Whether it looks like one that counts.
        var isPlain: Bool
    }

    /// The blood pressures in a frame, whose sectors have their beds' names above them.
    private func drawnPressures(_ world: FaultyWorld, _ screen: WardScreenState) -> [DrawnPressure] {
        let grid = drawWard(world.ward, screen, size: (100, 44), now: world.moment)
        var found: [DrawnPressure] = []
        var names = ["", ""]
        for row in 0..<grid.rows {
            let text = Array(grid.text(row: row).unicodeScalars)
            for half in 0..<2 {
                let start = half * 50
                let part = String(String.UnicodeScalarView(text[min(start, text.count)..<min(start + 50, text.count)]))
                if let name = part.firstMatch(of: #/bed (\d+) /#) { names[half] = String(name.1) }
                guard let match = part.firstMatch(of: #/BP (\d+)/\d+ mmHg at (\d\d:\d\d)/#),
                    let bed = world.beds.first(where: { $0.bed.text == names[half] }), let systolic = Int(match.1)
                else { continue }
                let column = start + part.distance(from: part.startIndex, to: match.range.lowerBound)
                let isDim = grid[column, row].style.attributes.contains(.dim)
                found.append(
                    DrawnPressure(bed: bed, systolic: systolic, minute: String(match.2), isPlain: !isDim))
            }
        }
        return found
    }

    /// Each blood pressure is one of its own bed with the time at which it was measured, and counts only at a bed that is
    /// heard.
    private func checkPressures(_ world: FaultyWorld, _ screen: WardScreenState) -> Int {
        let drawn = drawnPressures(world, screen)
        for pressure in drawn {
            guard let measured = world.measuredPressures[pressure.bed]?[pressure.systolic] else {
                Issue.record("\(pressure.bed.label) never had the blood pressure \(pressure.systolic)")
                continue
            }
            // An answer that took long makes it look older, and a message that was late on its way.
            let minutes = stride(from: Int64(-11_000), through: 1000, by: 1000).map {
                TimeText(now: world.moment, timeZoneOffset: 0).clock(FaultyWorld.moment(measured + $0))
            }
            #expect(
                minutes.contains(pressure.minute),
                "\(pressure.bed.label) shows \(pressure.systolic) at \(pressure.minute), not \(minutes.last ?? "")")
            let isLive = world.ward[pressure.bed]?.link.isLive == true
            #expect(pressure.isPlain == isLive, "\(pressure.bed.label)")
        }
        return drawn.count
    }

    /// After ten quiet seconds, each bed's newest blood pressure is there.
    private func expectPressures(_ world: FaultyWorld, _ screen: WardScreenState) {
        let drawn = drawnPressures(world, screen)
        for (place, peers) in world.peers.enumerated() {
            let bed = world.beds[place]
            if let foreign = world.foreign[bed], world.now - foreign < 10_000 { continue }
            guard let newest = peers[0].monitor.pressure, world.now - newest.at > 1000 else { continue }
            #expect(drawn.contains { $0.bed == bed && $0.systolic == newest.value.systolic }, "\(bed.label)")
        }
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
