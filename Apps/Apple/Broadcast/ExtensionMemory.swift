import HelioAppModels
import os

/// The memory used by the extension, as the system counts it against the limit.
enum ExtensionMemory {
    /// The memory in bytes; `nil` if the system does not report it.
    static var taken: Int? {
        let left = os_proc_available_memory()
        return left > 0 ? max(0, BroadcastExtensionModel.memoryLimit - Int(left)) : nil
    }
}
