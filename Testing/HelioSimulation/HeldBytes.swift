/// Counts the bytes that a value holds, at any depth and through references: bytes and strings by their length, every
/// other scalar as 8.
///
/// It reads by reflection, so it includes private fields and nothing of other tests. Storage of bytes that several
/// values share counts once. Fields of noncopyable types, closures and the targets of pointers are not visible: a type
/// with such content has to report its size itself.
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
