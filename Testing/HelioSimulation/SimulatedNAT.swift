package import HelioCore

/// A network address translator (RFC 4787) with one external address. Bindings don't time out: they last until
/// `rebind`.
package struct SimulatedNAT: Sendable {
    /// The part of the remote address on which the mapping or the filtering depends.
    package enum Dependence: Sendable, Hashable, CaseIterable {
        case none
        case address
        case addressAndPort
    }

    /// The mapping behaviour: one external port per internal socket, or one per internal socket and destination.
    package let mapping: Dependence
    /// The filtering behaviour: any remote address may send to the internal socket, or only one to which that socket
    /// has sent.
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

    /// Returns the external source address of a datagram from `inner` to `remote`; adds a binding if there is none.
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

    /// Returns the internal address for a datagram from `remote` to an external port; `nil` if the datagram is
    /// filtered.
    package func inward(to port: UInt16, from remote: TransportAddress) -> TransportAddress? {
        bindings.first { $0.port == port && $0.allowed.contains(Key(remote, filtering)) }?.inner
    }

    /// Removes all bindings, as after a restart or a change of network, so that later datagrams get other ports.
    package mutating func rebind() { bindings = [] }
}
