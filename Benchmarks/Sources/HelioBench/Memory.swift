import CMallocCount
import Glibc

/// What the process holds, in bytes.
struct Memory {
    /// Handed out by malloc and not given back.
    var allocated: Int
    /// Of the process's pages, those in memory.
    var resident: Int

    static func now() -> Memory {
        Memory(allocated: helio_malloc_held(), resident: residentPages() * Int(getpagesize()))
    }

    static func - (a: Memory, b: Memory) -> Memory {
        Memory(allocated: a.allocated - b.allocated, resident: a.resident - b.resident)
    }

    /// The second number of `/proc/self/statm`.
    private static func residentPages() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = fread(&text, 1, text.count, file)
        let words = text[..<count].split(separator: UInt8(ascii: " "))
        return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
    }
}
