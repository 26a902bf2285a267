// What Swift sees of libinotifytools 3.22: the library's own header and the kernel's event masks.
// TraceWatch calls seven of its functions; docs/watching.md says why the others are left alone.
#include <inotifytools/inotify.h>
#include <inotifytools/inotifytools.h>

// inotify_add_watch(2): fail with EEXIST instead of changing a watch that exists (Linux 4.18). C libraries older
// than the kernel lack it.
#ifndef IN_MASK_CREATE
#define IN_MASK_CREATE 0x10000000
#endif
