internal import CGTK
private import Glibc

/// An icon in the desktop's tray (StatusNotifierItem, freedesktop.org), without a menu of its own: a click shows the
/// app. Desktops without a tray show none.
@MainActor
package final class TrayItem {
    private static let path = "/StatusNotifierItem"
    private static let interface = "org.kde.StatusNotifierItem"
    private static let watcher = "org.kde.StatusNotifierWatcher"
    private static let description = """
        <node><interface name="org.kde.StatusNotifierItem">
        <property name="Category" type="s" access="read"/><property name="Id" type="s" access="read"/>
        <property name="Title" type="s" access="read"/><property name="Status" type="s" access="read"/>
        <property name="IconName" type="s" access="read"/><property name="ItemIsMenu" type="b" access="read"/>
        <property name="WindowId" type="i" access="read"/><property name="Menu" type="o" access="read"/>
        <method name="Activate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
        <method name="SecondaryActivate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
        <method name="ContextMenu"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
        <method name="Scroll"><arg type="i" direction="in"/><arg type="s" direction="in"/></method>
        <signal name="NewTitle"/><signal name="NewIcon"/>
        <signal name="NewStatus"><arg type="s"/></signal>
        </interface></node>
        """

    private let id: String
    private let activate: () -> Void
    private var bus: OpaquePointer?
    private var registration: UInt32 = 0
    private var owned: UInt32 = 0
    private var title = ""
    private var icon = ""

    /// True once a tray has taken the item.
    package private(set) var isShown = false

    /// - Parameters:
    ///   - id: the app's identifier.
    ///   - activate: called at a click.
    package init(id: String, activate: @escaping () -> Void) {
        self.id = id
        self.activate = activate
    }

    isolated deinit { hide() }

    /// Shows the item, or changes it.
    package func show(icon: String, title: String) {
        let (hadIcon, hadTitle) = (self.icon, self.title)
        (self.icon, self.title) = (icon, title)
        guard let bus else { return begin() }
        if hadIcon != icon { emit("NewIcon", on: bus) }
        if hadTitle != title { emit("NewTitle", on: bus) }
    }

    package func hide() {
        guard let bus else { return }
        g_bus_unown_name(owned)
        g_dbus_connection_unregister_object(bus, registration)
        g_object_unref(UnsafeMutableRawPointer(bus))
        self.bus = nil
        isShown = false
    }

    private func begin() {
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return }
        guard let node = g_dbus_node_info_new_for_xml(Self.description, nil) else {
            return g_object_unref(UnsafeMutableRawPointer(bus))
        }
        defer { g_dbus_node_info_unref(node) }
        var table = GDBusInterfaceVTable()
        table.method_call = { _, _, _, _, method, _, call, item in TrayItem.call(item, method, call) }
        table.get_property = { _, _, _, _, name, _, item in TrayItem.property(item, name) }
        registration = g_dbus_connection_register_object(
            bus, Self.path, node.pointee.interfaces[0], &table, Unmanaged.passRetained(self).toOpaque(),
            { item in if let item { Unmanaged<TrayItem>.fromOpaque(item).release() } }, nil)
        let name = "\(Self.interface)-\(getpid())-1"
        owned = g_bus_own_name_on_connection(bus, name, G_BUS_NAME_OWNER_FLAGS_NONE, nil, nil, nil, nil)
        self.bus = bus
        var argument = g_variant_new_string(name)
        g_dbus_connection_call(
            bus, Self.watcher, "/StatusNotifierWatcher", Self.watcher, "RegisterStatusNotifierItem",
            g_variant_new_tuple(&argument, 1), nil, G_DBUS_CALL_FLAGS_NONE, 5000, nil,
            { bus, result, item in TrayItem.registered(bus, result, item) }, Unmanaged.passRetained(self).toOpaque())
    }

    private nonisolated static func registered(
        _ bus: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: UnsafeMutableRawPointer?
    ) {
        guard let data else { return }
        let answer = g_dbus_connection_call_finish(bus.map { OpaquePointer($0) }, result, nil)
        let isTaken = answer != nil
        if let answer { g_variant_unref(answer) }
        let item = Unmanaged<TrayItem>.fromOpaque(data).takeRetainedValue()
        MainActor.assumeIsolated { item.isShown = isTaken && item.bus != nil }
    }

    private nonisolated static func call(
        _ data: UnsafeMutableRawPointer?, _ method: UnsafePointer<CChar>?, _ call: OpaquePointer?
    ) {
        if let data, let method, ["Activate", "SecondaryActivate", "ContextMenu"].contains(String(cString: method)) {
            let item = Unmanaged<TrayItem>.fromOpaque(data).takeUnretainedValue()
            MainActor.assumeIsolated { item.activate() }
        }
        g_dbus_method_invocation_return_value(call, nil)
    }

    private nonisolated static func property(
        _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?
    ) -> OpaquePointer? {
        guard let data, let name else { return nil }
        let item = Unmanaged<TrayItem>.fromOpaque(data).takeUnretainedValue()
        let (id, title, icon) = MainActor.assumeIsolated { (item.id, item.title, item.icon) }
        switch String(cString: name) {
        case "Category": return g_variant_new_string("ApplicationStatus")
        case "Id": return g_variant_new_string(id)
        case "Title": return g_variant_new_string(title)
        case "Status": return g_variant_new_string("Active")
        case "IconName": return g_variant_new_string(icon)
        case "ItemIsMenu": return g_variant_new_boolean(0)
        case "WindowId": return g_variant_new_int32(0)
        default: return g_variant_new_object_path("/NO_DBUSMENU")
        }
    }

    private func emit(_ signal: String, on bus: OpaquePointer) {
        g_dbus_connection_emit_signal(bus, nil, Self.path, Self.interface, signal, nil, nil)
    }
}
