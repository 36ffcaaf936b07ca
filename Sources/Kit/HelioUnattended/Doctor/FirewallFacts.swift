/// The facts about this machine's firewall that a program without rights can know.
package struct FirewallFacts: Sendable, Equatable {
    /// True if ufw's settings say that it is on.
    package var hasUFW = false
    /// ufw's rules; `nil` if they can't be read.
    package var ufwRules: String?
    /// True if firewalld runs.
    package var hasFirewalld = false
    /// The ports that firewalld lets in, such as `7236/tcp`; `nil` if it does not tell.
    package var firewalldPorts: [String]?
    /// The rules of nftables; `nil` if they can't be read.
    package var nftables: String?

    package init() {}

    /// Returns whether ufw's settings, /etc/ufw/ufw.conf, say that it is on.
    package static func isUFWOn(_ settings: String) -> Bool {
        settings.split(whereSeparator: \.isNewline).contains { line in
            let words = line.split(separator: "=", maxSplits: 1)
            return words.count == 2 && words[0].trimmed == "ENABLED" && words[1].trimmed.lowercased() == "yes"
        }
    }
}

extension Substring {
    fileprivate var trimmed: String { split(whereSeparator: \.isWhitespace).joined() }
}
