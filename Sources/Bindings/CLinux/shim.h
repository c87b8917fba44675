#pragma once
// Headers that Swift's Glibc module does not export.
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <wchar.h>

// prctl is variadic, which Swift cannot call; pthread_setname_np is hidden without _GNU_SOURCE.
static inline void allspeak_name_this_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// accept4 is hidden without _GNU_SOURCE; this is its glibc prototype.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
static inline int allspeak_accept(int descriptor) {
    return accept4(descriptor, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// memfd_create is hidden without _GNU_SOURCE; this is its glibc prototype. The 1 is MFD_CLOEXEC.
extern int memfd_create(const char *name, unsigned int flags);
static inline int allspeak_memory_file(const char *name) {
    return memfd_create(name, 1);
}

// wcwidth is hidden without _XOPEN_SOURCE; this is its glibc prototype.
extern int wcwidth(wchar_t character);

// O_TMPFILE is hidden without _GNU_SOURCE; this is the kernel's number (include/uapi/asm-generic/fcntl.h).
enum {
    ALLSPEAK_O_TMPFILE_BIT = 020000000,
};
