/// The loopback addresses, which no other machine can reach.
package enum Loopback {
    package static func holds(_ address: String) -> Bool {
        if address == "localhost" || address == "::1" { return true }
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
