import HelioAdmission
import HelioCore
import Testing

@Suite("The hardware addresses that a host tells")
struct WakeAddressesTests {
    private static func address(_ number: UInt8) throws -> HardwareAddress {
        try #require(HardwareAddress([2, 0, 0, 0, 0, number]))
    }

    @Test("a list comes back from its text")
    func text() throws {
        let list = try #require(WakeAddresses([try Self.address(1), try Self.address(0xAB)]))
        #expect(list.text == "02:00:00:00:00:01, 02:00:00:00:00:ab")
        #expect(WakeAddresses(list.text) == list)
        #expect(WakeAddresses("02:00:00:00:00:01,02:00:00:00:00:AB") == list)
    }

    @Test("a list has four addresses at most, each once, and one at least")
    func bounds() throws {
        let many = try (1...6).map { try Self.address($0) }
        #expect(WakeAddresses([many[0], many[0]] + many)?.all == Array(many.prefix(4)))
        #expect(WakeAddresses([]) == nil)
        let full = try #require(WakeAddresses(many))
        #expect(WakeAddresses(full.text) == full)
        #expect(WakeAddresses(full.text + ", 02:00:00:00:00:05") == nil)
    }

    @Test(
        "a damaged list is none",
        arguments: [
            "", " ", ",", "02:00:00:00:00:01,", "02:00:00:00:00:01 02:00:00:00:00:02", "02:00:00:00:00",
            "ff:ff:ff:ff:ff:ff", "02:00:00:00:00:01, ff:ff:ff:ff:ff:ff", String(repeating: " ", count: 500),
        ])
    func damaged(text: String) {
        #expect(WakeAddresses(text) == nil)
    }
}
