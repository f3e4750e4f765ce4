import HTTP
import Testing

@Suite("The address of a server")
struct ServerAddressTests {
    @Test(
        "is encrypted, or of this computer; a slash at its end is left out",
        arguments: [
            ("https://fhir.example/r4/", "https://fhir.example/r4", true),
            ("https://fhir.example:8443", "https://fhir.example:8443", true),
            ("http://localhost:8080/fhir", "http://localhost:8080/fhir", false),
            ("http://127.0.0.1/fhir", "http://127.0.0.1/fhir", false),
            ("http://[::1]:8080", "http://[::1]:8080", false),
        ])
    func addresses(text: String, description: String, isEncrypted: Bool) throws {
        let address = try #require(ServerAddress(text))
        #expect(address.description == description)
        #expect(address.isEncrypted == isEncrypted)
    }

    @Test(
        "is refused where secrets would be seen, by others or in a log",
        arguments: [
            "http://fhir.example/r4", "http://localhost.example/", "https://user:password@fhir.example/r4",
            "https://fhir.example/r4?token=secret", "https://", "https:///r4", "https://fhir.example:0/",
            "https://fhir.example:port/", "ftp://fhir.example", "fhir.example", "https://fhir.example/a b", "",
        ])
    func refusals(text: String) {
        #expect(ServerAddress(text) == nil)
    }
}
