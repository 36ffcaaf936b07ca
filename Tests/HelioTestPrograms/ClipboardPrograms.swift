import Foundation

/// Third-party programs that copy and paste.
package enum ClipboardPrograms {
    /// Copies content with `xclip`, which keeps it until another program copies.
    package static func xclip(
        _ content: [UInt8], _ target: String, on desktop: Desktop, selection: String = "clipboard"
    ) throws -> RunningProgram {
        let file = FileManager.default.temporaryDirectory.appending(path: "clip-\(UUID().uuidString)")
        try Data(content).write(to: file)
        let program = try desktop.start(
            "xclip", ["-quiet", "-selection", selection, "-t", target, "-i", file.path])
        try program.line(with: "Waiting for")
        try FileManager.default.removeItem(at: file)
        return program
    }

    /// Pastes with `xclip`.
    package static func xclipPaste(
        _ target: String, on desktop: Desktop, selection: String = "clipboard"
    ) throws -> [UInt8] {
        [UInt8](
            try Tool.run(
                ["xclip", "-selection", selection, "-t", target, "-o"], environment: ["DISPLAY": desktop.display]))
    }

    /// Copies or pastes a picture, text or HTML with GTK.
    package static func gtk(_ program: String, on desktop: Desktop, _ arguments: String...) throws -> RunningProgram {
        try desktop.start(
            "/usr/bin/python3", ["-u", "-c", prelude + program] + arguments,
            environment: ["GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"])
    }

    private static let prelude = """
        import gi, hashlib, random, sys
        gi.require_version('Gtk', '3.0')
        from gi.repository import Gtk, Gdk, GdkPixbuf, GLib
        clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
        def digest(pixbuf):
            rows = pixbuf.get_pixels()
            width = pixbuf.get_width() * pixbuf.get_n_channels()
            whole = b''.join(rows[y * pixbuf.get_rowstride():][:width] for y in range(pixbuf.get_height()))
            return hashlib.sha256(whole).hexdigest()

        """

    /// A script that copies a square picture of noise, and prints its digest.
    package static let copyPicture = """
        side = int(sys.argv[1])
        noise = random.Random(1).randbytes(side * side * 3)
        picture = GdkPixbuf.Pixbuf.new_from_bytes(
            GLib.Bytes.new(noise), GdkPixbuf.Colorspace.RGB, False, 8, side, side, side * 3)
        clipboard.set_image(picture)
        print('copied', digest(picture))
        Gtk.main()
        """

    /// A script that pastes a picture, and prints its digest.
    package static let pastePicture = """
        picture = clipboard.wait_for_image()
        print('pasted', digest(picture) if picture else 'nothing')
        """

    package static let copyText = """
        clipboard.set_text(sys.argv[1], -1)
        print('copied')
        Gtk.main()
        """

    package static let pasteText = """
        # Not by wait_for_text, which makes line feeds of all ends of lines.
        content = clipboard.wait_for_contents(Gdk.Atom.intern('UTF8_STRING', False))
        print('pasted', content.get_data().hex() if content else 'nothing')
        """

    package static let pasteHTML = """
        content = clipboard.wait_for_contents(Gdk.Atom.intern('text/html', False))
        print('pasted', content.get_data().hex() if content else 'nothing')
        """
}
