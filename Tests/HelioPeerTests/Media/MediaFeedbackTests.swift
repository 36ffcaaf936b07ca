import HelioCore
import HelioMedia
import HelioPeer
import HelioRTP
import HelioSDP
import Testing

/// RTCP in both directions: transport-wide feedback, bitrate estimates, receiver reports.
@Suite struct MediaFeedbackTests {
    /// The feedback of a viewer that gets a packet for each transport-wide number, one per interval.
    private func arrivals(
        _ numbers: [UInt16], every interval: Duration = .milliseconds(1), wait: Duration = .milliseconds(200)
    ) throws -> [TransportFeedback] {
        let world = try MediaWorld()
        var viewer = world.viewer
        let id = try #require(world.viewerMedia.headerExtension(TransportSequence.uri)?.id)
        var now = Instant.zero + .milliseconds(640)
        for (index, number) in numbers.enumerated() {
            viewer.tick(now: now)
            var packet: [UInt8] = []
            RTPHeader(
                marker: true, payloadType: world.viewerMedia.codecs[0].receivePayloadType,
                sequence: UInt16(truncatingIfNeeded: index), timestamp: 0, ssrc: world.stream.ssrc
            ).write(into: &packet, hasExtension: true)
            RTPHeaderExtension.write([TransportSequence(number).element(id: id)], into: &packet)
            viewer.receive(packet + [0x41, 0x88], now: now)
            now = now + interval
        }
        let end = now + wait
        while let due = viewer.deadline, due.at <= end {
            now = max(now, due.at)
            viewer.tick(now: now)
        }
        return viewer.rtcp.compactMap { packet in
            if case .transportFeedback(let feedback) = packet { feedback } else { nil }
        }
    }

    @Test("a receiver's reference time is answered at once, where the answer to its offer said so")
    func referenceTime() throws {
        let report = ExtendedReport(sender: SSRC(9), referenceTime: 0x0102_0304_0506_0708)
        var bytes: [UInt8] = []
        RTCPPacket.extendedReport(report).write(into: &bytes)
        for isAgreed in [true, false] {
            let world = try MediaWorld { $0.hasReceiverRoundTrip = isAgreed }
            var host = world.host
            host.receive(bytes, now: .zero + .seconds(1))
            let answers = host.rtcp.compactMap { packet -> ExtendedReport? in
                if case .extendedReport(let report) = packet { report } else { nil }
            }
            let answer = ExtendedReport.Answer(ssrc: SSRC(9), lastReferenceTime: 0x0304_0506, delay: 0)
            #expect(answers.flatMap(\.answers) == (isAgreed ? [answer] : []))
            #expect(host.transport.allDrops["media-stray-feedback"] == (isAgreed ? nil : 1))
        }
    }

    @Test func arrivalsAreTold() throws {
        let feedback = try #require(try arrivals([5, 6, 8]).first)
        // 640 ms are ten units of 64 ms; a delta's unit is 250 µs.
        #expect(feedback.base == 5 && feedback.referenceTime == 10 && feedback.count == 0)
        #expect(feedback.deltas == [0, 4, nil, 4])
    }

    @Test func numbersWrap() throws {
        let all = try arrivals([65_534, 65_535, 0, 1])
        #expect(all.map(\.base) == [65_534] && all.first?.deltas == [0, 4, 4, 4])
    }

    @Test func whatComesLateIsToldAgain() throws {
        let numbers: [UInt16] = [1, 2] + (4...90).map { $0 } + [3] + (91...100).map { $0 }
        let all = try arrivals(numbers)
        #expect(all.count >= 2 && all[0].deltas[2] == nil)
        let told = all.flatMap { $0.arrivals }.filter { $0.at != nil }.map(\.sequence)
        #expect(Set(told) == Set(1...100))
    }

    @Test func nothingIsToldOfASectionThatIsGone() throws {
        var world = try MediaWorld()
        world.host.source = FrameSource(world.screen)
        world.host.tick(now: .zero)
        world.settle(at: .zero)
        #expect(world.viewer.deadline.map { "\($0.why)" } == "transport-wide feedback")
        world.viewer.transport.apply([], senders: [:], now: .zero)
        let later = Instant.zero + .milliseconds(400)
        world.viewer.tick(now: later)
        #expect(world.viewer.deadline.map { $0.at > later } == true)
    }

    @Test func manyPacketsGoInSeveral() throws {
        let all = try arrivals((0..<1500).map { UInt16($0) }, every: .microseconds(10))
        #expect(all.allSatisfy { $0.deltas.count <= 400 })
        #expect(all.flatMap { $0.arrivals }.map(\.sequence) == Array(0..<1500))
        #expect(all.map(\.count) == (0..<UInt8(all.count)).map { $0 })
    }

    @Test func jumpsAndLongPausesAreBounded() throws {
        let all = try arrivals([1, 20_000, 20_001, 52_000, 52_001, 100], every: .milliseconds(5))
        #expect(all.reduce(0) { $0 + $1.deltas.count } <= 2 * 2048)
        // 10 s between two packets exceed the range of a delta.
        let slow = try arrivals([1, 2, 3], every: .seconds(10))
        #expect(slow.flatMap { $0.arrivals }.map(\.sequence) == [1, 2, 3])
    }

    @Test func aPathWithoutNumbersIsToldOfAsREMB() throws {
        let extensions = HeaderExtensionCapability.standard.filter { $0.uri != TransportSequence.uri }
        var world = try MediaWorld(extensions: extensions)
        world.host.source = FrameSource(world.screen)
        var now = Instant.zero
        while now < .zero + .seconds(3) {
            world.host.tick(now: now)
            world.viewer.tick(now: now)
            world.settle(at: now)
            now = now + .milliseconds(10)
        }
        let told = world.viewer.rtcp.compactMap { packet in
            if case .receiverEstimatedBitrate(let estimate) = packet { estimate } else { nil }
        }
        #expect(told.count >= 2 && told.allSatisfy { $0.streams == [world.stream.ssrc] })
        #expect(world.viewer.rtcp.allSatisfy { if case .transportFeedback = $0 { false } else { true } })
        #expect(world.viewer.frames.count > 80)
    }

    @Test func whatThePeerSaysLowersTheEstimateForAWhile() throws {
        var world = try MediaWorld()
        var remb: [UInt8] = []
        RTCPPacket.receiverEstimatedBitrate(
            .init(sender: SSRC(1), bitrate: .kilobits(700), streams: [world.stream.ssrc])
        ).write(into: &remb)
        world.host.receive(remb, now: .zero + .seconds(1))
        #expect(world.host.estimates == [.kilobits(700)])
        world.host.receive(remb, now: .zero + .seconds(2))
        #expect(world.host.estimates.count == 1)
        world.host.tick(now: .zero + .seconds(9))
        #expect(world.host.estimates == [.kilobits(700), .megabits(30)])
    }

    @Test("what feedback tells of as missing goes again without a request, and its copy again, until one has come")
    func missingPackets() throws {
        let world = try MediaWorld()
        var host = world.host
        func hear(missing: Set<UInt16>, of numbers: ClosedRange<UInt16>, at now: Instant) {
            var bytes: [UInt8] = []
            RTCPPacket.transportFeedback(
                TransportFeedback(
                    sender: SSRC(1), media: world.stream.ssrc, base: numbers.lowerBound, referenceTime: 1, count: 0,
                    deltas: numbers.map { missing.contains($0) ? nil : 1 })
            ).write(into: &bytes)
            host.receive(bytes, now: now)
            host.tick(now: now)
        }
        /// The transport-wide number of each sent packet, and the number of the packet that it retransmits.
        func left() throws -> [(number: UInt16, repeats: UInt16?)] {
            let id = try #require(world.hostMedia.headerExtension(TransportSequence.uri)?.id)
            return try host.rtp.map { header, bytes in
                let number = TransportSequence(id: id, of: header, in: bytes.span.bytes)
                let isAgain = header.ssrc == world.stream.retransmissionSSRC
                return (try #require(number?.number), isAgain ? bytes.span.bytes.uint16(at: header.length) : nil)
            }
        }
        host.source = FrameSource(world.screen)
        host.tick(now: .zero)
        for step in 1...30 { host.transport.tick(now: .zero + .milliseconds(step)) }
        host.drain()
        host.source = nil
        let first = try left()
        let last = try #require(first.last?.number)
        try #require(first.count > 4 && first.allSatisfy { $0.repeats == nil })
        let lost = host.rtp[2].header.sequence
        hear(missing: [first[2].number], of: first[0].number...last, at: .zero + .milliseconds(50))
        // Meanwhile, copies of the newest packet probe for losses at the tail.
        var again = try left().filter { $0.repeats == lost }
        #expect(again.count == 1)
        // The loss is reported again while the retransmission is in transit.
        hear(missing: [first[2].number], of: first[0].number...last, at: .zero + .milliseconds(60))
        #expect(try left().filter { $0.repeats == lost }.count == 1)
        let copy = try #require(again.first?.number)
        hear(missing: [copy], of: copy...copy + 1, at: .zero + .milliseconds(100))
        again = try left().filter { $0.repeats == lost }
        #expect(again.count == 2)
        let second = try #require(again.last?.number)
        hear(missing: [], of: second...second, at: .zero + .milliseconds(150))
        #expect(try left().filter { $0.repeats == lost }.count == 2)
    }

    @Test func feedbackOnWhatWasNotSent() throws {
        let world = try MediaWorld()
        var host = world.host
        func hear(_ feedback: TransportFeedback, at now: Instant) {
            var bytes: [UInt8] = []
            RTCPPacket.transportFeedback(feedback).write(into: &bytes)
            host.receive(bytes, now: now)
        }
        var feedback = TransportFeedback(
            sender: SSRC(1), media: world.stream.ssrc, base: 1, referenceTime: 100, count: 0, deltas: [0, 1, nil])
        hear(feedback, at: .zero)
        #expect(host.transport.allDrops["media-stray-feedback"] == 1)
        // A clock that jumps by hours is matched anew, and no number of such jumps does harm.
        host.source = FrameSource(world.screen)
        host.tick(now: .zero)
        let sent = UInt16(host.rtp.count)
        for step in 0..<50 as Range<Int32> {
            feedback.base = 1
            feedback.deltas = (0..<sent).map { $0 % 2 == 0 ? Int16.max : Int16.min }
            feedback.referenceTime = ((step &* 3_000_017) << 8) >> 8
            hear(feedback, at: .zero + .milliseconds(Int64(step)))
        }
        #expect((host.transport.allDrops["media-implausible-feedback"] ?? 0) > 10)
    }

    @Test func theReceiverReport() throws {
        var world = try MediaWorld()
        world.host.source = FrameSource(world.screen)
        var now = Instant.zero
        var number = 0
        while now < .zero + .seconds(3) {
            world.host.tick(now: now)
            while let packet = world.host.pollDatagram(now: now) {
                number += 1
                if number % 20 != 3 { world.viewer.receive(packet, now: now) }
            }
            world.viewer.tick(now: now)
            // The delay of the feedback equals one step.
            now = now + .milliseconds(11)
            while let packet = world.viewer.pollDatagram(now: now) { world.host.receive(packet, now: now) }
        }
        let blocks = world.viewer.rtcp.compactMap { packet in
            if case .receiverReport(let report) = packet { report.reports.first } else { nil }
        }
        let last = try #require(blocks.last)
        #expect(last.ssrc == world.stream.ssrc && last.cumulativeLost > 0 && last.lastSenderReport != 0)
        let outbound = try #require(world.host.transport.outbound(world.screen))
        #expect(outbound.packetsLost == Int(last.cumulativeLost) && outbound.roundTrip != nil)
        #expect(outbound.retransmittedPackets > 0 && world.host.source?.keyframes == 1)
    }
}
