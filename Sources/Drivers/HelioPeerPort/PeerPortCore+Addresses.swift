internal import HelioCore
internal import HelioICE
internal import HelioPeer
internal import NIOCore

// Follows the machine's addresses while the port is open.

extension PeerPortCore {
    /// Starts to poll for new addresses, if the port is open at all addresses.
    ///
    /// - Parameter port: the port number of all sockets.
    func watchAddresses(port: UInt16) {
        guard settings.addresses.isEmpty, !isClosed else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        let interval = TimeAmount.nanoseconds(settings.watchInterval.nanoseconds)
        watch = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            bound.value.followAddresses(port: port)
        }
    }

    /// Closes the sockets of removed addresses, and opens sockets for new addresses. Takes some dozens of microseconds.
    private func followAddresses(port: UInt16) {
        guard !isClosed, let wanted = try? settings.listAddresses(settings.includesLoopback),
            let present = try? settings.listAddresses(true)
        else { return }
        // Remove the socket: an address that reappears needs a new socket.
        for socket in sockets where !present.contains(socket.base.ip) {
            socketOf[socket.base] = nil
            socket.close()
        }
        sockets.removeAll { !present.contains($0.base.ip) }
        for listener in listeners where !present.contains(listener.base.ip) { listener.channel.close(promise: nil) }
        listeners.removeAll { !present.contains($0.base.ip) }
        let known = Set(sockets.map(\.base.ip) + listeners.map(\.base.ip)).union(opening)
        for ip in wanted where !known.contains(ip) {
            guard known.count + opening.count < HostAddresses.maximumCount else {
                return drops.count(.tooManyAddresses)
            }
            open(ip, port: port)
        }
    }

    private func open(_ ip: IPAddress, port: UInt16) {
        opening.insert(ip)
        var binding: [EventLoopFuture<UInt16>] = []
        if settings.usesUDP { binding.append(bindUDP(TransportAddress(ip, port: port))) }
        if settings.usesTCP, settings.sharedTCPPort == nil {
            binding.append(bindTCP(TransportAddress(ip, port: port, transport: .tcp)))
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        // An address that is not usable yet is tried again at the next poll.
        EventLoopFuture.andAllComplete(binding, on: loop).whenComplete { _ in bound.value.opened(ip) }
    }

    private func opened(_ ip: IPAddress) {
        opening.remove(ip)
        guard !isClosed else { return unbind().whenComplete { _ in } }
        for candidate in candidates where candidate.base.ip == ip {
            for number in peers.keys.sorted() { peers[number]?.take(.localCandidate(candidate)) }
        }
        flush()
    }
}
