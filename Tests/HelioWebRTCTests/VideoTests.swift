import HelioCore
import HelioTestLanes
import HelioWebRTC
import Testing

@Suite("Pictures from one end of the library to others", .timeLimit(.minutes(1)), .tags(.quiet))
struct VideoTests {
    /// Sends the clip in order, and waits until each picture has arrived at each end before the next.
    private func show(
        _ pictures: ArraySlice<EncodedFrame>, to viewers: [PeerEnd], by send: (EncodedFrame) async -> Void
    ) async throws {
        for picture in pictures {
            await send(picture)
            for viewer in viewers {
                let came = try await viewer.picture()
                #expect(came.isKeyframe == picture.isKeyframe)
                #expect(CodedClip.units(of: came.annexB) == CodedClip.units(of: picture.annexB))
            }
        }
    }

    @Test("pictures arrive as they were, by an offer of either end", arguments: [true, false])
    func pictures(senderOffers: Bool) async throws {
        let clip = try CodedClip.make()
        let host = try await PeerEnd.make()
        let viewer = try await PeerEnd.make()
        let track = try await host.peer.addVideoTrack(stream: "screen")
        #expect(await track.format() == nil)
        if senderOffers {
            try await host.connect(to: viewer)
        } else {
            try await viewer.peer.receiveVideo()
            try await viewer.connect(to: host)
        }
        #expect(await track.format()?.profileLevelID.count == 6)
        try await show(clip.pictures[...], to: [viewer], by: { await track.send($0) })
        let sent = try #require(await host.peer.statistics().outbound.first)
        let received = try #require(await viewer.peer.statistics().inbound.first)
        #expect(sent.frames == 60 && sent.keyframes == 2 && sent.packets >= 60)
        #expect(received.frames == 60 && received.keyframes == 2 && received.packets >= sent.packets)
        await viewer.endpoint.close()
        await host.endpoint.close()
    }

    @Test("before the first keyframe nothing goes, and a viewer that can't decode asks for one")
    func keyframes() async throws {
        let clip = try CodedClip.make()
        let host = try await PeerEnd.make()
        let viewer = try await PeerEnd.make()
        let track = try await host.peer.addVideoTrack()
        try await host.connect(to: viewer)
        await track.send(clip.pictures[1])
        _ = try await host.wait("wish for a keyframe") { event -> Void? in
            if case .keyframeNeeded = event { () } else { nil }
        }
        try await show(clip.pictures[0..<3], to: [viewer], by: { await track.send($0) })
        let received = try await { () in
            await track.send(clip.pictures[3])
            return try await viewer.picture()
        }()
        await viewer.peer.needKeyframe(on: received.track)
        _ = try await host.wait("wish for a keyframe") { event -> Void? in
            if case .keyframeNeeded = event { () } else { nil }
        }
        try await show(clip.pictures[30..<33], to: [viewer], by: { await track.send($0) })
        await viewer.endpoint.close()
        await host.endpoint.close()
    }

    @Test("a picture says how it is to be turned")
    func orientation() async throws {
        let clip = try CodedClip.make()
        let host = try await PeerEnd.make()
        let viewer = try await PeerEnd.make()
        let track = try await host.peer.addVideoTrack()
        try await host.connect(to: viewer)
        for (index, turns) in [0, 1, 1, 3, 0].enumerated() {
            await track.send(clip.pictures[index], quarterTurns: turns)
            #expect(try await viewer.picture().quarterTurns == turns)
        }
        await viewer.endpoint.close()
        await host.endpoint.close()
    }

    @Test("one picture goes to many by one call, whatever each has agreed on, and who leaves is missed by nobody")
    func broadcast() async throws {
        let clip = try CodedClip.make()
        let endpoint = try await WebRTCEndpoint.open(.onLoopback)
        var hosts: [PeerEnd] = []
        var viewers: [PeerEnd] = []
        var tracks: [VideoTrack] = []
        for index in 0..<3 {
            let host = try await PeerEnd(endpoint)
            let viewer = try await PeerEnd.make()
            tracks.append(try await host.peer.addVideoTrack())
            // The negotiated payload types differ.
            if index == 1 { _ = try await host.peer.openChannel("chat") }
            try await host.connect(to: viewer)
            hosts.append(host)
            viewers.append(viewer)
        }
        try await show(clip.pictures[0..<30], to: viewers) { await endpoint.broadcast($0, to: tracks) }
        // A viewer that leaves doesn't affect the others.
        await viewers.removeLast().endpoint.close()
        try await show(clip.pictures[30..<60], to: viewers) { await endpoint.broadcast($0, to: tracks) }
        for viewer in viewers { await viewer.endpoint.close() }
        await endpoint.close()
    }

    @Test("a picture comes and goes by later offers, beside a channel")
    func renegotiation() async throws {
        let clip = try CodedClip.make()
        let host = try await PeerEnd.make()
        let viewer = try await PeerEnd.make()
        _ = try await viewer.peer.openChannel("control")
        try await viewer.connect(to: host)
        let track = try await host.peer.addVideoTrack()
        try await host.offer(to: viewer)
        try await show(clip.pictures[0..<10], to: [viewer], by: { await track.send($0) })
        await track.stop()
        try await host.offer(to: viewer)
        #expect(await track.format() == nil)
        // The other direction.
        let back = try await viewer.peer.addVideoTrack()
        try await viewer.offer(to: host)
        try await show(clip.pictures[0..<10], to: [host], by: { await back.send($0) })
        await viewer.endpoint.close()
        await host.endpoint.close()
    }
}
