import HelioCore
import HelioWindow
import Testing

@Suite struct KeyboardRouterTests {
    private static let a: UInt16 = 0x04
    private static let c: UInt16 = 0x06
    private static let f: UInt16 = 0x09
    private static let left: UInt16 = 0x50
    private static let control: UInt16 = 0xE0
    private static let shift: UInt16 = 0xE1
    private static let alt: UInt16 = 0xE2
    private static let rightControl: UInt16 = 0xE4

    private static func key(_ usage: UInt16, _ modifiers: UInt8, _ isDown: Bool) -> KeyboardRouter.Action {
        .key(usage: usage, modifiers: modifiers, isDown: isDown)
    }

    @Test func keysGoByTheirPlace() {
        var router = KeyboardRouter(mode: .place)
        #expect(router.key(Self.rightControl, isDown: true) == [Self.key(Self.rightControl, 0x10, true)])
        #expect(router.key(Self.a, isDown: true) == [Self.key(Self.a, 0x10, true)])
        #expect(router.key(Self.a, isDown: true) == [])
        #expect(router.key(Self.a, isDown: false) == [Self.key(Self.a, 0x10, false)])
        #expect(router.key(Self.rightControl, isDown: false) == [Self.key(Self.rightControl, 0, false)])
        #expect(router.key(Self.a, isDown: false) == [])
    }

    @Test(arguments: [UInt16](arrayLiteral: 0, 3, 0xE8, 258, 511))
    func noUsbKeyboardHasThese(usage: UInt16) {
        var router = KeyboardRouter(mode: .place)
        #expect(router.key(usage, isDown: true) == [])
    }

    /// The host gets the modifiers' releases, and never the letter.
    @Test(arguments: WindowCommand.allCases)
    func commandsTakeAllThreeModifiers(command: WindowCommand) {
        var router = KeyboardRouter(mode: .place)
        _ = router.key(Self.control, isDown: true)
        _ = router.key(Self.alt, isDown: true)
        #expect(router.key(command.usage, isDown: true) == [Self.key(command.usage, 0x05, true)])
        _ = router.key(command.usage, isDown: false)
        _ = router.key(Self.shift, isDown: true)
        #expect(
            router.key(command.usage, isDown: true) == [
                Self.key(Self.shift, 0x05, false), Self.key(Self.alt, 0x01, false), Self.key(Self.control, 0, false),
                .command(command),
            ])
        for usage in [command.usage, Self.control, Self.alt, Self.shift] {
            #expect(router.key(usage, isDown: false) == [])
        }
    }

    @Test func losingFocusReleasesAll() {
        var router = KeyboardRouter(mode: .place)
        _ = router.key(Self.shift, isDown: true)
        _ = router.key(Self.a, isDown: true)
        #expect(router.loseFocus() == [Self.key(Self.a, 0x02, false), Self.key(Self.shift, 0, false)])
        #expect(router.key(Self.a, isDown: false) == [])
        #expect(router.key(Self.a, isDown: true) == [Self.key(Self.a, 0, true)])
    }

    @Test func textModeLeavesTypingToText() {
        var router = KeyboardRouter(mode: .text)
        #expect(router.key(Self.shift, isDown: true) == [])
        #expect(router.key(Self.a, isDown: true) == [])
        #expect(router.acceptsText)
        #expect(router.key(Self.a, isDown: false) == [])
        #expect(
            router.key(Self.left, isDown: true) == [Self.key(Self.shift, 0x02, true), Self.key(Self.left, 0x02, true)])
        #expect(router.key(Self.left, isDown: false) == [Self.key(Self.left, 0x02, false)])
        #expect(router.key(Self.shift, isDown: false) == [Self.key(Self.shift, 0, false)])
    }

    @Test func textModeSendsShortcutsAsKeys() {
        var router = KeyboardRouter(mode: .text)
        #expect(router.key(Self.control, isDown: true) == [Self.key(Self.control, 0x01, true)])
        #expect(!router.acceptsText)
        #expect(router.key(Self.c, isDown: true) == [Self.key(Self.c, 0x01, true)])
        #expect(router.key(Self.c, isDown: false) == [Self.key(Self.c, 0x01, false)])
        #expect(router.key(Self.control, isDown: false) == [Self.key(Self.control, 0, false)])
        #expect(router.key(Self.c, isDown: true) == [])
    }

    @Test func commandsHaveKeysOfTheirOwn() {
        #expect(Set(WindowCommand.allCases.map(\.usage)).count == WindowCommand.allCases.count)
    }

    // MARK: By character

    private static let y: UInt16 = 0x1C
    private static let rightAlt: UInt16 = 0xE6

    @Test func whatAKeyMakesIsHeldAsTheKeyIs() {
        var router = KeyboardRouter(mode: .character)
        #expect(router.press(KeyStrike(usage: Self.y, text: "z")) == [.character("z", usage: Self.y)])
        #expect(router.press(KeyStrike(usage: Self.y, text: "z")) == [])
        #expect(router.key(Self.y, isDown: false) == [Self.key(Self.y, 0, false)])
        // The layout's character, if the system delivered no text.
        #expect(router.press(KeyStrike(usage: Self.y, character: "ß")) == [.character("ß", usage: Self.y)])
        #expect(router.loseFocus() == [Self.key(Self.y, 0, false)])
    }

    @Test func whatMakesNoCharacterGoesByItsPlace() {
        var router = KeyboardRouter(mode: .character)
        for usage: UInt16 in [0x28, Self.left, 0x3A, 0x39] {
            #expect(router.press(KeyStrike(usage: usage)) == [Self.key(usage, 0, true)])
            #expect(router.key(usage, isDown: false) == [Self.key(usage, 0, false)])
        }
        // A keypad's digits are the same in all layouts, its decimal point is not; an input method's key has no text.
        #expect(router.press(KeyStrike(usage: 0x5F, text: "7")) == [Self.key(0x5F, 0, true)])
        #expect(router.press(KeyStrike(usage: 0x63, text: ",")) == [.character(",", usage: 0x63)])
        #expect(router.press(KeyStrike(usage: 0x8B)) == [Self.key(0x8B, 0, true)])
    }

    @Test func deadKeysAreNothingUntilTheyMakeText() {
        var router = KeyboardRouter(mode: .character)
        #expect(router.press(KeyStrike(usage: 0x2E, role: .silent)) == [])
        #expect(router.key(0x2E, isDown: false) == [])
        #expect(router.press(KeyStrike(usage: Self.a, text: "á", role: .silent)) == [.character("á", usage: Self.a)])
        _ = router.key(Self.a, isDown: false)
        // Both characters, if they don't combine.
        #expect(router.press(KeyStrike(usage: Self.a, text: "´x")) == [.text("´x")])
    }

    @Test func shiftIsAKeyAndAltGrIsNot() {
        var router = KeyboardRouter(mode: .character)
        #expect(router.press(KeyStrike(usage: Self.shift)) == [Self.key(Self.shift, 0x02, true)])
        #expect(router.press(KeyStrike(usage: 0x24, text: "/")) == [.character("/", usage: 0x24)])
        _ = router.loseFocus()
        #expect(router.press(KeyStrike(usage: Self.rightAlt, role: .levelShift)) == [])
        #expect(router.press(KeyStrike(usage: Self.a, text: "@")) == [.character("@", usage: Self.a)])
        #expect(router.key(Self.a, isDown: false) == [Self.key(Self.a, 0, false)])
        // Modifiers are sent around a key that is sent by its position.
        #expect(
            router.press(KeyStrike(usage: Self.left)) == [
                Self.key(Self.rightAlt, 0x40, true), Self.key(Self.left, 0x40, true),
            ])
        #expect(router.key(Self.rightAlt, isDown: false) == [Self.key(Self.rightAlt, 0, false)])
    }

    @Test(arguments: [UInt16](arrayLiteral: 0xE0, 0xE2, 0xE3, 0xE6))
    func shortcutsGoByTheirPlace(modifier: UInt16) {
        var router = KeyboardRouter(mode: .character)
        _ = router.press(KeyStrike(usage: modifier))
        let bit = UInt8(1) << UInt8(modifier - 0xE0)
        #expect(router.press(KeyStrike(usage: Self.y, text: "z")) == [Self.key(Self.y, bit, true)])
        #expect(router.press(KeyStrike(text: "z")) == [])
    }

    @Test(arguments: [KeyMode.character, .place])
    func textOfKeysThatNoKeyboardHasArrives(mode: KeyMode) {
        var router = KeyboardRouter(mode: mode)
        for usage: UInt16? in [nil, 0, 258, 511] {
            #expect(router.press(KeyStrike(usage: usage, text: "€")) == [.text("€")])
            #expect(router.press(KeyStrike(usage: usage)) == [])
        }
        // In place mode text without a key is sent; in character mode, an input method has consumed keys without text.
        #expect(router.press(KeyStrike(character: "ñ")) == (mode == .place ? [.text("ñ")] : []))
    }

    /// A program has mapped the character to F13.
    @Test(arguments: [KeyMode.character, .place])
    func lentKeysTypeTheirCharacter(mode: KeyMode) {
        var router = KeyboardRouter(mode: mode)
        let strike = KeyStrike(usage: 0x68, text: mode == .place ? "" : "ñ", character: "ñ")
        #expect(router.press(strike) == [mode == .place ? .text("ñ") : .character("ñ", usage: 0x68)])
    }

    @Test func byPlaceKeysArePlaces() {
        var router = KeyboardRouter(mode: .place)
        #expect(router.press(KeyStrike(usage: Self.y, text: "z", character: "z")) == [Self.key(Self.y, 0, true)])
        #expect(
            router.press(KeyStrike(usage: Self.rightAlt, role: .levelShift)) == [Self.key(Self.rightAlt, 0x40, true)])
        #expect(router.press(KeyStrike(usage: 0x2E, role: .silent)) == [Self.key(0x2E, 0x40, true)])
    }
}
