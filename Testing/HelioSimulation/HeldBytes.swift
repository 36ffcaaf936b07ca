/// Returns the approximate memory of a value in bytes, at any depth and through references: byte arrays and strings
/// count by their length, every other scalar as 8.
///
/// The function uses reflection, so private fields are included, but memory of concurrent tests is not. Shared storage
/// of byte arrays counts once. Reflection can't see fields of noncopyable types, captures of closures and targets of
/// pointers: a type with such content must report its size itself.
package func heldBytes(_ root: Any) -> Int {
    var objects: Set<ObjectIdentifier> = []
    var storages: Set<Int> = []
    var waiting: [Any] = [root]
    var total = 0
    while let value = waiting.popLast() {
        let kind = type(of: value)
        if kind == [UInt8].self, let bytes = value as? [UInt8] {
            let place = bytes.withUnsafeBytes { $0.baseAddress.map { Int(bitPattern: $0) } } ?? 0
            if storages.insert(place).inserted { total += bytes.count }
            continue
        }
        if kind == String.self, let text = value as? String {
            total += text.utf8.count
            continue
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class, !objects.insert(ObjectIdentifier(value as AnyObject)).inserted { continue }
        var level: Mirror? = mirror
        var isScalar = true
        while let present = level {
            for child in present.children {
                waiting.append(child.value)
                isScalar = false
            }
            level = present.superclassMirror
        }
        if isScalar { total += 8 }
    }
    return total
}
