import Testing
import VitalDecoders

@Suite("Looking a characteristic up")
struct CharacteristicLookUpTests {
    @Test("finds it by its UUID, in whatever form that was written")
    func byUUID() {
        #expect(
            CharacteristicType.with(uuid: "00002101-5b1e-4347-b07c-97b514dae121")?.name == "Core Body Temperature")
        #expect(CharacteristicType.with(uuid: "0x2A37")?.name == "Heart Rate Measurement")
        #expect(CharacteristicType.with(uuid: BluetoothUUID(0x2A00)) == nil)
    }
}
