import Foundation
import HelioControlWire
import HelioRemoteWire
import Testing

@Suite("macOS's key codes")
struct MacKeyCodeTests {
    /// The vectors of Testing/Vectors/keyboard.json, which the page's tests use too.
    private struct Vectors: Decodable {
        struct Key: Decodable {
            var code: String
            var keyCode: UInt16?
            var usage: UInt16
        }
        var keys: [Key]

        static func load() throws -> Vectors {
            let file = URL(filePath: #filePath).appending(path: "../../../Testing/Vectors/keyboard.json").standardized
            return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        }
    }

    @Test func agreeWithTheVectors() throws {
        let keys = try Vectors.load().keys
        for key in keys {
            #expect(MacKeyCode.keyCode(of: key.usage) == key.keyCode, "\(key.code)")
            if let keyCode = key.keyCode { #expect(MacKeyCode.usage(of: keyCode) == key.usage, "\(key.code)") }
        }
        // No other key code has a usage.
        let known = Set(keys.compactMap(\.keyCode))
        for keyCode in 0...UInt16.max where !known.contains(keyCode) {
            #expect(MacKeyCode.usage(of: keyCode) == nil, "\(keyCode)")
        }
        #expect(known.count == 119)
    }

    @Test func areOneToOne() {
        var seen: Set<UInt16> = []
        for usage in 0...UInt16.max {
            guard let keyCode = MacKeyCode.keyCode(of: usage) else { continue }
            #expect(USBKeyboard.usages.contains(usage))
            #expect(MacKeyCode.usage(of: keyCode) == usage)
            #expect(seen.insert(keyCode).inserted)
        }
        #expect(!seen.isEmpty)
    }

    /// Key codes by name from Apple's HIToolbox/Events.h, one of each kind.
    @Test(
        arguments: [
            (0x00, USBKeyboard.a), (0x06, USBKeyboard.z), (0x12, USBKeyboard.digit1), (0x1D, USBKeyboard.digit0),
            (0x24, USBKeyboard.enter), (0x35, USBKeyboard.escape), (0x33, USBKeyboard.backspace),
            (0x30, USBKeyboard.tab),
            (0x31, USBKeyboard.space), (0x39, USBKeyboard.capsLock), (0x7A, USBKeyboard.f1), (0x6F, USBKeyboard.f12),
            (0x72, USBKeyboard.insert), (0x73, USBKeyboard.home), (0x74, USBKeyboard.pageUp),
            (0x75, USBKeyboard.delete),
            (0x77, USBKeyboard.end), (0x79, USBKeyboard.pageDown), (0x7C, USBKeyboard.right), (0x7B, USBKeyboard.left),
            (0x7D, USBKeyboard.down), (0x7E, USBKeyboard.up), (0x3B, USBKeyboard.leftControl),
            (0x38, USBKeyboard.leftShift), (0x3A, USBKeyboard.leftAlt), (0x37, USBKeyboard.leftGUI),
            (0x3E, USBKeyboard.rightControl), (0x3C, USBKeyboard.rightShift), (0x3D, USBKeyboard.rightAlt),
            (0x36, USBKeyboard.rightGUI),
        ] as [(UInt16, UInt16)])
    func byName(keyCode: UInt16, usage: UInt16) {
        #expect(MacKeyCode.usage(of: keyCode) == usage)
        #expect(MacKeyCode.keyCode(of: usage) == keyCode)
        #expect(KeyStroke(keyCode: keyCode) == KeyStroke(usage: usage))
        #expect(KeyStroke(usage: usage).keyCode == keyCode)
    }

    @Test(arguments: [0x34, 0x3F, 0x42, 0x7F, 0x80, .max] as [UInt16])
    func codesWithoutAKey(keyCode: UInt16) {
        #expect(MacKeyCode.usage(of: keyCode) == nil)
        #expect(KeyStroke(keyCode: keyCode) == nil)
    }
}
