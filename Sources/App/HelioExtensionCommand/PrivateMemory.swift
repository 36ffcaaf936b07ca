private import Glibc

/// Measures this process's private memory: the pages that would be freed if the process ended.
enum PrivateMemory {
    /// The sum of all private pages, clean and dirty, in kB; 0 if the system does not report it.
    static var kilobytes: Int {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let descriptor = open("/proc/self/smaps_rollup", O_RDONLY)
            guard descriptor >= 0 else { return 0 }
            defer { close(descriptor) }
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return 0 }
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            return text.split(separator: "\n").reduce(0) { sum, line in
                guard line.hasPrefix("Private_Clean:") || line.hasPrefix("Private_Dirty:") else { return sum }
                return sum + (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            }
        }
    }
}
