package import HelioCore

/// The host of a candidate: an address or a name. Browsers hide addresses behind mDNS names, which can be resolved only
/// on the local network.
package enum CandidateHost: Hashable, Sendable, CustomStringConvertible {
    case ip(IPAddress)
    /// A name of DNS, or of multicast DNS if it ends in `.local`; at most 253 bytes of letters, digits, `-`, `.` and
    /// `_`.
    case name(String)

    package init?(_ text: some StringProtocol) {
        if let ip = IPAddress(text) {
            self = .ip(ip)
            return
        }
        // A name needs a letter, so that a malformed address does not count as a name.
        let isName = text.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
            default: false
            }
        }
        let hasLetter = text.utf8.contains { (0x41...0x5A).contains($0 & 0xDF) }
        guard isName, hasLetter, text.utf8.count <= 253 else { return nil }
        self = .name(String(text))
    }

    /// True for a name of multicast DNS, which is resolved only on the local network.
    package var isMulticastName: Bool {
        guard case .name(let name) = self else { return false }
        let ending = Array(".local".utf8)
        return name.utf8.count > ending.count
            && name.utf8.suffix(ending.count).elementsEqual(ending) { $0 == $1 || $0 | 0x20 == $1 }
    }

    package var description: String {
        switch self {
        case .ip(let ip): "\(ip)"
        case .name(let name): name
        }
    }
}
