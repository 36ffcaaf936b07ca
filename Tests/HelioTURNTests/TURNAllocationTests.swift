import HelioCore
import HelioProtection
import HelioSTUN
import HelioSimulation
import HelioTURN
import Testing

/// Allocation, refresh and release of a relayed address (RFC 8656 section 7 and 8).
struct TURNAllocationTests {
    @Test(arguments: [false, true])
    func allocatesAfterTheChallenge(isTCP: Bool) throws {
        let world = TURNWorld(isTCP: isTCP)
        #expect(world.client.deadline == nil && world.client.poll() == nil)
        world.give(.connected)
        world.run(for: .seconds(1))
        let relayed = try #require(world.model.relayed)
        #expect(
            world.events == [
                .allocated(
                    relayed: relayed,
                    mapped: TransportAddress(.v4(0xC633_6407), port: 6000, transport: isTCP ? .tcp : .udp))
            ])
        #expect(world.client.relayedAddress == relayed)
        // First without credentials, then with all required attributes.
        let requests = world.model.requests
        #expect(requests.count == 2 && requests.allSatisfy { $0.method == .allocate })
        #expect(requests[0].username == nil && requests[0].realm == nil && requests[0].nonce == nil)
        #expect(requests[1].username == "anna" && requests[1].realm == SimulatedTURNServer.realm)
        #expect(requests[0].transaction != requests[1].transaction)
        #expect(world.client.drops.total == 0 && world.model.violations.isEmpty)
    }

    @Test(arguments: [SimulatedTURNServer.Authentication.none, .md5, .sha256, .hiddenName])
    func everyWayOfAuthentication(_ authentication: SimulatedTURNServer.Authentication) {
        let world = TURNWorld()
        world.model.authentication = authentication
        world.model.nonceLifetime = .seconds(100)
        world.give(.connected)
        world.run(for: .seconds(3600))
        #expect(world.client.relayedAddress == world.model.relayed && world.events.count == 1)
        #expect(world.model.count(.refresh) >= 6)
    }

    @Test(arguments: [SimulatedTURNServer.Authentication.stripped, .exotic])
    func weakerAuthenticationIsNotTalkedInto(_ authentication: SimulatedTURNServer.Authentication) {
        let world = TURNWorld()
        world.model.authentication = authentication
        world.give(.connected)
        world.run(for: .seconds(60))
        #expect(world.events == [.failed(.unsupportedAuthentication)])
        #expect(world.model.requests.count == 1 && world.client.deadline == nil)
    }

    @Test(arguments: [false, true])
    func wrongPasswordIsSaidAtOnce(isTCP: Bool) {
        let world = TURNWorld(isTCP: isTCP, password: "wrong horse")
        world.give(.connected)
        world.run(for: .seconds(60))
        #expect(world.events == [.failed(.wrongCredentials)] && world.times[0] < .zero + .milliseconds(200))
        #expect(world.model.requests.count == 2)
    }

    @Test(
        arguments: [
            (403, .forbidden), (437, .portInUse), (440, .familyNotSupported), (441, .wrongCredentials),
            (486, .quotaReached), (508, .noCapacity), (500, .refused(500)), (420, .refused(420)),
        ] as [(UInt16, TURNFailure)])
    func errorsAreTyped(code: UInt16, failure: TURNFailure) {
        for isTCP in [false, true] {
            let world = TURNWorld(isTCP: isTCP)
            world.model.errors[.allocate] = code
            world.give(.connected)
            world.run(for: .seconds(60))
            #expect(world.events == [.failed(failure)] && world.times[0] < .zero + .milliseconds(200))
            #expect(world.client.deadline == nil && !failure.description.isEmpty)
        }
    }

    /// A request is sent 7 times over UDP, with doubling intervals, and once over TCP; both time out after 39.5 s.
    @Test(arguments: [false, true])
    func silentServer(isTCP: Bool) {
        let world = TURNWorld(isTCP: isTCP)
        world.model.isSilent = true
        world.give(.connected)
        world.run(for: .seconds(60))
        #expect(world.events == [.failed(.timedOut)] && world.times == [.zero + .milliseconds(39_500)])
        #expect(world.sent.count == (isTCP ? 1 : 7) && Set(world.sent).count == 1)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func lossIsOvercome(seed: UInt64) throws {
        let world = try TURNWorld.allocated(seed: seed, loss: 0.3)
        #expect(world.model.violations.isEmpty)
    }

    // MARK: Redirection

    @Test(arguments: [false, true])
    func redirectionIsFollowed(isTCP: Bool) throws {
        let other = TransportAddress(.v4(0xC000_0202), port: 3479, transport: isTCP ? .tcp : .udp)
        let world = TURNWorld(isTCP: isTCP)
        world.model.alternate = other
        world.give(.connected)
        world.run(for: .seconds(60))
        #expect(world.events == [.redirected(to: other)] && world.client.deadline == nil)
        // Late messages of the first server are ignored.
        world.inject(STUNMessage(.success, .allocate, STUNTransactionID(high: 1, low: 1)))
        #expect(world.client.drops[.unexpected] == 1)
        world.model.alternate = nil
        let before = world.model.requests.count
        world.give(.connected)
        world.run(for: .seconds(1))
        #expect(world.client.relayedAddress != nil)
        // Started again, without credentials, since the new server has not challenged yet.
        #expect(world.model.requests[before].username == nil)
    }

    @Test func redirectionsEnd() {
        let world = TURNWorld()
        for number in 0..<4 as Range<UInt16> {
            world.model.alternate = TransportAddress(.v4(0xC000_0210), port: 4000 + number)
            world.give(.connected)
            world.run(for: .seconds(1))
        }
        #expect(world.events.count == 4 && world.failure == .badRedirection)
    }

    @Test(
        arguments: [
            TURNWorld.address, TransportAddress(.v4(0), port: 3478), TransportAddress(.v4(0xC000_0203), port: 0),
            TransportAddress(.v6(high: 1, low: 1), port: 3478),
        ])
    func badRedirection(to address: TransportAddress) {
        let world = TURNWorld()
        world.model.alternate = address
        world.give(.connected)
        world.run(for: .seconds(1))
        #expect(world.events == [.failed(.badRedirection)])
    }

    // MARK: Refreshing

    /// Three hours with a nonce that becomes stale before each refresh.
    @Test(arguments: [(false, 0.0), (true, 0.0), (false, 0.1)])
    func allocationIsKept(isTCP: Bool, loss: Double) throws {
        let world = try TURNWorld.allocated(isTCP: isTCP, loss: loss)
        world.model.nonceLifetime = .seconds(60)
        world.run(for: .seconds(3 * 3600))
        #expect(world.events.count == 1 && world.model.hasAllocation)
        #expect((20...60).contains(world.model.count(.refresh)), "\(world.model.count(.refresh))")
        #expect(world.model.violations.isEmpty)
    }

    @Test(arguments: [30, 100, 3600, .max] as [UInt32])
    func lifetimeIsTheServers(granted: UInt32) throws {
        let world = TURNWorld()
        world.model.grantedLifetime = granted
        world.give(.connected)
        world.run(for: .seconds(7200))
        #expect(world.events.count == 1 && world.model.hasAllocation)
        #expect(world.model.count(.refresh) <= 7200 / 14)
    }

    @Test func anOutageIsSurvived() throws {
        let world = try TURNWorld.allocated()
        world.run(for: .seconds(470))
        world.model.isSilent = true
        world.run(for: .seconds(70))
        world.model.isSilent = false
        world.run(for: .seconds(1200))
        #expect(world.events.count == 1 && world.model.hasAllocation)
    }

    @Test func allocationExpiresWithoutItsServer() throws {
        let world = try TURNWorld.allocated()
        world.model.isSilent = true
        world.run(for: .seconds(1200))
        #expect(world.failure == .expired && world.client.relayedAddress == nil)
        // No later than the allocation expires at the server.
        #expect(world.times[1] <= .zero + .seconds(601) && world.client.deadline == nil)
    }

    @Test(arguments: [false, true])
    func serverThatHasForgottenIsNoticed(byPermission: Bool) throws {
        let world = try TURNWorld.allocated()
        world.model.forgetAll()
        if byPermission { world.give(.permit(TURNWorld.peer.ip)) }
        world.run(for: .seconds(600))
        #expect(world.failure == .allocationLost)
        #expect(byPermission == (world.times[1] < .zero + .seconds(10)))
    }

    @Test func zeroLifetimeIsTheEnd() throws {
        let world = try TURNWorld.allocated()
        world.model.tamper = { message in
            if message.method == .refresh { message.attributes = [.lifetime(0)] }
        }
        world.run(for: .seconds(600))
        #expect(world.failure == .allocationLost)
    }

    @Test func connectionThatEndsIsTheEnd() throws {
        let world = try TURNWorld.allocated(isTCP: true)
        world.give(.disconnected)
        #expect(world.failure == .disconnected && world.client.deadline == nil)
        world.give(.disconnected)
        world.give(.connected)
        world.give(.close)
        #expect(world.events.count == 2)
    }

    @Test func connectionThatNeverWas() {
        let world = TURNWorld(isTCP: true)
        world.give(.disconnected)
        #expect(world.events == [.failed(.disconnected)])
    }

    // MARK: Releasing

    @Test(arguments: [false, true])
    func closingGivesItBack(isTCP: Bool) throws {
        let world = try TURNWorld.allocated(isTCP: isTCP)
        world.give(.send([1], to: TURNWorld.peer))
        world.run(for: .seconds(1))
        world.give(.close)
        world.run(for: .seconds(10))
        #expect(world.events.last == .closed && !world.model.hasAllocation)
        #expect(world.times[world.times.count - 1] < world.now - .seconds(9) && world.client.deadline == nil)
        #expect(world.model.requests.last?.lifetime == 0)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func closingSurvivesLossAndStaleNonce(seed: UInt64) throws {
        let world = try TURNWorld.allocated(seed: seed, loss: 0.2)
        world.model.nonceLifetime = .seconds(1)
        world.run(for: .seconds(400))
        world.give(.close)
        world.run(for: .seconds(10))
        #expect(world.events.last == .closed && world.client.deadline == nil)
    }

    @Test func closingDoesNotWaitForever() throws {
        let world = try TURNWorld.allocated()
        world.model.isSilent = true
        let before = world.now
        world.give(.close)
        world.run(for: .seconds(60))
        #expect(world.events.last == .closed && world.times.last == before + .seconds(5))
    }

    @Test func closingBeforeTheAnswerGivesBackWhatComes() {
        let world = TURNWorld()
        world.give(.connected)
        world.run(for: .seconds(1)) { world.model.hasAllocation }
        #expect(world.model.hasAllocation && world.events.isEmpty)
        world.give(.close)
        world.run(for: .seconds(10))
        #expect(world.events == [.closed] && !world.model.hasAllocation)
    }

    @Test func closingBeforeTheConnection() {
        let world = TURNWorld()
        world.give(.close)
        #expect(world.events == [.closed])
    }

    // MARK: IPv6

    @Test func ipv6IsAskedFor() {
        let relayed = TransportAddress(.v6(high: 0x2001_0DB8_0000_0000, low: 7), port: 50_000)
        let world = TURNWorld(family: .ipv6)
        world.model.family = .ipv6
        world.model.relayed = relayed
        world.give(.connected)
        world.run(for: .seconds(1))
        #expect(world.client.relayedAddress == relayed)
        let peer = TransportAddress(.v6(high: 0x2001_0DB8_0000_0000, low: 8), port: 50_001)
        world.give(.send([1, 2, 3], to: peer))
        world.run(for: .seconds(1))
        #expect(world.data == [[1, 2, 3]])
    }

    @Test func serverWithoutIPv6() {
        let world = TURNWorld(family: .ipv6)
        world.give(.connected)
        world.run(for: .seconds(1))
        #expect(world.events == [.failed(.familyNotSupported)])
    }

    @Test func addressOfTheOtherFamilyIsNotTaken() {
        let world = TURNWorld(family: .ipv6)
        world.model.family = .ipv6
        world.give(.connected)
        world.run(for: .seconds(1))
        #expect(world.events == [.failed(.badAnswer)])
    }

    // MARK: Secrets

    @Test func noSecretIsShown() {
        let secret = "hunter2-hunter2"
        let server = TURNServer(
            id: TURNServer.ID(rawValue: 3), address: TURNWorld.address, isTCP: true, username: "anna-name",
            password: SecretBytes(Array(secret.utf8)))
        var dumped = ""
        dump(server, to: &dumped)
        let shown = "\(server) \(String(reflecting: server)) \(dumped)"
        #expect(!shown.contains(secret) && !shown.contains("anna-name") && shown.contains("192.0.2.1:3478"))
    }
}
