/// A map from sections to values, iterated in the order of the transceiver IDs. A dictionary's order would differ from
/// run to run.
struct SectionTable<Value>: Sequence {
    typealias Element = (id: Transceiver.ID, value: Value)

    private var entries: [Element] = []

    /// The value of a section. The search is linear, as a connection has few sections.
    subscript(_ id: Transceiver.ID) -> Value? {
        get { entries.first { $0.id == id }?.value }
        set {
            let index = entries.firstIndex { $0.id == id }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?):
                let place = entries.firstIndex { $0.id.rawValue > id.rawValue } ?? entries.endIndex
                entries.insert((id, value), at: place)
            case (nil, nil): break
            }
        }
    }

    var values: [Value] { entries.map(\.value) }

    func makeIterator() -> IndexingIterator<[Element]> { entries.makeIterator() }
}
