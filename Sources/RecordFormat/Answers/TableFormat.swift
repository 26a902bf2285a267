/// A format of tables for other programs.
package enum TableFormat: String, CaseIterable, Sendable {
    case tsv, csv
}
