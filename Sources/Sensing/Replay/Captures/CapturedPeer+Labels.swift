import BluetoothCapture
import Sensors
import Vitals

extension CapturedPeer {
    /// The address, or the link's handle if the address is unknown.
    var text: String {
        switch self {
        case .address(let address): address
        case .link(let handle): "link \(handle.hexadecimal)"
        }
    }
}

extension ReplayedPeripheral {
    /// Creates an otherwise unknown peripheral.
    init(_ peer: CapturedPeer) {
        self.init(address: peer.text)
    }
}

extension UInt16 {
    /// Four hexadecimal digits after `0x`.
    var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Moment {
    /// The moment of events without a time.
    static let beginning = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)
}
