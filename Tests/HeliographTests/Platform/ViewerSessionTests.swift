import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioViewing
@testable import Heliograph

/// A viewer inside an app: on the main thread, with the app's own controls. Only the sockets are real.
@Suite("A viewer inside an app", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
@MainActor
struct ViewerSessionTests {
    /// The events of a session, in order.
    @MainActor
    private final class Told {
        var events: [ViewerSession.Event] = []
        var onEvent: (ViewerSession.Event) -> Void = { _ in }

        func take(_ event: ViewerSession.Event) {
            events.append(event)
            onEvent(event)
        }

        var hasEnded: Bool { events.contains { if case .ended = $0 { true } else { false } } }
        /// The error that ended the session; `nil` as well if the user left.
        var error: HelioError? { events.compactMap { if case .ended(let error) = $0 { error } else { nil } }.first }
        /// The viewer's last reported permission to control.
        var permission: Bool? {
            events.compactMap { event in
                switch event {
                case .playing(_, let allowed), .permission(let allowed): allowed
                default: nil
                }
            }.last
        }
        var monitor: String? {
            events.compactMap { if case .monitors(_, let selected) = $0 { selected } else { nil } }.last
        }
        var driver: MirrorSink.Driver? { events.compactMap { if case .driver(let who) = $0 { who } else { nil } }.last }
    }

    private func session(
        _ platform: FakeSink, of source: MirrorSource, _ told: Told, _ options: Viewer.Options = .init()
    ) async throws -> ViewerSession {
        let target = try ViewTarget(parsing: try await source.link.text, code: nil)
        return try ViewerSession(on: platform, target, options, polls: true) { told.take($0) }
    }

    @Test("it tells the app what the host does, and the app's controls reach the host")
    func controls() async throws {
        let (host, viewer, told) = (FakeSource(), FakeSink(), Told())
        var (injected, seen) = (host.diary.reader, viewer.person.diary.reader)
        try await host.share { source in
            let session = try await session(viewer, of: source, told)
            session.send(.text("too early"))
            #expect(told.events.isEmpty)
            session.start()
            try await seen.find("picture 10 640x480")
            try await eventually("it may drive") { told.permission == true }
            try await eventually("the monitors are known") { told.monitor == "large" }
            guard
                case .playing(let size, true)? = told.events.first(where: {
                    if case .playing = $0 { true } else { false }
                })
            else {
                Issue.record("\(told.events)")
                return
            }
            #expect(size == PixelSize(width: 640, height: 480))

            session.send(.button(.left, isDown: true, x: 0.5, y: 0.5))
            try await injected.find("left true")
            // Input of the window itself is sent the same way.
            viewer.person.act(.input(.text("ä")))
            try await injected.find("text ä")
            try await eventually("it drives") { told.driver == .you }
            session.selectMonitor("small")
            try await seen.find("picture 10 320x240")
            try await eventually("the other monitor is shown") { told.monitor == "small" }
            session.setScale(.integer)
            try await seen.find("scale integer")
            viewer.person.act(.command(.toggleFullScreen))
            try await eventually("full screen is asked for") {
                told.events.contains { if case .fullScreenAsked = $0 { true } else { false } }
            }
            try await eventually("there are statistics") {
                told.events.contains { if case .statistics(let one) = $0 { one.frames > 0 } else { false } }
            }

            source.takeControl()
            try await eventually("it may watch only") { told.permission == false }
            try await injected.find("left false")
            session.send(.text("too late"))
            session.leave()
            // Events are never delivered from within a call.
            #expect(!told.hasEnded)
            try await eventually("it has left") { told.hasEnded }
            #expect(told.error == nil)
            try await eventually("the host knows") { (try? await source.statistics().viewers.isEmpty) ?? false }
            let count = told.events.count
            session.leave()
            session.start()
            session.turn()
            #expect(told.events.count == count)
            #expect(!injected.seen.contains { $0.hasPrefix("text too") })
        }
    }

    @Test("an app that leaves when it hears of something hears of nothing more but the end")
    func leavesInBetween() async throws {
        let (host, viewer, told) = (FakeSource(), FakeSink(), Told())
        try await host.share { source in
            let session = try await session(viewer, of: source, told)
            var heard = 0
            told.onEvent = { [weak session] event in
                heard += 1
                if case .playing = event { session?.leave() }
            }
            session.start()
            try await eventually("it has left") { told.hasEnded }
            #expect(told.error == nil)
            guard case .ended? = told.events.last else {
                Issue.record("\(told.events)")
                return
            }
            #expect(told.events.filter { if case .playing = $0 { true } else { false } }.count == 1)
        }
    }

    @Test("a host that is gone for good, or that refuses, ends it with the reason")
    func endings() async throws {
        let (host, told) = (FakeSource(), Told())
        try await host.share { source in
            let session = try await session(FakeSink(), of: source, told)
            session.start()
            try await eventually("it watches") { told.permission != nil }
            await source.stop()
            try await eventually("the host has stopped") { told.hasEnded }
            #expect(told.error?.code == .ended, "\(told.events)")
        }
        let refused = Told()
        try await host.share { source in
            // A wrong code.
            let target = try ViewTarget(parsing: "127.0.0.1:\(source.port)", code: "0000-0000-0000-0000")
            let session = try ViewerSession(on: FakeSink(), target, .init(), polls: true) { refused.take($0) }
            session.start()
            try await eventually("it is refused") { refused.hasEnded }
            #expect(refused.error?.code == .refused, "\(refused.events)")
        }
    }

    @Test("in the background the host sends nothing; in front again the picture is as it is by then")
    func background() async throws {
        let (host, viewer, told) = (FakeSource(), FakeSink(), Told())
        var (injected, seen) = (host.diary.reader, viewer.person.diary.reader)
        try await host.share { source in
            let session = try await session(viewer, of: source, told)
            session.start()
            try await seen.find("picture 10 640x480")
            try await eventually("it may drive") { told.permission == true }
            #expect(told.events.contains { if case .admitted = $0 { true } else { false } })
            session.send(.key(usage: 4, isDown: true))
            try await injected.find("key 4 true")
            session.isPaused = true
            try await injected.find("key 4 false")
            try await eventually("the host holds back") {
                (try? await source.statistics().viewers.first?.isPaused) ?? false
            }
            host.content.show(20)
            host.content.show(30)
            session.isPaused = false
            try await seen.find("picture 30 640x480")
            #expect(!seen.seen.contains("picture 20 640x480"))
            session.leave()
            try await eventually("it has left") { told.hasEnded }
        }
    }

    @Test("a session that nobody keeps leaves the host by itself")
    func forgotten() async throws {
        let (host, told) = (FakeSource(), Told())
        try await host.share { source in
            var session: ViewerSession? = try await session(FakeSink(), of: source, told)
            session?.start()
            try await eventually("it watches") { told.permission != nil }
            session = nil
            try await eventually("it is gone") { (try? await source.statistics().viewers.isEmpty) ?? false }
        }
    }
}
