import HelioAppModels
import os

/// The memory that the extension takes, as the system counts it against the limit.
enum ExtensionMemory {
    /// In bytes; `nil` where the system does not tell.
    static var taken: Int? {
        let left = os_proc_available_memory()
        return left > 0 ? max(0, BroadcastExtensionModel.memoryLimit - Int(left)) : nil
    }
}
