/// An output, workspace or window in sway's tree, as far as tests ask for it.
package struct SwayNode: Decodable, Sendable {
    package struct Rect: Decodable, Sendable, Hashable {
        package var x, y, width, height: Int
    }

    package var type: String
    package var name: String?
    package var rect: Rect
    package var focused: Bool
    package var visible: Bool?
    /// 1 for a window in full screen.
    package var fullscreenMode: Int?
    /// The identifier of a Wayland window's program.
    package var appID: String?
    /// `xdg_shell` for a Wayland window, `xwayland` for an X11 one.
    package var shell: String?
    /// True while a window's program keeps the screen from turning off.
    package var inhibitsIdle: Bool?
    package var marks: [String]
    private var nodes: [SwayNode]
    private var floatingNodes: [SwayNode]

    private enum CodingKeys: String, CodingKey {
        case type, name, rect, focused, visible, shell, marks, nodes
        case fullscreenMode = "fullscreen_mode"
        case appID = "app_id"
        case inhibitsIdle = "inhibit_idle"
        case floatingNodes = "floating_nodes"
    }

    /// The node and all below it.
    package var all: [SwayNode] { [self] + (nodes + floatingNodes).flatMap(\.all) }

    /// The windows, wherever they are.
    package var windows: [SwayNode] { all.filter { $0.shell != nil } }
}
