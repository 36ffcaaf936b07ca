import HelioCore
import HelioServing
import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A tunnel between a host and a viewer in one process, on one event loop: a pair of sockets, and datagrams that are
/// handed over on the loop's next turn.
final class TestTunnel: HostRoute, VirtualRoutes {
    /// A datagram on its way.
    struct Datagram {
        var bytes: [UInt8]
        var kind: ServedDatagram
        var isToHost: Bool
    }

    let path = PathID.virtual(0x0001_0000_0001)
    let carriesDatagrams: Bool
    var received: (([UInt8], ServedDatagram) -> Void)?
    /// Returns true for the datagrams that get lost.
    var loses: (Datagram) -> Bool = { _ in false }
    private(set) var carried: [Datagram] = []
    private(set) var lost = 0
    private(set) var isClosed = false
    /// Ends once the tunnel is closed.
    let closed: AsyncStream<Void>
    private let closing: AsyncStream<Void>.Continuation
    private var stream: (any Channel)?

    private let loop: any EventLoop
    private let server: SourceServer
    private let address: String

    /// - Parameter address: the viewer's address as the host is told of it.
    init(to server: SourceServer, from address: String, carriesDatagrams: Bool = true, on loop: any EventLoop) {
        self.server = server
        self.address = address
        self.carriesDatagrams = carriesDatagrams
        self.loop = loop
        (closed, closing) = AsyncStream.makeStream()
    }

    func open() -> EventLoopFuture<any Channel> {
        do {
            let (own, others) = try SocketPair.open(on: loop)
            let bound = NIOLoopBound(self, eventLoop: loop)
            return others.flatMap { channel in
                let tunnel = bound.value
                tunnel.server.adopt(channel, at: tunnel.path, from: tunnel.address)
                return own.map { own in
                    bound.value.stream = own
                    return own
                }
            }
        } catch {
            return loop.makeFailedFuture(error)
        }
    }

    func send(_ bytes: [UInt8], _ kind: ServedDatagram) {
        carry(Datagram(bytes: bytes, kind: kind, isToHost: true))
    }

    func send(_ bytes: [UInt8], _ kind: ServedDatagram, to path: PathID) {
        if path == self.path { carry(Datagram(bytes: bytes, kind: kind, isToHost: false)) }
    }

    private func carry(_ datagram: Datagram) {
        guard !isClosed, carriesDatagrams else { return }
        if loses(datagram) {
            lost += 1
            return
        }
        carried.append(datagram)
        loop.assumeIsolated().execute { [self] in
            if datagram.isToHost {
                server.received(datagram.bytes, datagram.kind, from: path)
            } else {
                received?(datagram.bytes, datagram.kind)
            }
        }
    }

    /// The number of datagrams of a kind that were handed over one way.
    func count(_ kind: ServedDatagram, toHost: Bool) -> Int {
        carried.count { $0.kind == kind && $0.isToHost == toHost }
    }

    /// Ends the stream as a tunnel does that has lost every way to the host.
    func tear() { stream?.close(mode: .all, promise: nil) }

    func close() {
        isClosed = true
        closing.finish()
    }
}

/// A pair of local sockets as two channels.
enum SocketPair {
    struct Failure: Error {}

    static func open(
        on loop: any EventLoop
    ) throws -> (EventLoopFuture<any Channel>, EventLoopFuture<any Channel>) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure() }
        let bootstrap = ClientBootstrap(group: loop)
        return (bootstrap.withConnectedSocket(ends[0]), bootstrap.withConnectedSocket(ends[1]))
    }
}
