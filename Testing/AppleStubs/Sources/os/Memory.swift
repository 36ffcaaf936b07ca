// Of iOS alone.
import AppleBase

public func os_proc_available_memory() -> Int { stub() }
