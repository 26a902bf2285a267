// What Swift sees of libcmark 0.30. TraceMarkdown links its archive, so that no command starts later for a library that a page
// alone needs.
#include <cmark.h>
