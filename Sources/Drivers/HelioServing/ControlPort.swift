package import HelioCore
package import HelioHost
package import HelioLoop
package import HelioRemote
private import HelioRemoteWire
package import NIOCore
private import Synchronization

/// The host's end of viewers' input: `HostControl` on a UDP port and a thread of its own, and the bounded queues
/// between that thread and the event loop.
///
/// Datagrams of a viewer behind a tunnel pass through the event loop both ways.
///
/// All input is injected on the port's thread, whether it arrives in datagrams, which this thread reads, or in
/// browsers' messages, which the event loop queues. So a system that does not read injected input delays neither media
/// nor signalling.
package final class ControlPort: Sendable {
    private struct Known: Sendable {
        var drops: [String: Int] = [:]
        var driver: DrivingViewer?
    }

    /// The capacity of the queue from the control engine to the event loop.
    private static let answersWaiting = 1024
    /// The number of places in the queue to the event loop that are reserved for outputs that are not repeated.
    private static let reserve = 768
    /// The capacity of the queue of datagrams to virtual paths; what is lost is sent again as on any network.
    private static let routedWaiting = 256
    /// The time limit of `finish`, within which the system must accept the release of pressed keys and buttons.
    private static let patience = TimeAmount.seconds(2)

    private let port: EnginePort<HostControl>
    private let inbox: ControlInbox
    private let answers: EngineInbox<SourceHost.Input>
    private let routed: EngineInbox<AddressedDatagram>
    private let loop: any EventLoop
    /// The viewer that drives, and the engine's drops, as last read from the engine.
    private let known = Mutex(Known())

    /// - Parameters:
    ///   - machine: the machine that viewers drive; `nil` if there is none.
    ///   - route: called on the event loop with each datagram to a virtual path.
    ///   - feed: called on the event loop with the engine's inputs to `SourceHost`.
    package init(
        _ control: sending HostControl, of machine: (any DrivenMachine)?, on socket: DatagramSocket,
        loop: any EventLoop, route: @escaping @Sendable (AddressedDatagram) -> Void,
        feed: @escaping @Sendable (SourceHost.Input) -> Void
    ) throws(HelioError) {
        let inbox = ControlInbox()
        let answers = EngineInbox<SourceHost.Input>(
            capacity: Self.answersWaiting, refusedAs: "control-answers-full", on: loop, feed: feed)
        let routed = EngineInbox<AddressedDatagram>(
            capacity: Self.routedWaiting, refusedAs: "control-tunnel-full", on: loop, feed: route)
        self.loop = loop
        self.routed = routed
        self.inbox = inbox
        self.answers = answers
        port = try EnginePort(
            control, on: socket, name: "helio-control", received: { inbox.input(of: $0, from: $1) },
            waiting: { inbox.takeAll() },
            perform: { output in
                switch output {
                case .datagram(let bytes, let path) where path.isVirtual:
                    _ = routed.put(AddressedDatagram(bytes: bytes, path: path))
                case .datagram(let bytes, let path): return .send(bytes, to: path)
                case .inside(let bytes, let viewer): _ = answers.put(.tell(viewer, bytes), leaving: Self.reserve)
                case .inject(let inputs): machine?.inject(inputs)
                case .web(let viewer, let message, let channel):
                    let reserve = channel == .moves ? Self.reserve : 0
                    _ = answers.put(.tellWeb(viewer, message, channel), leaving: reserve)
                case .selectMonitor(let id): machine?.selectMonitor(id)
                case .driver(let viewer): _ = answers.put(.driver(viewer))
                }
                return .done
            })
    }

    var localPort: UInt16 { port.localPort }

    /// Queues an input. Callable from any thread; never blocks.
    package func put(_ input: HostControl.Input) { if inbox.put(input) { port.wake() } }

    /// Makes the system drop datagrams that don't begin with one of these SSRCs, on Linux only.
    func listen(to sources: [SSRC]) { port.listen(to: sources) }

    /// Returns the viewer that drives, and the counts of all drops, by name. While an injection blocks the engine, the
    /// viewer and the engine's counts are those of the last call.
    package func statistics() async -> (driver: DrivingViewer?, drops: [String: Int]) {
        // An input takes the engine far less than a millisecond, unless its injection blocks.
        for attempt in 0..<5 {
            let now = port.readIfFree { Known(drops: $0.allDrops, driver: $0.driver) }
            if let now {
                known.withLock { $0 = now }
                break
            }
            if attempt < 4 { try? await Task.sleep(for: .milliseconds(1)) }
        }
        let last = known.withLock { $0 }
        var drops = last.drops
        drops.add(
            inbox, answers, routed,
            ["control-thrown-away": port.thrownAway, "control-not-sent": port.refusedDatagrams])
        return (last.driver, drops)
    }

    /// Closes the port once all queued inputs have been handled. Waits for that, but for at most two seconds.
    package func finish() async {
        let ended = loop.makePromise(of: Void.self)
        let limit = loop.scheduleTask(in: Self.patience) { ended.succeed(()) }
        port.finish { ended.succeed(()) }
        try? await ended.futureResult.get()
        limit.cancel()
    }
}
