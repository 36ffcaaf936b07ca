internal import HelioControl
internal import HelioCore
internal import HelioPlayout
private import HelioProtection
internal import HelioSession
private import HelioTransport
private import NIOCore
private import NIOPosix
private import Synchronization

/// One try at a host: connects, runs the session on an event loop of its own, and puts what comes of it where the
/// viewer's thread finds it.
final class SinkConnection: Sendable {
    enum News: Sendable {
        case playing(VideoFormat, allowsControl: Bool)
        case cursorShape(CursorShape)
        case cursorMoved(x: Float, y: Float)
        case statistics(SinkSession.Statistics, ViewerControl.Statistics?)
        /// A secret to come back with.
        case ticket([UInt8])
        case ended(HelioError)
    }

    private static let newsWaiting = 1024

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let news = Mailbox<News>(capacity: SinkConnection.newsWaiting)
    private let bell: @Sendable () -> Void
    private let client = Mutex<Client?>(nil)

    private enum Client: Sendable {
        case host(SinkClient)
        case stream(RTSPPlaybackClient)
    }

    /// Starts to connect; returns at once.
    ///
    /// - Parameters:
    ///   - onFrame: called on the event loop with each frame; false asks for a keyframe.
    ///   - bell: called on some thread when news wait.
    init(
        _ target: ViewTarget, onFrame: @escaping @Sendable (ReceivedFrame) -> Bool, bell: @escaping @Sendable () -> Void
    ) {
        self.bell = bell
        let loop = group.next()
        loop.execute { ThreadPriority.raise() }
        Task { [self] in
            do throws(HelioError) {
                let made: Client
                switch target {
                case .link(let link):
                    made = .host(
                        try await SinkClient.connect(
                            link, settings: .init(), on: loop, onEvent: { [self] event in take(event, onFrame) },
                            onCursor: { [self] x, y in tell(.cursorMoved(x: x, y: y)) }))
                case .stream(let address):
                    made = .stream(
                        try await RTSPPlaybackClient.connect(
                            address, on: loop, onEvent: { [self] event in take(event, onFrame) }))
                }
                client.withLock { $0 = made }
            } catch {
                tell(.ended(error))
            }
        }
    }

    private func take(_ event: SinkSession.Event, _ onFrame: (ReceivedFrame) -> Bool) {
        switch event {
        case .frame(let frame): if !onFrame(frame) { submit(.keyframeNeeded) }
        case .playing(let format, let control, _): tell(.playing(format, allowsControl: control.allowsControl))
        case .cursorShape(let shape): tell(.cursorShape(shape))
        case .admitted(let ticket): tell(.ticket(ticket.bytes))
        case .ended(let error): tell(.ended(error))
        }
    }

    private func take(_ event: RTSPPlayback.Event, _ onFrame: (ReceivedFrame) -> Bool) {
        switch event {
        case .frame(let frame): if !onFrame(frame) { submit(.keyframeNeeded) }
        case .playing(let format, _): tell(.playing(format, allowsControl: false))
        case .ended(let error): tell(.ended(error))
        }
    }

    private func tell(_ item: News) {
        _ = news.put(item)
        bell()
    }

    func takeNews() -> [News] { news.takeAll() }

    /// Sends what the person did, before this returns. Any thread.
    func send(_ event: InputEvent) {
        if case .host(let client) = client.withLock({ $0 }) { client.send(event) }
    }

    /// The decoder's need of a keyframe. Any thread.
    func submit(_ input: SinkSession.Input) {
        switch client.withLock({ $0 }) {
        case .host(let client): client.submit(input)
        case .stream(let client): if case .keyframeNeeded = input { client.submit(.keyframeNeeded) }
        case nil: break
        }
    }

    /// Asks for the session's statistics: they come as news.
    func askForStatistics() {
        guard let client = client.withLock({ $0 }) else { return }
        Task { [self] in
            switch client {
            case .host(let client):
                guard let statistics = try? await client.statistics() else { return }
                tell(.statistics(statistics, client.controlStatistics))
            case .stream(let client):
                guard let statistics = try? await client.statistics() else { return }
                tell(.statistics(statistics, nil))
            }
        }
    }

    /// Leaves in good order and gives back all it holds.
    func close() async {
        switch client.withLock({ $0 }) {
        case .host(let client): await client.stop()
        case .stream(let client): await client.stop()
        case nil: break
        }
        try? await group.shutdownGracefully()
    }
}
