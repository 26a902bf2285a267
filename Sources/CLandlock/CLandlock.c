#define _GNU_SOURCE
#include "CLandlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The same on every architecture.
enum { create_ruleset = 444, add_rule = 445, restrict_self = 446 };
enum { version_flag = 1, path_beneath = 1 };

enum {
  fs_execute = 1 << 0,
  fs_write_file = 1 << 1,
  fs_read_file = 1 << 2,
  fs_read_dir = 1 << 3,
  fs_truncate = 1 << 14,
};

struct handled {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

struct beneath {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

// Below 0, the negative errno.
static int version(void) {
  long answer = syscall(create_ruleset, NULL, (size_t)0, version_flag);
  return answer < 0 ? -errno : (int)answer;
}

// All that a version of the kernel knows: what is not named here is not restricted.
static struct handled everything(int version) {
  struct handled all = {.files = (1 << 13) - 1};
  if (version >= 2) all.files |= 1 << 13; // moving into another directory
  if (version >= 3) all.files |= fs_truncate;
  if (version >= 4) all.network = 3; // bind and connect by TCP
  if (version >= 5) all.files |= 1 << 15; // ioctl of devices
  if (version >= 6) all.scopes = 3; // abstract sockets, signals
  return all;
}

int clandlock_create(void) {
  int known = version();
  if (known < 0) return known;
  struct handled all = everything(known);
  long rules = syscall(create_ruleset, &all, sizeof all, 0);
  return rules < 0 ? -errno : (int)rules;
}

int clandlock_allow(int rules, int descriptor, int rights) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return errno;
  uint64_t allowed = 0;
  if (rights & clandlock_read) allowed |= fs_read_file | (S_ISDIR(status.st_mode) ? fs_read_dir : 0);
  if (rights & clandlock_execute) allowed |= fs_execute;
  if (rights & clandlock_write) allowed |= fs_write_file | fs_truncate;
  struct beneath rule = {.allowed = allowed & everything(version()).files, .parent = descriptor};
  return syscall(add_rule, rules, path_beneath, &rule, 0) == 0 ? 0 : errno;
}

int clandlock_restrict(int rules) {
  // Without it only root may.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return syscall(restrict_self, rules, 0) == 0 ? 0 : errno;
}

int clandlock_open(const char *path) { return open(path, O_PATH | O_CLOEXEC); }
