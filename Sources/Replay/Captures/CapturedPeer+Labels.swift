import BluetoothCapture
import Sensors
import Vitals

extension CapturedPeer {
    /// What stands in the place of an address: where that is not known, the link's handle.
    var text: String {
        switch self {
        case .address(let address): address
        case .link(let handle): "link \(handle.hexadecimal)"
        }
    }
}

extension ReplayedPeripheral {
    /// Makes a peripheral of which nothing else is known.
    init(_ peer: CapturedPeer) {
        self.init(address: peer.text)
    }
}

extension UInt16 {
    /// Four hexadecimal digits behind `0x`.
    var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Moment {
    /// A moment for what has no time of its own.
    static let beginning = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)
}
