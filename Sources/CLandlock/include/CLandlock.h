#ifndef CLANDLOCK_H
#define CLANDLOCK_H

// Landlock as the kernel has it: glibc has no wrappers for its calls, syscall(2) and prctl(2) take a number of arguments that Swift can't
// call, and the structures are our own, so that it does not matter of which version the headers are.
//
// Source: landlock(7), linux/landlock.h.

// What may still be done with a file, or with all below a directory.
enum {
  clandlock_read = 1,
  clandlock_execute = 2,
  clandlock_write = 4,
};

// Makes a set of rules that takes every right on files, TCP, abstract Unix sockets and signals to others, as far as the kernel knows of
// them. Returns its descriptor, closed by execve(2), or the negative errno: ENOSYS where the kernel was built without Landlock, EOPNOTSUPP
// where it was started without, else what a filter of system calls answers.
int clandlock_create(void);

// Leaves rights on one file, or on all below a directory, whatever it was opened for. Returns 0 or the errno.
int clandlock_allow(int rules, int descriptor, int rights);

// Puts the calling thread under the rules for good, and with it all that it starts after that. What is open stays open. Returns 0 or the
// errno; the thread then has its rights on files, but may have lost those of setuid programs.
int clandlock_restrict(int rules);

// Opens a place for a rule alone, which needs no right to read it (O_PATH). Returns the descriptor, closed by execve(2), or -1.
int clandlock_open(const char *path);

#endif
