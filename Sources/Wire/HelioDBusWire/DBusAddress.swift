/// The addresses of a bus (D-Bus Specification, "Server Addresses").
package enum DBusAddress {
    /// Returns the paths of the Unix-domain sockets among a bus's addresses, in order; those of other kinds, TCP or
    /// abstract ones for example, are left out.
    package static func paths(in addresses: String) -> [String] {
        addresses.split(separator: ";").compactMap { address in
            guard address.hasPrefix("unix:") else { return nil }
            for pair in address.dropFirst(5).split(separator: ",") where pair.hasPrefix("path=") {
                return unescaped(pair.dropFirst(5))
            }
            return nil
        }
    }

    /// Returns text with `%` and two hexadecimal digits replaced by their byte.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
