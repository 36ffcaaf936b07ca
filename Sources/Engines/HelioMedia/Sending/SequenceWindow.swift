/// A queue of elements with consecutive numbers that can be looked up by number. Amortised constant time throughout.
struct SequenceWindow<Element> {
    /// The number of the oldest element, or of the next to be appended where there is none.
    package private(set) var first: UInt64
    private var elements: [Element?] = []
    private var head = 0

    init(first: UInt64 = 0) { self.first = first }

    package var count: Int { elements.count - head }
    package var isEmpty: Bool { count == 0 }
    /// The number of the next element to be appended.
    package var end: UInt64 { first + UInt64(count) }

    package subscript(number: UInt64) -> Element? {
        get { contains(number) ? elements[index(number)] : nil }
        set { if contains(number) { elements[index(number)] = newValue } }
    }

    package func contains(_ number: UInt64) -> Bool { number >= first && number < end }

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func removeFirst() {
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

    /// Empties the window and starts anew at another number.
    package mutating func restart(at number: UInt64) {
        elements.removeAll(keepingCapacity: true)
        head = 0
        first = number
    }

    private func index(_ number: UInt64) -> Int { head + Int(number - first) }
}

extension SequenceWindow: Sendable where Element: Sendable {}
