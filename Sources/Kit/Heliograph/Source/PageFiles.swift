package import HelioSignaling
private import HelioWebPages

/// The files of the page for browsers, as servers of HTTP hold them.
package enum PageFiles {
    /// The files for a rendezvous server: its page calls the host that a link names.
    package static func forRendezvous() -> [PageFile] {
        // The page for a host would look for the host at the rendezvous server.
        guard let bundle = try? WebPages.bundle(for: .rendezvous) else { return [] }
        return (WebPages.files.filter { $0.path != "index.html" } + [bundle]).map(file)
    }

    /// The page as one bundled file at `/`, and its scripts and styles as separate files, for inspection. If bundling
    /// fails, `/` is the page that refers to the separate files.
    static func forHost() -> [PageFile] {
        let bundle = try? WebPages.bundle()
        return (WebPages.files + (bundle.map { [$0] } ?? [])).map(file)
    }

    private static func file(_ file: WebPages.File) -> PageFile {
        PageFile(
            path: file.path, bytes: file.bytes, type: file.type, gzipped: file.gzipped(),
            inlineScripts: file.inlineScripts, inlineStyles: file.inlineStyles)
    }
}
