import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// A stream describes its frames to a browser, and responds to the losses that a page reports.
@Suite("Frames with dependency descriptors") struct DescribedFramesTests {
    @Test("each packet has its frame's number and template, and the first of a keyframe the structure")
    func packets() {
        var path = DescribedPath()
        path.send(isKeyframe: true)
        path.send(bytes: 300)
        path.send()
        for (frame, count) in [(0, 3), (1, 1), (2, 3)] {
            let packets = path.packets(of: frame)
            #expect(packets.count >= count)
            let described = packets.compactMap(\.dependency)
            #expect(described.count == packets.count)
            #expect(described.allSatisfy { $0.number == UInt16(frame) })
            #expect(described.allSatisfy { $0.template == (frame == 0 ? .independent : .followsPrevious) })
            #expect(described.map(\.isFirst) == described.indices.map { $0 == 0 })
            #expect(described.map(\.isLast) == described.indices.map { $0 == described.count - 1 })
            #expect(described.map { $0.structure != nil } == described.indices.map { frame == 0 && $0 == 0 })
        }
    }

    @Test("the numbers wrap, and go on over a pause") func numbers() {
        var path = DescribedPath(rate: .megabits(200))
        path.send(bytes: 100, isKeyframe: true)
        for _ in 0..<65_535 { path.send(bytes: 20, after: .microseconds(100)) }
        #expect(path.description(of: 65_535) == "65535 followsPrevious")
        path.send(bytes: 20)
        path.sender.pause()
        path.sender.play(nil)
        path.send(bytes: 20)
        path.send(bytes: 100, isKeyframe: true)
        #expect(path.description(of: 65_536) == "0 followsPrevious")
        #expect(path.description(of: 65_537) == nil)
        #expect(path.description(of: 65_538) == "1 independent")
    }

    @Test("descriptors begin with a keyframe, as they need its structure, and end at once") func agreedLater() {
        var path = DescribedPath(isDescribed: false)
        path.send(isKeyframe: true)
        path.sender.agree(OutgoingExtensions(dependencyID: 5))
        path.send()
        path.send(isKeyframe: true)
        path.send()
        path.sender.agree(OutgoingExtensions())
        path.send()
        #expect((0..<5).map { path.description(of: $0) } == [nil, nil, "0 independent", "1 followsPrevious", nil])
    }

    @Test("for a browser that decodes the pictures itself a repair picture is like any other") func noRepairs() {
        var path = DescribedPath(takesRepairs: false)
        path.send(isKeyframe: true)
        path.send(repairsSince: 0)
        #expect(path.description(of: 1) == "1 followsPrevious")
        path.sender.takesRepairs = true
        path.send(repairsSince: 0)
        #expect(path.description(of: 2) == "2 independent")
    }

    @Test("what is held back until a repair picture takes no number") func heldBack() throws {
        var path = DescribedPath()
        path.send(isKeyframe: true)
        for _ in 0..<4 { path.send() }
        path.sender.handlePictureLost(after: path.timestamps[2], now: path.now)
        let wish = try #require(path.sender.pollRepair(now: path.now))
        #expect(wish.since == 2)
        path.send()
        // The first repair picture needs a later frame than the viewer's last one.
        path.send(repairsSince: 3)
        path.send(repairsSince: 1)
        path.send()
        #expect(path.description(of: 4) == "4 followsPrevious")
        #expect(path.description(of: 5) == nil && path.description(of: 6) == nil)
        #expect(path.description(of: 7) == "5 independent")
        #expect(path.description(of: 8) == "6 followsPrevious")
        #expect(!path.sender.owesRepair && path.sender.keyframes.isEmpty)
    }

    @Test(
        "whatever the queue drops, a frame that follows another comes after all of it, and numbers rise",
        arguments: [false, true], 1...6 as ClosedRange<UInt64>)
    func neverBehindAHole(takesRepairs: Bool, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var path = DescribedPath(rate: .megabits(2), takesRepairs: takesRepairs)
        path.send(bytes: 2000, isKeyframe: true)
        for _ in 0..<400 {
            var since: UInt64?
            if let wish = path.sender.pollRepair(now: path.now), Bool.random(using: &random) { since = wish.since }
            if since == nil, Int.random(in: 0..<10, using: &random) == 0 { since = path.frames - min(path.frames, 3) }
            let isKeyframe =
                !path.sender.keyframes.isEmpty && Int.random(in: 0..<4, using: &random) == 0
                && path.sender.keyframes.poll(now: path.now) != nil
            if Int.random(in: 0..<40, using: &random) == 0 {
                let frame = max(0, path.timestamps.count - Int.random(in: 1...12, using: &random))
                path.sender.handlePictureLost(after: path.timestamps[frame], now: path.now)
            }
            path.send(
                bytes: .random(in: 100...12_000, using: &random), isKeyframe: isKeyframe,
                repairsSince: isKeyframe ? nil : since)
        }
        path.run(for: .seconds(5))
        var last: DependencyDescriptor?
        var whole: Set<UInt16> = []
        var dropped = false
        var count = 0
        for packet in path.left where packet.ssrc == DescribedPath.media {
            guard let dependency = packet.dependency else {
                Issue.record("a packet without a descriptor")
                return
            }
            if dependency.isFirst {
                count += 1
                let step = last.map { dependency.number &- $0.number } ?? 1
                #expect(step >= 1 && step < 0x8000)
                if step > 1 || last?.isLast == false { dropped = true }
                let base = dependency.number &- UInt16(dependency.back ?? 1)
                if let last, last.isLast { whole.insert(last.number) }
                if dependency.template == .followsPrevious {
                    #expect(whole.contains(base), "\(dependency.number) follows a frame that is not whole")
                }
            } else {
                #expect(dependency.number == last?.number && last?.isLast == false)
            }
            last = dependency
        }
        #expect(count > 50 && dropped)
    }

    @Test("a retransmission has the descriptor of the original") func retransmission() {
        var path = DescribedPath()
        path.send(isKeyframe: true)
        path.send()
        path.send(repairsSince: 1)
        let sent = path.left
        path.sender.takesRepairs = false
        path.run(for: .milliseconds(20))
        path.request(sent.map(\.sequence))
        path.run(for: .milliseconds(20))
        #expect(sent.count > 8 && sent.allSatisfy { $0.dependency != nil })
        #expect(path.retransmissions.map(\.sequence) == sent.map(\.sequence))
        #expect(path.retransmissions.map(\.dependency) == sent.map(\.dependency))
    }

    // MARK: The page's reports

    @Test("a browser's own requests for keyframes count only where its page reports no losses")
    func requestsForKeyframes() {
        for (takesRepairs, isDescribed) in [(true, true), (true, false), (false, true), (false, false)] {
            var path = DescribedPath(takesRepairs: takesRepairs, isDescribed: isDescribed)
            path.send(isKeyframe: true)
            path.sender.handlePictureLoss()
            #expect(path.sender.keyframes.isEmpty == (takesRepairs && isDescribed))
            _ = path.sender.keyframes.poll(now: path.now)
            path.sender.handleFullIntraRequest(FullIntraRequest.Entry(ssrc: SSRC(7), sequence: 1), from: SSRC(1))
            #expect(path.sender.keyframes.isEmpty == (takesRepairs && isDescribed))
            #expect(path.drops["media-unheeded-picture-loss"] == (takesRepairs && isDescribed ? 2 : nil))
            #expect(path.sender.statistics.pictureLossIndications == 1)
        }
    }

    @Test("a frame that is not known, and none at all, cost a keyframe, but not one more while it is on its way")
    func keyframes() {
        for whole in [nil, 12] as [UInt32?] {
            var path = DescribedPath()
            path.send(isKeyframe: true)
            path.run(for: .seconds(2))
            path.sender.handlePictureLost(after: whole, now: path.now)
            #expect(!path.sender.keyframes.isEmpty && !path.sender.owesRepair)
            #expect(path.sender.keyframes.poll(now: path.now) != nil)
            path.send(isKeyframe: true)
            path.run(for: .milliseconds(50))
            path.sender.handlePictureLost(after: whole, now: path.now)
            #expect(path.sender.keyframes.isEmpty && path.drops["media-repair-under-way"] == 1)
            path.run(for: .seconds(1))
            path.sender.handlePictureLost(after: whole, now: path.now)
            #expect(!path.sender.keyframes.isEmpty)
        }
    }

    @Test("a frame that is known costs a repair picture, once while that is on its way") func repair() {
        var path = DescribedPath()
        path.send(isKeyframe: true)
        for _ in 0..<4 { path.send() }
        path.sender.handlePictureLost(after: path.timestamps[2], now: path.now)
        #expect(path.sender.pollRepair(now: path.now)?.since == 2)
        path.send(repairsSince: 2)
        path.run(for: .milliseconds(50))
        path.sender.handlePictureLost(after: path.timestamps[2], now: path.now)
        #expect(!path.sender.owesRepair && path.drops["media-repair-under-way"] == 1)
        path.run(for: .milliseconds(500))
        path.sender.handlePictureLost(after: path.timestamps[2], now: path.now)
        #expect(path.sender.pollRepair(now: path.now)?.since == 2)
        #expect(path.sender.keyframes.isEmpty)
    }

    @Test("frames sent before the page took over are known") func takesOver() {
        var path = DescribedPath(takesRepairs: false)
        path.send(isKeyframe: true)
        path.send()
        path.sender.handlePictureLost(after: path.timestamps[1], now: path.now + .seconds(2))
        #expect(!path.sender.keyframes.isEmpty && !path.sender.owesRepair)
        _ = path.sender.keyframes.poll(now: path.now)
        path.sender.takesRepairs = true
        path.sender.handlePictureLost(after: path.timestamps[1], now: path.now)
        #expect(path.sender.pollRepair(now: path.now)?.since == 1)
    }

    @Test("where repair pictures are taken no more, a keyframe comes in place of the one that is awaited")
    func switchedOff() {
        var path = DescribedPath()
        path.send(isKeyframe: true)
        path.send()
        path.sender.takesRepairs = false
        #expect(path.sender.keyframes.isEmpty)
        path.send()
        #expect(path.description(of: 2) == "2 followsPrevious")
        path.sender.takesRepairs = true
        path.sender.handlePictureLost(after: path.timestamps[1], now: path.now)
        path.sender.takesRepairs = false
        #expect(!path.sender.owesRepair && !path.sender.keyframes.isEmpty)
        path.send(repairsSince: 1)
        path.send(isKeyframe: true)
        #expect(path.description(of: 3) == nil && path.description(of: 4) == "3 independent")
        path.sender.handlePictureLoss()
        #expect(!path.sender.keyframes.isEmpty)
    }

    // MARK: Retransmissions

    @Test("packets older than the newest keyframe are requested in vain, unless the browser decodes itself")
    func outdatedRequests() {
        for takesRepairs in [true, false] {
            var path = DescribedPath(takesRepairs: takesRepairs)
            path.send(isKeyframe: true)
            path.send()
            path.send(isKeyframe: true)
            path.send()
            path.run(for: .milliseconds(30))
            let numbers = (0..<4).map { path.packets(of: $0)[0].sequence }
            path.request(numbers)
            path.run(for: .milliseconds(30))
            #expect(path.retransmissions.map(\.sequence) == Array(takesRepairs ? numbers[2...] : numbers[...]))
            #expect(path.drops["media-outdated-nack"] == (takesRepairs ? 2 : nil))
        }
    }

    @Test("packets older than the repair picture that answers the page are requested in vain; another's does not count")
    func outdatedByRepair() {
        var path = DescribedPath()
        path.send(isKeyframe: true)
        for _ in 0..<3 { path.send() }
        // A repair picture for another viewer: this viewer may lack frame 2.
        path.send(repairsSince: 2)
        path.request([path.packets(of: 2)[1].sequence])
        path.run(for: .milliseconds(30))
        #expect(path.retransmissions.count == 1)
        path.sender.handlePictureLost(after: path.timestamps[1], now: path.now)
        // No repair was sent yet.
        path.request([path.packets(of: 3)[1].sequence])
        path.run(for: .milliseconds(30))
        #expect(path.retransmissions.count == 2)
        path.send(repairsSince: 1)
        path.run(for: .milliseconds(30))
        path.request([path.packets(of: 4)[0].sequence, path.packets(of: 5)[1].sequence])
        path.run(for: .milliseconds(30))
        #expect(path.retransmissions.last?.sequence == path.packets(of: 5)[1].sequence)
        #expect(path.retransmissions.count == 3 && path.drops["media-outdated-nack"] == 1)
        #expect(path.left.allSatisfy { $0.dependency != nil })
    }

    @Test("on a path with loss the packet with the structure goes twice", arguments: [0, 1, 26] as [UInt8])
    func structureTwice(fractionLost: UInt8) throws {
        var path = DescribedPath(takesRepairs: false)
        path.fractionLost = fractionLost
        path.report()
        path.send(isKeyframe: true)
        path.send()
        path.run(for: .milliseconds(20))
        let first = try #require(path.packets(of: 0).first)
        guard fractionLost > 2 else { return #expect(path.retransmissions.isEmpty) }
        let again = try #require(path.retransmissions.first)
        #expect(path.retransmissions.count == 1 && again.sequence == first.sequence)
        #expect(again.dependency == first.dependency && again.dependency?.structure != nil)
        #expect(again.at - first.at >= .milliseconds(5) && again.at - first.at < .milliseconds(8))
        // A packet requested before its scheduled retransmission is sent only once more.
        path.send(isKeyframe: true)
        let second = try #require(path.packets(of: 2).first)
        path.run(for: .milliseconds(2))
        path.request([second.sequence])
        path.run(for: .milliseconds(20))
        #expect(path.retransmissions.count { $0.sequence == second.sequence } == 1)
    }
}
