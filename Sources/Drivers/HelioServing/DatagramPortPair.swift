package import HelioCore
package import HelioLoop
package import HelioRTP
package import NIOCore

/// A pair of UDP sockets, RTP on an even port and RTCP on the next higher port, as old players and servers expect (RFC
/// 3550 section 11).
///
/// Lives on one event loop.
package struct DatagramPortPair {
    package let rtp: DatagramPort
    package let rtcp: DatagramPort

    /// The maximum number of attempts to find two free neighbouring ports.
    private static let tries = 50

    /// Binds a free pair.
    ///
    /// - Parameters:
    ///   - batch: as for `DatagramPort.bind`.
    ///   - received: called on the loop with each datagram; the caller owns the bytes.
    /// - Throws: `HelioError.systemFailed` in the future if no free pair is found.
    package static func bind(
        host: String, batch: Int, on loop: any EventLoop,
        received: @escaping @Sendable ([UInt8], RTPChannel, PathID) -> Void
    ) -> EventLoopFuture<NIOLoopBound<DatagramPortPair>> {
        bind(host: host, batch: batch, on: loop, tries: tries, received: received)
    }

    private static func bind(
        host: String, batch: Int, on loop: any EventLoop, tries: Int,
        received: @escaping @Sendable ([UInt8], RTPChannel, PathID) -> Void
    ) -> EventLoopFuture<NIOLoopBound<DatagramPortPair>> {
        guard tries > 0 else {
            return loop.makeFailedFuture(HelioError(.systemFailed, "There is no free pair of UDP ports."))
        }
        return DatagramPort.bind(host: host, port: 0, batch: batch, on: loop) { received($0, .rtp, $1) }
            .flatMap { rtp in
                let next = { @Sendable in
                    // The RTP socket stays bound until the next attempt's socket is bound, so that the system picks
                    // another port.
                    bind(host: host, batch: batch, on: loop, tries: tries - 1, received: received)
                        .always { _ in rtp.value.close() }
                }
                let port = rtp.value.localPort
                guard port.isMultiple(of: 2), port > 0 else { return next() }
                return DatagramPort.bind(host: host, port: Int(port) + 1, batch: batch, on: loop) {
                    received($0, .rtcp, $1)
                }
                .map { NIOLoopBound(DatagramPortPair(rtp: rtp.value, rtcp: $0.value), eventLoop: loop) }
                .flatMapError { _ in next() }
            }
    }

    package subscript(channel: RTPChannel) -> DatagramPort { channel == .rtp ? rtp : rtcp }

    package func flush() {
        rtp.flush()
        rtcp.flush()
    }

    package func close() {
        rtp.close()
        rtcp.close()
    }
}
