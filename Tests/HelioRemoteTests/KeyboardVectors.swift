import HelioRemote

/// The part of `Testing/Vectors/keyboard.json` on the special keyboard; the file documents itself in `about`.
struct KeyboardVectors: Decodable {
    var keys: [Key]
    var specialRows: [[SpecialKeyName]]
    /// A key's name, with its characters alone and with Shift.
    var characters: [[String]]
    var special: [Case]

    struct Key: Decodable {
        var code: String
        var keyCode: UInt16?
    }

    struct SpecialKeyName: Decodable {
        var code: String?
        var modifier: String?
        var label: String
    }

    struct Case: Decodable, Sendable, CustomStringConvertible {
        var name: String
        var steps: [Step]

        var description: String { name }
    }

    struct Step: Decodable, Sendable {
        var toggle: String?
        var press: String?
        var text: Text?
        var releaseAll: Bool?
        var send: [Message]?
        var sticky: [String]?
    }

    struct Message: Decodable, Sendable {
        var type: String
        var keyCode: UInt16?
        var modifiers: [String]?
        var characters: Text?

        /// The message; `nil` for an unknown type.
        var value: KeyMessage? {
            let modifiers = (modifiers ?? []).compactMap(StickyModifier.init(rawValue:))
            switch (type, keyCode) {
            case ("keyDown", let keyCode?): return .keyDown(keyCode: keyCode, modifiers: modifiers)
            case ("keyUp", let keyCode?): return modifiers.isEmpty ? .keyUp(keyCode: keyCode) : nil
            case ("keyPress", let keyCode?): return .keyPress(keyCode: keyCode, modifiers: modifiers)
            case ("text", nil): return characters.map { .text($0.value) }
            case ("releaseAll", nil): return .releaseAll
            default: return nil
            }
        }
    }

    /// A text, given as a string or as a repeated piece with its count.
    struct Text: Decodable, Sendable {
        var value: String

        private struct Repeated: Decodable {
            var `repeat`: String
            var count: Int
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                value = text
            } else {
                let repeated = try container.decode(Repeated.self)
                value = String(repeating: repeated.repeat, count: repeated.count)
            }
        }
    }
}
