import HelioCore
import Testing

struct Base64Tests {
    /// The vectors of RFC 4648 section 10, and the two characters that differ between the alphabets.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), (">>>", "Pj4+"), ("???", "Pz8/"),
    ])
    func vectors(plain: String, coded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == coded)
        #expect(Base64.decode(coded) == Array(plain.utf8))
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "====", "=", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "Zm9-", "Zm9_", "Z=9v", "Zg==Zg==",
        "é==",
    ])
    func refused(coded: String) {
        #expect(Base64.decode(coded) == nil)
    }

    @Test func everyByteSurvives() {
        for count in 250...256 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }
}
