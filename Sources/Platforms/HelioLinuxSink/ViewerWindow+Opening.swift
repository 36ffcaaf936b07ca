internal import CSDL2
private import Glibc
internal import HelioCore

/// A window of SDL's, and its Wayland side if it has one.
struct OpenedWindow {
    var window: OpaquePointer
    var wayland: WaylandWindow?
    /// See `ViewerWindow.note`.
    var note: String?
}

extension ViewerWindow {
    /// The identifier of the program for Wayland compositors, which find its icon and name by it: the name of its
    /// .desktop file without the ending.
    static let applicationID = "heliograph"

    /// Sets a Unicode locale if the environment does not name one that exists (a bare login, a container): SDL gets the
    /// characters of keys from Xlib, which supports only those of the locale's character set.
    private static func wantUnicode() {
        let locale = newlocale(1 << LC_CTYPE, "", nil)
        defer { if let locale { freelocale(locale) } }
        let codes = locale.flatMap { nl_langinfo_l(nl_item(CODESET), $0) }.map { String(cString: $0) }
        if codes != "UTF-8" { setenv("LC_ALL", "C.UTF-8", 1) }
    }

    private static func setHints() {
        SDL_SetMainReady()
        // SDL must not use a renderer for the window's surface, must not install signal handlers, and must ask
        // compositors to let the window bypass them.
        SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0")
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
        SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "1")
        SDL_SetHint(SDL_HINT_APP_NAME, "Heliograph")
        // X itself grabs the pointer while a button is down; SDL would request another grab, and wait for the reply.
        SDL_SetHint(SDL_HINT_MOUSE_AUTO_CAPTURE, "0")
        // SDL 2 reads the identifier from the environment, SDL 3 beneath SDL 2's interface as a hint.
        setenv("SDL_VIDEO_WAYLAND_WMCLASS", applicationID, 0)
        SDL_SetHint("SDL_APP_ID", applicationID)
    }

    /// Opens a window of the first window system that gives one.
    static func open(_ title: String, _ options: WindowOptions) throws(HelioError) -> OpenedWindow {
        wantUnicode()
        setHints()
        let system = WindowSystem.choose()
        var lack = system.lack
        if let lack, system.isWayland(WindowSystem.variable) {
            throw HelioError(.displayUnavailable, "SDL_VIDEODRIVER wants a Wayland window, but \(lack).")
        }
        var failure = HelioError(.displayUnavailable, "There is no screen to open a window on.")
        for (index, driver) in (system.drivers.isEmpty ? [nil] : system.drivers.map(Optional.some)).enumerated() {
            if let driver {
                // Above an empty value in the environment.
                SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, driver.rawValue, SDL_HINT_OVERRIDE)
            } else {
                SDL_ResetHint(SDL_HINT_VIDEODRIVER)
            }
            do throws(HelioError) {
                let mayDraw = index + 1 >= system.drivers.count
                var opened = try open(title, options, isByEnvironment: driver == nil, mayDraw: mayDraw)
                if system.compositor != nil { opened.note = sentence(on: opened, lack: lack) }
                return opened
            } catch {
                if index == 0 {
                    failure = error
                    if driver == .wayland { lack = lack ?? "SDL opens no Wayland window (\(error.message))" }
                }
            }
        }
        guard let missing = system.lack else { throw failure }
        throw HelioError(
            .displayUnavailable, "There is no screen to open a window on: \(missing), and no X server answers.",
            remedy: .watchFromDesktop)
    }

    /// Opens a window by SDL's present driver.
    ///
    /// - Parameters:
    ///   - isByEnvironment: true if `$SDL_VIDEODRIVER`, where set, has chosen the driver.
    ///   - mayDraw: true to let SDL draw on a Wayland compositor that lacks what this program's own drawing needs.
    private static func open(
        _ title: String, _ options: WindowOptions, isByEnvironment: Bool, mayDraw: Bool
    ) throws(HelioError) -> OpenedWindow {
        guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else {
            throw HelioError(
                .displayUnavailable, "There is no screen to open a window on (\(sdlError)).", remedy: .watchFromDesktop)
        }
        let driver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? ""
        if !isByEnvironment || SDL_getenv("SDL_VIDEODRIVER") == nil, invisible.contains(driver) {
            SDL_QuitSubSystem(SDL_INIT_VIDEO)
            throw HelioError(
                .displayUnavailable, "There is no screen to open a window on.", remedy: .watchFromDesktop)
        }
        // Disable SDL's log, which would contain unknown keys, and so reveal text typed by a program.
        SDL_LogSetAllPriority(SDL_LOG_PRIORITY_CRITICAL)
        helio_x11_want_keys()
        var flags = SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
        // A Wayland window must be on a screen first, or SDL would choose one.
        if options.isFullScreen, driver != WindowSystem.Driver.wayland.rawValue {
            flags |= SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue
        }
        let centered = Int32(bitPattern: 0x2FFF_0000)  // SDL_WINDOWPOS_CENTERED
        guard
            let window = SDL_CreateWindow(
                title, centered, centered, Int32(options.size.width), Int32(options.size.height), flags)
        else {
            let error = sdlError
            SDL_QuitSubSystem(SDL_INIT_VIDEO)
            throw HelioError(.displayUnavailable, "The window can't be opened: \(error)")
        }
        let wayland = WaylandWindow(of: window)
        if wayland == nil, driver == WindowSystem.Driver.wayland.rawValue, !mayDraw {
            close(OpenedWindow(window: window))
            throw HelioError(.displayUnavailable, "The Wayland compositor lacks what a window needs.")
        }
        return OpenedWindow(window: window, wayland: wayland)
    }

    /// The SDL video drivers that show no window, to which SDL falls back if there is no screen.
    private static let invisible: Set = ["dummy", "offscreen", "evdev"]

    private static func sentence(on opened: OpenedWindow, lack: String?) -> String {
        if opened.wayland != nil { return "The window is a Wayland window." }
        let driver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? ""
        if driver == WindowSystem.Driver.wayland.rawValue {
            return "The window is a Wayland window, drawn by SDL, which is slower."
        }
        let why = lack.map { ": \($0)" } ?? ", as SDL_VIDEODRIVER says"
        return "The window is an X11 window in a Wayland session\(why)."
    }

    static func close(_ opened: OpenedWindow) {
        opened.wayland?.close()
        SDL_DestroyWindow(opened.window)
        SDL_QuitSubSystem(SDL_INIT_VIDEO)
    }
}
