import DBus
import Testing

@testable import BlueZ

@Suite("Error codes of the Attribute Protocol")
struct AttributeErrorCodeTests {
    @Test(
        "have the names of the specification",
        arguments: [
            (0x01, "Invalid Handle"), (0x05, "Insufficient Authentication"), (0x0F, "Insufficient Encryption"),
            (0x13, "Value Not Allowed"), (0x80, "Application Error"), (0x9F, "Application Error"),
            (0xFD, "Client Characteristic Configuration Descriptor Improperly Configured"),
            (0x14, "Reserved for Future Use"), (0xA0, "Reserved for Future Use"),
        ] as [(UInt8, String)])
    func names(code: UInt8, name: String) {
        #expect(AttributeErrorCode(rawValue: code).name == name)
    }

    @Test("are written with their number")
    func description() {
        #expect(AttributeErrorCode(rawValue: 0x0C).description == "Encryption Key Size Too Short (0x0c)")
    }

    @Test(
        "are found in what BlueZ makes of them, and whether pairing would help",
        arguments: [
            ("Failed", "Operation failed with ATT error: 0x80", 0x80, false),
            ("Failed", "Operation failed with ATT error: 0x0f", 0x0F, true),
            ("NotPermitted", "Read not permitted", 0x02, false), ("NotPermitted", "Not paired", nil, true),
            ("NotAuthorized", "Operation Not Authorized", nil, true), ("Failed", "Not connected", nil, false),
        ] as [(String, String, UInt8?, Bool)])
    func fromErrors(name: String, text: String, code: UInt8?, wantsPairing: Bool) {
        let error = BlueZError(classifying: .remote(name: "org.bluez.Error.\(name)", message: text))
        #expect(error.attributeErrorCode?.rawValue == code)
        #expect(error.wantsPairing == wantsPairing)
    }
}
