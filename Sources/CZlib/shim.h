// What Swift sees of zlib 1.2. TraceServer links its archive, so that the daemon starts no later for a library that its answers
// alone need.
#include <zlib.h>
