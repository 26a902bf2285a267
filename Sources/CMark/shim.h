// What Swift sees of libcmark-gfm 0.29 and its extensions. TraceDigest links their archives, so that no command starts later for
// libraries that a page alone needs.
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
