import HelioCore
import Testing

@Suite("A table in the order in which its keys came")
struct OrderedTableTests {
    @Test("values come in their keys' order, also after some are taken out and others replaced")
    func order() {
        var table = OrderedTable<Int, String>()
        for key in [5, 3, 9, 1, 7] { table[key] = "\(key)" }
        table[9] = nil
        table[3] = "three"
        #expect(table.removeValue(forKey: 5) == "5" && table.removeValue(forKey: 5) == nil)
        table[5] = "again"
        #expect(table.keys == [3, 1, 7, 5] && table.values == ["three", "1", "7", "again"])
        #expect(table.keys.map { table[$0] } == table.values && table[9] == nil && table.count == 4)
    }
}

@Suite("Addresses that mean the same")
struct AddressOriginTests {
    @Test("an address of IPv4 in IPv6's dress is itself, and comes back into it")
    func mapped() throws {
        let plain = try #require(IPAddress("192.0.2.1"))
        #expect(IPAddress("::ffff:192.0.2.1")?.unmapped == plain && plain.unmapped == plain)
        #expect(plain.mapped == IPAddress("::ffff:192.0.2.1"))
        let other = try #require(IPAddress("2001:db8::1"))
        #expect(other.unmapped == other && other.mapped == other)
    }

    @Test("a /64 is one origin, an address of IPv4 another")
    func origin() {
        #expect(IPAddress("2001:db8::1")?.origin == IPAddress("2001:db8:0:0:ffff::2")?.origin)
        #expect(IPAddress("2001:db8::1")?.origin != IPAddress("2001:db8:0:1::1")?.origin)
        #expect(IPAddress("::ffff:192.0.2.1")?.origin == IPAddress("192.0.2.1"))
        #expect(IPAddress("192.0.2.1")?.origin != IPAddress("192.0.2.2")?.origin)
    }
}
