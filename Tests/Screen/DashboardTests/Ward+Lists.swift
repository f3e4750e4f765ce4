import Appearance
import Monitoring
import Vitals

@testable import Dashboard

// Stories about the list of sensors.
extension Ward {
    /// A stranger's device, by its number.
    static func stranger(_ number: Int, kind: SensorKind = .heartRateStrap) -> SensorIdentity {
        let digits = String(number + 100).suffix(2)
        return SensorIdentity(
            address: "AA:BB:CC:00:\(number / 100 + 10):\(digits)", name: "Strap \(number)", kind: kind)
    }

    mutating func remember(_ sensor: SensorIdentity, label: String? = nil, isWanted: Bool) {
        apply(
            .remembered(
                RememberedSensor(
                    address: sensor.address, name: sensor.name, kind: sensor.kind, label: label, isWanted: isWanted)))
    }

    /// A hundred devices nearby, some of them about to go; the user has walked down the list.
    static func crowd() -> Ward {
        var ward = empty()
        for number in 0..<100 { ward.find(stranger(number), signal: -40 - number / 2) }
        ward.pass(20)
        for number in 0..<100 where number % 7 != 3 { ward.find(stranger(number), signal: -40 - number / 2) }
        for _ in 0..<14 { ward.press(.down) }
        return ward
    }

    /// Sensors of earlier days: one streams under the user's name for it, others are away, refused, held by a phone.
    static func remembered() -> Ward {
        var ward = empty()
        ward.remember(strap, label: "Ada's strap", isWanted: true)
        ward.remember(oximeter, isWanted: true)
        ward.remember(thermometer, label: "Cupboard", isWanted: false)
        let named = SensorIdentity(address: strap.address, name: "Ada's strap", kind: strap.kind)
        ward.find(named, signal: -57)
        ward.connect(named, battery: 61)
        ward.measure(named, .heartRate, 7200)
        ward.apply(.connection(oximeter, ConnectionState(phase: .waiting, reason: .removed, attempt: 1)))
        ward.find(core, signal: -80)
        ward.apply(.connection(core, ConnectionState(phase: .connected, isForeign: true)))
        return ward
    }

    /// The user looks for a sensor by its kind among many.
    static func filter() -> Ward {
        var ward = live(seconds: 20)
        for number in 0..<30 { ward.find(stranger(number), signal: -60 - number) }
        ward.press(.character("w"))
        ward.type("/oxi")
        return ward
    }

    /// The user gives the selected sensor a name.
    static func rename() -> Ward {
        var ward = live(seconds: 20)
        ward.type("nAda 心")
        ward.press(.left)
        return ward
    }

    /// The program asks whether to forget the selected sensor.
    static func forget() -> Ward {
        var ward = live(seconds: 20)
        ward.type("x")
        return ward
    }

    /// Presses a key on the screen as it is drawn in a terminal of the usual size.
    @discardableResult
    mutating func press(_ key: Key) -> ScreenWish? {
        screen.prepare(for: state, size: (80, 24), at: now)
        return screen.keyPressed(key, in: state, at: now)
    }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { press(.character(scalar)) }
    }
}
