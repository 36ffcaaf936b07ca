internal import HelioGTK

/// The app's colours, which are the page's for browsers: amber on the desktop's own light or dark.
@MainActor
enum Style {
    static func apply(to app: Application) {
        app.addStyle(
            light: colors(accent: "#8a5a00", text: "#ffffff") + rules,
            dark: colors(accent: "#f2b84b", text: "#1b1404") + rules)
    }

    private static func colors(accent: String, text: String) -> String {
        """
        @define-color accent_color \(accent);
        @define-color accent_bg_color \(accent);
        @define-color accent_fg_color \(text);

        """
    }

    private static let rules = """
        .heliograph-digits { font-size: 38px; font-weight: 700; letter-spacing: 4px; font-feature-settings: "tnum"; }
        .heliograph-code { background: #ffffff; border-radius: 12px; padding: 6px; }
        .heliograph-question { padding: 18px; }
        .heliograph-live { color: @accent_color; }
        """
}
