internal import HelioCore

/// The text of a systemd unit that shares this machine's screen (systemd.service(5), systemd.syntax(7)).
package struct ServiceUnit: Sendable, Equatable {
    /// The manager that the unit is for.
    package enum Scope: Sendable, Hashable, CaseIterable {
        /// The manager of one user: the unit runs while that user is logged in.
        case user
        /// The machine's manager: the unit runs from the start, also at the log-in screen.
        case system
    }

    /// The unit's name.
    package static let name = "heliograph.service"

    package var scope: Scope
    /// The absolute path of the program, and its arguments.
    package var program: String
    package var arguments: [String]
    /// Environment variables, in order.
    package var environment: [(name: String, value: String)]
    /// The lines of the comment at the top.
    package var comment: [String]

    package init(
        _ scope: Scope, program: String, arguments: [String], environment: [(name: String, value: String)] = [],
        comment: [String] = []
    ) {
        self.scope = scope
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.comment = comment
    }

    package static func == (one: ServiceUnit, other: ServiceUnit) -> Bool { one.text == other.text }

    /// The unit file's text.
    package var text: String {
        let command = ([Self.path(program)] + arguments.map(Self.argument)).joined(separator: " ")
        var lines = comment.map { "# " + Self.line($0) }
        lines += ["[Unit]", "Description=Heliograph, which shares this machine's screen"]
        // The service restarts for as long as it takes: a machine with nobody there has nobody to start it again.
        lines += ["StartLimitIntervalSec=0"]
        if scope == .system { lines += ["After=systemd-logind.service network.target"] }
        lines += ["", "[Service]", "Type=exec", "ExecStart=" + command]
        lines += environment.map { "Environment=" + Self.quoted($0.name + "=" + $0.value, escapesDollar: false) }
        lines += ["Restart=always", "RestartSec=5", "TimeoutStopSec=10", "UMask=0077", "NoNewPrivileges=yes"]
        if scope == .system { lines += Self.hardening }
        lines += ["", "[Install]", "WantedBy=" + (scope == .user ? "default.target" : "multi-user.target")]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The rights of the machine's service beside sharing: read the displays' keys and the sessions' variables of all
    /// users, and write to its own folder.
    private static let hardening = [
        "StateDirectory=heliograph", "StateDirectoryMode=0700",
        "CapabilityBoundingSet=CAP_DAC_READ_SEARCH CAP_SYS_PTRACE CAP_SYS_NICE", "ProtectSystem=strict",
        "ProtectHome=read-only", "ProtectKernelTunables=yes", "ProtectKernelModules=yes", "ProtectControlGroups=yes",
        "LockPersonality=yes", "RestrictNamespaces=yes", "RestrictSUIDSGID=yes", "SystemCallArchitectures=native",
    ]

    // MARK: Quoting

    /// Returns an argument of a command line as the unit has it. A percent sign begins a specifier and a dollar sign a
    /// variable unless it is doubled.
    package static func argument(_ text: String) -> String { quoted(text, escapesDollar: true) }

    /// Returns a program's path as the unit has it; variables have no effect in it.
    static func path(_ text: String) -> String { quoted(text, escapesDollar: false) }

    private static func quoted(_ text: String, escapesDollar: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%%"
            case "$": result += escapesDollar ? "$$" : "$"
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\x" + Hexadecimal.text([UInt8(scalar.value)])
            default: result.unicodeScalars.append(scalar)
            }
        }
        let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy(isPlain)
        return isPlain ? result : "\"" + result + "\""
    }

    /// True for a character that needs no quotes.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", ":", "=", ",", "+", "@", "%", "$": true
        default: false
        }
    }

    /// Returns a text in one line, for a comment.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
