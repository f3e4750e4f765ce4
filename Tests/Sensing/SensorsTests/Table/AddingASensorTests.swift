import Testing
import VitalDecoders

@testable import KnownSensors
@testable import Sensors

@Suite("The example of the article \"Adding a sensor\"")
struct AddingASensorTests {
    // Word for word as in the article; `RepositoryTests` compares the two.
    let declaration =
        SensorDeclaration(
            kind: .thermometer, word: "Thermometer",
            signs: [
                .service(HealthThermometerService.uuid),
                // Quirk feverscan-by-name: it advertises no service.
                .name("FeverScan 7"),
            ],
            subscribed: [.temperatureMeasurement, .intermediateTemperature],
            readOnce: [.temperatureType])

    @Test("its name alone is a sign, and so is its service; a name that only begins like it is not")
    func isRecognised() {
        func isShown(_ services: [BluetoothUUID], _ name: String?) -> Bool {
            declaration.signs.contains { $0.isShown(services: services, name: name) }
        }
        #expect(isShown([], "FeverScan 7"))
        #expect(isShown([HealthThermometerService.uuid], nil))
        #expect(!isShown([], "FeverScan 70"))
    }
}
