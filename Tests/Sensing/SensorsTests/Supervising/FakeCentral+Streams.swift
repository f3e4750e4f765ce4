import BlueZ
import TestSupport

@testable import KnownSensors
@testable import Sensors

/// A strap that answers at the control point of Polar Measurement Data, after a while, and streams until it is told to stop.
struct StreamingStrap {
    /// The types that run, on this link or from an earlier one.
    var running: Set<UInt8> = []
    /// Decides how long each answer takes.
    var random: SeededGenerator
    /// Whether a write is under way, beside which bluetoothd refuses another.
    fileprivate var isBusy = false

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Carries a command out; returns the answer.
    fileprivate mutating func answer(_ octets: [UInt8]) -> [UInt8] {
        let (command, type) = (octets[0], octets[1])
        if command == 3 { running.remove(type) }
        let isNew = command != 2 || running.insert(type).inserted
        let settings: [UInt8] =
            type == 0 ? [0, 1, 0x82, 0, 1, 1, 0x0E, 0] : [0, 1, 0x19, 0, 1, 1, 0x10, 0, 2, 1, 2, 0]
        return [0xF0, command, type, isNew ? 0 : 6, 0] + (command == 1 ? settings : [])
    }
}

extension FakeCentral {
    /// Has a strap behind the control point.
    func attach(_ strap: StreamingStrap) { self.strap = strap }

    /// The streams that run.
    var streams: Set<UInt8> { strap?.running ?? [] }

    /// Has the strap carry a command out, unless its link ends first.
    func command(_ octets: [UInt8], at characteristic: CharacteristicReference) async throws(BlueZError) {
        guard strap != nil, characteristic.uuid == PolarWaveDriver.control, octets.count >= 2 else { return }
        if strap?.isBusy == true { throw BlueZError(.inProgress) }
        strap?.isBusy = true
        defer { strap?.isBusy = false }
        await wait()
        guard peripherals[characteristic.peripheral]?.isConnected == true, let answer = strap?.answer(octets) else {
            throw BlueZError(.notConnected)
        }
        Task {
            await wait()
            if peripherals[characteristic.peripheral]?.isConnected == true {
                emit(.notification(characteristic, answer))
            }
        }
        await wait()
    }

    private func wait() async {
        let turns = strap.map { strap in
            var strap = strap
            defer { self.strap?.random = strap.random }
            return Int.random(in: 0...4, using: &strap.random)
        }
        for _ in 0..<(turns ?? 0) { await Task.yield() }
    }
}
