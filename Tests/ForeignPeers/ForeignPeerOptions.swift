/// The command-line options that a peer is started with.
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
    /// True if the peer sends or receives sound; `heliograph webrtc` ignores it.
    package var sound = Sound.none
    /// For an offerer: whether its offer has data channels, the first of them `peer`.
    package var hasData: Bool
    /// The only H.264 `profile-level-id` that the peer agrees to, in hexadecimal, or `any`.
    package var codecProfile = "42e01f"
    package var iceServers: [PeerLine.ICEServer] = []
    /// Restricts the peer to TURN candidates. aiortc can't.
    package var relaysOnly = false
    /// For Chromium: hides addresses behind mDNS names, as it does for users.
    package var hidesAddresses = false
    /// For aiortc: offers data channels in the draft form (`DTLS/SCTP`), its default.
    package var usesLegacySCTP = false

    package init(_ role: Role, video: Video = .none, hasData: Bool = true) {
        self.role = role
        self.video = video
        self.hasData = hasData
    }

    /// The command-line arguments. None is secret: servers and their passwords are sent in `configure`.
    var arguments: [String] {
        var arguments = ["--role", role.rawValue, "--video", video.rawValue, "--codec-profile", codecProfile]
        arguments += ["--sound", sound.rawValue]
        if hasData { arguments.append("--data") }
        if hidesAddresses { arguments.append("--mdns") }
        if usesLegacySCTP { arguments.append("--legacy-sctp") }
        return arguments
    }

    /// The same options as arguments of `heliograph webrtc`, which sends the same picture and agrees to every profile.
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
