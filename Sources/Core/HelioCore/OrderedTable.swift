/// A dictionary whose keys and values keep the order in which the keys were added. Unlike in `Dictionary`, this order
/// is the same in every process, so that an engine's outputs depend only on its inputs.
///
/// A lookup costs the same as in a dictionary; a removal takes time proportional to the number of values.
package struct OrderedTable<Key: Hashable, Value> {
    private var places: [Key: Int] = [:]
    package private(set) var keys: [Key] = []
    /// The values in the order in which their keys were added; `places` holds each key's index.
    package private(set) var values: [Value] = []

    package init() {}

    package var count: Int { values.count }
    package var isEmpty: Bool { values.isEmpty }

    /// The value of a key. Setting a new key's value appends it; setting `nil` removes it.
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
