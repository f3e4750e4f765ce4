import Monitoring
import Vitals

@testable import Dashboard

// Stories about the page of one sensor, and about two sensors that measure the same.
extension Ward {
    /// The services of a strap like the Polar H10, with what its characteristics had last.
    mutating func showServices(of sensor: SensorIdentity) {
        func service(_ uuid: String, from first: Int, _ characteristics: [(String, [String])]) -> SensorService {
            SensorService(
                uuid: uuid,
                characteristics: characteristics.enumerated().map {
                    SensorCharacteristic(
                        number: first + $0.offset, uuid: $0.element.0, properties: $0.element.1,
                        offered: $0.element.1.compactMap { $0 == "read" ? .read : $0 == "notify" ? .subscribe : nil })
                })
        }
        apply(
            .services(
                sensor,
                [
                    service("180D", from: 0, [("2A37", ["notify"]), ("2A38", ["read"]), ("2A39", ["write"])]),
                    service(
                        "180A", from: 3,
                        [("2A29", ["read"]), ("2A24", ["read"]), ("2A25", ["read"]), ("2A26", ["read"])]),
                    service("180F", from: 7, [("2A19", ["read", "notify"])]),
                    service(
                        "FB005C80-02E7-F387-1CAD-8ACD2D8DF0C8", from: 8,
                        [("FB005C81-02E7-F387-1CAD-8ACD2D8DF0C8", ["read", "write", "indicate"])]),
                ]))
        func report(_ number: Int, _ octets: [UInt8]) {
            apply(.octets(sensor, CharacteristicOctets(number: number, octets: octets, moment: now)))
        }
        for (number, text) in [(3, "Polar Electro Oy"), (4, "H10"), (5, "4A2C1234"), (6, "3.1.1")] {
            report(number, Array(text.utf8))
        }
        report(1, [1])
        report(7, [64])
        pass(3)
        report(0, [0x16, 0x4D, 0x16, 0x03, 0x08, 0x03])
    }

    /// The page of the strap, which has lost its link twice.
    static func sensorPage() -> Ward {
        var ward = live(seconds: 60)
        for _ in 0..<2 {
            ward.apply(.connection(strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
            ward.pass(4)
            ward.connect(strap)
            ward.stream(seconds: 30)
        }
        ward.apply(
            .malformed(
                strap,
                MalformedOctets(characteristic: "2A37", octets: [0x17], reason: "heart rate is missing", offset: 1)))
        ward.press(.character("i"))
        ward.showServices(of: strap)
        return ward
    }

    /// The same page, scrolled to its end.
    static func sensorPageEnd() -> Ward {
        var ward = sensorPage()
        ward.press(.end)
        return ward
    }

    /// The page of a stranger that claims as much as it can, under names that would break a terminal.
    static func sensorPageHostile() -> Ward {
        var ward = hostileName()
        let sensor = ward.state.sensors[0].identity
        ward.screen.list.selection = sensor.address
        ward.press(.character("i"))
        let hostile = "\u{1B}[2J" + String(repeating: "2A37", count: 50)
        let services = (0..<300).map { number in
            SensorService(
                uuid: number % 3 == 0 ? hostile : "180D",
                characteristics: [
                    SensorCharacteristic(
                        number: number, uuid: number % 2 == 0 ? "2A37" : hostile,
                        properties: Array(repeating: hostile, count: 20))
                ])
        }
        ward.apply(.services(sensor, services))
        for number in 0..<300 {
            let octets = CharacteristicOctets(
                number: number, octets: Array(repeating: UInt8(number & 0xFF), count: 512), moment: ward.now)
            ward.apply(.octets(sensor, octets))
        }
        return ward
    }

    /// The oximeter counts far fewer beats than the strap.
    static func disagreement() -> Ward {
        var ward = live(seconds: 60)
        for _ in 0..<40 {
            ward.pass(1)
            ward.measure(strap, .heartRate, 8200)
            ward.measure(oximeter, .oxygenSaturation, 9700)
            ward.measure(oximeter, .pulseRate, 4100)
            ward.measure(core, .bodyTemperature, 3690, site: .core)
        }
        return ward
    }

    /// The assigned thermometer gives no temperature, so that CORE replaces it.
    static func standIn() -> Ward {
        var ward = live(seconds: 30)
        ward.connect(thermometer)
        ward.measure(thermometer, .bodyTemperature, 3710, site: .armpit)
        ward.apply(
            .remembered(
                RememberedSensor(
                    address: thermometer.address, name: thermometer.name, kind: thermometer.kind, isWanted: true,
                    assignedVitals: [.bodyTemperature])))
        ward.miss(thermometer, .bodyTemperature, .equipment)
        ward.stream(seconds: 5)
        return ward
    }

    /// The user is asked which vital to take from one of two oximeters.
    static func assign() -> Ward {
        var ward = live(seconds: 30)
        let other = SensorIdentity(address: "C0:52:49:00:00:09", name: "Nonin 3230", kind: .oximeter)
        ward.find(other, signal: -66)
        ward.connect(other)
        ward.measure(other, .oxygenSaturation, 9600)
        ward.measure(other, .pulseRate, 7300)
        ward.screen.list.selection = other.address
        ward.press(.character("v"))
        ward.press(.character("v"))
        return ward
    }

    static let sensorStories: [(name: String, ward: Ward)] = [
        ("sensor-page", sensorPage()), ("sensor-page-end", sensorPageEnd()),
        ("sensor-page-hostile", sensorPageHostile()), ("disagreement", disagreement()), ("stand-in", standIn()),
        ("assign", assign()),
    ]
}
