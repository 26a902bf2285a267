internal import Glibc
internal import TraceFuzzing
internal import TraceServerFuzzing

/// Which reader is fed: `TRACE_FUZZ_TARGET`, since the arguments are libFuzzer's.
private let target: @Sendable (UnsafeRawBufferPointer) throws -> Void = {
    let name = getenv("TRACE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    if let target = FuzzTarget(rawValue: name) { return { try target.check(Array($0)) } }
    if let target = ProtocolFuzzTarget(rawValue: name) { return { try target.check($0) } }
    let names = FuzzTarget.allCases.map(\.rawValue) + ProtocolFuzzTarget.allCases.map(\.rawValue)
    print("TRACE_FUZZ_TARGET must be \(names.joined(separator: ", ")), not '\(name)'")
    exit(64)
}()

/// What libFuzzer, which brings its own `main`, calls with each input that it makes up.
///
/// The process ends with a trap at the first input of which something does not hold; libFuzzer then keeps it.
///
/// Source: llvm.org/docs/LibFuzzer.html, "Fuzz Target".
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    do {
        // Sound: libFuzzer lends `size` bytes for the length of the call.
        try target(UnsafeRawBufferPointer(start: data, count: size))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
