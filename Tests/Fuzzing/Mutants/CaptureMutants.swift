import Foundation
import TestSupport

/// A capture as records, so that they can be damaged one by one.
struct RecordedCapture {
    /// What comes before the first record.
    var header: [UInt8]
    /// The records, each whole.
    var records: [[UInt8]] = []

    /// The whole file.
    var octets: [UInt8] { header + records.joined() }

    /// A strap that is discovered, rises to an alarm, is lost, and comes again.
    init(_ container: CaptureScript.Container) {
        var script = CaptureScript(container)
        header = script.octets
        var written = header.count
        let address = "C0:52:49:00:00:02"
        var records: [[UInt8]] = []
        func add(_ body: (inout CaptureScript) -> Void) {
            body(&script)
            records.append(Array(script.octets[written...]))
            written = script.octets.count
            script.wait(milliseconds: 500)
        }
        for link: UInt16 in [64, 65] {
            add { $0.advertise(address, name: "Polar H10 1234", services: [0x180D]) }
            add { $0.connect(address, link: link) }
            add { $0.discoverServices(link: link, [0x180D]) }
            add {
                $0.discover(link: link, [(16, CaptureScript.little(0x2A37, 2)), (20, CaptureScript.little(0x2A38, 2))])
            }
            add { $0.read(link: link, handle: 20, [1]) }
            for beat in 0..<30 { add { $0.notify(link: link, handle: 16, [0x06, UInt8(100 + beat * 3)]) } }
            add { $0.disconnect(link: link) }
        }
        self.records = records
    }
}

extension RecordedCapture {
    private static let steadyRoom = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sensing/ReplayTests/Captures/steady-room.btsnoop")

    /// Good captures: one of every kind of file, and a real one.
    static func files() throws -> [[UInt8]] {
        try CaptureScript.Container.allCases.map { RecordedCapture($0).octets } + [
            [UInt8](Data(contentsOf: steadyRoom))
        ]
    }
}

extension FileMutator {
    /// A damaged capture.
    mutating func capture(_ seeds: [[UInt8]]) -> [UInt8] {
        if below(3) == 0 { return damaged(one(of: seeds)) }
        var capture = RecordedCapture(one(of: CaptureScript.Container.allCases))
        for _ in 0...below(4) { damage(&capture.records) }
        return below(4) == 0 ? damaged(capture.octets) : capture.octets
    }

    private mutating func damage(_ records: inout [[UInt8]]) {
        guard !records.isEmpty else { return }
        let place = below(records.count)
        switch below(7) {
        case 0: records.insert(records[place], at: below(records.count))
        case 1: records.swapAt(place, below(records.count))
        case 2: records.remove(at: place)
        case 3: records.removeLast(below(records.count / 4))
        // A clock that is set: all records from here on.
        case 4:
            let number = extremeInteger()
            for index in place..<records.count { setTime(&records[index], number) }
        case 5: setTime(&records[place], extremeInteger())
        default:
            for _ in 0...below(4) {
                records[place][below(min(32, records[place].count))] = .random(in: .min ... .max, using: &generator)
            }
        }
    }

    /// Writes a number where a time stamp stands in one of the kinds of files.
    private mutating func setTime(_ record: inout [UInt8], _ number: Int64) {
        let offset = one(of: [0, 12, 16])
        for index in 0..<8 where offset + index < record.count {
            record[offset + index] = UInt8(truncatingIfNeeded: number >> Int64(56 - 8 * index))
        }
    }
}
