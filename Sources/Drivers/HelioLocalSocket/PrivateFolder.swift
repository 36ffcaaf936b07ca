private import CFileStatus
package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Prepares the private folder of a socket, which prevents other users from connecting to the socket.
package enum PrivateFolder {
    /// Makes the folder of a path, with mode 0700, if there is none. Throws `systemFailed` if it can't be made,
    /// belongs to another user, or is open to others.
    package static func prepare(for path: String) throws(HelioError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw HelioError(.invalidArgument, "A socket wants a folder of its own: \(path)")
        }
        let folder = String(path[..<slash])
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw HelioError(
                .systemFailed, "The folder \(folder) can't be made (\(String(cString: strerror(errno)))).")
        }
        var status = helio_file_status()
        guard helio_file_status_of_path(folder, &status) != 0, status.is_folder != 0 else {
            throw HelioError(.systemFailed, "\(folder) is no folder.")
        }
        guard status.owner == geteuid() else {
            throw HelioError(.systemFailed, "The folder \(folder) belongs to somebody else.")
        }
        guard status.permissions & 0o077 == 0 else {
            throw HelioError(.systemFailed, "The folder \(folder) is open to others: its mode is to be 0700.")
        }
    }
}
