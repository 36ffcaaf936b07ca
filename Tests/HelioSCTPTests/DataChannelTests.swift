import HelioCore
import HelioSCTP
import HelioSimulation
import Testing

@Suite("Data channels")
struct DataChannelTests {
    @Test("opened before the association is, written to at once, echoed, closed")
    func life() throws {
        var world = try ChannelWorld(.lossy5)
        world.stepper.b.isEcho = true
        var description = DataChannelDescription(label: "Größe")
        description.subprotocol = "chat"
        description.priority = 512
        let id = try world.stepper.a.channels.open(description, now: .zero)
        #expect(id.stream == 0)
        let sent: [DataChannelMessage] = [
            .text(Array("hé".utf8)), .binary([1, 2]), .text([]), .binary([]),
            .binary(.init(repeating: 5, count: 60_000)),
        ]
        for message in sent { try world.stepper.a.channels.send(message, on: id, now: .zero) }
        try world.run(.seconds(30))
        #expect(world.stepper.b.events.contains(.opened(id, description)) == true)
        #expect(world.stepper.b.messages(on: id) == sent)
        #expect(world.stepper.a.messages(on: id) == sent)
        world.stepper.a.channels.close(id, now: world.now)
        #expect(throws: DataChannelError.notOpen) {
            try world.stepper.a.channels.send(.binary([1]), on: id, now: world.now)
        }
        try world.run(.seconds(30))
        #expect(world.stepper.a.closed == [id] && world.stepper.b.closed == [id])
        #expect(world.stepper.a.channels.openChannels == [] && world.stepper.b.channels.openChannels == [])
    }

    @Test("each end gives out its own numbers; both may open at once, and all terms come across")
    func numbers() throws {
        var world = try ChannelWorld()
        var descriptions: [DataChannelDescription] = []
        for (index, reliability) in [Reliability.reliable, .retransmissions(3), .lifetime(.milliseconds(500))]
            .enumerated()
        {
            for isOrdered in [true, false] {
                var description = DataChannelDescription(label: "\(index)")
                description.reliability = reliability
                description.isOrdered = isOrdered
                descriptions.append(description)
            }
        }
        for description in descriptions {
            _ = try world.stepper.a.channels.open(description, now: .zero)
            _ = try world.stepper.b.channels.open(description, now: .zero)
        }
        try world.run(.seconds(1))
        let even = (0..<6).map { DataChannelID(UInt16($0 * 2)) }
        let odd = (0..<6).map { DataChannelID(UInt16($0 * 2 + 1)) }
        #expect(world.stepper.b.opened == even && world.stepper.a.opened == odd)
        for (id, description) in zip(even, descriptions) {
            #expect(world.stepper.b.events.contains(.opened(id, description)) == true)
        }
        #expect(world.stepper.a.channels.drops.total == 0 && world.stepper.b.channels.drops.total == 0)
    }

    @Test("a channel that both ends agreed on needs no OPEN")
    func negotiated() throws {
        var world = try ChannelWorld()
        let id = DataChannelID(7)
        try world.stepper.a.channels.openNegotiated(id, DataChannelDescription(label: "x"))
        try world.stepper.b.channels.openNegotiated(id, DataChannelDescription(label: "x"))
        #expect(throws: DataChannelError.badNumber) {
            try world.stepper.b.channels.openNegotiated(id, DataChannelDescription(label: "y"))
        }
        #expect(throws: DataChannelError.badNumber) {
            try world.stepper.b.channels.openNegotiated(DataChannelID(.max), DataChannelDescription(label: "y"))
        }
        try world.stepper.a.channels.send(.binary([1]), on: id, now: .zero)
        try world.stepper.b.channels.send(.binary([2]), on: id, now: .zero)
        try world.run(.seconds(1))
        #expect(world.stepper.b.eventsButLow == [.connected, .message(id, .binary([1]))])
        #expect(world.stepper.a.eventsButLow == [.connected, .message(id, .binary([2]))])
    }

    @Test("an unordered channel's first messages do not overtake its OPEN, also on bad networks")
    func unorderedStart() throws {
        for seed in UInt64(0)..<30 {
            var world = try ChannelWorld(
                LinkConditions(loss: .random(0.2), delay: .milliseconds(5), reorder: 0.3), seed: seed)
            var description = DataChannelDescription(label: "u")
            description.isOrdered = false
            try world.run(.seconds(20))
            let id = try world.stepper.a.channels.open(description, now: world.now)
            for number in UInt8(0)..<20 { try world.stepper.a.channels.send(.binary([number]), on: id, now: world.now) }
            try world.run(.seconds(30))
            #expect(Set(world.stepper.b.messages(on: id)).count == 20, "seed \(seed)")
            #expect(world.stepper.b.channels.drops.total == 0, "seed \(seed)")
        }
    }

    @Test("closing waits for what was sent; numbers are used again; from either end or both", arguments: [1, 2, 3])
    func closes(who: Int) throws {
        for seed in UInt64(0)..<10 {
            var configuration = DataChannelConfiguration()
            // With so few streams, stream numbers are reused at once.
            configuration.association.streams = 4
            var world = try ChannelWorld(.lossy20, seed: seed, configuration)
            try world.run(.seconds(20))
            for round in 0..<6 {
                let id = try world.stepper.a.channels.open(DataChannelDescription(label: "\(round)"), now: world.now)
                let sent = (0..<10).map { DataChannelMessage.binary([UInt8](repeating: $0, count: 2000)) }
                for message in sent { try world.stepper.a.channels.send(message, on: id, now: world.now) }
                if who == 2 { try world.run(.seconds(60)) }
                let before = world.stepper.b.messages(on: id).count
                if who & 1 != 0 { world.stepper.a.channels.close(id, now: world.now) }
                if who == 3 { try world.run(.milliseconds(30)) }
                if who & 2 != 0 { world.stepper.b.channels.close(id, now: world.now) }
                try world.run(.seconds(120))
                #expect(world.stepper.a.closed.count == round + 1, "seed \(seed), round \(round)")
                #expect(world.stepper.b.closed.count == round + (who == 3 ? 0 : 1) || who == 3)
                #expect(world.stepper.b.opened.count == round + 1)
                if who == 1 { #expect(world.stepper.b.messages(on: id).count - before == 10) }
                if who == 2 { #expect(before % 10 == 0) }
            }
            #expect(world.stepper.a.channels.openChannels == [] && world.stepper.b.channels.openChannels == [])
        }
    }

    @Test("more than is allowed is refused, at either end, and the other end learns of it")
    func limits() throws {
        var configuration = DataChannelConfiguration()
        configuration.maximumChannels = 3
        configuration.maximumTextSize = 100
        configuration.peerMaximumMessageSize = 1000
        configuration.channelSendLimit = 1500
        var world = try ChannelWorld(LinkConditions(delay: .milliseconds(5)), configuration)
        let long = try world.stepper.a.channels.open(
            DataChannelDescription(label: String(repeating: "x", count: 101)), now: .zero)
        let id = try world.stepper.a.channels.open(DataChannelDescription(label: "1"), now: .zero)
        _ = try world.stepper.a.channels.open(DataChannelDescription(label: "2"), now: .zero)
        #expect(throws: DataChannelError.tooManyChannels) {
            _ = try world.stepper.a.channels.open(DataChannelDescription(label: "3"), now: .zero)
        }
        #expect(throws: DataChannelError.messageTooLong) {
            try world.stepper.a.channels.send(.binary(.init(repeating: 0, count: 1001)), on: id, now: .zero)
        }
        try world.stepper.a.channels.send(.binary(.init(repeating: 0, count: 1000)), on: id, now: .zero)
        #expect(throws: DataChannelError.bufferFull) {
            try world.stepper.a.channels.send(.binary(.init(repeating: 0, count: 1000)), on: id, now: .zero)
        }
        try world.run(.seconds(5))
        #expect(world.stepper.a.closed == [long])
        #expect(world.stepper.b.channels.drops[.refused] == 1)
        #expect(world.stepper.a.events.contains(.bufferedAmountLow(id)) == true)
        #expect(world.stepper.a.channels.bufferedAmount(of: id) == 0)
    }

    @Test("an owner that can't keep up makes the other end wait, and misses nothing", arguments: [0, 0.05])
    func holds(loss: Double) throws {
        var configuration = DataChannelConfiguration()
        configuration.association.receiveWindow = 64 * 1024
        configuration.association.maximumMessageSize = 16 * 1024
        let conditions = LinkConditions(loss: loss > 0 ? .random(loss) : .none, delay: .milliseconds(5))
        var world = try ChannelWorld(conditions, configuration)
        let id = try world.stepper.a.channels.open(DataChannelDescription(label: "x"), now: .zero)
        try world.run(.seconds(20))
        world.stepper.b.channels.holdMessages(true, now: world.now)
        let sent = (0..<100).map { DataChannelMessage.binary([UInt8](repeating: $0, count: 4000)) }
        for message in sent { try world.stepper.a.channels.send(message, on: id, now: world.now) }
        world.stepper.a.channels.close(id, now: world.now)
        try world.run(.seconds(600))
        #expect(world.stepper.b.messages(on: id) == [])
        #expect(world.stepper.a.channels.bufferedAmount(of: id) > 300_000)
        #expect(world.stepper.a.channels.associationState == .established)
        world.stepper.b.channels.holdMessages(false, now: world.now)
        try world.run(.seconds(60))
        #expect(world.stepper.b.messages(on: id) == sent)
        #expect(world.stepper.a.closed == [id] && world.stepper.b.closed == [id])
    }

    @Test("what is held comes before its channel's end, and before the association's", arguments: [true, false])
    func heldBeforeEnd(isAborted: Bool) throws {
        var world = try ChannelWorld()
        let id = try world.stepper.a.channels.open(DataChannelDescription(label: "x"), now: .zero)
        try world.run(.seconds(1))
        world.stepper.b.channels.holdMessages(true, now: world.now)
        try world.stepper.a.channels.send(.binary([1]), on: id, now: world.now)
        try world.run(.seconds(1))
        if isAborted {
            world.stepper.a.channels.abort(now: world.now)
        } else {
            world.stepper.a.channels.close(id, now: world.now)
            try world.run(.seconds(20))
            #expect(world.stepper.b.messages(on: id) == [] && world.stepper.b.closed == [])
            world.stepper.b.channels.holdMessages(false, now: world.now)
        }
        try world.run(.seconds(20))
        let end = world.stepper.b.events.drop { $0 != .message(id, .binary([1])) }
        #expect(end.count >= 2 && end.dropFirst().first == .closed(id))
    }

    @Test("the end of the association closes every channel")
    func end() throws {
        var world = try ChannelWorld()
        let id = try world.stepper.a.channels.open(DataChannelDescription(label: "1"), now: .zero)
        try world.run(.seconds(1))
        world.stepper.a.channels.abort(now: world.now)
        try world.run(.seconds(1))
        #expect(world.stepper.a.events.suffix(2) == [.closed(id), .ended(.abortedHere)])
        #expect(world.stepper.b.events.suffix(2) == [.closed(id), .ended(.abortedByPeer(cause: 12))])
        #expect(throws: DataChannelError.ended) {
            _ = try world.stepper.a.channels.open(DataChannelDescription(label: "1"), now: world.now)
        }
    }

    @Test("a message of the establishment protocol is read and written without a difference, and cuts of it are not")
    func establishmentMessages() throws {
        var description = DataChannelDescription(label: "label")
        description.subprotocol = "sub"
        description.isOrdered = false
        description.reliability = .lifetime(.milliseconds(1500))
        let bytes = ChannelProtocolMessage.open(description).serialised()
        #expect(
            bytes == [3, 0x82, 1, 0, 0, 0, 0x05, 0xDC, 0, 5, 0, 3] + Array("labelsub".utf8))
        #expect(ChannelProtocolMessage.parse(bytes.span.bytes) == .open(description))
        for count in 0..<bytes.count { #expect(ChannelProtocolMessage.parse(Array(bytes[..<count]).span.bytes) == nil) }
        var broken = bytes
        broken[12] = 0xFF
        #expect(ChannelProtocolMessage.parse(broken.span.bytes) == nil)
        broken = bytes
        broken[1] = 3
        #expect(ChannelProtocolMessage.parse(broken.span.bytes) == nil)
        #expect(ChannelProtocolMessage.parse([2].span.bytes) == .acknowledgement)
    }
}
