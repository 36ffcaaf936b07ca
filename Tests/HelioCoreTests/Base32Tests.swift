import HelioCore
import Testing

@Suite("Base 32")
struct Base32Tests {
    @Test("base 32 forgives what people mistake, and nothing else")
    func base32() {
        for length in 0...40 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 5) }
            #expect(Base32.decode(Base32.encode(bytes)) == bytes)
        }
        #expect(Base32.decode("OIL0") == Base32.decode("0110"))
        #expect(Base32.decode("U") == nil)
        #expect(Base32.decode("0F") == nil, "stray bits")
    }
}
