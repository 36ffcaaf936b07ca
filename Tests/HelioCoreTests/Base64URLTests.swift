import Foundation
import HelioCore
import Testing

@Suite("Base64url")
struct Base64URLTests {
    /// The vectors of RFC 4648 section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectors(plain: String, text: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(plain.utf8))
    }

    /// Equals Foundation's Base64 with the two different characters replaced.
    @Test(arguments: 0..<100)
    func isFoundationsWithOtherLetters(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 0x9D ^ count &* 0x3B) }
        let theirs = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        #expect(Base64URL.encode(bytes) == theirs)
        #expect(Base64URL.decode(theirs) == bytes)
    }

    @Test func allLetters() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        #expect(Base64URL.decode(letters).map { Base64URL.encode($0) } == letters)
    }

    @Test(arguments: [
        "Z", "Zm9vY", "Zg==", "Zg=", "Zm9v\n", " Zm9v", "Zm+v", "Zm/v", "Zm9é", "Zm9\0",
        // Non-zero trailing bits.
        "Zh", "Zv", "Zm9", "Zm-",
    ])
    func otherFormsAreRefused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
