/// A queue on a circle of memory: constant time at both ends and at any place; grows by doubling.
struct Ring<Element> {
    private var storage: [Element?] = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : storage[head] }

    private func place(_ index: Int) -> Int { (head + index) & (storage.count - 1) }

    /// The element at `index`, counted from the oldest.
    subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count)
        return storage[place(index)]!
    }

    /// Changes an element where it lies.
    mutating func update<Result>(_ index: Int, _ change: (inout Element) -> Result) -> Result {
        precondition(index >= 0 && index < count)
        return change(&storage[place(index)]!)
    }

    mutating func append(_ element: Element) {
        if count == storage.count { grow() }
        storage[place(count)] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = storage[head]
        storage[head] = nil
        head = place(1)
        count -= 1
        return element
    }

    mutating func removeAll() {
        self = Ring()
    }

    private mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(8, storage.count * 2))
        for index in 0..<count { larger.append(storage[place(index)]) }
        while larger.count < max(8, storage.count * 2) { larger.append(nil) }
        storage = larger
        head = 0
    }
}

extension Ring: Sendable where Element: Sendable {}
