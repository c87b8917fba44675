// Stands between the test program and the C library, and counts.
//
// A sanitizer does the same for its own ends, so under one this file is empty.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#ifndef SANITIZED
#define _GNU_SOURCE
#include "CallCounter.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread unsigned char isCounting;
static __thread unsigned long allocations, locks;

void call_counter_begin(void) {
    allocations = 0;
    locks = 0;
    isCounting = 1;
}

void call_counter_end(void) { isCounting = 0; }

unsigned long call_counter_allocations(void) { return allocations; }

unsigned long call_counter_locks(void) { return locks; }

void *malloc(size_t size) {
    allocations += isCounting;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations += isCounting;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    allocations += isCounting;
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    allocations += isCounting;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *made = memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *block = made;
    return 0;
}

static int (*lockMutex)(pthread_mutex_t *);

// Threads may come here at once: all of them find the same.
int pthread_mutex_lock(pthread_mutex_t *mutex) {
    int (*lock)(pthread_mutex_t *) = __atomic_load_n(&lockMutex, __ATOMIC_RELAXED);
    if (lock == NULL) {
        lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
        __atomic_store_n(&lockMutex, lock, __ATOMIC_RELAXED);
    }
    locks += isCounting;
    return lock(mutex);
}
#endif
