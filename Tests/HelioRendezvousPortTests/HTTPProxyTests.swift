import HelioCore
import Testing

@testable import HelioRendezvousPort

@Suite("The HTTP proxy that the environment names")
struct HTTPProxyTests {
    private func find(_ variables: [String: String], _ server: String = "rendezvous.example") throws -> HTTPProxy? {
        try HTTPProxy.find(for: server) { variables[$0] }
    }

    @Test(
        "proxies are read as curl reads them",
        arguments: [
            ("http://proxy.example:3128", "proxy.example", 3128, nil),
            ("proxy.example:8080/", "proxy.example", 8080, nil),
            ("HTTP://192.0.2.1", "192.0.2.1", 1080, nil), ("[2001:db8::1]:3128", "2001:db8::1", 3128, nil),
            ("http://anna:secret@proxy.example:3128", "proxy.example", 3128, "Basic YW5uYTpzZWNyZXQ="),
            ("http://anna:a%40b@proxy.example:3128", "proxy.example", 3128, "Basic YW5uYTphQGI="),
            ("anna@proxy.example:3128", "proxy.example", 3128, "Basic YW5uYTo="),
        ] as [(String, String, UInt16, String?)])
    func reads(text: String, host: String, port: UInt16, authorization: String?) throws {
        let proxy = try #require(try find(["HTTPS_PROXY": text]))
        #expect((proxy.host, proxy.port, proxy.authorization) == (host, port, authorization))
        #expect(!proxy.place.contains("secret"))
    }

    @Test(
        "what names no HTTP proxy is an error that does not tell the password",
        arguments: [
            "socks5://proxy.example:1080", "https://proxy.example", "http://", "a%:secret@", "proxy:0", "a%4:x@b",
        ])
    func malformed(text: String) {
        let error = #expect(throws: HelioError.self) { try find(["HTTPS_PROXY": text]) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("the variable in small letters goes first, and an empty one says nothing")
    func order() throws {
        #expect(try find(["https_proxy": "a:1", "HTTPS_PROXY": "b:2"])?.host == "a")
        #expect(try find(["https_proxy": "", "HTTPS_PROXY": "b:2"])?.host == "b")
        #expect(try find(["HTTPS_PROXY": ""]) == nil)
        #expect(try find(["http_proxy": "a:1"]) == nil)
    }

    @Test("this machine's servers, and those that are excepted, need no proxy")
    func exceptions() throws {
        for server in ["localhost", "127.0.0.1", "::1"] { #expect(try find(["HTTPS_PROXY": "a:1"], server) == nil) }
        func isExcepted(_ list: String, _ server: String = "rendezvous.example") throws -> Bool {
            try find(["HTTPS_PROXY": "a:1", "NO_PROXY": list], server) == nil
        }
        for list in ["*", "rendezvous.example", "other, example", ".EXAMPLE", "x,.rendezvous.example"] {
            #expect(try isExcepted(list), "\(list)")
        }
        for list in ["", "vous.example", "rendezvous", "a.rendezvous.example", "."] {
            #expect(try !isExcepted(list), "\(list)")
        }
        #expect(try isExcepted("192.0.2.1", "192.0.2.1"))
    }
}
