import Monitoring
import Testing
import Vitals

@testable import Dashboard

/// A fault on the screen of the companion that Bedside replaces, by its number in its review.
@Suite("Faults on the screen of the replaced system, each avoided")
struct ReplacedScreenFaultTests {
    private func text(_ ward: Ward) -> String {
        let grid = ward.drawn(100, 30)
        return (0..<30).map { grid.text(row: $0) }.joined(separator: "\n").lowercased()
    }

    @Test("15: an empty list is not called Bluetooth off; that is said when the adapter is off")
    func empty() {
        var ward = Ward()
        ward.ready()
        ward.pass(5)
        #expect(text(ward).contains("no sensors nearby yet"))
        #expect(!text(ward).contains("bluetooth is off"))
        ward.apply(.adapter(AdapterStatus(identifier: "hci0", address: nil, power: .off, isScanning: false)))
        ward.pass(5)
        #expect(text(ward).contains("bluetooth is off"))
    }
}
