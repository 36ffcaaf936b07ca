import HelioCore
import HelioSimulation
import Testing

struct SimulatedNATTests {
    private let inner = TransportAddress(.v4(0x0A00_0005), port: 5000)
    private let outside = IPAddress.v4(0xC633_6401)
    private let first = TransportAddress(.v4(1), port: 1)
    private let otherPort = TransportAddress(.v4(1), port: 2)
    private let otherAddress = TransportAddress(.v4(2), port: 1)

    private func nat(_ mapping: SimulatedNAT.Dependence, _ filtering: SimulatedNAT.Dependence) -> SimulatedNAT {
        SimulatedNAT(mapping: mapping, filtering: filtering, outside: outside)
    }

    /// Which of the three remotes see the same port as the first one.
    @Test(
        arguments: [
            (.none, [true, true, true]), (.address, [true, true, false]), (.addressAndPort, [true, false, false]),
        ] as [(SimulatedNAT.Dependence, [Bool])])
    func mapping(dependence: SimulatedNAT.Dependence, isSame: [Bool]) {
        var nat = nat(dependence, .none)
        let port = nat.outward(from: inner, to: first).port
        let ports = [first, otherPort, otherAddress].map { nat.outward(from: inner, to: $0).port }
        #expect(ports.map { $0 == port } == isSame)
        let neighbour = TransportAddress(inner.ip, port: 5001)
        #expect(nat.outward(from: neighbour, to: first).port != port)
    }

    /// Which of the three remotes can reach the client after it sent to the first.
    @Test(
        arguments: [
            (.none, [true, true, true]), (.address, [true, true, false]), (.addressAndPort, [true, false, false]),
        ] as [(SimulatedNAT.Dependence, [Bool])])
    func filtering(dependence: SimulatedNAT.Dependence, isLetIn: [Bool]) {
        var nat = nat(.none, dependence)
        let port = nat.outward(from: inner, to: first).port
        #expect([first, otherPort, otherAddress].map { nat.inward(to: port, from: $0) == inner } == isLetIn)
        #expect(nat.inward(to: port + 1, from: first) == nil)
    }

    @Test func rebindingShutsTheOldPort() {
        var nat = nat(.none, .none)
        let before = nat.outward(from: inner, to: first)
        nat.rebind()
        #expect(nat.inward(to: before.port, from: first) == nil)
        #expect(nat.outward(from: inner, to: first) != before)
    }
}
