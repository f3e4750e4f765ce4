import Foundation
import HTTP
import TestSupport
import Testing

@Suite("The client of HTTP", .enabled(if: StandInServer.isPossible))
struct HTTPClientTests {
    private static func client(_ authorities: String? = nil) throws -> HTTPClient {
        try HTTPClient(program: "bedside/test", authorities: authorities)
    }

    private func post(_ address: String, _ client: HTTPClient, within limit: Duration = .seconds(60)) throws
        -> HTTPResponse
    {
        let body = #"{"resourceType":"Bundle","type":"transaction","entry":[]}"#
        return try client.send(
            HTTPRequest(
                "POST", "\(address)/fhir", fields: [.init("Authorization", "Bearer word")], body: Array(body.utf8)),
            within: limit)
    }

    @Test("gets status, body and the time to wait, over one connection or several")
    func answers() throws {
        let server = try StandInServer()
        let client = try Self.client()
        try server.command("secret word")
        let response = try post(server.address, client)
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self).contains("transaction-response"))
        #expect(response.retryAfter == nil)
        try server.command("answer 503 120")
        let failure = try post(server.address, client)
        #expect(failure.status == 503)
        #expect(failure.retryAfter == 120)
        try server.command("work")
        #expect(try post(server.address, client).status == 200)
        let request = HTTPRequest("GET", "\(server.address)/api/v2/authorization/request/word")
        #expect(try client.send(request).status == 200)
    }

    @Test("says that a server is away, that it does not answer, and that it breaks off")
    func failures() throws {
        let server = try StandInServer()
        let client = try Self.client()
        try server.command("down")
        #expect(throws: HTTPError(.unreachable, "it cannot be reached")) { try post(server.address, client) }
        try server.command("up")
        #expect(try post(server.address, client).status == 200)
        try server.command("truncate")
        let error = #expect(throws: HTTPError.self) { try post(server.address, client) }
        #expect(error?.kind == .unreachable)
        try server.command("hang")
        #expect(throws: HTTPError(.timeout, "it does not answer in time")) {
            try post(server.address, client, within: .seconds(1))
        }
        #expect(throws: HTTPError(.unreachable, "its name is not known")) {
            try post("http://name.invalid", client)
        }
    }

    @Test("accepts a certificate of its authorities for the server's name, and no other")
    func certificates() throws {
        let folder = try ScratchFolder()
        let server = try StandInServer(StandInServer.certificates(for: "localhost", in: folder))
        let address = "https://localhost:\(server.port)"
        #expect(try post(address, Self.client("\(folder.path)/ca.crt")).status == 200)
        let untrusted = HTTPError(.certificate, "its certificate is not trusted")
        #expect(throws: untrusted) { try post(address, Self.client()) }
        // Another name than that of the certificate.
        #expect(throws: untrusted) {
            try post("https://127.0.0.1:\(server.port)", Self.client("\(folder.path)/ca.crt"))
        }
        let error = #expect(throws: HTTPError.self) { try post(address, Self.client("\(folder.path)/none.crt")) }
        #expect(error?.kind == .certificate)
        // A server without TLS.
        let plain = try StandInServer()
        let broken = #expect(throws: HTTPError.self) { try post("https://localhost:\(plain.port)", Self.client()) }
        #expect(broken?.kind == .certificate)
        #expect(try plain.command("requests") == "0 0")
    }
}
