package import HelioCore

/// A network address translator (RFC 4787) of one IPv4 address, on no clock: a binding lives until `rebind`.
package struct SimulatedNAT: Sendable {
    /// What a datagram's destination is looked at for.
    package enum Dependence: Sendable, Hashable, CaseIterable {
        case none
        case address
        case addressAndPort
    }

    /// One port for each inner socket, or one for each that it sends to as well.
    package let mapping: Dependence
    /// Who may answer: anybody, or only whom the inner socket has sent to.
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

    /// Where a datagram from `inner` to `remote` seems to come from.
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

    /// Whom a datagram from `remote` to one of the outer ports is for; `nil` where it is not let in.
    package func inward(to port: UInt16, from remote: TransportAddress) -> TransportAddress? {
        bindings.first { $0.port == port && $0.allowed.contains(Key(remote, filtering)) }?.inner
    }

    /// Forgets all bindings, as after a restart or a change of network: what comes next goes by other ports.
    package mutating func rebind() { bindings = [] }
}
