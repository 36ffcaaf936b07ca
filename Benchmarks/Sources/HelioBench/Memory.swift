import CMallocCount
import Glibc

/// The memory of the process, in bytes.
struct Memory {
    /// The bytes allocated by malloc and not freed.
    var allocated: Int
    /// The resident pages of the process.
    var resident: Int

    static func now() -> Memory {
        Memory(allocated: helio_malloc_held(), resident: residentPages() * Int(getpagesize()))
    }

    static func - (a: Memory, b: Memory) -> Memory {
        Memory(allocated: a.allocated - b.allocated, resident: a.resident - b.resident)
    }

    /// The number of resident pages, the second number in `/proc/self/statm`.
    private static func residentPages() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = fread(&text, 1, text.count, file)
        let words = text[..<count].split(separator: UInt8(ascii: " "))
        return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
    }
}
