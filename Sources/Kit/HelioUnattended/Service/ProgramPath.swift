private import Foundation

/// The path of a program that root is to run.
package enum ProgramPath {
    /// Returns the program, or the folder above it, that others than root can change, who could so do as root whatever
    /// they like; `nil` if there is none. Folders may be their group's, as /usr/local often is the administrators'.
    package static func weakness(of program: String) -> String? {
        var path = URL(fileURLWithPath: program).resolvingSymlinksInPath().path
        var forbidden: UInt32 = 0o022
        while true {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == 0,
                let permissions = (attributes[.posixPermissions] as? NSNumber)?.uint32Value,
                permissions & forbidden == 0
            else { return path }
            if path == "/" { return nil }
            path = (path as NSString).deletingLastPathComponent
            forbidden = 0o002
        }
    }
}
