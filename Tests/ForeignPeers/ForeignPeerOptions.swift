/// What a peer is started with.
package struct ForeignPeerOptions: Sendable {
    package enum Role: String, CaseIterable, Sendable {
        case offer, answer
    }

    package enum Video: String, CaseIterable, Sendable {
        case send, receive, none
    }

    package enum Sound: String, CaseIterable, Sendable {
        case send, receive, both, none
    }

    package var role: Role
    package var video: Video
    /// `heliograph webrtc` has none.
    package var sound = Sound.none
    /// As the offerer: its offer has data channels, the first of them `peer`.
    package var hasData: Bool
    /// The only `profile-level-id` of H.264 that it agrees to, in hexadecimal, or `any`.
    package var codecProfile = "42e01f"
    package var iceServers: [PeerLine.ICEServer] = []
    /// Nothing but TURN. aiortc can't.
    package var relaysOnly = false
    /// Chromium: addresses hidden behind names of mDNS, as users have it.
    package var hidesAddresses = false
    /// aiortc: data channels offered as its drafts had them (`DTLS/SCTP`), which is what it does by itself.
    package var usesLegacySCTP = false

    package init(_ role: Role, video: Video = .none, hasData: Bool = true) {
        self.role = role
        self.video = video
        self.hasData = hasData
    }

    /// None of them is secret: servers with their passwords go another way.
    var arguments: [String] {
        var arguments = ["--role", role.rawValue, "--video", video.rawValue, "--codec-profile", codecProfile]
        arguments += ["--sound", sound.rawValue]
        if hasData { arguments.append("--data") }
        if hidesAddresses { arguments.append("--mdns") }
        if usesLegacySCTP { arguments.append("--legacy-sctp") }
        return arguments
    }

    /// The same for `heliograph webrtc`: it sends the same picture, and agrees to all of the profiles.
    var heliographArguments: [String] {
        var arguments = [role.rawValue]
        switch video {
        case .send: arguments += ["--send", "test", "--max-size", "320x240"]
        case .receive: arguments.append("--receive")
        case .none: break
        }
        if hasData, role == .offer { arguments += ["--channel", "peer"] }
        return arguments
    }

    var configuration: PeerLine {
        var line = PeerLine("configure")
        line.iceServers = iceServers
        line.iceTransportPolicy = relaysOnly ? "relay" : "all"
        return line
    }
}
