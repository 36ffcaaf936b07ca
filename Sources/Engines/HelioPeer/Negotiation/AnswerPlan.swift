/// What setting an answer of this end's comes to.
struct AnswerPlan: Sendable {
    var slots: [Slot]
    var agreement: Agreement
}
