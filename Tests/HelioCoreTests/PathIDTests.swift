import HelioCore
import Testing

@Suite("Paths that are no socket's")
struct PathIDTests {
    @Test(
        "a virtual path has an address of its own, which is nobody's", arguments: [0, 1, 0xFFFF_0000_0001, UInt64.max])
    func virtual(number: UInt64) throws {
        let path = PathID.virtual(number)
        #expect(path.isVirtual && path == .virtual(number) && path != .virtual(number &+ 1))
        #expect(path.ip != PathID.virtual(number &+ 1).ip)
        // No rule for this machine, its network or the Internet applies to it.
        #expect(!path.ip.isLoopback && !path.ip.isLinkLocal && !path.ip.isUnspecified && !path.ip.isGlobal)
        #expect(path.ip.family == .ipv6 && path.ip.unmapped == path.ip && path.zone == 0)
        // Text of it reads back as the same.
        #expect(IPAddress("\(path.ip)") == path.ip)
    }

    @Test(
        "100::/64 alone is virtual",
        arguments: [
            ("100::", true), ("100::1", true), ("100::ffff:ffff:ffff:ffff", true), ("100:0:0:1::", false),
            ("ff:ffff:ffff:ffff::1", false), ("::100", false), ("::1", false), ("::", false), ("1.0.0.0", false),
            ("::ffff:1.0.0.0", false), ("127.0.0.1", false),
        ])
    func prefix(text: String, isVirtual: Bool) throws {
        #expect(PathID(try #require(IPAddress(text)), port: 7236).isVirtual == isVirtual)
    }
}
