import HelioCore
import Testing

struct IPAddressTests {
    /// Addresses, including the examples of RFC 5952.
    @Test(arguments: [
        ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("192.0.2.1", "192.0.2.1"),
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:db8::1", "2001:db8::1"),
        ("2001:0DB8:0:0:0:0:2:1", "2001:db8::2:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("::ffff:192.0.2.128", "::ffff:192.0.2.128"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
    ])
    func isReadAndWritten(text: String, canonical: String) throws {
        let address = try #require(IPAddress(text))
        #expect("\(address)" == canonical)
        #expect(IPAddress(canonical) == address)
    }

    @Test(arguments: [
        "", ".", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.", ".1.2.3", "1..2.3", "0x1.2.3.4", "1.2.3.4 ",
        "+1.2.3.4", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1::", "12345::",
        "g::", "fe80::1%1", "[::1]", "::1.2.3", "1.2.3.4::", "::1.2.3.4:1", "1:", ":1", "1:2:3:4:5:6:7:1.2.3.4",
        "0000000000000000000000000000000000000000000000001::",
    ])
    func refused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "addresses of the Internet, and those of machines and networks of one's own",
        arguments: [
            ("8.8.8.8", true), ("172.15.255.255", true), ("172.32.0.0", true), ("192.169.0.1", true),
            ("11.0.0.1", true),
            ("100.63.255.255", true), ("100.128.0.0", true), ("223.255.255.255", true), ("2001:4860::8888", true),
            ("::ffff:8.8.8.8", true), ("64:ff9b::8.8.8.8", true), ("2002:808:808::1", true),
            ("0.0.0.0", false), ("10.255.255.255", false), ("127.0.0.1", false), ("169.254.169.254", false),
            ("172.16.0.1", false), ("172.31.255.255", false), ("192.168.1.1", false), ("100.64.0.1", false),
            ("192.0.0.8", false), ("198.18.0.1", false), ("224.0.0.251", false), ("255.255.255.255", false),
            ("::", false), ("::1", false), ("fe80::1", false), ("fd00::1", false), ("ff02::fb", false),
            ("::ffff:127.0.0.1", false), ("::ffff:10.0.0.1", false), ("64:ff9b::10.0.0.1", false),
            ("2002:7f00:1::1", false),
        ])
    func isGlobal(text: String, expected: Bool) throws {
        #expect(try #require(IPAddress(text)).isGlobal == expected)
    }

    @Test func anyAddressComesBack() {
        var random = SeededGenerator(seed: 5952)
        for _ in 0..<2000 {
            // Mostly zero bits, so that runs of zero groups occur.
            func word() -> UInt64 { random.next() & random.next() & (0xFFFF << (random.next() % 4 * 16)) }
            let address = IPAddress.v6(high: word(), low: word())
            #expect(IPAddress("\(address)") == address)
        }
    }

    @Test func kinds() throws {
        #expect(try #require(IPAddress("169.254.1.1")).isLinkLocal && #require(IPAddress("febf::1")).isLinkLocal)
        #expect(try !#require(IPAddress("fec0::1")).isLinkLocal && !#require(IPAddress("169.253.1.1")).isLinkLocal)
        #expect(try #require(IPAddress("127.9.9.9")).isLoopback && #require(IPAddress("::1")).isLoopback)
        #expect(try #require(IPAddress("::")).isUnspecified && #require(IPAddress("0.0.0.0")).isUnspecified)
        #expect(TransportAddress(.v6(high: 0, low: 1), port: 9).description == "[::1]:9")
        #expect(TransportAddress(.v4(1), port: 9, transport: .tcp).description == "tcp 0.0.0.1:9")
        #expect(IPAddress.v4(0x0102_0304).bytes == [1, 2, 3, 4] && IPAddress.v6(high: 1, low: 2).bytes.count == 16)
    }
}
