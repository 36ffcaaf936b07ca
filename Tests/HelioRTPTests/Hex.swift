import HelioCore

/// The bytes of a string of hexadecimal digits; whitespace is ignored.
func hex(_ digits: String) -> [UInt8] { Hexadecimal.bytes(digits.filter { !$0.isWhitespace })! }
