import HelioCore
import HelioRendezvous
import HelioRendezvousWire

/// Instances of a server on a bus, which carries messages at once and in order.
final class BusStage {
    let stages: [ServerStage]
    private let names: [InstanceID]
    /// The instances that neither send nor hear.
    var silent: Set<Int> = []
    /// True to lose everything that is sent to everyone.
    var losesNews = false
    /// True to lose all records of devices, also those that were asked for.
    var losesRecords = false

    /// The second byte of a record.
    private static let record: UInt8 = 3

    init(_ count: Int, _ change: (inout RendezvousServer.Settings) -> Void = { _ in }) {
        let names = (0..<count).map { InstanceID([UInt8](repeating: UInt8($0 + 1), count: 16))! }
        self.names = names
        stages = names.enumerated().map { index, name in
            // The clocks of two machines have nothing in common.
            ServerStage(seed: UInt64(index + 1), now: .zero + .seconds(1_000 * index)) {
                $0.instance = name
                change(&$0)
            }
        }
        settle()
    }

    func name(_ index: Int) -> InstanceID { names[index] }

    /// Carries messages until there are none.
    func settle() {
        var isBusy = true
        while isBusy {
            isBusy = false
            for (sender, stage) in stages.enumerated() {
                for order in stage.takeBus() where !silent.contains(sender) {
                    isBusy = true
                    carry(order)
                }
            }
        }
    }

    private func carry(_ order: BusOrder) {
        if losesNews, order.subject == BusOrder.everyone { return }
        if losesRecords, order.bytes[1] == Self.record { return }
        for (index, stage) in stages.enumerated() where !silent.contains(index) {
            guard order.subject == BusOrder.everyone || order.subject == names[index].subject else { continue }
            stage.feed(.bus(BusMessage(order.bytes)))
        }
    }

    /// Lets time pass at all instances that are not silent, in steps of 100 ms.
    func pass(_ time: Duration) {
        var left = time
        while left > .zero {
            let step = min(left, .milliseconds(100))
            for (index, stage) in stages.enumerated() where !silent.contains(index) { stage.pass(step) }
            settle()
            left -= step
        }
    }

    /// Registers a device at an instance, with a permit for its token.
    func host(_ number: UInt8, at index: Int) throws -> ConnectionID {
        let id = try stages[index].host(number)
        settle()
        return id
    }

    func send(_ frame: ClientFrame, from id: ConnectionID, at index: Int) {
        stages[index].send(frame, from: id)
        settle()
    }

    func close(_ id: ConnectionID, at index: Int) {
        stages[index].feed(.closed(id))
        settle()
    }
}
