package import HelioCore

/// A network address translator (RFC 4787) with one IPv4 address and no clock: a binding lasts until `rebind`.
package struct SimulatedNAT: Sendable {
    /// The part of a remote address that a mapping or a filter depends on.
    package enum Dependence: Sendable, Hashable, CaseIterable {
        case none
        case address
        case addressAndPort
    }

    /// The mapping: one port for each inner socket, or one for each of its destinations.
    package let mapping: Dependence
    /// The filtering: any address may send to the inner socket, or only one that it has sent to.
    package let filtering: Dependence
    package let outside: IPAddress
    private var bindings: [Binding] = []
    private var nextPort: UInt16 = 40000

    private struct Binding {
        var inner: TransportAddress
        var key: Key
        var port: UInt16
        var allowed: Set<Key>
    }

    private struct Key: Hashable {
        var ip: IPAddress?
        var port: UInt16?

        init(_ address: TransportAddress, _ dependence: Dependence) {
            ip = dependence == .none ? nil : address.ip
            port = dependence == .addressAndPort ? address.port : nil
        }
    }

    package init(mapping: Dependence, filtering: Dependence, outside: IPAddress) {
        self.mapping = mapping
        self.filtering = filtering
        self.outside = outside
    }

    /// Returns the outer address of a datagram from `inner` to `remote`, adding a binding if needed.
    package mutating func outward(from inner: TransportAddress, to remote: TransportAddress) -> TransportAddress {
        let key = Key(remote, mapping)
        let index: Int
        if let known = bindings.firstIndex(where: { $0.inner == inner && $0.key == key }) {
            index = known
        } else {
            bindings.append(Binding(inner: inner, key: key, port: nextPort, allowed: []))
            nextPort += 1
            index = bindings.count - 1
        }
        bindings[index].allowed.insert(Key(remote, filtering))
        return TransportAddress(outside, port: bindings[index].port)
    }

    /// Returns the inner address for a datagram from `remote` to an outer port; `nil` if it is filtered.
    package func inward(to port: UInt16, from remote: TransportAddress) -> TransportAddress? {
        bindings.first { $0.port == port && $0.allowed.contains(Key(remote, filtering)) }?.inner
    }

    /// Removes all bindings, as after a restart or a change of network: later datagrams use other ports.
    package mutating func rebind() { bindings = [] }
}
