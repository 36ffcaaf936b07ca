import HelioCore
import Testing

@testable import HelioViewing

/// The interpretation of connection events by `Viewer` and `MirrorSink`, without a connection.
@Suite("A watched host")
struct WatchedHostTests {
    private static let loss = HelioError(.unreachable, "The host does not answer.")
    private static let playing = SinkConnection.News.playing(
        VideoFormat(codec: .h264, size: PixelSize(width: 640, height: 480)), allowsControl: true)

    private static func host() throws -> WatchedHost {
        WatchedHost(try ViewTarget(parsing: "rtsp://192.0.2.1/live", code: nil))
    }

    private static func isFirst(_ news: WatchedHost.News) -> Bool? {
        switch news {
        case .playing(_, let isFirst), .lost(_, _, let isFirst): isFirst
        default: nil
        }
    }

    @Test("a stream that has begun is tried again and again; only its first loss and its first pictures are the first")
    func lost() throws {
        var host = try Self.host()
        #expect(try Self.isFirst(host.handle(Self.playing, now: .zero)) == true)
        var now = Instant.zero
        for isFirst in [true, false, false] {
            let news = try host.handle(.ended(Self.loss), now: now)
            #expect(Self.isFirst(news) == isFirst)
            guard case .lost(_, let next, _) = news else { return }
            #expect(next >= now)
            now = next
        }
        #expect(try Self.isFirst(host.handle(Self.playing, now: now)) == false)
        #expect(try Self.isFirst(host.handle(.ended(Self.loss), now: now)) == true)
    }

    @Test("a host that is never back is given up")
    func givenUp() throws {
        var host = try Self.host()
        _ = try host.handle(Self.playing, now: .zero)
        var now = Instant.zero
        let error = #expect(throws: HelioError.self) {
            while case .lost(_, let next, _) = try host.handle(.ended(Self.loss), now: now) {
                now = next + .milliseconds(1)
                try #require(now < .zero + .seconds(3600))
            }
        }
        #expect(error?.code == .unreachable && now > .zero + .seconds(60))
    }

    @Test("what never began, and what has ended for another reason, is over")
    func over() throws {
        var host = try Self.host()
        #expect(throws: HelioError.self) { try host.handle(.ended(Self.loss), now: .zero) }
        _ = try host.handle(Self.playing, now: .zero)
        let end = HelioError(.ended, "The host has stopped sharing.")
        #expect(throws: HelioError.self) { try host.handle(.ended(end), now: .zero) }
    }

    @Test("a stream that began before its news were read is first once")
    func early() throws {
        var host = try Self.host()
        let isFirst = host.began()
        #expect(isFirst)
        #expect(try Self.isFirst(host.handle(Self.playing, now: .zero)) == false)
        #expect(host.hasPlayed && host.allowsControl)
        _ = try host.handle(.permission(allowsControl: false), now: .zero)
        #expect(!host.allowsControl)
    }

    @Test("a pause is a change once, and nobody drives on a new connection")
    func pause() throws {
        var host = try Self.host()
        let changes = [true, true, false, false].map { host.pause($0) }
        #expect(changes == [true, false, true, false])
        _ = host.connects()
        #expect(host.otherDriver == nil && !host.isPaused)
    }
}
