package import HelioCore
internal import HelioGround
internal import HelioLoop
private import HelioOpenSSL
package import HelioRTSPClient
package import NIOCore

/// A client for third-party RTSP servers: depending on its engine, it plays from a server or records to it. Its
/// connection and, for media over UDP, two sockets for each track live on one event loop.
package final class RTSPClient<E: RTSPClientEngine>: Sendable {
    private let loop: any EventLoop
    private let core: NIOLoopBound<Core>
    private let inbox: EngineInbox<E.Input>

    private init(_ core: Core, on loop: any EventLoop, inputsWaiting: Int) {
        self.loop = loop
        let bound = NIOLoopBound(core, eventLoop: loop)
        self.core = bound
        inbox = EngineInbox(capacity: inputsWaiting, refusedAs: "request-queue-full", on: loop) {
            bound.value.engine.feed($0)
        }
    }

    /// Queues an input from another thread, such as a keyframe request of the decoder. Never blocks.
    package func submit(_ input: consuming E.Input) { _ = inbox.put(input) }

    package func statistics() async throws -> E.Statistics {
        var statistics = try await loop.submit { [core] in core.value.engine.read { $0.statistics } }.get()
        statistics.drops.add(inbox)
        return statistics
    }

    /// Ends the session and closes all sockets.
    package func stop() async {
        try? await loop.submit { [core] in core.value.stop() }.get()
    }

    /// An `RTSPClient`'s state on its event loop: the engine and its link.
    fileprivate final class Core {
        private(set) var engine: EngineLoop<E>!
        private let loop: any EventLoop
        private var link: RTSPLink!
        /// The promise of `connect`.
        private var opened: EventLoopPromise<Void>?

        init(
            _ client: E, address: RTSPAddress, on loop: any EventLoop, onEvent: @escaping (E.Event) -> Void
        ) throws(HelioError) {
            self.loop = loop
            link = try RTSPLink(address, on: loop) { [weak self] in self?.engine.feed(.link($0)) }
            engine = EngineLoop(
                client, on: loop,
                perform: { [unowned self] output in
                    switch output {
                    case .link(.connect): reconnect()
                    case .link(let command): link.perform(command)
                    case .event(let event): onEvent(event)
                    }
                }, settled: { [unowned self] in link.flush() })
        }

        func connect() -> EventLoopFuture<Void> {
            let opened = loop.makePromise(of: Void.self)
            self.opened = opened
            link.connect().cascade(to: opened)
            return opened.futureResult
        }

        /// Gives up the attempt to connect: the future of `connect` then fails at once, unless it has succeeded.
        func abandon() {
            stop()
            opened?.fail(HelioError(.ended, "The attempt to connect was given up."))
        }

        private func reconnect() {
            link.close()
            let bound = NIOLoopBound(self, eventLoop: loop)
            // The failure of an abandoned attempt may be reported late; the engine tolerates that.
            link.connect().whenFailure { _ in bound.value.engine.feed(.link(.disconnected)) }
        }

        func stop() {
            engine.update { client, now in client.leave(now: now) }
            engine.stop()
            link.close()
        }
    }
}

extension RTSPClient where E == RTSPPlayClient {
    /// Connects to the server and starts to play; results arrive as events. Throws soon after its task is cancelled.
    ///
    /// - Parameter onEvent: called on the event loop with each event; must not block.
    package static func play(
        _ address: RTSPAddress, on loop: any EventLoop, onEvent: @escaping @Sendable (E.Event) -> Void
    ) async throws(HelioError) -> RTSPClient {
        let attempt = NIOLoopBoundBox.makeEmptyBox(valueType: Core.self, eventLoop: loop)
        return try await loop.flatSubmit { () -> EventLoopFuture<RTSPClient> in
            do {
                let client = RTSPPlayClient(address, crypto: OpenSSLCrypto(), random: SecureGenerator())
                let core = try Core(client, address: address, on: loop, onEvent: onEvent)
                attempt.value = core
                // The queue's limit is many times the inputs of a user and a decoder in a second.
                let made = RTSPClient(core, on: loop, inputsWaiting: 1024)
                return core.connect().map { made }
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get(
            onCancel: { loop.execute { attempt.value?.abandon() } },
            describe: { error in
                HelioError(
                    .unreachable,
                    "\(address.authority) can't be reached: is the RTSP server running there, and is the port "
                        + "open?", cause: error)
            })
    }
}

extension RTSPClient where E == RTSPRecordClient {
    /// Starts to publish, whether or not the server is reachable yet; results arrive as events.
    ///
    /// - Parameters:
    ///   - sound: the encoding of the sound that is published beside the picture; `nil` for none.
    ///   - stream: supplies the stream to publish.
    ///   - onEvent: called on the event loop with each event; must not block.
    ///
    /// Throws `systemFailed` if TLS can't be set up.
    package static func record(
        to address: RTSPAddress, format: VideoFormat, sound: SoundEncode? = nil, soundOrigin: SoundOrigin = .system,
        isInterleavedOnly: Bool, stream: StreamMailbox,
        on loop: any EventLoop,
        onEvent: @escaping @Sendable (E.Event) -> Void
    ) async throws(HelioError) -> RTSPClient {
        return try await loop.submit {
            let now = MonotonicClock.now
            let client = RTSPRecordClient(
                .init(
                    address: address, format: format, sound: sound, soundOrigin: soundOrigin,
                    isInterleavedOnly: isInterleavedOnly,
                    clockOffset: WallClock.sinceNTPEpoch(at: now)),
                crypto: OpenSSLCrypto(), random: SecureGenerator(), now: now)
            let core = try Core(client, address: address, on: loop, onEvent: onEvent)
            core.engine.update { client, now in client.tick(now: now) }
            stream.add(core.engine)
            return RTSPClient(core, on: loop, inputsWaiting: 16)
        }.get { error in
            HelioError(.systemFailed, "Publishing can't be started: \(NetworkFailure.words(error)).", cause: error)
        }
    }
}
