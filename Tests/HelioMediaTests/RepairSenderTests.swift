import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// A stream to a peer that uses repair pictures: when one is requested, and which frames are sent until then.
@Suite("Repair pictures of a stream sender")
struct RepairSenderTests {
    private static let repairID: UInt8 = 3

    private struct Path {
        let sender: StreamSender
        var transport = BandwidthEstimator(most: .megabits(100), isTransportWide: false)
        var now = Instant(nanoseconds: 1_000_000_000)
        var frames: UInt64 = 0
        var timestamps: [UInt32] = []
        /// The RTP timestamp of each sent packet, and its repair mark.
        var left: [(timestamp: UInt32, since: UInt32?)] = []

        init(rate: Bitrate = .megabits(20)) {
            var configuration = StreamSender.Configuration(
                ssrc: SSRC(7), firstSequence: 9, largestPacket: 1200, rate: rate)
            configuration.isHostClock = true
            configuration.takesRepairs = true
            configuration.retransmissionSSRC = SSRC(8)
            sender = StreamSender(configuration)
            sender.agree(OutgoingExtensions(timingID: 1, repairID: RepairSenderTests.repairID))
            sender.play(nil)
        }

        mutating func send(
            bytes: Int = 3000, isKeyframe: Bool = false, repairsSince: UInt64? = nil,
            after time: Duration = .milliseconds(16)
        ) {
            now = now + time
            let slice = EncodedSlice(
                frameIndex: frames,
                annexB: TestStream.annexB(frames, codec: .h264, isKeyframe: isKeyframe, bytes: bytes), isFirst: true,
                isLast: true, isKeyframe: isKeyframe, timing: FrameTiming(damaged: now, captured: now),
                repairsSince: repairsSince)
            frames += 1
            timestamps.append(MediaClock.timestamp(now))
            let format = SendFormat(payloadType: PayloadType(96), repair: .retransmissionStream(PayloadType(98)))
            sender.send(PacketizedSlice(slice, codec: .h264, limits: sender.largestPayload), as: format, now: now)
            pump()
        }

        mutating func pump() {
            sender.tick(now: now)
            sender.pump(transport: &transport, now: now) { (departure: consuming StreamSender.Departure) in
                guard case .packet(let bytes, _, _, _) = consume departure,
                    let header = RTPHeader.parse(bytes.span.bytes)
                else { return }
                let mark = RepairExtension(id: RepairSenderTests.repairID, of: header, in: bytes.span.bytes)
                left.append((header.timestamp, mark?.since))
                #expect(bytes.count <= 1200)
            }
        }

        mutating func select(_ timestamp: UInt32) {
            sender.handle(
                ReferencePictureSelection(
                    sender: SSRC(9), media: SSRC(7), payloadType: PayloadType(96), timestamp: timestamp), now: now)
        }

        /// The frames of which at least one packet was sent.
        var framesLeft: [Int] {
            let seen = Set(left.map(\.timestamp))
            return timestamps.indices.filter { seen.contains(timestamps[$0]) }
        }
    }

    @Test("until the repair picture comes nothing passes, and its first packet says what it follows on")
    func gate() throws {
        var path = Path()
        path.send(isKeyframe: true)
        for _ in 0..<4 { path.send() }
        path.select(path.timestamps[2])
        let wish = try #require(path.sender.pollRepair(now: path.now))
        #expect(wish.since == 2)
        path.send()
        // A repair picture from a later frame doesn't help this peer.
        path.send(repairsSince: 3)
        #expect(path.framesLeft == [0, 1, 2, 3, 4])
        path.send(repairsSince: 1)
        path.send()
        #expect(path.framesLeft == [0, 1, 2, 3, 4, 7, 8])
        #expect(path.left.compactMap(\.since) == [path.timestamps[1]])
        #expect(path.left.first { $0.timestamp == path.timestamps[7] }?.since == path.timestamps[1])
        #expect(!path.sender.owesRepair)
        #expect(path.sender.keyframes.isEmpty)
        #expect(path.sender.statistics.repairs == 1)
    }

    @Test("one that is asked for again while it is on its way is not coded again, and later it is")
    func underWay() {
        var path = Path()
        path.send(isKeyframe: true)
        for _ in 0..<4 { path.send() }
        path.select(path.timestamps[2])
        _ = path.sender.pollRepair(now: path.now)
        path.send(repairsSince: 2)
        path.now = path.now + .milliseconds(50)
        path.select(path.timestamps[2])
        #expect(!path.sender.owesRepair)
        path.now = path.now + .milliseconds(500)
        path.select(path.timestamps[2])
        #expect(path.sender.pollRepair(now: path.now)?.since == 2)
        #expect(path.sender.allDrops["media-repair-under-way"] == 1)
    }

    @Test("the encoder is told again by the round trip, and after a second a keyframe is wanted")
    func patience() {
        var path = Path()
        path.send(isKeyframe: true)
        path.send()
        path.select(path.timestamps[0])
        var told = 0
        let start = path.now
        while path.now < start + .milliseconds(990) {
            if path.sender.pollRepair(now: path.now) != nil { told += 1 }
            path.now = path.now + .milliseconds(5)
        }
        #expect((8...14).contains(told))
        #expect(path.sender.keyframes.isEmpty)
        path.now = path.now + .milliseconds(50)
        #expect(path.sender.pollRepair(now: path.now) == nil)
        #expect(!path.sender.keyframes.isEmpty)
        path.send(isKeyframe: true)
        #expect(path.sender.keyframes.isEmpty && !path.sender.owesRepair)
    }

    @Test("what the pacer drops is made good by a repair since the last frame that was sent whole")
    func pacerDrop() throws {
        var path = Path(rate: .megabits(4))
        path.send(bytes: 2000, isKeyframe: true)
        var wish: RepairWish?
        while wish == nil, path.frames < 50 {
            path.send(bytes: 20_000)
            wish = path.sender.pollRepair(now: path.now)
        }
        let since = try #require(wish?.since)
        #expect(path.sender.keyframes.isEmpty)
        #expect(since < path.frames - 1)
        let before = path.framesLeft
        path.send(bytes: 2000)
        path.send(bytes: 2000, repairsSince: since + 1, after: .seconds(1))
        #expect(path.framesLeft == before)
        path.send(bytes: 2000, repairsSince: since, after: .seconds(1))
        #expect(path.framesLeft == before + [path.timestamps.count - 1])
    }

    @Test("a keyframe that is owed comes first, and names of frames that were not sent whole are refused")
    func refused() {
        var path = Path()
        path.send()
        path.select(path.timestamps[0])
        path.select(12)
        #expect(!path.sender.owesRepair)
        path.send(isKeyframe: true)
        for _ in 0..<300 { path.send(bytes: 200) }
        path.select(path.timestamps[1])
        #expect(!path.sender.owesRepair)
        #expect(path.sender.allDrops["media-unknown-picture"] == 3)
    }

    @Test("where keyframes and repair pictures alone are sent, each asks for the next, and all in between is left out")
    func entriesOnly() {
        var path = Path()
        path.send(isKeyframe: true)
        for _ in 0..<3 { path.send() }
        path.sender.sendsEntriesOnly = true
        #expect(path.sender.pollRepair(now: path.now)?.since == 3)
        for _ in 0..<3 { path.send() }
        #expect(path.framesLeft == [0, 1, 2, 3])
        path.send(repairsSince: 3)
        path.send()
        #expect(path.framesLeft == [0, 1, 2, 3, 7])
        path.now = path.now + .milliseconds(100)
        #expect(path.sender.pollRepair(now: path.now)?.since == 7)
        path.sender.sendsEntriesOnly = false
        path.send()
        path.send(repairsSince: 7)
        path.send()
        #expect(path.framesLeft == [0, 1, 2, 3, 7, 10, 11])
        #expect(path.sender.keyframes.isEmpty)
    }

    @Test("with another encode its keyframe is the first to pass, and no frame of the one before is known any more")
    func otherEncode() {
        var path = Path()
        path.send(isKeyframe: true)
        for _ in 0..<3 { path.send() }
        path.sender.changeEncode()
        let wish = path.sender.keyframes.poll(now: path.now)
        #expect(wish?.isJoin == true)
        path.send()
        path.send(repairsSince: 2)
        path.send(isKeyframe: true)
        path.send()
        #expect(path.framesLeft == [0, 1, 2, 3, 6, 7])
        path.select(path.timestamps[2])
        #expect(!path.sender.owesRepair)
    }
}
