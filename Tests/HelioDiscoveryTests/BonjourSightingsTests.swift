import HelioCore
import HelioDiscovery
import Testing

@Suite("What Bonjour has seen")
struct BonjourSightingsTests {
    private var sightings = BonjourSightings()
    private let tower = BonjourSightings.Service(name: "Tower", domain: "local.", interface: 4)

    private static let near = IPAddress.v6(high: 0xFE80 << 48, low: 7)
    private static let far = IPAddress.v6(high: 0x2001_0DB8 << 32, low: 7)
    private static let four = IPAddress.v4(0xC000_0201)

    private mutating func find(_ addresses: IPAddress...) -> [BrowsingEvent] {
        _ = sightings.browse([tower: false])
        _ = sightings.resolved(tower, machine: "tower.local.", port: 47777, text: [0], zone: "en0")
        return addresses.flatMap { sightings.address($0, of: tower, isThere: true) }
    }

    private func details(_ ip: IPAddress, port: UInt16 = 47777, machine: String = "tower.local.") -> ServiceDetails {
        ServiceDetails(
            machine: machine, ip: ip, zone: ip.isLinkLocal ? "en0" : nil, port: port, text: [0], isLocal: false)
    }

    private func place(_ family: AddressFamily) -> ServicePlace {
        ServicePlace(name: "Tower", domain: "local.", interface: 4, family: family)
    }

    @Test("a service is told once it has an address, and the beginning is over once all have one or can't")
    mutating func found() {
        let other = BonjourSightings.Service(name: "Other", domain: "local.", interface: 4)
        let step = sightings.browse([tower: false, other: true])
        #expect(Set(step.resolve) == [tower, other] && step.events.isEmpty)
        let resolved = sightings.resolved(tower, machine: "tower.local.", port: 47777, text: [0], zone: "en0")
        #expect(resolved.lookUp && resolved.events.isEmpty)
        #expect(
            sightings.address(Self.four, of: tower, isThere: true) == [.found(place(.ipv4), details(Self.four))])
        #expect(sightings.failed(other) == [.dropped(.unresolved), .settled])
        #expect(sightings.failed(other).isEmpty)
    }

    @Test("an address that reaches further takes a link-local one's place, and not the other way round")
    mutating func better() {
        #expect(find(Self.near).first == .found(place(.ipv6), details(Self.near)))
        #expect(sightings.address(Self.far, of: tower, isThere: true) == [.found(place(.ipv6), details(Self.far))])
        #expect(sightings.address(Self.near, of: tower, isThere: true).isEmpty)
        #expect(sightings.address(Self.near, of: tower, isThere: false).isEmpty)
        #expect(sightings.address(Self.far, of: tower, isThere: false) == [.gone(place(.ipv6))])
    }

    @Test("a changed port or text is told again; another machine makes the addresses void")
    mutating func changed() {
        _ = find(Self.four)
        let moved = sightings.resolved(tower, machine: "tower.local.", port: 5000, text: [0], zone: "en0")
        #expect(!moved.lookUp && moved.events == [.found(place(.ipv4), details(Self.four, port: 5000))])
        let other = sightings.resolved(tower, machine: "b.local.", port: 5000, text: [0], zone: "en0")
        #expect(other.lookUp && other.events == [.gone(place(.ipv4))])
    }

    @Test("what is seen no more is gone in every family, and late answers for it are nothing")
    mutating func gone() {
        _ = find(Self.four, Self.far)
        let step = sightings.browse([:])
        #expect(step.forget == [tower])
        #expect(Set(step.events) == [.gone(place(.ipv4)), .gone(place(.ipv6))])
        #expect(sightings.address(Self.four, of: tower, isThere: true).isEmpty)
        #expect(!sightings.resolved(tower, machine: "a", port: 1, text: [], zone: nil).lookUp)
        #expect(sightings.failed(tower).isEmpty)
    }

    @Test("a network full of services is bounded, and counted")
    mutating func bounds() {
        let services = (0..<600).map { BonjourSightings.Service(name: "\($0)", domain: "local.", interface: 1) }
        let step = sightings.browse(Dictionary(uniqueKeysWithValues: services.map { ($0, false) }))
        #expect(step.resolve.count == 512)
        #expect(step.events.count { $0 == .dropped(.tooManyServices) } == 88)
        #expect(sightings.forget().count == 512)
        #expect(sightings.browse([:]).events == [.settled])
    }

    @Test(
        "errors are told apart by what helps",
        arguments: [(0, .done), (-65563, .away), (-65569, .away), (-65570, .notAllowed), (-65540, .refused(-65540))]
            as [(Int32, BonjourStatus)])
    func status(code: Int32, status: BonjourStatus) {
        #expect(BonjourStatus(code) == status)
    }
}
