/// Statistics with counts of drops by name, to which a driver adds the drops that happen before its engine.
package protocol DropReporting {
    var drops: [String: Int] { get set }
}
