/// What is known of consecutive numbers: a queue that can be looked up by number. Amortised constant time throughout.
struct SequenceWindow<Element> {
    /// The number of the oldest; of the next to be appended where there is none.
    private(set) var first: UInt64
    private var elements: [Element?] = []
    private var head = 0

    init(first: UInt64 = 0) { self.first = first }

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }
    /// Of the next to be appended.
    var end: UInt64 { first + UInt64(count) }

    subscript(number: UInt64) -> Element? {
        get { contains(number) ? elements[index(number)] : nil }
        set { if contains(number) { elements[index(number)] = newValue } }
    }

    func contains(_ number: UInt64) -> Bool { number >= first && number < end }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeFirst() {
        guard !isEmpty else { return }
        elements[head] = nil
        head += 1
        first += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
    }

    /// Starts anew with another number.
    mutating func restart(at number: UInt64) {
        elements.removeAll(keepingCapacity: true)
        head = 0
        first = number
    }

    private func index(_ number: UInt64) -> Int { head + Int(number - first) }
}

extension SequenceWindow: Sendable where Element: Sendable {}
