extension IPAddress {
    /// Parses `192.0.2.1` or `2001:db8::1`. `nil` for anything else: names, zones, brackets, and IPv4 numbers in octal
    /// or with fewer than four parts, which programs interpret differently.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 45 else { return nil }
        if bytes.contains(UInt8(ascii: ":")) {
            guard let address = Self.parseV6(bytes) else { return nil }
            self = address
        } else {
            guard let bits = Self.parseV4(bytes[...]) else { return nil }
            self = .v4(bits)
        }
    }

    private static func parseV4(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            var value: UInt32 = 0
            for byte in part {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + UInt32(byte - 0x30)
            }
            guard value <= 255 else { return nil }
            bits = bits << 8 | value
        }
        return bits
    }

    private static func parseV6(_ text: [UInt8]) -> IPAddress? {
        let colon = UInt8(ascii: ":")
        let gap = (1..<max(1, text.count)).first { text[$0 - 1] == colon && text[$0] == colon }
        var groups: [UInt16]
        if let gap {
            guard let head = parseGroups(text[..<(gap - 1)], mayEndInV4: false),
                let tail = parseGroups(text[(gap + 1)...], mayEndInV4: true), head.count + tail.count < 8
            else { return nil }
            groups = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
        } else {
            guard let all = parseGroups(text[...], mayEndInV4: true), all.count == 8 else { return nil }
            groups = all
        }
        let words = groups.map { UInt64($0) }
        return .v6(
            high: words[0] << 48 | words[1] << 32 | words[2] << 16 | words[3],
            low: words[4] << 48 | words[5] << 32 | words[6] << 16 | words[7])
    }

    private static func parseGroups(_ text: ArraySlice<UInt8>, mayEndInV4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndInV4, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let bits = parseV4(part) else { return nil }
                groups.append(UInt16(truncatingIfNeeded: bits >> 16))
                groups.append(UInt16(truncatingIfNeeded: bits))
                continue
            }
            guard (1...4).contains(part.count) else { return nil }
            var value: UInt16 = 0
            for byte in part {
                switch byte {
                case 0x30...0x39: value = value << 4 | UInt16(byte - 0x30)
                case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt16((byte | 0x20) - 0x61 + 10)
                default: return nil
                }
            }
            groups.append(value)
        }
        return groups
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as text, in the form of RFC 5952: lower case, with the longest run of zeros replaced by `::`.
    package var description: String {
        switch self {
        case .v4(let bits):
            return [24, 16, 8, 0].map { "\(bits >> UInt32($0) & 0xFF)" }.joined(separator: ".")
        case .v6(let high, let low):
            if high == 0, low >> 32 == 0xFFFF {
                return "::ffff:\(IPAddress.v4(UInt32(truncatingIfNeeded: low)))"
            }
            let groups = [high, low].flatMap { word in
                [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: word >> UInt64($0)) }
            }
            let text = groups.map { String($0, radix: 16) }
            guard let zeros = Self.longestZeros(groups) else { return text.joined(separator: ":") }
            return text[..<zeros.lowerBound].joined(separator: ":") + "::"
                + text[zeros.upperBound...].joined(separator: ":")
        }
    }

    /// The longest run of at least two zero groups; the first of equally long runs.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
        var longest: Range<Int>?
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start > max(1, longest?.count ?? 0) { longest = start..<end }
            start = end + 1
        }
        return longest
    }
}
