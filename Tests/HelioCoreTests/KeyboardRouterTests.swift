import HelioCore
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
        var router = KeyboardRouter(isTextMode: false)
        #expect(router.key(Self.rightControl, isDown: true) == [Self.key(Self.rightControl, 0x10, true)])
        #expect(router.key(Self.a, isDown: true) == [Self.key(Self.a, 0x10, true)])
        #expect(router.key(Self.a, isDown: true) == [])
        #expect(router.key(Self.a, isDown: false) == [Self.key(Self.a, 0x10, false)])
        #expect(router.key(Self.rightControl, isDown: false) == [Self.key(Self.rightControl, 0, false)])
        #expect(router.key(Self.a, isDown: false) == [])
    }

    @Test(arguments: [UInt16](arrayLiteral: 0, 3, 0xE8, 258, 511))
    func noUsbKeyboardHasThese(usage: UInt16) {
        var router = KeyboardRouter(isTextMode: false)
        #expect(router.key(usage, isDown: true) == [])
    }

    /// The host sees the modifiers released and never the letter.
    @Test(arguments: WindowCommand.allCases)
    func commandsTakeAllThreeModifiers(command: WindowCommand) {
        var router = KeyboardRouter(isTextMode: false)
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
        var router = KeyboardRouter(isTextMode: false)
        _ = router.key(Self.shift, isDown: true)
        _ = router.key(Self.a, isDown: true)
        #expect(router.loseFocus() == [Self.key(Self.a, 0x02, false), Self.key(Self.shift, 0, false)])
        #expect(router.key(Self.a, isDown: false) == [])
        #expect(router.key(Self.a, isDown: true) == [Self.key(Self.a, 0, true)])
    }

    @Test func textModeLeavesTypingToText() {
        var router = KeyboardRouter(isTextMode: true)
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
        var router = KeyboardRouter(isTextMode: true)
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
}
