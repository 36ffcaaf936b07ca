internal import HelioCore
internal import HelioLoop
internal import HelioRendezvous
internal import NIOCore

/// The bus of the service. Its threads wake the event loop once for many messages, which the loop takes in portions.
extension ServiceCore {
    /// The most messages in one turn of the loop, so that devices are served between two portions.
    private static let portion = 256

    func startBus(_ place: BusPlace, _ instance: InstanceID) throws(HelioError) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let loop = self.loop
        // Older messages are of no use: by then the others have taken this instance as lost.
        bus = try BusLinks.make(place, instance, memory: settings.engine.instanceTime) { news in
            loop.execute { bound.value.hear(news) }
        }
    }

    /// Passes on a message to other instances.
    func carry(_ order: BusOrder) {
        guard let bus else { return drop(.noBus) }
        if !bus.send(order.subject, order.bytes) { drop(.busFull) }
    }

    private func hear(_ news: BusNews) {
        switch news {
        case .arrived: takeFromBus(most: Self.portion)
        case .connected:
            report(.busConnected)
            engine?.feed(.busInterrupted)
            // What an operator has changed while the bus was away.
            storeWorker?.look()
        case .lost(let why): report(.busLost(why))
        }
    }

    /// Takes messages that have arrived, and counts those that were lost.
    func takeFromBus(most: Int) {
        guard let bus else { return }
        let arrivals = bus.take(most: most)
        drop(.busUnsent, arrivals.unsent)
        drop(.busOversized, arrivals.oversized)
        for message in arrivals.messages { engine?.feed(.bus(BusMessage(message))) }
        if arrivals.full > 0 {
            drop(.busFull, arrivals.full)
            engine?.feed(.busInterrupted)
        }
        guard arrivals.hasMore, most > 0 else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.takeFromBus(most: Self.portion) }
    }
}
