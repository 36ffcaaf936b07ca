internal import CFileStatus
internal import HelioTransferWire

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// An open file or folder, closed with the last reference.
final class OpenFile {
    let descriptor: Int32

    /// Takes ownership of an open descriptor.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens a name in a folder, without following a symbolic link, and without blocking on a named pipe.
    convenience init(_ name: String, in folder: OpenFile, _ flags: Int32, mode: UInt32 = 0) throws(SystemFailure) {
        let descriptor = openat(
            folder.descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode_t(mode))
        guard descriptor >= 0 else { throw SystemFailure(errno) }
        self.init(descriptor)
    }

    var status: helio_file_status? {
        var status = helio_file_status()
        return helio_file_status_of_descriptor(descriptor, &status) != 0 ? status : nil
    }

    /// Returns the status of a name in this folder; for a symbolic link, the status of the link itself. `nil` if the
    /// name does not exist.
    func status(of name: String) -> helio_file_status? {
        var status = helio_file_status()
        return helio_file_status_at(descriptor, name, &status) != 0 ? status : nil
    }

    /// Returns the names in this folder as bytes, sorted; at most `limit` names are read. `nil` if the folder can't be
    /// read.
    func names(limit: Int) -> [[UInt8]]? {
        // A second descriptor is needed, since `fdopendir` takes ownership of its argument.
        let listed = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard listed >= 0 else { return nil }
        guard let list = fdopendir(listed) else {
            close(listed)
            return nil
        }
        defer { closedir(list) }
        var names: [[UInt8]] = []
        while names.count < limit, let entry = readdir(list) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
