package import TraceExchange

/// The import of a file of markers.
package func importing(_ text: String, _ format: ExchangeFormat = .audacity) throws -> MarkerImport {
    let format = try format.format(ExchangeContext())
    var markers = try MarkerImport(format)
    var intake = MarkerSink { markers.add($0) }
    format.read(ImportSource(Array(text.utf8), file: "x"), into: &intake)
    return markers
}
