@preconcurrency private import Dispatch
private import Foundation

/// Turns Ctrl-C, Ctrl-\ and `kill` into an event, so that viewers are told before the program ends.
final class StopSignals: Sendable {
    private let arrivals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        arrivals = stream
        sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
    }

    func wait() async {
        for await _ in arrivals { return }
    }
}
