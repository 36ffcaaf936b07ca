import Foundation
import HelioCore
import HelioProtection
import HelioRendezvousServer
import HelioTestLanes
import Testing

@Suite("The place of a NATS server", .tags(.quiet))
struct BusPlaceTests {
    private static func message(_ body: () throws -> Void) -> String {
        let error = #expect(throws: HelioError.self) { try body() }
        return error?.message ?? ""
    }

    @Test("URLs with and without a port, also of IPv6")
    func urls() throws {
        let place = try BusPlace(parsing: ["nats://bus.example", "nats://[::1]:14222/", "nats://127.0.0.1:1"])
        #expect(place.servers == ["nats://bus.example:4222", "nats://[::1]:14222", "nats://127.0.0.1:1"])
        #expect(!place.isSecure)
        #expect(try BusPlace(parsing: ["tls://bus.example"]).isSecure)
    }

    @Test("what is no place is an error")
    func wrong() {
        for urls in [
            [], ["bus.example"], ["http://bus.example"], ["nats://"], ["nats://a:0"], ["nats://a:70000"],
            ["nats://a/b"], ["nats://a,nats://b"], ["nats://a", "tls://b"], [String](repeating: "nats://a", count: 17),
        ] {
            #expect(throws: HelioError.self, "\(urls)") { try BusPlace(parsing: urls) }
        }
        #expect(throws: HelioError.self) { try BusPlace(parsing: ["nats://a"], authorities: "/dev/null") }
        #expect(throws: HelioError.self) { try BusPlace(parsing: ["tls://a"], authorities: "/nonexistent") }
    }

    @Test("a password in the URL is refused, and not repeated")
    func password() {
        let message = Self.message { _ = try BusPlace(parsing: ["nats://anna:s3cret@bus.example"]) }
        #expect(message.contains("file") && !message.contains("s3cret"))
    }

    @Test("credentials are read from a file that is its owner's alone")
    func credentials() async throws {
        try await Service.withFolder { folder in
            func place(_ text: String, permissions: Int = 0o600) throws -> BusPlace {
                let path = folder + "/\(UUID().uuidString)"
                _ = FileManager.default.createFile(
                    atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: permissions])
                return try BusPlace(parsing: ["nats://a"], credentialsFile: path)
            }
            guard case .user("anna", let password) = try place("anna:s3:cret\n").credentials else {
                Issue.record("no user")
                return
            }
            #expect(password.text == "s3:cret")
            guard case .token(let token) = try place("t0ken").credentials else {
                Issue.record("no token")
                return
            }
            #expect(token.text == "t0ken")
            guard case .file = try place("-----BEGIN NATS USER JWT-----\nx\n").credentials else {
                Issue.record("no file")
                return
            }
            for text in ["", "two\nlines", "a b"] {
                #expect(throws: HelioError.self) { try place(text) }
            }
            #expect(throws: HelioError.self) { try place("anna:s3cret", permissions: 0o644) }
            #expect(throws: HelioError.self) { try BusPlace(parsing: ["nats://a"], credentialsFile: folder + "/none") }
        }
    }
}
