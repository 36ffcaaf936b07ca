package import HelioCore
package import HelioPeer
private import HelioProtection
private import HelioTURN

/// The STUN and TURN servers that an app has configured. Servers that can't be used are reported with the reason.
package struct ICEServerList: Sendable {
    /// A server, with the credentials for it.
    package struct Entry: Sendable {
        package var url: String
        package var username: String
        package var password: String
        /// True to use the server's public addresses alone: a stranger has named it, who may mean a machine of the
        /// network here.
        package var mustBePublic = false

        package init(url: String, username: String, password: String) {
            self.url = url
            self.username = username
            self.password = password
        }
    }

    /// The maximum number of addresses of STUN servers, and of TURN servers: every connection uses all of them.
    package static let mostOfAKind = 8

    /// The servers that can be parsed, in the app's order.
    private let servers: [(entry: Entry, place: ICEServerAddress)]

    /// Parses the servers. Throws `invalidArgument` if an entry is malformed.
    package init(_ entries: [Entry]) throws(HelioError) {
        var servers: [(entry: Entry, place: ICEServerAddress)] = []
        for entry in entries { servers.append((entry, try ICEServerAddress(entry.url, username: entry.username))) }
        self.servers = servers
    }

    /// Resolves the names concurrently, and adds the servers to the configuration.
    ///
    /// - Returns: a human-readable sentence for each server that can't be used, with the reason.
    package func add(to configuration: inout PeerConnectionConfiguration) async -> [String] {
        let found = await withTaskGroup(of: (Int, [TransportAddress]).self) { group in
            for (index, server) in servers.enumerated() where server.place.isSupported {
                group.addTask { (index, await server.place.resolve()) }
            }
            return await group.reduce(into: [Int: [TransportAddress]]()) { $0[$1.0] = $1.1 }
        }
        var notes: [String] = []
        func setAside(_ entry: Entry, _ why: PeerConnectionDrop, _ text: String) {
            configuration.setAside.count(why)
            notes.append("The ICE server '\(entry.url)' is left out: \(text).")
        }
        for (index, server) in servers.enumerated() {
            let resolved = found[index] ?? []
            let addresses = resolved.filter { !server.entry.mustBePublic || $0.ip.isGlobal }
            if !server.place.isSupported {
                setAside(server.entry, .unsupportedServer, "DTLS, and TLS to a STUN server, are not spoken here")
            } else if addresses.isEmpty, !resolved.isEmpty {
                setAside(server.entry, .privateServer, "it is at no public address, as who has named it is")
            } else if addresses.isEmpty {
                setAside(server.entry, .unresolvedServer, "its name '\(server.place.host)' can't be resolved")
            } else if !configuration.add(addresses, of: server.place, server.entry) {
                setAside(server.entry, .tooManyServers, "no more than \(Self.mostOfAKind) of a kind are asked")
            }
        }
        return notes
    }
}

extension PeerConnectionConfiguration {
    /// Adds a server: a STUN server at all of its addresses, a TURN server at one address of each family.
    ///
    /// A TURN server that is reached by UDP is asked by STUN too, as it answers that (RFC 8656 section 5): TURN has
    /// sockets of its own, and what it says of them does not tell how others reach the sockets of direct paths.
    ///
    /// - Returns: false if there are too many servers, so that this one is not added.
    fileprivate mutating func add(
        _ addresses: [TransportAddress], of place: ICEServerAddress, _ entry: ICEServerList.Entry
    ) -> Bool {
        guard place.isTURN else {
            return addSTUN(addresses)
        }
        var families: Set<AddressFamily> = []
        let room = ICEServerList.mostOfAKind - turnServers.count
        for address in addresses.filter({ families.insert($0.family).inserted }).prefix(room) {
            turnServers.append(
                TURNServer(
                    id: .init(rawValue: turnServers.count), address: address, isTCP: place.isTCP,
                    tlsName: place.isSecure ? place.host : nil, username: entry.username,
                    password: SecretBytes(Array(entry.password.utf8))))
            if !place.isTCP { _ = addSTUN([address]) }
        }
        return room > 0
    }

    /// Adds addresses of STUN servers that it does not have; returns false if there are too many.
    private mutating func addSTUN(_ addresses: [TransportAddress]) -> Bool {
        let room = ICEServerList.mostOfAKind - stunServers.count
        stunServers += addresses.filter { !stunServers.contains($0) }.prefix(room)
        return room > 0
    }
}
