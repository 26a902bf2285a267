// Parses each line of a file into libsimdjson's DOM, one thread, and does nothing with it.
//
// usage: bare_simdjson FILE
//
// Reads a mebibyte at a time into one buffer, which is faster than mapping the file. Prints the number of lines.
#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

int main(int count, char **arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: %s FILE\n", arguments[0]);
        return 64;
    }
    int file = open(arguments[1], O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        std::fprintf(stderr, "error: %s: %s\n", arguments[1], std::strerror(errno));
        return 74;
    }
    constexpr size_t size = 1 << 20;
    std::vector<char> buffer(size + simdjson::SIMDJSON_PADDING);
    simdjson::dom::parser parser;
    size_t lines = 0, held = 0;
    while (true) {
        ssize_t got = read(file, buffer.data() + held, size - held);
        if (got < 0) {
            std::fprintf(stderr, "error: %s: %s\n", arguments[1], std::strerror(errno));
            return 74;
        }
        if (got == 0) break;
        held += static_cast<size_t>(got);
        char *start = buffer.data();
        char *const end = start + held;
        while (auto *newline = static_cast<char *>(std::memchr(start, '\n', static_cast<size_t>(end - start)))) {
            simdjson::dom::element root;
            // The bytes behind the line may be read: the buffer has padding at its end.
            if (auto error = parser.parse(start, static_cast<size_t>(newline - start), false).get(root)) {
                std::fprintf(stderr, "error: line %zu: %s\n", lines + 1, simdjson::error_message(error));
                return 65;
            }
            lines++;
            start = newline + 1;
        }
        held = static_cast<size_t>(end - start);
        std::memmove(buffer.data(), start, held);
    }
    std::printf("%zu\n", lines);
    return 0;
}
