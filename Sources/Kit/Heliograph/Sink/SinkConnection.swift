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
        case permission(allowsControl: Bool)
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
    private let client = Mutex<SinkClient?>(nil)

    /// Starts to connect; returns at once.
    ///
    /// - Parameters:
    ///   - connectTime: how long the network may take to connect.
    ///   - onFrame: called on the event loop with each frame; false asks for a keyframe.
    ///   - bell: called on some thread when news wait.
    init(
        _ link: ShareLink, connectTime: Duration, onFrame: @escaping @Sendable (ReceivedFrame) -> Bool,
        bell: @escaping @Sendable () -> Void
    ) {
        self.bell = bell
        let loop = group.next()
        loop.execute { ThreadPriority.raise() }
        Task { [self] in
            do throws(HelioError) {
                let made = try await SinkClient.connect(
                    link, settings: .init(), connectTime: connectTime, on: loop,
                    onEvent: { [self] event in take(event, onFrame) },
                    onCursor: { [self] x, y in tell(.cursorMoved(x: x, y: y)) })
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
        case .permission(let allowsControl): tell(.permission(allowsControl: allowsControl))
        case .admitted(let ticket): tell(.ticket(ticket.bytes))
        case .ended(let error): tell(.ended(error))
        }
    }

    private func tell(_ item: News) {
        _ = news.put(item)
        bell()
    }

    func takeNews() -> [News] { news.takeAll() }

    /// Sends what the person did, before this returns. Any thread.
    func send(_ event: InputEvent) { client.withLock { $0 }?.send(event) }

    /// The decoder's need of a keyframe. Any thread.
    func submit(_ input: SinkSession.Input) {
        client.withLock { $0 }?.submit(input)
    }

    /// Asks for the session's statistics: they come as news.
    func askForStatistics() {
        guard let client = client.withLock({ $0 }) else { return }
        Task { [self] in
            guard let statistics = try? await client.statistics() else { return }
            tell(.statistics(statistics, client.controlStatistics))
        }
    }

    /// Leaves in good order and gives back all it holds.
    func close() async {
        await client.withLock { $0 }?.stop()
        try? await group.shutdownGracefully()
    }
}
