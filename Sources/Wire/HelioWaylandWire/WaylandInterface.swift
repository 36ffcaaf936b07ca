/// The interfaces of Wayland that Heliograph uses as a client, by their names in the protocols' descriptions: core
/// Wayland, xdg-output, and wlroots' screencopy, virtual pointer, data control; the virtual keyboard; and the ext
/// protocols that have come after wlroots' own, image-copy-capture, image-capture-source and data-control.
package enum WaylandInterface: String, Sendable, Hashable, CaseIterable {
    case display = "wl_display"
    case registry = "wl_registry"
    case callback = "wl_callback"
    case shm = "wl_shm"
    case shmPool = "wl_shm_pool"
    case buffer = "wl_buffer"
    case output = "wl_output"
    case seat = "wl_seat"
    case xdgOutputManager = "zxdg_output_manager_v1"
    case xdgOutput = "zxdg_output_v1"
    case screencopyManager = "zwlr_screencopy_manager_v1"
    case screencopyFrame = "zwlr_screencopy_frame_v1"
    case virtualPointerManager = "zwlr_virtual_pointer_manager_v1"
    case virtualPointer = "zwlr_virtual_pointer_v1"
    case virtualKeyboardManager = "zwp_virtual_keyboard_manager_v1"
    case virtualKeyboard = "zwp_virtual_keyboard_v1"
    case dataControlManager = "zwlr_data_control_manager_v1"
    case dataControlDevice = "zwlr_data_control_device_v1"
    case dataControlSource = "zwlr_data_control_source_v1"
    case dataControlOffer = "zwlr_data_control_offer_v1"
    case pointer = "wl_pointer"
    case outputSourceManager = "ext_output_image_capture_source_manager_v1"
    case captureSource = "ext_image_capture_source_v1"
    case copyManager = "ext_image_copy_capture_manager_v1"
    case copySession = "ext_image_copy_capture_session_v1"
    case copyFrame = "ext_image_copy_capture_frame_v1"
    case cursorSession = "ext_image_copy_capture_cursor_session_v1"
    /// The manager of ext-data-control. Its objects have the requests and events of wlroots' data control, in the same
    /// order, so they are used as such.
    case commonDataControlManager = "ext_data_control_manager_v1"

    /// The latest version that this client understands; a global is bound with this one or the compositor's, whichever
    /// is lower.
    package var latestVersion: UInt32 {
        switch self {
        case .output: 4
        case .seat, .xdgOutputManager, .screencopyManager: 3
        case .virtualPointerManager, .dataControlManager: 2
        default: 1
        }
    }

    /// The number of the request that destroys an object; `nil` if the interface has none.
    ///
    /// - Parameter version: the object's version: an output and a pointer can be released from version 3
    ///   on.
    package func destroyOpcode(version: UInt32) -> UInt16? {
        switch self {
        case .buffer, .xdgOutput, .captureSource, .copyFrame, .cursorSession: 0
        case .output: version >= 3 ? 0 : nil
        case .shmPool, .screencopyFrame, .dataControlDevice, .dataControlSource, .dataControlOffer, .copySession: 1
        case .pointer: version >= 3 ? 1 : nil
        case .virtualKeyboard: 3
        case .virtualPointer: 8
        default: nil
        }
    }

    /// The first identifier of the objects that the compositor makes; all below are the client's.
    package static let firstServerObject: UInt32 = 0xFF00_0000
    /// The identifier of `wl_display`, the object that is there from the start.
    package static let displayObject: UInt32 = 1
}
