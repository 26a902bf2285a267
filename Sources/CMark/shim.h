// What Swift sees of libcmark 0.30. TraceDigest links its archive, so that no command starts later for a library that a page
// alone needs.
#include <cmark.h>
