internal import Glibc
internal import TraceFuzzing

/// Which reader is fed: `TRACE_FUZZ_TARGET`, since the arguments are libFuzzer's.
private let target: FuzzTarget = {
    let name = getenv("TRACE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        print(
            "TRACE_FUZZ_TARGET must be \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")), not '\(name)'"
        )
        exit(64)
    }
    return target
}()

/// What libFuzzer, which brings its own `main`, calls with each input that it makes up.
///
/// The process ends with a trap at the first input of which something does not hold; libFuzzer then keeps it.
///
/// Source: llvm.org/docs/LibFuzzer.html, "Fuzz Target".
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    // Sound: libFuzzer lends `size` bytes for the length of the call.
    let input = Array(UnsafeBufferPointer(start: data, count: size))
    do {
        try target.check(input)
    } catch {
        fatalError("\(target.rawValue): \(error)")
    }
    return 0
}
