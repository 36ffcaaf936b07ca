import Foundation
import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioTURN
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The TURN client with a third-party server, on real sockets.
@Suite(.serialized, .tags(.quiet))
struct CoturnTests {
    /// Relays in both directions, first by indications and then by a channel, with all padding lengths.
    @Test(arguments: [false, true])
    func relaysBothWays(isTCP: Bool) throws {
        let server = try Coturn()
        let client = try RealTURNClient(server, isTCP: isTCP)
        let relayed = try client.allocate()
        #expect(relayed.ip == LoopbackSocket.loopback4)
        guard case .allocated(_, let mapped?)? = client.events.first else {
            Issue.record("the server does not say where it sees us")
            return
        }
        #expect(mapped.ip == LoopbackSocket.loopback4)
        let peer = try LoopbackSocket()
        client.echoes = [peer]
        var expected: [[UInt8]] = []
        for size in [0, 1, 2, 3, 4, 5, 100, 1199, 1200] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            expected.append(bytes)
            try client.give(.send(bytes, to: peer.address))
            try client.run("echo of \(size)") { client.data.count == expected.count }
        }
        #expect(client.data == expected && client.echoed.map(\.bytes) == expected)
        #expect(client.echoed.allSatisfy { $0.from == relayed })
        #expect(client.channelMessages >= 5 && client.failure == nil)
        #expect(client.client.drops.total == 0, "\(client.client.drops.byName)")
    }

    @Test func permittedPeerMayBeginOthersMayNot() throws {
        let server = try Coturn()
        let client = try RealTURNClient(server)
        let relayed = try client.allocate()
        let peer = try LoopbackSocket()
        let stranger = try LoopbackSocket(.v4(0x7F00_0002))
        try client.give(.permit(peer.address.ip))
        let sendBoth = {
            try stranger.send([6, 6, 6], to: relayed)
            try peer.send([1, 2, 3], to: relayed)
        }
        try client.run("permission", often: sendBoth) { client.data.count >= 3 }
        #expect(Set(client.data) == [[1, 2, 3]])
    }

    @Test(arguments: [false, true])
    func wrongPassword(isTCP: Bool) throws {
        let server = try Coturn()
        let client = try RealTURNClient(server, isTCP: isTCP, password: "wrong")
        try client.run("failure") { client.failure != nil }
        #expect(client.failure == .wrongCredentials && client.errors == [401, 401])
    }

    /// Credentials of a shared secret: valid, expired, and of another secret.
    @Test(arguments: [("north", 60, true), ("north", -60, false), ("south", 60, false)])
    func sharedSecret(secret: String, life: Int, isTaken: Bool) throws {
        let server = try Coturn(["use-auth-secret", "static-auth-secret=north"])
        let shared = TURNSharedSecret(
            SecretBytes(Array(secret.utf8)), life: .seconds(life), clockOffset: .seconds(Date().timeIntervalSince1970))
        let made = try shared.credentials(for: "viewer-7", now: .zero, crypto: OpenSSLCrypto())
        let client = try RealTURNClient(server, username: made.username, password: made.password)
        guard isTaken else {
            try client.run("failure") { client.failure != nil }
            #expect(client.failure == .wrongCredentials)
            return
        }
        _ = try client.allocate()
        let peer = try LoopbackSocket()
        client.echoes = [peer]
        try client.give(.send([1, 2, 3], to: peer.address))
        try client.run("echo") { client.data == [[1, 2, 3]] }
        #expect(client.failure == nil)
    }

    @Test(arguments: [false, true])
    func staleNonce(isTCP: Bool) throws {
        let server = try Coturn(["stale-nonce=1"])
        let client = try RealTURNClient(server, isTCP: isTCP)
        _ = try client.allocate()
        let peer = try LoopbackSocket()
        client.echoes = [peer]
        // Permissions for a new peer each, until the server declares the nonce stale.
        var number: UInt32 = 0
        let ask = {
            number += 1
            try client.give(.permit(.v4(0x7F00_0100 + number)))
        }
        try client.run("stale nonce", often: ask) { client.errors.contains(438) }
        try client.give(.send([9, 9], to: peer.address))
        try client.run("echo") { client.data == [[9, 9]] }
        #expect(client.failure == nil)
        try client.give(.close)
        try client.run("end") { client.events.last == .closed }
    }

    @Test func quota() throws {
        let server = try Coturn(["user-quota=1"])
        let first = try RealTURNClient(server)
        _ = try first.allocate()
        let second = try RealTURNClient(server)
        try second.run("failure") { second.failure != nil }
        #expect(second.failure == .quotaReached && second.errors == [401, 486])
    }

    /// The relayed address is released: a sender gets an error.
    @Test(arguments: [false, true])
    func closingGivesTheAddressBack(isTCP: Bool) throws {
        let server = try Coturn()
        let client = try RealTURNClient(server, isTCP: isTCP)
        let relayed = try client.allocate()
        let peer = try LoopbackSocket()
        try peer.connect(to: relayed)
        try client.give(.permit(peer.address.ip))
        let knock = { try peer.send([1]) }
        try client.run("permission", often: knock) { !client.data.isEmpty }
        try client.give(.close)
        try client.run("end") { client.events.last == .closed }
        #expect(client.errors == [401])
        var isRefused = false
        let send = { do { try peer.send([2]) } catch { isRefused = true } }
        try client.run("closed port", often: send) { isRefused }
    }

    @Test(arguments: [false, true])
    func redirection(isTCP: Bool) throws {
        let second = try Coturn()
        let first = try Coturn([
            "alternate-server=127.0.0.1:\(second.port)", "user=\(second.username):\(second.password)",
        ])
        let client = try RealTURNClient(first, isTCP: isTCP, password: second.password)
        try client.run("allocation") { client.client.relayedAddress != nil || client.failure != nil }
        #expect(client.failure == nil)
        let address = TransportAddress(
            LoopbackSocket.loopback4, port: second.port, transport: isTCP ? .tcp : .udp)
        #expect(client.events.first == .redirected(to: address))
    }

    @Test func forbiddenPeer() throws {
        let server = try Coturn(["denied-peer-ip=127.0.0.2"])
        let client = try RealTURNClient(server)
        _ = try client.allocate()
        try client.give(.send([1], to: TransportAddress(.v4(0x7F00_0002), port: 9)))
        try client.run("refusal") { client.client.drops[.refused] == 1 }
        #expect(client.errors == [401, 403] && client.failure == nil)
    }

    @Test(arguments: [false, true])
    func ipv6(isTCP: Bool) throws {
        if try IPv6Machine.hasDone() { return }
        let server = try Coturn()
        let client = try RealTURNClient(server, isTCP: isTCP, overIPv6: isTCP, relayedFamily: .ipv6)
        let relayed = try client.allocate()
        #expect(relayed.ip == LoopbackSocket.loopback6)
        let peer = try LoopbackSocket(LoopbackSocket.loopback6)
        client.echoes = [peer]
        for number in 0..<10 as Range<UInt8> {
            try client.give(.send([number], to: peer.address))
            try client.run("echo") { client.data.count == Int(number) + 1 }
        }
        #expect(client.channelMessages >= 5 && client.echoed.allSatisfy { $0.from == relayed })
    }

    @Test func serverWithoutIPv6() throws {
        let server = try Coturn(ipv6: false)
        let client = try RealTURNClient(server, relayedFamily: .ipv6)
        try client.run("failure") { client.failure != nil }
        #expect(client.failure == .familyNotSupported && client.errors == [401, 440])
    }

    @Test func serverThatDiesEndsTheConnection() throws {
        let server = try Coturn()
        let client = try RealTURNClient(server, isTCP: true)
        _ = try client.allocate()
        server.stop()
        try client.run("end") { client.failure != nil }
        #expect(client.failure == .disconnected)
    }
}
