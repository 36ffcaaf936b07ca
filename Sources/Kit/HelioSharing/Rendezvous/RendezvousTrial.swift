public import HelioCore
private import HelioRendezvous
private import HelioRendezvousPort
private import NIOCore
private import NIOPosix

/// A trial of a rendezvous server, for a diagnosis: it is connected to, and nothing is registered there.
public enum RendezvousTrial {
    /// Returns the error if the server can't be used within a time, `nil` if it can.
    ///
    /// - Parameters:
    ///   - url: the server's address, as for `MirrorSource.Options.rendezvous`.
    ///   - limit: the longest time that it takes.
    public static func run(_ url: String, within limit: Duration) async -> HelioError? {
        let place: RendezvousPlace
        do throws(HelioError) { place = try RendezvousPlace(parsing: url) } catch { return error }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        do {
            return try await loop.flatSubmit { Trial(place, on: loop).run(within: limit) }.get()
        } catch {
            return HelioError(.systemFailed, "The network's loop has ended.", cause: error)
        }
    }

    /// A connection until it stands or has failed. Lives on one event loop.
    private final class Trial {
        private let place: RendezvousPlace
        private let loop: any EventLoop
        private let promise: EventLoopPromise<HelioError?>
        private var connection: RendezvousConnection?
        private var isOver = false

        init(_ place: RendezvousPlace, on loop: any EventLoop) {
            self.place = place
            self.loop = loop
            promise = loop.makePromise()
        }

        func run(within limit: Duration) -> EventLoopFuture<HelioError?> {
            let bound = NIOLoopBound(self, eventLoop: loop)
            let connection = RendezvousConnection(
                place, signer: nil, on: loop,
                onEvent: { event in
                    // The connection handles its own event now.
                    bound.eventLoop.execute { bound.value.take(event) }
                })
            self.connection = connection
            connection.start()
            loop.assumeIsolated().scheduleTask(in: .nanoseconds(limit.nanoseconds)) { [self] in
                end(HelioError(.unreachable, "The rendezvous server at \(place.url) does not answer."))
            }
            return promise.futureResult
        }

        private func take(_ event: RendezvousClient.Event) {
            switch event {
            case .online: end(nil)
            case .refused: end(HelioError(.refused, "The rendezvous server at \(place.url) refuses this machine."))
            case .offline:
                end(
                    connection?.failure
                        ?? HelioError(.unreachable, "The rendezvous server at \(place.url) can't be reached."))
            default: break
            }
        }

        private func end(_ failure: HelioError?) {
            if isOver { return }
            isOver = true
            connection?.stop()
            connection = nil
            promise.succeed(failure)
        }
    }
}
