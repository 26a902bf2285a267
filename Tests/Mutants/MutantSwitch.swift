// Copied into each module that holds mutants; never a part of the product.
import Glibc

/// Which mutant is on, and which ones were reached.
///
/// `MUTANT=n` in the environment switches on the mutant of that number. `MUTANT_RECORD=FILE` names a file of zeros in which
/// the byte at a mutant's number becomes 1 when the mutant is reached: mapped into memory, it costs no system call, and what
/// a process that is killed has reached stays in it.
enum MutantSwitch {
    private static let active = getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

    // Sound: bytes are only ever set to 1, by whichever thread or process, and nobody here reads them.
    nonisolated(unsafe) private static let reached: UnsafeMutablePointer<UInt8>? = {
        guard let path = getenv("MUTANT_RECORD") else { return nil }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        return memory == MAP_FAILED ? nil : memory?.assumingMemoryBound(to: UInt8.self)
    }()

    static func isOn(_ number: Int) -> Bool {
        if let reached { reached[number] = 1 }
        return number == active
    }

    static func turn(_ number: Int, _ condition: Bool) -> Bool { isOn(number) != condition }
    static func pass(_ number: Int, _ condition: Bool) -> Bool { isOn(number) || condition }
    static func fail(_ number: Int, _ condition: Bool) -> Bool { !isOn(number) && condition }
}
