extension String {
    /// Splits the text, at boundaries between Unicode scalars, into strings of at most `maximumSize` bytes of UTF-8.
    func pieces(ofAtMost maximumSize: Int) -> [String] {
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        var size = 0
        for scalar in unicodeScalars {
            let width = UTF8.width(scalar)
            if size + width > maximumSize {
                pieces.append(String(piece))
                piece = String.UnicodeScalarView()
                size = 0
            }
            piece.append(scalar)
            size += width
        }
        if size > 0 { pieces.append(String(piece)) }
        return pieces
    }
}
