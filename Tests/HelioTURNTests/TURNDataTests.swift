import HelioCore
import HelioSTUN
import HelioSimulation
import HelioTURN
import Testing

/// Permissions, channels, and the data sent over them (RFC 8656 section 9 ... 12).
struct TURNDataTests {
    private func peer(_ number: Int, port: UInt16 = 5000) -> TransportAddress {
        TransportAddress(.v4(0xC633_6400 + UInt32(number)), port: port)
    }

    @Test(arguments: [false, true])
    func firstPacketsWaitForPermissionThenChannel(isTCP: Bool) throws {
        let world = try TURNWorld.allocated(isTCP: isTCP)
        for number in 0..<5 as Range<UInt8> { world.give(.send([number, 1, 2], to: TURNWorld.peer)) }
        // Only the permission request was sent; the data waits.
        #expect(world.sent.count == 3)
        world.run(for: .seconds(1))
        #expect(world.data == (0..<5).map { [$0, 1, 2] } && world.model.sendIndications == 5)
        #expect(world.model.count(.createPermission) == 1 && world.model.count(.channelBind) == 0)
        // The peer has answered: a channel is bound.
        world.give(.send([9], to: TURNWorld.peer))
        world.run(for: .seconds(1))
        #expect(world.model.count(.channelBind) == 1 && world.model.channels.count == 1)
        let bytes = [UInt8](repeating: 0xAB, count: 1201)
        world.give(.send(bytes, to: TURNWorld.peer))
        #expect(world.sent.last?.count == (isTCP ? 1208 : 1205))
        world.run(for: .seconds(1))
        #expect(world.data.last == bytes && world.model.channelMessages == 1)
        #expect(world.model.violations.isEmpty && world.client.drops.total == 0)
    }

    @Test func permittedPeerMayBegin() throws {
        let world = TURNWorld()
        // ICE may request a permission before there is a relayed address.
        world.give(.permit(TURNWorld.peer.ip))
        world.give(.connected)
        world.run(for: .seconds(1))
        world.model.peerSends([7, 7], from: TURNWorld.peer, now: world.now)
        world.model.peerSends([8], from: peer(1, port: 6000), now: world.now)
        world.model.peerSends([9], from: peer(2), now: world.now)
        world.run(for: .seconds(1))
        #expect(world.data == [[7, 7], [8]])
    }

    /// Three hours with one packet a second, at a server that expires everything exactly in time.
    @Test(arguments: [(false, 0.0), (true, 0.0), (false, 0.02)])
    func pathIsKeptForHours(isTCP: Bool, loss: Double) throws {
        let world = try TURNWorld.allocated(isTCP: isTCP, loss: loss)
        world.model.nonceLifetime = .seconds(150)
        let count = 3 * 3600
        for number in 0..<count {
            world.give(.send([UInt8(number >> 8 & 255), UInt8(number & 255)], to: TURNWorld.peer))
            world.run(for: .seconds(1))
        }
        #expect(loss == 0 ? world.data.count == count : Double(world.data.count) > Double(count) * 0.93)
        #expect(world.model.violations.isEmpty && world.failure == nil)
        #expect(Double(world.model.channelMessages) > Double(count) * (0.995 - loss * 1.2))
        #expect(world.model.channels.count == 1)
        #expect(world.model.count(.createPermission) <= 120 && world.model.count(.channelBind) <= 60)
    }

    @Test func permissionIsRenewedAMinuteBeforeItsEnd() throws {
        let world = try TURNWorld.allocated()
        world.give(.permit(TURNWorld.peer.ip))
        world.run(for: .seconds(239))
        #expect(world.model.count(.createPermission) == 1)
        world.run(for: .seconds(2))
        #expect(world.model.count(.createPermission) == 2)
    }

    @Test func idleChannelEndsAndIsBoundAgain() throws {
        let world = try TURNWorld.allocated()
        for _ in 0..<3 {
            world.give(.send([1], to: TURNWorld.peer))
            world.run(for: .seconds(1))
        }
        #expect(world.model.channels.count == 1)
        let binds = world.model.count(.channelBind)
        world.run(for: .seconds(700))
        #expect(world.model.count(.channelBind) == binds)
        // The binding has expired at the server; the next packet is sent by an indication, and the same channel is
        // bound again.
        world.give(.send([2], to: TURNWorld.peer))
        world.run(for: .seconds(1))
        world.give(.send([3], to: TURNWorld.peer))
        world.run(for: .seconds(1))
        #expect(world.data.suffix(2) == [[2], [3]] && world.model.count(.channelBind) == binds + 1)
        // Permissions are refreshed meanwhile: the peer may return.
        world.run(for: .seconds(3600))
        world.model.peerSends([4], from: TURNWorld.peer, now: world.now)
        world.run(for: .seconds(1))
        #expect(world.data.last == [4] && world.model.violations.isEmpty)
    }

    /// Peers come and go for a day: more channels are bound than can exist at a time, and no number is reused too
    /// early.
    @Test func channelNumbersAreNotReusedTooEarly() throws {
        let world = try TURNWorld.allocated { $0.maximumChannels = 4 }
        for round in 0..<150 {
            let peer = peer(round % 200, port: UInt16(5000 + round))
            for _ in 0..<5 {
                world.give(.send([UInt8(round)], to: peer))
                world.run(for: .seconds(60))
            }
            #expect(world.model.channels.count <= 4)
        }
        #expect(world.data.count == 750 && world.model.violations.isEmpty)
        #expect(world.model.count(.channelBind) > 60)
    }

    /// After all channel numbers were used, the first ones are used again.
    @Test func channelNumbersBeginAnew() throws {
        let world = try TURNWorld.allocated { $0.maximumChannels = 64 }
        world.give(.permit(peer(1).ip))
        world.run(for: .seconds(1))
        for round in 0..<66 {
            for _ in 0..<2 {
                for number in 0..<64 {
                    world.give(.send([UInt8(round)], to: peer(1, port: UInt16(5000 + 64 * round + number))))
                }
                world.run(for: .seconds(2))
            }
            // The binding becomes idle, expires, and its number may be reused.
            world.run(for: .seconds(950))
        }
        #expect(world.model.count(.channelBind) > 4096)
        #expect(world.data.count == 66 * 128 && world.model.violations.isEmpty)
    }

    @Test func morePeersThanChannels() throws {
        let world = try TURNWorld.allocated()
        for round in 0..<4 as Range<UInt8> {
            for number in 1...30 { world.give(.send([round, UInt8(number)], to: peer(number))) }
            world.run(for: .seconds(1))
        }
        #expect(world.data.count == 120 && world.model.channels.count == 16)
        #expect(world.model.violations.isEmpty)
    }

    // MARK: Limits

    @Test func everythingIsBounded() throws {
        let world = try TURNWorld.allocated()
        world.model.isSilent = true
        for number in 0..<1000 {
            for _ in 0..<3 { world.give(.send([1], to: peer(number % 250, port: UInt16(number)))) }
        }
        // At most 64 permissions, 16 of them requested at once, and 64 queued packets.
        #expect(world.sent.count == 2 + 16)
        #expect(world.client.drops[.tooMany] >= 3000 - 64)
        world.model.isSilent = false
        world.run(for: .seconds(60))
        #expect(world.data.count <= 64 && world.model.permissions.count <= 250)
        #expect(world.model.violations.isEmpty)
    }

    @Test func quietestPeerIsForgotten() throws {
        let world = try TURNWorld.allocated { $0.maximumPermissions = 3 }
        for number in 1...3 {
            world.give(.permit(peer(number).ip))
            world.run(for: .seconds(1))
        }
        world.give(.permit(peer(1).ip))
        world.give(.permit(peer(4).ip))
        world.run(for: .seconds(400))
        // The server checks for expiry only on activity.
        world.model.peerSends([1], from: peer(2), now: world.now)
        #expect(Set(world.model.permissions.keys) == [peer(1).ip, peer(3).ip, peer(4).ip])
    }

    @Test func newestPacketsWait() throws {
        let world = try TURNWorld.allocated()
        for number in 0..<20 as Range<UInt8> { world.give(.send([number], to: TURNWorld.peer)) }
        world.run(for: .seconds(1))
        #expect(world.data == (12..<20).map { [$0] } && world.client.drops[.tooMany] == 12)
    }

    @Test func whatCannotGoIsNamed() throws {
        let world = TURNWorld()
        world.give(.send([1], to: TURNWorld.peer))
        #expect(world.client.drops[.noAllocation] == 1)
        let six = TransportAddress(.v6(high: 1, low: 2), port: 3)
        world.give(.permit(six.ip))
        world.give(.connected)
        world.run(for: .seconds(1))
        world.give(.send([1], to: six))
        world.give(.send([1], to: TransportAddress(TURNWorld.peer.ip, port: 5000, transport: .tcp)))
        #expect(world.client.drops[.wrongFamily] == 3)
        world.give(.send([UInt8](repeating: 0, count: 65_001), to: TURNWorld.peer))
        #expect(world.client.drops[.tooLong] == 1)
        world.give(.send([UInt8](repeating: 5, count: 65_000), to: TURNWorld.peer))
        world.give(.send([], to: TURNWorld.peer))
        world.run(for: .seconds(1))
        #expect(world.data.map(\.count) == [65_000, 0])
        world.give(.close)
        world.give(.send([1], to: TURNWorld.peer))
        #expect(world.client.drops[.noAllocation] == 2)
    }

    @Test(arguments: [true, false])
    func refusedPeerIsNotAskedForAgainAtOnce(signsErrors: Bool) throws {
        let world = try TURNWorld.allocated()
        world.model.signsErrors = signsErrors
        world.model.forbidden = [TURNWorld.peer.ip]
        world.give(.send([1], to: TURNWorld.peer))
        world.run(for: .seconds(5))
        #expect(world.client.drops[.refused] == 1)
        let asked = world.model.count(.createPermission)
        for _ in 0..<20 {
            world.give(.send([2], to: TURNWorld.peer))
            world.run(for: .seconds(1))
        }
        #expect(world.client.drops[.refused] == 21 && world.model.count(.createPermission) == asked)
        // Another peer is not affected.
        world.give(.send([3], to: peer(9)))
        world.run(for: .seconds(20))
        #expect(world.data == [[3]])
        world.model.forbidden = []
        world.give(.send([4], to: TURNWorld.peer))
        world.run(for: .seconds(1))
        #expect(world.data == [[3], [4]] && world.failure == nil)
    }

    @Test func withoutChannelsItGoesByIndications() throws {
        let world = try TURNWorld.allocated()
        world.model.errors[.channelBind] = 508
        for number in 0..<100 as Range<UInt8> {
            world.give(.send([number], to: TURNWorld.peer))
            world.run(for: .seconds(2))
        }
        #expect(world.data.count == 100 && world.model.sendIndications == 100)
        #expect(world.model.count(.channelBind) == 1 && world.failure == nil)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func lossDelaysAndNothingMore(seed: UInt64) throws {
        let world = try TURNWorld.allocated(seed: seed, loss: 0.2)
        for _ in 0..<100 {
            world.give(.send([1], to: TURNWorld.peer))
            world.run(for: .milliseconds(200))
        }
        world.run(for: .seconds(5))
        #expect((30...120).contains(world.data.count), "\(world.data.count)")
        #expect(world.model.channels.count == 1 && world.model.violations.isEmpty)
    }

    /// Stream data is reassembled however it is split.
    @Test(arguments: [1, 2, 3, 4, 5, 64, 1000])
    func streamIsPutTogether(pieceSize: Int) throws {
        let world = TURNWorld(isTCP: true)
        world.pieceSize = pieceSize
        world.give(.connected)
        world.run(for: .seconds(1))
        let sizes = [0, 1, 2, 3, 4, 5, 100, 1399, 3000]
        for _ in 0..<3 {
            for size in sizes {
                world.give(.send([UInt8](repeating: UInt8(size & 255), count: size), to: TURNWorld.peer))
                world.run(for: .seconds(1))
            }
        }
        #expect(world.data.map(\.count) == sizes + sizes + sizes && world.client.drops.total == 0)
        #expect(world.model.channelMessages > 20)
    }
}
