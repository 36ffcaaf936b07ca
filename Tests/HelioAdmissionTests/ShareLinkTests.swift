import HelioAdmission
import HelioCore
import Testing

@Suite("Links and codes")
struct ShareLinkTests {
    static let secret: [UInt8] = [0, 1, 2, 3, 4, 250, 251, 252, 253, 254]
    static let print = (0..<32).map { UInt8($0 * 7) }

    @Test("a link reads back what was written", arguments: ["192.168.1.20", "fe80::1", "host.example"])
    func roundTrip(host: String) throws {
        let link = ShareLink(host: host, port: 7300, fingerprint: Self.print, secret: Self.secret)
        #expect(try ShareLink(parsing: link.text) == link)
        #expect(
            try ShareLink(parsing: "  " + link.text.uppercased().replacing("HELIOGRAPH", with: "heliograph") + "\n")
                .secret == Self.secret)
        #expect(try ShareLink(parsing: link.text.lowercased()).fingerprint == Self.print)
    }

    @Test("a link has further addresses of the host, which a viewer tries beside the first")
    func furtherAddresses() throws {
        var link = ShareLink(host: "192.168.1.20", port: 7300, fingerprint: Self.print, secret: Self.secret)
        link.otherHosts = ["10.8.0.2", "fd00::7", "desk.example"]
        let read = try ShareLink(parsing: link.text)
        #expect(read == link && read.hosts == ["192.168.1.20", "10.8.0.2", "fd00::7", "desk.example"])
        let damaged = [",", "10.0.0.1,", "a/b", "ä", Array(repeating: "10.0.0.1", count: 8).joined(separator: ",")]
        for list in damaged {
            let text = link.text.replacing("10.8.0.2,fd00::7,desk.example", with: list)
            let error = #expect(throws: HelioError.self) { try ShareLink(parsing: text) }
            #expect(error?.code == .invalidArgument && error?.message.contains("addresses") == true)
        }
        // Unknown query items of a later version are ignored.
        #expect(try ShareLink(parsing: link.text.replacing("?also=", with: "?later=")).otherHosts.isEmpty)
    }

    static let device = "0123456789abcdefghjkmnpqr0"

    @Test(
        "a link has the rendezvous server of a host, whatever is in the server's address",
        arguments: [
            "https://rendezvous.example.org", "https://rendezvous.example.org:8443/some/path", "http://127.0.0.1:8443",
            "https://[fd00::1]:8443#\(String(repeating: "a", count: 52))", "https://host/100%&more?",
        ])
    func rendezvous(server: String) throws {
        var link = ShareLink(host: "192.168.1.20", port: 7300, fingerprint: Self.print, secret: Self.secret)
        let place = try #require(HostRendezvous("\(Self.device)@\(server)"))
        #expect(place.server == server && HostRendezvous(place.text) == place)
        link.rendezvous = place
        #expect(try ShareLink(parsing: link.text) == link)
        link.otherHosts = ["10.8.0.2", "fd00::7"]
        // Earlier versions read the addresses up to the first '&', and nothing else of what precedes '#'.
        #expect(link.text.contains("/?also=10.8.0.2,fd00::7&via="))
        #expect(link.text.filter { $0 == "#" }.count == 1)
        #expect(try ShareLink(parsing: link.text) == link)
    }

    @Test(
        "the page of a rendezvous server has the host's name and the code where no server sees them",
        arguments: [
            ("https://meet.example.org", "https://meet.example.org/"),
            ("https://meet.example.org:8443/folder/", "https://meet.example.org:8443/folder/"),
            ("https://[fd00::1]:8443#\(String(repeating: "a", count: 52))", "https://[fd00::1]:8443/"),
            ("http://127.0.0.1:8443", "http://127.0.0.1:8443/"),
        ])
    func rendezvousPage(server: String, page: String) throws {
        let place = try #require(HostRendezvous("\(Self.device)@\(server)"))
        let code = ShareLink.code(of: Self.secret)
        #expect(place.pageLink(code: code) == "\(page)#\(Self.device).\(code)")
        // Native viewers take it too: they call the host, whose address it does not have.
        let link = try ShareLink(parsing: place.pageLink(code: code))
        let bare = server.prefix { $0 != "#" }
        let end = bare.hasSuffix("/") ? bare.dropLast() : bare
        #expect(link.rendezvous == HostRendezvous("\(Self.device)@\(end)"))
        #expect(link.avoidsAddresses && link.secret == Self.secret && link.fingerprint == nil)
        #expect(throws: HelioError.self) { try ShareLink(parsing: "\(page)#\(Self.device).XXXX") }
    }

    @Test(
        "a damaged rendezvous server is said to be one",
        arguments: [
            "", "@host", "\(device)", "\(device)@", "\(device.dropLast())@host", "\(device)@a%2", "\(device)@a%zz",
        ])
    func damagedRendezvous(value: String) throws {
        let text = "heliograph://10.0.0.1:7236/?via=\(value)#\(ShareLink.code(of: Self.secret))"
        let error = #expect(throws: HelioError.self) { try ShareLink(parsing: text) }
        #expect(error?.code == .invalidArgument && error?.message.contains("rendezvous") == true)
        #expect(HostRendezvous(value) == nil || value.contains("%"))
    }

    @Test("an address and a code do as well, however the code is typed")
    func typedCode() throws {
        let link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: Self.secret)
        #expect(link.code.count == 19)
        for code in [link.code, link.code.lowercased(), link.code.replacing("-", with: " ")] {
            #expect(try ShareLink(parsing: "10.0.0.1", code: code) == link)
        }
        #expect(try ShareLink(parsing: "10.0.0.1:99", code: link.code).port == 99)
    }

    @Test(
        "the link for browsers does as well: it has the host and the code, and another port",
        arguments: ["http://10.0.0.1:8080/#", "https://10.0.0.1/#", "HTTP://10.0.0.1:8081#"])
    func page(prefix: String) throws {
        var link = ShareLink(host: "10.0.0.1", port: ShareLink.defaultPort, fingerprint: nil, secret: Self.secret)
        #expect(link.pageFragment == link.code)
        #expect(try ShareLink(parsing: prefix + link.code) == link)
        #expect(ShareLink.isPageAlone(prefix + link.code))
        link.port = 23010
        #expect(link.pageFragment == link.code + ".23010")
        #expect(try ShareLink(parsing: prefix + link.pageFragment) == link)
        #expect(try ShareLink(parsing: prefix + "0000-0000-0000-0000.23010", code: link.code) == link)
        #expect(!ShareLink.isPageAlone(prefix + link.pageFragment))
        #expect(throws: HelioError.self) { try ShareLink(parsing: prefix) }
        for port in ["", "0", "65536", "x", "1.2"] {
            #expect(throws: HelioError.self, "\(port)") { try ShareLink(parsing: prefix + link.code + "." + port) }
        }
    }

    @Test(
        "where a host is, is read from its address and from each of its links",
        arguments: [
            ("10.0.0.1", 7236), ("10.0.0.1:99", 99), ("http://10.0.0.1:8080/", 7236),
            ("https://10.0.0.1/#ABCD.99", 99), ("heliograph://10.0.0.1:99/?also=10.0.0.2#A.B", 99),
        ] as [(String, UInt16)])
    func place(text: String, port: UInt16) throws {
        let place = try ShareLink.place(of: text)
        #expect(place.host == "10.0.0.1" && place.port == port)
        #expect(ShareLink.isPageAlone(text) == (text == "http://10.0.0.1:8080/"))
    }

    @Test(
        "what is wrong with a link is said, and the secret is not",
        arguments: [
            ("", nil), ("heliograph://", nil), ("heliograph://host:7236/", nil), ("heliograph://host:0/#A.B", nil),
            ("heliograph://host:99999/#A", nil), ("heliograph://[::1/#A", nil), ("host", "SHORT"),
            ("host", "ABCD-EFGH-JKMN-PQRU"), ("heliograph://h/#A.B.C", nil),
            ("heliograph://h/#AAAA.0123456789ABCDEF", nil),
        ] as [(String, String?)])
    func refused(text: String, code: String?) {
        let error = #expect(throws: HelioError.self) { try ShareLink(parsing: text, code: code) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("0123456789ABCDEF") == false)
    }

    @Test("printing a link for a log leaves the secret out")
    func redacted() {
        let link = ShareLink(host: "h", port: 1, fingerprint: Self.print, secret: Self.secret)
        #expect(!"\(link)".contains(Base32.encode(Self.secret)))
        #expect(!String(reflecting: link).contains(Base32.encode(Self.secret)))
    }
}
