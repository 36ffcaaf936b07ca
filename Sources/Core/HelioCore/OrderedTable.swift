/// A dictionary whose values come in the order in which their keys were added, in every process: an engine's outputs
/// must depend on its inputs alone.
///
/// Finding a value costs what a dictionary's costs; taking one out costs a step for each that is kept.
package struct OrderedTable<Key: Hashable, Value> {
    private var places: [Key: Int] = [:]
    package private(set) var keys: [Key] = []
    /// The values, the oldest first, each at its key's place.
    package private(set) var values: [Value] = []

    package init() {}

    package var count: Int { values.count }
    package var isEmpty: Bool { values.isEmpty }

    /// The value of a key. Setting a new key's value adds it at the end; setting `nil` takes it out.
    package subscript(key: Key) -> Value? {
        get { places[key].map { values[$0] } }
        set {
            guard let newValue else {
                _ = removeValue(forKey: key)
                return
            }
            if let place = places[key] {
                values[place] = newValue
            } else {
                places[key] = values.count
                keys.append(key)
                values.append(newValue)
            }
        }
    }

    @discardableResult
    package mutating func removeValue(forKey key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        keys.remove(at: place)
        for index in place..<keys.count { places[keys[index]] = index }
        return values.remove(at: place)
    }
}

extension OrderedTable: Sendable where Key: Sendable, Value: Sendable {}
