import HelioRemote
import Testing

struct SpecialKeyboardTests {
    private static let vectors: KeyboardVectors? = try? GoldenVectors.load("keyboard.json")

    @Test func vectorsAreThere() throws {
        let vectors: KeyboardVectors = try GoldenVectors.load("keyboard.json")
        #expect(vectors.special.count >= 10)
        #expect(vectors.characters.count == 48)
    }

    @Test func rowsAreTheSpecifications() throws {
        let vectors: KeyboardVectors = try GoldenVectors.load("keyboard.json")
        #expect(SpecialKey.rows.map { $0.map(\.label) } == vectors.specialRows.map { $0.map(\.label) })
        for (key, named) in zip(SpecialKey.rows.joined(), vectors.specialRows.joined()) {
            if case .modifier(let modifier) = key {
                #expect(modifier.rawValue == named.modifier)
            } else {
                let vector = vectors.keys.first { $0.code == named.code }
                #expect(key.keyCode == vector?.keyCode, "\(named.label)")
            }
        }
    }

    @Test func modifiersAreTheLeftKeys() throws {
        let vectors: KeyboardVectors = try GoldenVectors.load("keyboard.json")
        let names = ["MetaLeft", "ControlLeft", "AltLeft", "ShiftLeft"]
        #expect(StickyModifier.allCases.map(\.rawValue) == ["cmd", "ctrl", "alt", "shift"])
        for (modifier, name) in zip(StickyModifier.allCases, names) {
            let vector = vectors.keys.first { $0.code == name }
            #expect(modifier.keyCode == vector?.keyCode)
        }
    }

    @Test func charactersAreKeysWithAModifier() throws {
        let vectors: KeyboardVectors = try GoldenVectors.load("keyboard.json")
        for entry in vectors.characters {
            let keyCode = try #require(vectors.keys.first { $0.code == entry[0] }?.keyCode)
            for (index, character) in entry.dropFirst().enumerated() {
                var keyboard = SpecialKeyboard()
                _ = keyboard.tap(.modifier(.control))
                let modifiers: [StickyModifier] = index == 0 ? [.control] : [.control, .shift]
                #expect(keyboard.type(character) == [.keyPress(keyCode: keyCode, modifiers: modifiers)])
            }
        }
    }

    @Test(arguments: vectors?.special ?? [])
    func tells(_ scenario: KeyboardVectors.Case) {
        var keyboard = SpecialKeyboard()
        for (index, step) in scenario.steps.enumerated() {
            var messages: [KeyMessage] = []
            if let name = step.toggle {
                if let modifier = StickyModifier(rawValue: name) { messages = keyboard.tap(.modifier(modifier)) }
            } else if let code = step.press {
                if let key = Self.key(code) { messages = keyboard.tap(key) }
            } else if let text = step.text {
                messages = keyboard.type(text.value)
            } else if step.releaseAll == true {
                messages = keyboard.releaseAll()
            } else {
                Issue.record("step \(index + 1) does nothing")
            }
            #expect(messages == (step.send ?? []).map(\.value), "step \(index + 1)")
            if let sticky = step.sticky { #expect(keyboard.sticky.map(\.rawValue) == sticky, "step \(index + 1)") }
        }
    }

    @Test func aFunctionKeyThatThereIsNotDoesNothing() {
        var keyboard = SpecialKeyboard()
        for number in [-1, 0, 13] { #expect(keyboard.tap(.function(number)).isEmpty) }
    }

    @Test func descriptionsDoNotTell() {
        var keyboard = SpecialKeyboard()
        let messages = keyboard.tap(.modifier(.shift)) + keyboard.type("secret") + keyboard.releaseAll()
        #expect(messages.map(\.description) == ["key-down", "key-up", "text", "key-down", "release-all"])
    }

    private static func key(_ code: String) -> SpecialKey? {
        switch code {
        case "Escape": return .escape
        case "Tab": return .tab
        case "Delete": return .delete
        case "Home": return .home
        case "End": return .end
        case "ArrowLeft": return .left
        default:
            guard code.hasPrefix("F") else { return nil }
            return Int(code.dropFirst()).map { .function($0) }
        }
    }
}
