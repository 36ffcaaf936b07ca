@_exported public import Darwin

public struct helio_file_status {
    public var inode: UInt64 { stub() }
    public var size: Int64 { stub() }
    public var modified: Int64 { stub() }
    public var permissions: UInt32 { stub() }
    public var owner: UInt32 { stub() }
    public var is_plain_file: Int32 { stub() }
    public var is_folder: Int32 { stub() }
    public var device: UInt64 { stub() }
    public var links: UInt64 { stub() }
    public init() { stub() }
}
public func helio_file_status_of_path(
    _ path: UnsafePointer<CChar>!, _ out: UnsafeMutablePointer<helio_file_status>!
) -> Int32 { stub() }
public func helio_file_status_of_descriptor(
    _ descriptor: Int32, _ out: UnsafeMutablePointer<helio_file_status>!
) -> Int32 { stub() }
public func helio_file_status_at(
    _ folder: Int32, _ name: UnsafePointer<CChar>!, _ out: UnsafeMutablePointer<helio_file_status>!
) -> Int32 { stub() }
