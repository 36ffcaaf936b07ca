import HelioCore
import Testing

@Suite("Numbers as text with decimals")
struct DecimalTextTests {
    @Test(
        "as C's printf writes them",
        arguments: [
            (0, 1, "0.0"), (-0.04, 1, "-0.0"), (1.005, 2, "1.00"), (0.25, 1, "0.2"), (0.75, 1, "0.8"), (2.5, 0, "2"),
            (9.999, 2, "10.00"), (-12.34, 1, "-12.3"), (1234567.891, 3, "1234567.891"), (0.0004, 4, "0.0004"),
            (1e15, 1, "1000000000000000.0"), (.infinity, 1, "inf"), (-.infinity, 0, "-inf"), (.nan, 2, "nan"),
        ] as [(Double, Int, String)])
    func text(number: Double, decimals: Int, text: String) {
        #expect(number.text(decimals: decimals) == text)
    }

    @Test("shorter text is filled with spaces, longer is not cut") func width() {
        #expect(1.5.text(decimals: 2, width: 6) == "  1.50")
        #expect(12345.678.text(decimals: 2, width: 6) == "12345.68")
    }

    @Test("a number that is too large has its exponent") func large() {
        #expect(1e300.text(decimals: 2) == "1e+300")
    }
}
