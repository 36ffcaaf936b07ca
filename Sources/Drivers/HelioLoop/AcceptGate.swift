internal import HelioCore
internal import HelioGround
internal import NIOCore

/// Applies a limit to a listening channel: closes the connections that it refuses before they have handlers, and
/// accepts none while it pauses the listener.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    private let limit: any AcceptLimiting
    private let report: (AcceptEvent) -> Void
    private var pause: Scheduled<Void>?

    init(_ limit: any AcceptLimiting, report: @escaping (AcceptEvent) -> Void) {
        self.limit = limit
        self.report = report
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        let address = channel.remoteAddress.flatMap { PathID($0)?.ip }
        guard limit.mayArrive(address, now: MonotonicClock.now) else {
            report(.refused)
            return channel.close(promise: nil)
        }
        context.fireChannelRead(data)
    }

    /// Accepts the next connections, at once or after the pause. Further calls during a pause have no effect.
    func read(context: ChannelHandlerContext) {
        guard pause == nil else { return }
        let now = MonotonicClock.now
        guard let end = limit.resumes(now: now) else { return context.read() }
        report(.paused)
        pause = context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds((end - now).nanoseconds)) { [self] in
            pause = nil
            read(context: context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        pause?.cancel()
        pause = nil
        context.fireChannelInactive()
    }
}
