import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioRemoteWire
import HelioSession
import HelioSimulation
import HelioTURN
import Testing

@Suite("A browser is let in, or not")
struct WebAdmissionTests {
    // MARK: Admitted

    @Test("over HTTPS it is told the TURN server's password too") func servers() throws {
        let world = WebWorld()
        let browser = world.open(isSecure: true)
        browser.hello()
        browser.join(world.host.linkSecret)
        #expect(try #require(browser.admitted).iceServers.map(\.credential) == [nil, "term"])
    }

    @Test("with a secret shared with the TURN server, each gets a password of its own, with an end")
    func sharedSecret() throws {
        let secret = TURNSharedSecret(
            SecretBytes(Array("north".utf8)), life: .seconds(3600), clockOffset: .seconds(1_000_000))
        let world = WebWorld(turnSecret: secret, now: .zero + .seconds(100))
        var entries: [ICEServerEntry] = []
        for _ in 0..<2 {
            let browser = world.open(isSecure: true)
            browser.hello()
            #expect(browser.admitted == nil, "before it is let in, it is told of no server")
            browser.join(world.host.linkSecret)
            let servers = try #require(browser.admitted).iceServers
            #expect(servers.first == ICEServerEntry(urls: ["stun:stun.example"]))
            let entry = try #require(servers.last)
            let expected = try secret.credentials(
                for: "viewer-\(browser.id.rawValue)", now: world.now, crypto: OpenSSLCrypto())
            #expect(entry.username == expected.username && entry.credential == expected.password)
            #expect(expected.username.hasPrefix("1003700:"))
            entries.append(entry)
        }
        #expect(entries[0].username != entries[1].username && entries[0].credential != entries[1].credential)
        // A browser on plain HTTP is sent no credentials.
        let plain = world.open()
        plain.hello()
        plain.join(world.host.linkSecret)
        #expect(try #require(plain.admitted).iceServers == [ICEServerEntry(urls: ["stun:stun.example"])])
    }

    @Test("by the link: once, and the host proves itself too")
    func link() throws {
        let world = WebWorld()
        let secret = world.host.linkSecret
        let browser = world.open()
        browser.hello()
        guard case .welcome(let welcome)? = browser.received.first else {
            Issue.record("no welcome")
            return
        }
        #expect(welcome.fingerprint == WebWorld.fingerprint && welcome.name == "tower" && welcome.pairing)
        #expect(welcome.version == 1 && welcome.nonce.count == 16)
        // The page uses these fields to label its keys, and to offer HTTPS.
        #expect(welcome.system == .windows && welcome.servesHTTPS)
        browser.join(secret)
        let admitted = try #require(browser.admitted)
        #expect(admitted.proof == browser.proof(secret, by: .host))
        #expect(admitted.control)
        #expect(world.host.linkSecret != secret)
        #expect(
            world.events.contains {
                if case .linkReplaced(let next) = $0 { next == world.host.linkSecret } else { false }
            })
        // Nothing secret is sent over plain HTTP.
        #expect(admitted.iceServers == [ICEServerEntry(urls: ["stun:stun.example"])])
        // A browser doesn't count as watching before its peer connection is established.
        #expect((world.host.progress(of: browser.id) == nil) && world.host.webPeers.isEmpty)

        let second = world.open(address: "10.0.0.8")
        second.join(secret)
        #expect(second.refused == .linkUsed && second.isClosed)
        #expect(!world.host.knows(second.id))
    }

    @Test("by a ticket, which the data channel brings and nothing else; the one before is void a while later")
    func ticket() throws {
        let world = WebWorld()
        let first = world.watch()
        let ticket = SecretBytes(try #require(first.ticket))
        first.peer(.peerLost)

        let second = world.open()
        second.join(ticket)
        #expect(second.admitted?.proof == second.proof(ticket, by: .host))
        // A ticket doesn't use up the displayed link.
        #expect(world.takeEvents().filter { if case .linkReplaced = $0 { true } else { false } }.count == 1)
        // The next ticket did not arrive: this one is valid for another attempt.
        second.peer(.peerLost)
        second.send(.hello(.init(nonce: Browser.nonce, fingerprint: second.fingerprint, name: "x")))
        world.tell(.web(second.id, .disconnected))
        let third = world.open()
        third.join(ticket)
        #expect(third.admitted != nil)
        third.connect()
        let next = SecretBytes(try #require(third.ticket))
        #expect(next != ticket)
        world.pass(.seconds(11))
        #expect(third.state == .watching)
        third.peer(.peerLost)

        let late = world.open()
        late.join(ticket)
        #expect(late.refused == .wrongProof)
        let last = world.open(address: "10.0.0.9")
        last.join(next)
        #expect(last.admitted != nil)
    }

    @Test("the place of a browser that has left is kept for ten minutes, and as long as it watches")
    func place() throws {
        let world = WebWorld()
        let first = world.watch()
        let ticket = SecretBytes(try #require(first.ticket))
        world.pass(.seconds(900))
        #expect(first.state == .watching)
        first.peer(.peerLost)
        world.pass(.seconds(590))
        let second = world.open()
        second.join(ticket)
        second.connect()
        let next = SecretBytes(try #require(second.ticket))
        second.peer(.peerLost)
        world.pass(.seconds(601))
        for void in [ticket, next] {
            let late = world.open()
            late.join(void)
            #expect(late.refused == .wrongProof)
        }
    }

    @Test("who comes by the link has the name that its browser gives, but never that of a paired device")
    func guestName() throws {
        let world = WebWorld()
        func told(_ browser: Browser) -> [String?] {
            world.takeEvents().compactMap {
                switch $0 {
                case .joined(browser.id, _, let name), .left(browser.id, _, let name, _): .some(name)
                default: nil
                }
            }
        }
        let guest = world.watch()
        #expect(world.host.statistics.viewers.map(\.name) == ["Firefox on Linux"])
        #expect(world.host.statistics.viewers.map(\.device) == [nil])
        guest.peer(.peerLost)
        #expect(told(guest) == ["Firefox on Linux", "Firefox on Linux"])

        var generator = SeededGenerator(seed: 4)
        let paired = PairedDevice(name: "firefox on LINUX", allowsControl: true, using: &generator)
        world.tell(.devices([paired]))
        let alike = world.watch()
        #expect(told(alike) == ["Firefox on Linux (not paired)"])
        let known = world.open()
        known.join(paired.secret, device: paired.id.bytes)
        known.connect()
        let events = world.takeEvents()
        #expect(events.contains { if case .joined(known.id, _, "firefox on LINUX") = $0 { true } else { false } })
        #expect(events.contains { if case .visited(paired.id, known.address) = $0 { true } else { false } })
    }

    @Test("by the secret of a pairing, again and again, with the pairing's permission", arguments: [true, false])
    func device(allowsControl: Bool) {
        let world = WebWorld()
        let device = PairedDevice.test(allowsControl: allowsControl)
        world.tell(.devices([device]))
        for _ in 0..<3 {
            let browser = world.open()
            browser.join(device.secret, device: device.id.bytes)
            #expect(browser.admitted?.control == allowsControl)
            browser.connect()
            // A paired device gets no ticket, which could outlive the pairing.
            #expect(browser.ticket == nil && browser.pairing == nil)
            #expect(
                world.takeEvents().contains { if case .joined(browser.id, _, "laptop") = $0 { true } else { false } })
            browser.peer(.peerLeft)
        }
    }

    @Test("by the secrets of viewers of our own kind, and those by the browsers'")
    func oneDoor() throws {
        let world = WebWorld()
        let secret = world.host.linkSecret
        let link = ShareLink(host: "h", port: 1, fingerprint: nil, secret: secret.bytes)
        #expect(SessionStartTests.outcome(of: link, at: world.host, connection: 900, now: world.now) == .admitted)
        let browser = world.open()
        browser.join(secret)
        #expect(browser.refused == .linkUsed)

        let other = world.watch(address: "10.0.0.9")
        let ticket = try #require(other.ticket)
        let native = ShareLink(host: "h", port: 1, fingerprint: nil, secret: ticket)
        #expect(SessionStartTests.outcome(of: native, at: world.host, connection: 901, now: world.now) == .admitted)
    }

    // MARK: Not admitted

    @Test("a proof for another certificate, of either end, is wrong: who swaps one in between has nothing")
    func swapped() {
        let world = WebWorld()
        let secret = world.host.linkSecret
        // The attacker presents a certificate of his own to the host, with the viewer's proof.
        let honest = world.open()
        honest.hello()
        let man = world.open(address: "10.0.0.66", fingerprint: 66)
        man.send(.hello(.init(nonce: Browser.nonce, fingerprint: man.fingerprint, name: "x")))
        let binding = try? WebBinding.digest(
            host: WebWorld.fingerprint, viewer: honest.fingerprint, crypto: Browser.crypto)
        let proof = LinkProof(
            secret: secret, binding: binding ?? [], clientNonce: Browser.nonce, hostNonce: man.hostNonce ?? [])
        man.send(.join(.init(proof: (try? proof?.proof(by: .viewer, crypto: Browser.crypto)) ?? [])))
        #expect(man.refused == .wrongProof)
        // The attacker presents a certificate of his own to the viewer as the host's.
        let fooled = world.open(address: "10.0.0.67")
        fooled.hello()
        let wrong = try? WebBinding.digest(
            host: Array(repeating: 66, count: 32), viewer: fooled.fingerprint, crypto: Browser.crypto)
        let other = LinkProof(
            secret: secret, binding: wrong ?? [], clientNonce: Browser.nonce, hostNonce: fooled.hostNonce ?? [])
        fooled.send(.join(.init(proof: (try? other?.proof(by: .viewer, crypto: Browser.crypto)) ?? [])))
        #expect(fooled.refused == .wrongProof)
        // The link is still valid.
        honest.join(secret)
        #expect(honest.admitted != nil)
    }

    @Test("a proof serves once, on its own connection, and not as the other role")
    func replayed() {
        let world = WebWorld()
        let device = PairedDevice.test()
        world.tell(.devices([device]))
        let first = world.open()
        first.hello()
        let proof = first.proof(device.secret)
        first.send(.join(.init(proof: proof, device: device.id.bytes)))
        #expect(first.admitted != nil)
        first.send(.join(.init(proof: proof, device: device.id.bytes)))
        #expect(first.errors == ["join"])
        #expect(first.state == .admitted)

        let second = world.open(address: "10.0.0.8")
        second.hello()
        second.send(.join(.init(proof: proof, device: device.id.bytes)))
        #expect(second.refused == .wrongProof && second.isClosed)

        let third = world.open(address: "10.0.0.9")
        third.hello()
        third.send(.join(.init(proof: third.proof(device.secret, by: .host), device: device.id.bytes)))
        #expect(third.refused == .wrongProof)
    }

    @Test("an unknown device is refused, and guessing is slowed down at all doors together")
    func guessing() {
        let world = WebWorld()
        let device = PairedDevice.test()
        for _ in 0..<5 {
            let browser = world.open()
            browser.join(device.secret, device: device.id.bytes)
            #expect(browser.refused == .unknownDevice)
        }
        let sixth = world.open()
        sixth.join(device.secret, device: device.id.bytes)
        #expect(sixth.refused == .tooManyTries)
        // Guesses on native connections from the same address count too.
        var link = ShareLink(host: "h", port: 1, fingerprint: nil, secret: Array(repeating: 1, count: 10))
        let native = world.open(address: "10.0.0.3")
        for _ in 0..<5 {
            let browser = world.open(address: "10.0.0.3")
            browser.join(SecretBytes(Array(repeating: 1, count: 10)))
            #expect(browser.refused == .wrongProof)
        }
        #expect(native.refused == nil)
        #expect(
            SessionStartTests.outcome(of: link, at: world.host, connection: 900, now: world.now)
                == .refused(.tooManyTries))
        // A valid proof is accepted whatever others at the address have tried.
        let later = world.open()
        later.join(world.host.linkSecret)
        #expect(later.admitted != nil)
        link.secret = world.host.linkSecret.bytes
        #expect(SessionStartTests.outcome(of: link, at: world.host, connection: 901, now: world.now) == .admitted)
        #expect(world.host.statistics.drops["refused-too-many-tries"] == 2)
    }

    @Test("an offer with another certificate than that of hello, or with one more, is refused")
    func otherCertificate() {
        let own = Array(repeating: UInt8(5), count: 32)
        let his = Array(repeating: UInt8(6), count: 32)
        let good = Browser.offer(own)
        let print = Hexadecimal.text([6])
        let line = "a=fingerprint:sha-256 " + Array(repeating: print, count: 32).joined(separator: ":")
        let long = "a=fingerprint:sha-384 " + Array(repeating: print, count: 48).joined(separator: ":")
        let offers: [(String, String)] = [
            ("another", Browser.offer(his)),
            ("one more in a section", good.replacing("a=mid:1", with: "\(line)\r\na=mid:1")),
            ("one more in the session", good.replacing("a=group", with: "\(line)\r\na=group")),
            ("one of another hash", good.replacing("a=mid:0", with: "\(long)\r\na=mid:0")),
            ("one that can't be read", good.replacing("a=mid:0", with: "a=fingerprint:sha-256 06\r\na=mid:0")),
            (
                "none",
                good.split(separator: "\r\n").filter { !$0.contains("fingerprint") }.joined(separator: "\r\n") + "\r\n"
            ),
        ]
        for (name, offer) in offers {
            let world = WebWorld()
            let browser = world.open()
            browser.join(world.host.linkSecret)
            browser.send(.offer(sdp: offer))
            #expect(browser.refused == .otherCertificate, "\(name)")
            #expect(browser.hostPeer == nil && browser.isClosed, "\(name)")
            #expect(world.host.statistics.drops["refused-other-certificate"] == 1, "\(name)")
        }
    }

    @Test("an offer that can't be read, or has no H.264, is answered with an error and may be mended")
    func poorOffers() {
        let world = WebWorld()
        let browser = world.open()
        browser.join(world.host.linkSecret)
        browser.send(.offer(sdp: "v=1"))
        browser.send(.offer(sdp: Browser.offer(browser.fingerprint, codec: "VP8")))
        #expect(browser.errors == ["offer", "offer"])
        #expect(browser.state == .admitted && browser.hostPeer == nil)
        browser.connect()
        #expect(browser.state == .watching)
    }

    @Test("what is not H.264 can't be shown to browsers: they are told so, and the link is still good")
    func otherCodec() {
        let world = WebWorld(codecs: [.h265])
        let secret = world.host.linkSecret
        let browser = world.open()
        browser.join(secret)
        #expect(browser.admitted == nil && browser.errors == [nil] && browser.isClosed)
        #expect(world.host.linkSecret == secret)
    }

    @Test("another version is told so")
    func version() {
        let world = WebWorld()
        let browser = world.open()
        browser.send(.hello(.init(version: 2, nonce: Browser.nonce, fingerprint: browser.fingerprint, name: "x")))
        #expect(browser.errors == ["hello"] && browser.isClosed)
    }

    // MARK: Order, floods, junk

    /// One message of each kind that a viewer sends, with its name.
    static func messages(_ browser: Browser) -> [(String, SignalingMessage)] {
        [
            ("hello", .hello(.init(nonce: Browser.nonce, fingerprint: browser.fingerprint, name: "x"))),
            ("join", .join(.init(proof: Array(repeating: 1, count: 32)))),
            ("pair", .pair(commitment: Array(repeating: 1, count: 32))),
            ("reveal", .reveal(nonce: Array(repeating: 1, count: 16))), ("confirm", .confirm),
            ("offer", .offer(sdp: browser.offer())), ("candidate", .candidate(nil)),
        ]
    }

    @Test("what comes out of order is answered with an error, changes nothing, and ends who goes on")
    func order() {
        let states: [(WebSessionState, Set<String>, (Browser) -> Void)] = [
            (.connected, ["hello"], { _ in }),
            (.greeted, ["join", "pair"], { $0.hello() }),
            (.admitted, ["offer"], { $0.join($0.world.host.linkSecret) }),
            (
                .offered, ["candidate"],
                {
                    $0.join($0.world.host.linkSecret)
                    $0.send(.offer(sdp: $0.offer()))
                }
            ),
            (
                .watching, ["candidate"],
                {
                    $0.join($0.world.host.linkSecret)
                    $0.connect()
                }
            ),
        ]
        for (state, taken, prepare) in states {
            let somewhere = WebWorld()
            for (name, message) in Self.messages(somewhere.open()) where !taken.contains(name) {
                let world = WebWorld()
                let browser = world.open()
                prepare(browser)
                #expect(browser.state == state)
                _ = browser.takeReceived()
                browser.send(message)
                #expect(browser.errors == [name], "\(name) in \(state)")
                #expect(browser.state == state, "\(name) in \(state)")
                #expect(world.host.statistics.drops["web-out-of-order"] == 1)
                for _ in 0..<7 { browser.send(message) }
                #expect(browser.isClosed, "\(name) in \(state)")
                // A session that watches no longer needs its WebSocket.
                #expect(browser.state == (state == .watching ? .watching : nil), "\(name) in \(state)")
            }
        }
    }

    @Test("a host's messages, junk and unknown types are counted and answered; who goes on is put out")
    func junk() {
        let world = WebWorld()
        let browser = world.open()
        browser.send(.welcome(.init(nonce: Browser.nonce, fingerprint: browser.fingerprint, name: "x", pairing: true)))
        browser.send(Array("{".utf8))
        browser.send(Array("[]".utf8))
        browser.send(Array(#"{"type":"format","disk":"c"}"#.utf8))
        browser.send(Array(#"{"type":"hello","version":1}"#.utf8))
        browser.send([0xFF, 0xFE])
        browser.send([])
        #expect(browser.errors.count == 7 && !browser.isClosed)
        #expect(browser.errors.contains("format") && browser.errors.contains("hello"))
        browser.hello()
        #expect(browser.state == .greeted)
        browser.send(Array("nonsense".utf8))
        #expect(browser.isClosed && browser.state == nil)
        let drops = world.host.statistics.drops
        #expect(drops["web-signaling-not-json"] == 4 && drops["web-signaling-unknown-type"] == 1)
        #expect(drops["web-signaling-malformed"] == 1 && drops["web-signaling-untyped"] == 1)
        // Messages after the end belong to no viewer.
        browser.hello()
        #expect(world.host.statistics.drops["web-unknown-viewer"] == 1)
    }

    @Test("a flood ends the connection, and a session that watches goes on without it")
    func flood() {
        let world = WebWorld()
        let stranger = world.open()
        let message = SignalingMessage.error(RemoteErrorReport(message: "x"))
        for _ in 0..<100 { stranger.send(message) }
        #expect(!stranger.isClosed)
        stranger.send(message)
        #expect(stranger.isClosed && stranger.state == nil && stranger.errors == [nil])

        let viewer = world.watch()
        for _ in 0..<200 { viewer.send(message) }
        #expect(viewer.isClosed && viewer.state == .watching)
        #expect(world.host.statistics.drops["web-flood"] == 2)

        let slow = world.open()
        for _ in 0..<100 { slow.send(message) }
        for _ in 0..<10 {
            world.pass(.seconds(1))
            for _ in 0..<20 { slow.send(message) }
        }
        #expect(!slow.isClosed)
    }

    @Test("candidates are bounded")
    func candidates() {
        let world = WebWorld()
        let browser = world.open()
        browser.join(world.host.linkSecret)
        browser.send(.offer(sdp: browser.offer()))
        let candidate = TrickledCandidate(candidate: "candidate:1", sdpMid: "0", sdpMLineIndex: 0)
        for _ in 0..<10 {
            for _ in 0..<20 { browser.send(.candidate(candidate)) }
            world.pass(.seconds(1))
        }
        #expect(world.host.statistics.drops["web-too-many-candidates"] == 72)
        #expect(browser.state == .offered)
    }

    // MARK: Time-outs and limits

    @Test("who is not let in within 20 seconds is put out, and so is who does not connect within 30 after that")
    func deadlines() {
        let world = WebWorld()
        let silent = world.open()
        let greeted = world.open(address: "10.0.0.8")
        greeted.hello()
        let admitted = world.open(address: "10.0.0.9")
        admitted.join(world.host.linkSecret)
        let offering = world.open(address: "10.0.0.10")
        offering.join(world.host.linkSecret)
        offering.send(.offer(sdp: offering.offer()))
        let watching = world.watch(address: "10.0.0.11")
        world.pass(.milliseconds(19_900))
        #expect([silent, greeted, admitted, offering].allSatisfy { !$0.isClosed })
        world.pass(.milliseconds(200))
        #expect(silent.isClosed && greeted.isClosed && !admitted.isClosed && !offering.isClosed)
        #expect(greeted.errors == [nil])
        world.pass(.seconds(10))
        #expect(admitted.isClosed && offering.isClosed && offering.isPeerClosed)
        world.pass(.seconds(3600))
        #expect(watching.state == .watching)
        #expect(world.host.held["web"] == 1)
    }

    @Test("strangers make room for others; who watches does not")
    func room() {
        let world = WebWorld(viewerLimit: 3)
        let viewers = [world.watch(), world.watch(address: "10.0.0.8")]
        let stranger = world.open(address: "10.0.0.9")
        let newcomer = world.open(address: "10.0.0.10")
        #expect(stranger.refused == .tooManyViewers && stranger.isClosed && newcomer.state == .connected)
        newcomer.join(world.host.linkSecret)
        let late = world.open(address: "10.0.0.11")
        #expect(late.refused == .tooManyViewers && late.isClosed && late.state == nil)
        #expect(viewers.allSatisfy { $0.state == .watching })
        #expect(world.host.statistics.drops["web-too-many-viewers"] == 2)
        for number in 0..<100 { _ = world.open(address: "10.0.1.\(number)") }
        #expect(world.host.held["web"] == 3)
    }

    @Test("a host that does not serve browsers closes")
    func notServed() {
        let host = SourceHost(
            .init(format: .test, allowsControl: true), fingerprint: Array(repeating: 9, count: 32),
            crypto: OpenSSLCrypto(), random: SeededGenerator(seed: 1), now: .zero)
        host.handle(.web(ConnectionID(1), .connected(address: "a")), now: .zero)
        guard case .web(ConnectionID(1), .close)? = host.poll() else {
            Issue.record("not closed")
            return
        }
        #expect(!host.knows(ConnectionID(1)))
    }

    @Test("the state machine's table: each state takes these steps and no others")
    func states() {
        let table: [WebSessionState: [WebSessionState.Step: WebSessionState]] = [
            .connected: [.hello: .greeted, .end: .ended],
            .greeted: [.prove: .admitted, .pair: .pairing, .end: .ended],
            .pairing: [.pair: .pairing, .grant: .admitted, .end: .ended],
            .admitted: [.offer: .offered, .end: .ended],
            .offered: [.connect: .watching, .end: .ended],
            .watching: [.end: .ended],
            .ended: [:],
        ]
        for state in WebSessionState.allCases {
            for step in WebSessionState.Step.allCases {
                #expect(state.after(step) == table[state]?[step], "\(state) \(step)")
            }
        }
    }
}
