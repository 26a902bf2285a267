// What Swift sees of libxxhash 0.8: its functions, and the layout of the states that are values. TraceIndex links its archive, so
// that no command starts later for a library that an index alone needs.
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>
