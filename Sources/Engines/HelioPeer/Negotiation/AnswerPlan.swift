/// The slots and the agreement that take effect once this end's answer is set.
struct AnswerPlan: Sendable {
    var slots: [Slot]
    var agreement: Agreement
}
