import HelioCore
import HelioJSON

/// Fuzzes the JSON parser. A parsed value must survive a round trip, and an error's offset must be within the text.
package enum JSONFuzz {
    package static func run(_ bytes: [UInt8]) {
        let limits = JSONLimits(bytes: 4096, depth: 16, values: 1024)
        do {
            let value = try JSON(parsing: bytes, limits: limits)
            let text = value.serialised()
            let again = try? JSON(parsing: text, limits: JSONLimits(bytes: .max))
            precondition(again == value && again?.serialised() == text, "value changed on its way")
        } catch {
            precondition((0...bytes.count).contains(error.offset), "error outside of the text")
        }
    }
}
