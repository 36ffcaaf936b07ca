internal import HelioSession

/// Names remote addresses by small numbers, so that engines never see a socket's types. Bounded: the address
/// heard least recently is forgotten.
struct PathTable<Address: Hashable> {
    private static var limit: Int { 1024 }
    private var ids: [Address: PathID] = [:]
    private var addresses: [PathID: (address: Address, used: UInt64)] = [:]
    private var counter: UInt64 = 0

    mutating func id(of address: Address) -> PathID {
        counter += 1
        if let id = ids[address] {
            addresses[id]?.used = counter
            return id
        }
        if ids.count == Self.limit, let oldest = addresses.min(by: { $0.value.used < $1.value.used }) {
            ids[oldest.value.address] = nil
            addresses[oldest.key] = nil
        }
        let id = PathID(counter)
        ids[address] = id
        addresses[id] = (address, counter)
        return id
    }

    /// Counts as a use, so that a flood from foreign addresses never pushes out a path that is sent to.
    mutating func address(of id: PathID) -> Address? {
        counter += 1
        addresses[id]?.used = counter
        return addresses[id]?.address
    }
}
