import HelioJSON
import Testing

@Suite("JSON objects")
struct JSONObjectTests {
    @Test func membersKeepTheirOrderAndPlace() {
        var object = JSONObject()
        object["b"] = .null
        object["a"] = .bool(true)
        object["b"] = JSON(7)
        object["c"] = nil
        #expect(object.members.map(\.name) == ["b", "a"])
        #expect(object["b"] == .number(7))
        #expect(object["c"] == nil)
    }

    /// RFC 8259 section 8.3: names are compared by their bytes. By Unicode, as in Swift's `==`, the Kelvin sign equals
    /// a K.
    @Test func namesAreTheSameByTheirBytes() {
        var object = JSONObject()
        object["K"] = JSON(1)
        object["\u{212A}"] = JSON(2)
        #expect(object.members.count == 2)
        #expect(object["K"] == .number(1))
    }
}
