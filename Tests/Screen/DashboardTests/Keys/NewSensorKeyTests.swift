import Appearance
import Testing
import Vitals

@testable import Dashboard

@Suite("The key that accepts a new sensor of a transmitter")
struct NewSensorKeyTests {
    private static let transmitter = SensorIdentity(
        address: "C0:52:49:00:00:09", name: "miaomiao 4F", kind: .continuousGlucose)

    /// The list, with a transmitter that reports something.
    private static func list(_ newSensor: TransmitterStatus.NewSensor?) -> Ward {
        var ward = Ward.live(seconds: 5)
        ward.find(transmitter, signal: -60)
        ward.apply(.connection(transmitter, ConnectionState(phase: .ready)))
        let status = TransmitterStatus(
            firmware: "0007", hardware: "1001", sensorSerial: "0M000AUDL40", sensorMinutes: 5000, newSensor: newSensor)
        ward.apply(.transmitter(transmitter, status))
        ward.screen.list.selection = transmitter.address
        return ward
    }

    private static func text(_ ward: Ward) -> String {
        (0..<40).map { ward.drawn(100, 40).text(row: $0) }.joined(separator: "\n")
    }

    @Test("asks in the lowest line, and wishes what is answered", arguments: [("y", true), ("n", false)])
    func answer(key: Unicode.Scalar, isAccepted: Bool) {
        var ward = Self.list(.asked)
        #expect(Self.text(ward).contains("accept it? B"))
        #expect(ward.press(.character("B")) == nil)
        #expect(Self.text(ward).contains("miaomiao 4F is on a new sensor. Use it?"))
        let wish = SensorWish.answerNewSensor(address: Self.transmitter.address, isAccepted: isAccepted)
        #expect(ward.press(.character(key)) == .sensor(wish))
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("does not ask where the settings say never, and asks about a pairing where there is no new sensor")
    func otherwise() {
        var ward = Self.list(.refused)
        ward.press(.character("B"))
        #expect(ward.screen.dialogs.inputLine == nil)
        #expect(ward.screen.dialogs.message?.contains("sensors.new_glucose_sensor") == true)
        ward = Self.list(nil)
        ward.press(.character("B"))
        #expect(ward.screen.dialogs.explanation?.contains("one app only") == true)
    }

    @Test("the page of the sensor has its versions, the serial number and the age of the sensor, and the question")
    func page() {
        var ward = Self.list(.asked)
        ward.press(.character("i"))
        let text = Self.text(ward)
        #expect(text.contains("firmware 0007 · hardware 1001"))
        #expect(text.contains("serial 0M000AUDL40 · age 3 d 11 h when last read"))
        #expect(text.contains("waits to be accepted: B"))
    }
}
