internal import CSDL2
internal import HelioCore

/// Draws lines of text on a dark, translucent panel.
final class TextRenderer {
    private let font: OpaquePointer
    private static let padding: Int32 = 10

    /// Fixed-width fonts; the first that exists is used.
    private static let fonts = [
        "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
        "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf",
        "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
        "/usr/share/fonts/truetype/freefont/FreeMono.ttf",
    ]

    /// Opens the first font that exists; `nil` if there is none, and the window then shows no text.
    init?(pointSize: Int32) {
        guard TTF_Init() == 0 else { return nil }
        guard let font = Self.fonts.lazy.compactMap({ TTF_OpenFont($0, pointSize) }).first else {
            TTF_Quit()
            return nil
        }
        self.font = font
    }

    deinit {
        TTF_CloseFont(font)
        TTF_Quit()
    }

    /// Breaks a text between words into lines that fit into a panel of `width` pixels; a longer word stays whole.
    func wrap(_ text: String, width: Int) -> [String] {
        var advance: Int32 = 0
        guard TTF_SizeUTF8(font, "n", &advance, nil) == 0, advance > 0 else { return [text] }
        // All characters of the font have the same width.
        let columns = max(16, (width - 2 * Int(Self.padding)) / Int(advance))
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Renders `lines` on a new surface, to be blended over the window; the caller frees it.
    func render(_ lines: [String]) -> UnsafeMutablePointer<SDL_Surface>? {
        let white = SDL_Color(r: 240, g: 240, b: 240, a: 255)
        var rows: [UnsafeMutablePointer<SDL_Surface>?] = []
        for line in lines { rows.append(line.isEmpty ? nil : TTF_RenderUTF8_Blended(font, line, white)) }
        defer { for row in rows { SDL_FreeSurface(row) } }
        let height = TTF_FontLineSkip(font)
        let width = rows.reduce(Int32(0)) { max($0, $1?.pointee.w ?? 0) }
        let panel = SDL_CreateRGBSurfaceWithFormat(
            0, width + 2 * Self.padding, height * Int32(lines.count) + 2 * Self.padding, 32,
            SDL_PIXELFORMAT_ARGB8888.rawValue)
        guard let panel else { return nil }
        SDL_FillRect(panel, nil, SDL_MapRGBA(panel.pointee.format, 16, 16, 16, 208))
        for (index, row) in rows.enumerated() {
            guard let row else { continue }
            _ = helio_sdl_blit(row, panel, Self.padding, Self.padding + Int32(index) * height)
        }
        SDL_SetSurfaceBlendMode(panel, SDL_BLENDMODE_BLEND)
        return panel
    }
}
