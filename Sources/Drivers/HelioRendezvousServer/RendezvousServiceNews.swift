/// An event that the operator of a `RendezvousService` has to know.
package enum RendezvousServiceNews: Sendable, Hashable {
    /// The files of the certificate have changed: new connections see the new one.
    case certificateChanged
    /// The files of the certificate can't be read now: the earlier certificate stays. With the reason.
    case certificateUnreadable(String)
    /// The store could not write so many changes.
    case storeFailed(changes: Int)
    /// The store that the instances share can't be read at the start: it is tried again. With the reason.
    case storeUnreadable(String)
    /// The bus is there: this instance meets the others.
    case busConnected
    /// The bus is away: this instance serves its own devices alone, and looks for it. With the reason.
    case busLost(String)
}
