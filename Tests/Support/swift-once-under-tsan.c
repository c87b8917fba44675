// Linked into everything that is built for the thread sanitizer: keeps Swift's runtime from hiding races.
//
// The runtime tells the sanitizer of its locks. Under the sanitizer `swift_once` takes the lock of its token each time, not
// only the first (lib/Threading/Linux.cpp of Swift 6.3), and tells of that as well. Every look at generic metadata goes
// through such a token, and those of Array or Optional are everybody's. So to the sanitizer any two threads of a debug
// build meet all the time, and what they do without a lock in between looks ordered.
//
// What has to be told is that the one who initialised came before all who look: one release, by that one, and an acquire by
// each of the others. This drops the other releases. Which calls come from `swift_once`, it learns from a trial.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void (*_swift_tsan_acquire)(const void *);
extern void (*_swift_tsan_release)(const void *);
extern void swift_once(void *token, void (*initialise)(void *), void *context);

// A token is a flag, set once initialised, and the lock, which is what the sanitizer is told of.
typedef struct {
    int32_t flag;
    int32_t lock;
    void *reserved;
} Token;

static void (*told_acquire)(const void *);
static void (*told_release)(const void *);
// Where `swift_once` calls from.
static void *acquire_site;
static void *release_site;
static const void *trial_lock;

// The locks of what this thread is initialising; an initialiser may need others.
enum { deepest = 64 };
static __thread const void *initialising[deepest];
static __thread int depth;

static void fail(const char *what) {
    fprintf(stderr, "Tests/Support/swift-once-under-tsan.c: %s; races could hide.\n", what);
    abort();
}

static void on_acquire(const void *lock) {
    void *site = __builtin_return_address(0);
    if (lock == trial_lock) acquire_site = site;
    if (site == acquire_site && ((const int32_t *)lock)[-1] == 0) {
        if (depth == deepest) fail("initialisers are nested too deep");
        initialising[depth++] = lock;
    }
    told_acquire(lock);
}

static void on_release(const void *lock) {
    void *site = __builtin_return_address(0);
    if (lock == trial_lock) release_site = site;
    if (site == release_site) {
        if (depth == 0 || initialising[depth - 1] != lock) return;
        depth--;
    }
    told_release(lock);
}

static void initialise_nothing(void *context) { (void)context; }

__attribute__((constructor)) static void stand_between(void) {
    // Not under the sanitizer after all, or with a runtime that tells nothing.
    if (!_swift_tsan_acquire || !_swift_tsan_release) return;
    told_acquire = _swift_tsan_acquire;
    told_release = _swift_tsan_release;
    _swift_tsan_acquire = on_acquire;
    _swift_tsan_release = on_release;

    static Token trial;
    trial_lock = &trial.lock;
    swift_once(&trial, initialise_nothing, NULL);
    trial_lock = NULL;
    if (trial.flag == 0 || !acquire_site || !release_site) fail("swift_once is not what it is taken for");
}
