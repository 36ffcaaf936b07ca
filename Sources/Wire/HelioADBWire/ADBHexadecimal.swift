private import HelioCore

/// Numbers of 4 hexadecimal digits, by which adb's server states lengths.
package enum ADBHexadecimal {
    /// The digits of a number below 65536, in lower case.
    package static func digits(of number: Int) -> [UInt8] {
        let letters = Array("0123456789abcdef".utf8)
        return [12, 8, 4, 0].map { letters[(number >> $0) & 15] }
    }

    /// The number whose 4 digits begin at `offset`; `nil` if fewer bytes follow or one is not a digit.
    package static func number(in bytes: RawSpan, at offset: Int) -> Int? {
        var number = 0
        for index in offset..<offset + 4 {
            guard let byte = bytes.uint8(at: index), let digit = value(of: byte) else { return nil }
            number = number << 4 | digit
        }
        return number
    }

    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
