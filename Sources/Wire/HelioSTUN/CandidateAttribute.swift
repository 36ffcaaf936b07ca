/// An ICE candidate as signalling carries it (RFC 8839 section 5.1), optionally prefixed with `a=candidate:`:
///
///     1 1 udp 2130706431 192.0.2.5 50000 typ host
///     2 1 udp 1694498815 198.51.100.7 6000 typ srflx raddr 192.0.2.5 rport 50000 generation 0
///     3 1 tcp 1518280447 192.0.2.5 9 typ host tcptype active
package struct CandidateAttribute: Hashable, Sendable {
    /// An extension: a name and a value after the known fields.
    package struct Extension: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The related address of a reflexive or relayed candidate; used only for display and traces.
    package struct Related: Hashable, Sendable {
        package var host: CandidateHost
        package var port: UInt16

        package init(host: CandidateHost, port: UInt16) {
            self.host = host
            self.port = port
        }
    }

    package static let attributeName = "candidate"
    package static let maximumSize = 1024
    package static let maximumExtensions = 16

    /// The foundation, 1 ... 32 letters, digits, `+` and `/`: equal for candidates with the same kind, base, server and
    /// protocol.
    package var foundation: String
    /// The component: 1 for RTP, and for everything if RTCP and bundled media share the port; at most 256.
    package var component: UInt16
    package var transport: CandidateTransport
    /// The priority, 1 ... 2^31 - 1.
    package var priority: UInt32
    package var host: CandidateHost
    package var port: UInt16
    package var kind: CandidateKind
    package var related: Related?
    package var extensions: [Extension] = []

    /// The `ufrag` extension: the user name fragment of the ICE generation to which the candidate belongs (RFC 8838),
    /// in the form that browsers use; `nil` if missing.
    package var usernameFragment: String? {
        get { extensions.first { $0.name == Self.fragmentName }?.value }
        set {
            extensions.removeAll { $0.name == Self.fragmentName }
            if let newValue { extensions.append(Extension(name: Self.fragmentName, value: newValue)) }
        }
    }

    private static let fragmentName = "ufrag"

    package init(
        foundation: String, component: UInt16 = 1, transport: CandidateTransport = .udp, priority: UInt32,
        host: CandidateHost, port: UInt16, kind: CandidateKind, related: Related? = nil
    ) {
        self.foundation = foundation
        self.component = component
        self.transport = transport
        self.priority = priority
        self.host = host
        self.port = port
        self.kind = kind
        self.related = related
    }

    /// Reads the text; `nil` if it violates the grammar, or if its protocol or kind is unknown and the candidate
    /// therefore has to be ignored.
    package init?(attributeValue: String?) {
        guard var text = attributeValue.map({ Substring($0) }), text.utf8.count <= Self.maximumSize else { return nil }
        for prefix in ["a=", "candidate:"] where text.utf8.starts(with: prefix.utf8) {
            text = Substring(text.utf8.dropFirst(prefix.utf8.count))
        }
        let fields = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false).map { Substring($0) }
        guard fields.count >= 8, fields.count % 2 == 0, fields[6].utf8.elementsEqual("typ".utf8),
            ICEText.isFoundation(fields[0]), let component = ICEText.decimal(fields[1]), (1...256).contains(component),
            let priority = ICEText.decimal(fields[3]), (1...UInt64(Int32.max)).contains(priority),
            let host = CandidateHost(fields[4]), let port = ICEText.port(fields[5]),
            let kind = CandidateKind(rawValue: String(fields[7]))
        else { return nil }
        self.init(
            foundation: String(fields[0]), component: UInt16(component), priority: UInt32(priority), host: host,
            port: port, kind: kind)
        guard let role = readRest(fields[8...]) else { return nil }
        switch (ICEText.lowercase(fields[2]), role) {
        case ("udp", _): transport = .udp
        case ("tcp", let role?): transport = .tcp(role)
        default: return nil
        }
    }

    package var attributeValue: String? {
        var text =
            "\(foundation) \(component) \(isTCP ? "tcp" : "udp") \(priority) \(host) \(port) typ \(kind.rawValue)"
        if let related { text += " raddr \(related.host) rport \(related.port)" }
        if case .tcp(let role) = transport { text += " tcptype \(role.rawValue)" }
        for item in extensions { text += " \(item.name) \(item.value)" }
        return text
    }

    private var isTCP: Bool { transport != .udp }

    /// Reads the pairs of name and value after the kind. Returns `nil` if they are malformed; otherwise the TCP role,
    /// which is `nil` if missing.
    private mutating func readRest(_ fields: ArraySlice<Substring>) -> CandidateTransport.TCPRole?? {
        var role: CandidateTransport.TCPRole?
        var relatedHost: CandidateHost?
        var index = fields.startIndex
        while index < fields.endIndex {
            let (name, value) = (fields[index], fields[index + 1])
            index += 2
            guard ICEText.isWord(name), ICEText.isWord(value) else { return nil }
            switch String(name) {
            case "raddr" where relatedHost == nil:
                guard let host = CandidateHost(value) else { return nil }
                relatedHost = host
            case "rport" where related == nil:
                guard let host = relatedHost, let port = ICEText.port(value) else { return nil }
                related = Related(host: host, port: port)
            case "tcptype" where role == nil:
                guard let known = CandidateTransport.TCPRole(rawValue: String(value)) else { return nil }
                role = known
            case "raddr", "rport", "tcptype": return nil
            default:
                guard extensions.count < Self.maximumExtensions else { return nil }
                extensions.append(Extension(name: String(name), value: String(value)))
            }
        }
        // `raddr` and `rport` have to be both present or both absent.
        return (relatedHost == nil) == (related == nil) ? .some(role) : nil
    }
}
