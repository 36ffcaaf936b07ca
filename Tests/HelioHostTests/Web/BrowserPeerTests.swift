import HelioCore
import HelioMedia
import HelioOpenSSL
import HelioPeer
import HelioRTP
import Testing

@testable import HelioHost

/// The connection to a browser whose page decodes the pictures itself.
@Suite struct BrowserPeerTests {
    private static let now = Instant.zero + .seconds(100)

    /// Returns a connection with an answered offer, whose video section has these additional lines.
    private func peer(_ lines: String = "") throws -> BrowserPeer {
        let engine = PeerEngine(
            PeerConnectionConfiguration(), crypto: OpenSSLCrypto(), certificates: WebWorld.certificates,
            random: SeededGenerator(seed: 5), now: Self.now)
        let peer = BrowserPeer(engine)
        #expect(!peer.hasDependencies)
        let offer = Browser.offer([UInt8](repeating: 7, count: 32)).replacing("a=recvonly", with: "\(lines)a=recvonly")
        _ = try peer.answer(offer, sound: [], now: Self.now)
        return peer
    }

    @Test("the browser knows dependencies if its offer has them") func dependencies() throws {
        #expect(try !peer().hasDependencies)
        #expect(try peer("a=extmap:12 \(DependencyDescriptor.uri)\r\n").hasDependencies)
        #expect(try !peer("a=extmap:12/sendonly \(DependencyDescriptor.uri)\r\n").hasDependencies)
    }

    @Test("a repair picture is asked for with its reason and its frame") func repairNeeded() throws {
        let peer = try peer()
        let track = try #require(peer.engine.transceivers.first?.id)
        let wish = RepairWish(since: 7, "the viewer lost frames")
        guard case .repairNeeded(let found) = peer.handle(.media(.repairNeeded(wish, track)), now: Self.now) else {
            Issue.record("nothing is asked for")
            return
        }
        #expect(found == wish)
    }

    @Test("what the page says before there is a connection does nothing") func early() throws {
        let engine = PeerEngine(
            PeerConnectionConfiguration(), crypto: OpenSSLCrypto(), certificates: WebWorld.certificates,
            random: SeededGenerator(seed: 5), now: Self.now)
        let peer = BrowserPeer(engine)
        while engine.poll() != nil {}
        peer.setOwnPicture(repairs: true, now: Self.now)
        peer.pictureLost(whole: 5, now: Self.now)
        #expect(engine.poll() == nil)
    }
}
