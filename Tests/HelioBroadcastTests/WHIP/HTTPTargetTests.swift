import HelioBroadcast
import HelioCore
import Testing

struct HTTPTargetTests {
    @Test(
        "reads addresses",
        arguments: [
            ("http://server.example/whip", false, "server.example", 80, "/whip"),
            ("HTTPS://server.example", true, "server.example", 443, "/"),
            ("https://[2001:db8::1]:8443/a/../b?c=/../d#e", true, "2001:db8::1", 8443, "/b?c=/../d"),
            ("http://192.0.2.1:8080?key=1", false, "192.0.2.1", 8080, "/?key=1"),
            ("http://h/a//b/./c/", false, "h", 80, "/a//b/c/"), ("http://h/../..", false, "h", 80, "/"),
        ])
    func parse(text: String, isSecure: Bool, host: String, port: UInt16, path: String) throws {
        let target = try #require(HTTPTarget(parsing: text))
        #expect(target.isSecure == isSecure)
        #expect(target.host == host)
        #expect(target.port == port)
        #expect(target.path == path)
    }

    @Test(
        "refuses what is no address",
        arguments: [
            "", "http:", "http://", "http:///path", "ftp://host/", "http://user@host/", "http://user:key@host/",
            "http://host:0/", "http://host:65536/", "http://host:port/", "http://host/a b", "http://host/\u{E9}",
            "http://ho\"st/", "http://[::1/", "http://host/" + String(repeating: "a", count: 2048),
        ])
    func refuse(text: String) { #expect(HTTPTarget(parsing: text) == nil) }

    @Test(
        "finds what a Location means",
        arguments: [
            ("/session/1", "https://h:8443/session/1"), ("session", "https://h:8443/whip/session"),
            ("../up/./x", "https://h:8443/up/x"), ("?id=2", "https://h:8443/whip/live?id=2"),
            ("", "https://h:8443/whip/live?key=1"), ("#part", "https://h:8443/whip/live?key=1"),
            ("//other/x", "https://other/x"), ("http://plain:80/y", "http://plain/y"),
            ("https://other/z?q#f", "https://other/z?q"), ("../../../..", "https://h:8443/"),
            ("a/b:c", "https://h:8443/whip/a/b:c"),
        ])
    func resolve(reference: String, expected: String) throws {
        let base = try #require(HTTPTarget(parsing: "https://h:8443/whip/live?key=1"))
        #expect(base.resolving(reference) == HTTPTarget(parsing: expected))
        #expect(HTTPTarget(parsing: expected) != nil)
    }

    @Test(
        "refuses a Location that means nothing here",
        arguments: [
            "ftp://h/", "javascript:x", "//", "//user@h/", "/a b", "/\u{E9}", String(repeating: "a", count: 2049),
            String(repeating: "a", count: 2045),
        ])
    func refuseReference(reference: String) throws {
        let base = try #require(HTTPTarget(parsing: "https://h/whip/live?key=1"))
        #expect(base.resolving(reference) == nil)
    }

    @Test("shows no path") func description() throws {
        let target = try #require(HTTPTarget(parsing: "https://h/secret-path?secret-query"))
        var dumped = ""
        dump(target, to: &dumped)
        for text in ["\(target)", String(reflecting: target), dumped] { #expect(!text.contains("secret")) }
        #expect("\(target)" == "https://h:443")
        #expect(target.authority == "h")
        #expect(HTTPTarget(parsing: "http://[::1]:8080/")?.authority == "[::1]:8080")
    }
}
